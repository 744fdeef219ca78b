within Saltus.Examples.Fluid;
model OverflowCascade "Two basins, of which the upper one runs over into the lower one"
  extends Saltus.Icons.Example;
  Saltus.Fluid.Sources.SignalFlow spring(q = if time < 150 then 3e-3 else 0.5e-3)
    annotation(Placement(transformation(extent = {{-90, 50}, {-70, 70}})));
  Saltus.Fluid.OverflowTank upper(A = 0.2, h_max = 1, h(start = 0.2, fixed = true))
    annotation(Placement(transformation(extent = {{-40, 20}, {-20, 40}})));
  Saltus.Fluid.Orifice upperOutlet(q_nom = 1e-3, dp_nom = 1e4)
    annotation(Placement(transformation(extent = {{10, 12}, {30, 32}})));
  Saltus.Fluid.OverflowTank lower(A = 0.1, h_max = 0.8, h(start = 0.1, fixed = true))
    annotation(Placement(transformation(extent = {{10, -40}, {30, -20}})));
  Saltus.Fluid.Orifice lowerOutlet(q_nom = 1e-3, dp_nom = 1e4)
    annotation(Placement(transformation(extent = {{45, -75}, {65, -55}})));
  Saltus.Fluid.Ambient brook
    annotation(Placement(transformation(extent = {{95, -20}, {75, 0}})));
equation
  connect(spring.port, upper.inlet) annotation(Line(points = {{-70, 60}, {-30, 60}, {-30, 40}}, color = {0, 90, 180}));
  connect(upper.port_b, upperOutlet.port_a) annotation(Line(points = {{-20, 22}, {10, 22}}, color = {0, 90, 180}));
  connect(upperOutlet.port_b, brook.port)
    annotation(Line(points = {{30, 22}, {60, 22}, {60, -10}, {75, -10}}, color = {0, 90, 180}));
  connect(upper.overflow, lower.inlet)
    annotation(Line(points = {{-20, 37}, {0, 37}, {0, 0}, {20, 0}, {20, -20}}, color = {0, 90, 180}));
  connect(lower.port_b, lowerOutlet.port_a)
    annotation(Line(points = {{30, -38}, {38, -38}, {38, -65}, {45, -65}}, color = {0, 90, 180}));
  connect(lowerOutlet.port_b, brook.port)
    annotation(Line(points = {{65, -65}, {70, -65}, {70, -10}, {75, -10}}, color = {0, 90, 180}));
  connect(lower.overflow, brook.port)
    annotation(Line(points = {{30, -23}, {60, -23}, {60, -10}, {75, -10}}, color = {0, 90, 180}));
  annotation(experiment(StopTime = 600, Tolerance = 1e-8, Interval = 1), Documentation(info = "<html>
<p>The spring gives three litres per second, and after 150 s half a litre. Each basin has an outlet; what it cannot
take flows over its rim, from the upper into the lower one and from there into the brook.</p>
<p>Look at <code>upper.h</code> and <code>lower.h</code>: at the rim a level is no state any more, and
<code>upper.q_over</code> follows from that. What flows over jumps when the spring weakens, and the levels begin to
fall.</p>
</html>"));
end OverflowCascade;

within Saltus.Examples.Fluid;
model LevellingTanks "Two tanks with a narrow pipe between them come to one level"
  extends Saltus.Icons.Example;
  Saltus.Fluid.Tank left(A = 0.5, h(start = 2, fixed = true))
    annotation(Placement(transformation(extent = {{-70, 10}, {-50, 30}})));
  Saltus.Fluid.Orifice pipe(q_nom = 5e-3, dp_nom = 1e4)
    annotation(Placement(transformation(extent = {{-30, 2}, {-10, 22}})));
  Saltus.Fluid.Sensors.FlowSensor meter
    annotation(Placement(transformation(extent = {{10, 2}, {30, 22}})));
  Saltus.Fluid.Tank right(A = 1, h(start = 0.2, fixed = true))
    annotation(Placement(transformation(extent = {{50, 10}, {70, 30}})));
equation
  connect(left.port_b, pipe.port_a) annotation(Line(points = {{-50, 12}, {-30, 12}}, color = {0, 90, 180}));
  connect(pipe.port_b, meter.port_a) annotation(Line(points = {{-10, 12}, {10, 12}}, color = {0, 90, 180}));
  connect(meter.port_b, right.port_a) annotation(Line(points = {{30, 12}, {50, 12}}, color = {0, 90, 180}));
  annotation(experiment(StopTime = 300, Tolerance = 1e-8, Interval = 1), Documentation(info = "<html>
<p>The flow is proportional to the root of the difference of levels (Torricelli), so the root falls along a straight
line, and both tanks are at one level after a finite time: 181 s.</p>
<p>Look at <code>left.h</code> and <code>right.h</code>: they meet at 0.8 m, with a parabola each, and stay there.
At that point the root is infinitely steep; the law of the orifice is written with the square of the flow.</p>
</html>"));
end LevellingTanks;

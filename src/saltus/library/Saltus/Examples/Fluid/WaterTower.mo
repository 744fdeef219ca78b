within Saltus.Examples.Fluid;
model WaterTower "A pump lifts water into a tower at whatever speed the level asks for"
  extends Saltus.Icons.Example;
  Saltus.Fluid.Ambient well
    annotation(Placement(transformation(extent = {{-90, -70}, {-70, -50}})));
  Saltus.Fluid.Pump pump(p_max = 3e5, q_max = 0.02, speed = min(1, max(0, 0.7 + 0.8*(2 - tower.h))))
    annotation(Placement(transformation(extent = {{-50, -70}, {-30, -50}})));
  Saltus.Fluid.Pipe riser(R = 2e6, height = 15)
    annotation(Placement(transformation(extent = {{-10, -70}, {10, -50}})));
  Saltus.Fluid.Tank tower(A = 2, h(start = 1, fixed = true))
    annotation(Placement(transformation(extent = {{30, -10}, {50, 10}})));
  Saltus.Fluid.Valve town(q_nom = 0.01, dp_nom = 1e5, opening = if sin(time/200) > 0 then 1 else 0.3)
    annotation(Placement(transformation(origin = {80, -40}, extent = {{-10, -10}, {10, 10}}, rotation = -90)));
  Saltus.Fluid.Ambient houses
    annotation(Placement(transformation(extent = {{30, -90}, {50, -70}})));
  Saltus.Fluid.Sources.ConstantFlow rain(q = 1e-4)
    annotation(Placement(transformation(extent = {{-10, 30}, {10, 50}})));
equation
  connect(well.port, pump.port_a) annotation(Line(points = {{-70, -60}, {-50, -60}}, color = {0, 90, 180}));
  connect(pump.port_b, riser.port_a) annotation(Line(points = {{-30, -60}, {-10, -60}}, color = {0, 90, 180}));
  connect(riser.port_b, tower.port_a)
    annotation(Line(points = {{10, -60}, {20, -60}, {20, -8}, {30, -8}}, color = {0, 90, 180}));
  connect(tower.port_b, town.port_a) annotation(Line(points = {{50, -8}, {80, -8}, {80, -30}}, color = {0, 90, 180}));
  connect(town.port_b, houses.port) annotation(Line(points = {{80, -50}, {80, -80}, {50, -80}}, color = {0, 90, 180}));
  connect(rain.port, tower.inlet) annotation(Line(points = {{10, 40}, {40, 40}, {40, 10}}, color = {0, 90, 180}));
  annotation(experiment(StopTime = 5000, Tolerance = 1e-8, Interval = 10), Documentation(info = "<html>
<p>A centrifugal pump pushes water up 15 m of pipe; its speed is set in proportion to what is missing of a level of
2 m. The town opens and closes its taps, and a little rain falls in from above.</p>
<p>Look at <code>tower.h</code> and <code>pump.q</code>: the level stays below 2 m by what the pump needs to hold
the column in the pipe. Below some speed the pump would let water run back: see what a <code>CheckValve</code>
changes.</p>
</html>"));
end WaterTower;

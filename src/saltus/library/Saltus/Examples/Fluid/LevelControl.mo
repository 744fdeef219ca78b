within Saltus.Examples.Fluid;
model LevelControl "A pump is switched on and off to keep a level"
  extends Saltus.Icons.Example;
  Saltus.Fluid.Ambient lake
    annotation(Placement(transformation(extent = {{-90, 10}, {-70, 30}})));
  Saltus.Fluid.DisplacementPump pump(q_nom = 2e-3)
    annotation(Placement(transformation(extent = {{-50, 10}, {-30, 30}})));
  Saltus.Fluid.Tank tank(A = 0.1, h(start = 0.3, fixed = true))
    annotation(Placement(transformation(extent = {{-10, 18}, {10, 38}})));
  Saltus.Fluid.LinearValve outlet(R = 8e6, opening = 1)
    annotation(Placement(transformation(extent = {{40, 10}, {60, 30}})));
  Saltus.Fluid.Ambient drain
    annotation(Placement(transformation(extent = {{96, 10}, {76, 30}})));
  Saltus.Fluid.Sensors.LevelSensor level
    annotation(Placement(transformation(extent = {{40, -30}, {60, -10}})));
  Saltus.Logic.Hysteresis switch(low = 0.5, high = 0.8)
    annotation(Placement(transformation(origin = {50, -60}, extent = {{-10, -10}, {10, 10}}, rotation = 180)));
  Saltus.Logic.BooleanToReal drive(whenTrue = 0, whenFalse = 1)
    annotation(Placement(transformation(origin = {-10, -60}, extent = {{-10, -10}, {10, 10}}, rotation = 180)));
equation
  connect(lake.port, pump.port_a) annotation(Line(points = {{-70, 20}, {-50, 20}}, color = {0, 90, 180}));
  connect(pump.port_b, tank.port_a) annotation(Line(points = {{-30, 20}, {-10, 20}}, color = {0, 90, 180}));
  connect(tank.port_b, outlet.port_a) annotation(Line(points = {{10, 20}, {40, 20}}, color = {0, 90, 180}));
  connect(outlet.port_b, drain.port) annotation(Line(points = {{60, 20}, {76, 20}}, color = {0, 90, 180}));
  connect(tank.port_b, level.port)
    annotation(Line(points = {{10, 20}, {25, 20}, {25, -20}, {40, -20}}, color = {0, 90, 180}));
  connect(level.h, switch.u)
    annotation(Line(points = {{61, -20}, {80, -20}, {80, -60}, {62, -60}}, color = {0, 0, 127}));
  connect(switch.y, drive.u) annotation(Line(points = {{39, -60}, {2, -60}}, color = {255, 0, 255}));
  connect(drive.y, pump.speed) annotation(Line(points = {{-21, -60}, {-40, -60}, {-40, 8}}, color = {0, 0, 127}));
  annotation(experiment(StopTime = 600, Tolerance = 1e-8, Interval = 1), Documentation(info = "<html>
<p>The pump fills the tank until the level is at 0.8 m, and is switched on again at 0.5 m. Two litres per second
come in, and a litre or less runs out.</p>
<p>Look at <code>tank.h</code> and <code>switch.y</code>: between its limits the level rises and falls
exponentially, and each switching is an event.</p>
</html>"));
end LevelControl;

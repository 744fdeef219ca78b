within Saltus.Examples.Translational;
model Oscillator "A mass on a spring and a damper, let go"
  extends Saltus.Icons.Example;
  Saltus.Translational.Fixed wall
    annotation(Placement(transformation(origin = {-80, 0}, extent = {{-10, -10}, {10, 10}}, rotation = -90)));
  Saltus.Translational.Spring spring(c = 100)
    annotation(Placement(transformation(extent = {{-50, 20}, {-30, 40}})));
  Saltus.Translational.Damper damper(d = 2)
    annotation(Placement(transformation(extent = {{-50, -40}, {-30, -20}})));
  Saltus.Translational.Mass body(m = 1, s(start = 0.1, fixed = true), v(start = 0, fixed = true))
    annotation(Placement(transformation(extent = {{0, -10}, {20, 10}})));
  Saltus.Translational.Sources.ConstantForce pull(f = 1)
    annotation(Placement(transformation(extent = {{20, 40}, {40, 60}})));
  Saltus.Translational.Sensors.PositionSensor position
    annotation(Placement(transformation(extent = {{60, 30}, {80, 50}})));
  Saltus.Translational.Sensors.SpeedSensor speed
    annotation(Placement(transformation(extent = {{60, -10}, {80, 10}})));
  Saltus.Translational.Sensors.AccelerationSensor acceleration
    annotation(Placement(transformation(extent = {{60, -50}, {80, -30}})));
equation
  connect(wall.flange, spring.flange_a)
    annotation(Line(points = {{-80, 0}, {-60, 0}, {-60, 30}, {-50, 30}}, color = {0, 127, 0}));
  connect(wall.flange, damper.flange_a)
    annotation(Line(points = {{-80, 0}, {-60, 0}, {-60, -30}, {-50, -30}}, color = {0, 127, 0}));
  connect(spring.flange_b, body.flange_a)
    annotation(Line(points = {{-30, 30}, {-20, 30}, {-20, 0}, {0, 0}}, color = {0, 127, 0}));
  connect(damper.flange_b, body.flange_a)
    annotation(Line(points = {{-30, -30}, {-20, -30}, {-20, 0}, {0, 0}}, color = {0, 127, 0}));
  connect(pull.flange, body.flange_b)
    annotation(Line(points = {{40, 50}, {46, 50}, {46, 0}, {20, 0}}, color = {0, 127, 0}));
  connect(body.flange_b, position.flange)
    annotation(Line(points = {{20, 0}, {46, 0}, {46, 40}, {60, 40}}, color = {0, 127, 0}));
  connect(body.flange_b, speed.flange) annotation(Line(points = {{20, 0}, {60, 0}}, color = {0, 127, 0}));
  connect(body.flange_b, acceleration.flange)
    annotation(Line(points = {{20, 0}, {46, 0}, {46, -40}, {60, -40}}, color = {0, 127, 0}));
  annotation(experiment(StopTime = 5, Tolerance = 1e-8, Interval = 0.01), Documentation(info = "<html>
<p>A body of 1 kg on a spring of 100 N/m is let go 0.1 m away, while 1 N pulls it.</p>
<p>Look at <code>position.s</code>: it swings about 0.01 m, where spring and pull balance, with 9.95 rad/s, and
loses a factor <code>e</code> every second. <code>acceleration.a</code> leads it by half a turn.</p>
</html>"));
end Oscillator;

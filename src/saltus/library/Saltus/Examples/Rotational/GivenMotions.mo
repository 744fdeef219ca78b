within Saltus.Examples.Rotational;
model GivenMotions "The same motion given as angle, as speed and as acceleration"
  extends Saltus.Icons.Example;
  Saltus.Blocks.Sources.Sine angle(amplitude = -1, offset = 1, phase = Saltus.Units.pi/2, f = 0.5)
    annotation(Placement(transformation(extent = {{-80, 50}, {-60, 70}})));
  Saltus.Rotational.Sources.SignalAngle drive1
    annotation(Placement(transformation(extent = {{-40, 50}, {-20, 70}})));
  Saltus.Rotational.Sensors.TorqueSensor torque1
    annotation(Placement(transformation(extent = {{0, 50}, {20, 70}})));
  Saltus.Rotational.Inertia body1(J = 2)
    annotation(Placement(transformation(extent = {{40, 50}, {60, 70}})));
  Saltus.Blocks.Sources.Sine speed(amplitude = Saltus.Units.pi, f = 0.5)
    annotation(Placement(transformation(extent = {{-80, -10}, {-60, 10}})));
  Saltus.Rotational.Sources.SignalSpeed drive2(phi(fixed = true))
    annotation(Placement(transformation(extent = {{-40, -10}, {-20, 10}})));
  Saltus.Rotational.Sensors.TorqueSensor torque2
    annotation(Placement(transformation(extent = {{0, -10}, {20, 10}})));
  Saltus.Rotational.Inertia body2(J = 2)
    annotation(Placement(transformation(extent = {{40, -10}, {60, 10}})));
  Saltus.Blocks.Sources.Sine acceleration(amplitude = Saltus.Units.pi^2, phase = Saltus.Units.pi/2, f = 0.5)
    annotation(Placement(transformation(extent = {{-80, -70}, {-60, -50}})));
  Saltus.Rotational.Sources.SignalAcceleration drive3(phi(fixed = true), w(fixed = true))
    annotation(Placement(transformation(extent = {{-40, -70}, {-20, -50}})));
  Saltus.Rotational.Sensors.TorqueSensor torque3
    annotation(Placement(transformation(extent = {{0, -70}, {20, -50}})));
  Saltus.Rotational.Inertia body3(J = 2)
    annotation(Placement(transformation(extent = {{40, -70}, {60, -50}})));
equation
  connect(angle.y, drive1.phi)
    annotation(Line(points = {{-59, 60}, {-42, 60}}, color = {0, 0, 127}));
  connect(drive1.flange, torque1.flange_a)
    annotation(Line(points = {{-20, 60}, {0, 60}}, color = {95, 95, 95}));
  connect(torque1.flange_b, body1.flange_a)
    annotation(Line(points = {{20, 60}, {40, 60}}, color = {95, 95, 95}));
  connect(speed.y, drive2.w)
    annotation(Line(points = {{-59, 0}, {-42, 0}}, color = {0, 0, 127}));
  connect(drive2.flange, torque2.flange_a)
    annotation(Line(points = {{-20, 0}, {0, 0}}, color = {95, 95, 95}));
  connect(torque2.flange_b, body2.flange_a)
    annotation(Line(points = {{20, 0}, {40, 0}}, color = {95, 95, 95}));
  connect(acceleration.y, drive3.a)
    annotation(Line(points = {{-59, -60}, {-42, -60}}, color = {0, 0, 127}));
  connect(drive3.flange, torque3.flange_a)
    annotation(Line(points = {{-20, -60}, {0, -60}}, color = {95, 95, 95}));
  connect(torque3.flange_b, body3.flange_a)
    annotation(Line(points = {{20, -60}, {40, -60}}, color = {95, 95, 95}));
  annotation(Documentation(info = "<html>
<p>Three drives move equal inertias: one is told the angle <code>1 - cos(pi*t)</code>, one the speed
<code>pi*sin(pi*t)</code>, one the acceleration <code>pi^2*cos(pi*t)</code>.</p>
<p>What to look at: the three torques are the same, <code>2*pi^2*cos(pi*t)</code>. To give an angle the drive needs
its second derivative, to give a speed the first: the tool differentiates the signals. The first drive has no state,
the second has one, the third two.</p>
</html>"),
    experiment(StopTime = 4, Tolerance = 1e-8, Interval = 0.01));
end GivenMotions;

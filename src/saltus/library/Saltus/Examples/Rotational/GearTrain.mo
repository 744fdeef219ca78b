within Saltus.Examples.Rotational;
model GearTrain "A motor turns a heavy load through a gear and an elastic shaft"
  extends Saltus.Icons.Example;
  Saltus.Blocks.Sources.Step command(height = 10, startTime = 0.1) "Torque of the motor"
    annotation(Placement(transformation(extent = {{-100, -10}, {-80, 10}})));
  Saltus.Rotational.Sources.SignalTorque drive
    annotation(Placement(transformation(extent = {{-70, -10}, {-50, 10}})));
  Saltus.Rotational.Inertia motor(J = 0.02, phi(fixed = true), w(fixed = true))
    annotation(Placement(transformation(extent = {{-40, -10}, {-20, 10}})));
  Saltus.Rotational.Sensors.PowerSensor power
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}})));
  Saltus.Rotational.Gear gear(ratio = 10)
    annotation(Placement(transformation(extent = {{20, -10}, {40, 10}})));
  Saltus.Rotational.Inertia wheel(J = 0.5)
    annotation(Placement(transformation(extent = {{50, -10}, {70, 10}})));
  Saltus.Rotational.Sensors.TorqueSensor torque
    annotation(Placement(transformation(extent = {{70, -50}, {50, -30}})));
  Saltus.Rotational.SpringDamper shaft(c = 400, d = 2)
    annotation(Placement(transformation(extent = {{40, -50}, {20, -30}})));
  Saltus.Rotational.Inertia load(J = 10, phi(fixed = true), w(fixed = true))
    annotation(Placement(transformation(extent = {{10, -50}, {-10, -30}})));
  Saltus.Rotational.Damper oil(d = 20)
    annotation(Placement(transformation(extent = {{-20, -50}, {-40, -30}})));
  Saltus.Rotational.Fixed housing
    annotation(Placement(transformation(extent = {{-70, -50}, {-50, -30}})));
  Saltus.Rotational.Sensors.SpeedSensor speed
    annotation(Placement(transformation(extent = {{20, -90}, {40, -70}})));
  Saltus.Rotational.Sensors.AngleSensor angle
    annotation(Placement(transformation(extent = {{-20, -90}, {-40, -70}})));
  Saltus.Rotational.Sensors.AccelerationSensor acceleration
    annotation(Placement(transformation(extent = {{-10, 30}, {10, 50}})));
equation
  connect(command.y, drive.tau)
    annotation(Line(points = {{-79, 0}, {-72, 0}}, color = {0, 0, 127}));
  connect(drive.flange, motor.flange_a)
    annotation(Line(points = {{-50, 0}, {-40, 0}}, color = {95, 95, 95}));
  connect(motor.flange_b, power.flange_a)
    annotation(Line(points = {{-20, 0}, {-10, 0}}, color = {95, 95, 95}));
  connect(power.flange_b, gear.flange_a)
    annotation(Line(points = {{10, 0}, {20, 0}}, color = {95, 95, 95}));
  connect(gear.flange_b, wheel.flange_a)
    annotation(Line(points = {{40, 0}, {50, 0}}, color = {95, 95, 95}));
  connect(wheel.flange_b, torque.flange_a)
    annotation(Line(points = {{70, 0}, {85, 0}, {85, -40}, {70, -40}}, color = {95, 95, 95}));
  connect(torque.flange_b, shaft.flange_a)
    annotation(Line(points = {{50, -40}, {40, -40}}, color = {95, 95, 95}));
  connect(shaft.flange_b, load.flange_a)
    annotation(Line(points = {{20, -40}, {10, -40}}, color = {95, 95, 95}));
  connect(load.flange_b, oil.flange_a)
    annotation(Line(points = {{-10, -40}, {-20, -40}}, color = {95, 95, 95}));
  connect(oil.flange_b, housing.flange)
    annotation(Line(points = {{-40, -40}, {-60, -40}}, color = {95, 95, 95}));
  connect(load.flange_a, speed.flange)
    annotation(Line(points = {{10, -40}, {15, -40}, {15, -80}, {20, -80}}, color = {95, 95, 95}));
  connect(load.flange_b, angle.flange)
    annotation(Line(points = {{-10, -40}, {-15, -40}, {-15, -80}, {-20, -80}}, color = {95, 95, 95}));
  connect(motor.flange_b, acceleration.flange)
    annotation(Line(points = {{-20, 0}, {-15, 0}, {-15, 40}, {-10, 40}}, color = {95, 95, 95}));
  annotation(Documentation(info = "<html>
<p>A motor torque of 10 N.m is switched on at 0.1 s. The gear slows its motion down to a tenth and makes the torque
tenfold; the load hangs on an elastic shaft and runs in oil.</p>
<p>What to look at: <code>speed.w</code> of the load swings about its final value 100/20 = 5 rad/s, because the shaft
winds up; <code>torque.tau</code> is what goes through the shaft, and at last equals that of the oil.
<code>power.P</code> is the power that the motor hands over: at last all of it becomes heat in <code>oil</code>.</p>
<p>Motor and gear wheel are two inertias, and one body: the run has four states, not six.</p>
</html>"),
    experiment(StopTime = 6, Tolerance = 1e-7, Interval = 0.01));
end GearTrain;

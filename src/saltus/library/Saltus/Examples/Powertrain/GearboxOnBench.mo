within Saltus.Examples.Powertrain;
model GearboxOnBench "The ratios of the automatic gearbox, on a test bench"
  extends Saltus.Icons.Example;
  Saltus.Rotational.Sources.ConstantSpeed motor(w = 100, phi(fixed = true))
    annotation(Placement(transformation(extent = {{-90, -10}, {-70, 10}})));
  Saltus.Rotational.Sensors.TorqueSensor torque
    annotation(Placement(transformation(extent = {{-60, -10}, {-40, 10}})));
  Saltus.Powertrain.AutomaticGearbox gearbox
    annotation(Placement(transformation(extent = {{-30, -10}, {-10, 10}})));
  Saltus.Rotational.Inertia load(J = 1, phi(fixed = true), w(fixed = true))
    annotation(Placement(transformation(extent = {{0, -10}, {20, 10}})));
  Saltus.Rotational.Damper damper(d = 0.5)
    annotation(Placement(transformation(extent = {{30, -10}, {50, 10}})));
  Saltus.Rotational.Fixed bench
    annotation(Placement(transformation(extent = {{60, -10}, {80, 10}})));
  Saltus.Blocks.Sources.Ramp velocity(height = 40, duration = 16)
    annotation(Placement(transformation(extent = {{-100, 60}, {-80, 80}})));
  Saltus.Blocks.Sources.Constant throttle
    annotation(Placement(transformation(extent = {{-100, 30}, {-80, 50}})));
  Saltus.Powertrain.ShiftLogic logic
    annotation(Placement(transformation(extent = {{-60, 45}, {-40, 65}})));
equation
  connect(motor.flange, torque.flange_a)
    annotation(Line(points = {{-70, 0}, {-60, 0}}, color = {95, 95, 95}));
  connect(torque.flange_b, gearbox.flange_a)
    annotation(Line(points = {{-40, 0}, {-30, 0}}, color = {95, 95, 95}));
  connect(gearbox.flange_b, load.flange_a)
    annotation(Line(points = {{-10, 0}, {0, 0}}, color = {95, 95, 95}));
  connect(load.flange_b, damper.flange_a)
    annotation(Line(points = {{20, 0}, {30, 0}}, color = {95, 95, 95}));
  connect(damper.flange_b, bench.flange)
    annotation(Line(points = {{50, 0}, {70, 0}}, color = {95, 95, 95}));
  connect(velocity.y, logic.v)
    annotation(Line(points = {{-79, 70}, {-70, 70}, {-70, 61}, {-62, 61}}, color = {0, 0, 127}));
  connect(throttle.y, logic.throttle)
    annotation(Line(points = {{-79, 40}, {-70, 40}, {-70, 49}, {-62, 49}}, color = {0, 0, 127}));
  connect(logic.gear, gearbox.gear)
    annotation(Line(points = {{-39, 55}, {-36, 55}, {-36, 6}, {-32, 6}}, color = {255, 127, 0}));
  annotation(Documentation(info = "<html>
<p>A motor turns the input of the gearbox with 100 rad/s, an inertia with a damper loads the output. The logic is told
a velocity that grows, and changes up through the gears.</p>
<p>What to look at: the speed of <code>load</code> settles at 100/3.06 = 32.7, 100/1.62 = 61.6, 100 and 100/0.697 =
143 rad/s. Each time a clutch or a brake slips until its speeds meet; the motor gives a torque for that, which
<code>torque.tau</code> shows. In gear 3 all shafts of the gearbox turn as one.</p>
</html>"),
    experiment(StopTime = 16, Tolerance = 1e-7, Interval = 0.01));
end GearboxOnBench;

within Saltus.Examples.Translational;
model LoadingPlatform "A box on a truck that brakes too hard"
  extends Saltus.Icons.Example;
  Saltus.Translational.Sources.SignalAcceleration truck(a = if time < 4 then 2 elseif time < 5.6 then -5 else 0,
    s(start = 0), v(start = 0))
    annotation(Placement(transformation(extent = {{-70, -10}, {-50, 10}})));
  Saltus.Translational.Friction platform(f_c = 0.4*50*9.81)
    annotation(Placement(transformation(extent = {{-20, -10}, {0, 10}})));
  Saltus.Translational.Mass box(m = 50, s(start = 0, fixed = true), v(start = 0, fixed = true))
    annotation(Placement(transformation(extent = {{30, -10}, {50, 10}})));
  Saltus.Translational.Sensors.AccelerationSensor acceleration
    annotation(Placement(transformation(extent = {{70, 30}, {90, 50}})));
equation
  connect(truck.flange, platform.flange_a) annotation(Line(points = {{-50, 0}, {-20, 0}}, color = {0, 127, 0}));
  connect(platform.flange_b, box.flange_a) annotation(Line(points = {{0, 0}, {30, 0}}, color = {0, 127, 0}));
  connect(box.flange_b, acceleration.flange)
    annotation(Line(points = {{50, 0}, {60, 0}, {60, 40}, {70, 40}}, color = {0, 127, 0}));
  annotation(experiment(StopTime = 8, Tolerance = 1e-8, Interval = 0.02), Documentation(info = "<html>
<p>A box of 50 kg with the friction coefficient 0.4 can be accelerated with 3.9 m/s2 at most. It follows the truck
while that speeds up with 2 m/s2; when it brakes with 5 m/s2 the box slides on.</p>
<p>Look at <code>acceleration.a</code> and <code>platform.s_rel</code>: how far the box has moved on the platform
when both are at the same speed again.</p>
</html>"));
end LoadingPlatform;

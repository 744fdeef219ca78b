within Saltus.Examples.Translational;
model QuarterCar "A wheel and its share of the car on a bumpy road"
  extends Saltus.Icons.Example;
  parameter Saltus.Units.AngularFrequency w = 8 "Bumps pass with this frequency";
  parameter Saltus.Units.Length bump = 0.02 "Height of the bumps";
  Saltus.Translational.Sources.SignalPosition road(s = bump*(1 - cos(w*time)))
    annotation(Placement(transformation(extent = {{-100, -10}, {-80, 10}})));
  Saltus.Translational.Sensors.PowerSensor power
    annotation(Placement(transformation(extent = {{-64, -10}, {-44, 10}})));
  Saltus.Translational.Spring tyre(c = 200e3)
    annotation(Placement(transformation(extent = {{-30, -10}, {-10, 10}})));
  Saltus.Translational.Mass wheel(m = 40, s(start = 0, fixed = true), v(start = 0, fixed = true))
    annotation(Placement(transformation(extent = {{0, -10}, {20, 10}})));
  Saltus.Translational.SpringDamper suspension(c = 20e3, d = 1500)
    annotation(Placement(transformation(extent = {{30, -10}, {50, 10}})));
  Saltus.Translational.Mass car(m = 300, s(start = 0, fixed = true), v(start = 0, fixed = true))
    annotation(Placement(transformation(extent = {{70, -10}, {90, 10}})));
equation
  connect(road.flange, power.flange_a) annotation(Line(points = {{-80, 0}, {-64, 0}}, color = {0, 127, 0}));
  connect(power.flange_b, tyre.flange_a) annotation(Line(points = {{-44, 0}, {-30, 0}}, color = {0, 127, 0}));
  connect(tyre.flange_b, wheel.flange_a) annotation(Line(points = {{-10, 0}, {0, 0}}, color = {0, 127, 0}));
  connect(wheel.flange_b, suspension.flange_a) annotation(Line(points = {{20, 0}, {30, 0}}, color = {0, 127, 0}));
  connect(suspension.flange_b, car.flange_a) annotation(Line(points = {{50, 0}, {70, 0}}, color = {0, 127, 0}));
  annotation(experiment(StopTime = 4, Tolerance = 1e-8, Interval = 0.005), Documentation(info = "<html>
<p>Positions count from the state of rest, so weights and the loads of the springs at rest do not appear.</p>
<p>Look at <code>car.s</code> and <code>wheel.s</code>: near the natural frequency of the car, about 8 rad/s, it
moves further than the road. With <code>--set w=60</code> the car stays calm and the wheel hops.
<code>power.P</code> is what the bumps cost the engine; on average it is the heat in the damper,
<code>suspension.lossPower</code>.</p>
</html>"));
end QuarterCar;

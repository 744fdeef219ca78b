within Saltus.Examples.Translational;
model CableCar "A cable car grips the running cable, lets go and brakes"
  extends Saltus.Icons.Example;
  Saltus.Translational.Sources.SignalSpeed cable(v = min(4, 1 + time))
    annotation(Placement(transformation(extent = {{-90, -10}, {-70, 10}})));
  Saltus.Translational.Grip grip(mu = 0.4, cgeo = 2, fn_max = 20e3,
    press = if time < 20 then min(1, max(0, (time - 1)/5)) else 0)
    annotation(Placement(transformation(extent = {{-50, -10}, {-30, 10}})));
  Saltus.Translational.Mass car(m = 8000, s(start = 0, fixed = true), v(start = 0, fixed = true))
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}})));
  Saltus.Translational.Brake brake(mu = 0.35, cgeo = 2, fn_max = 15e3, press = if time < 22 then 0 else 1)
    annotation(Placement(transformation(extent = {{30, -10}, {50, 10}})));
  Saltus.Translational.Gravity weight(m = 8000, angle = 0.05)
    annotation(Placement(transformation(extent = {{70, -50}, {90, -30}})));
equation
  connect(cable.flange, grip.flange_a) annotation(Line(points = {{-70, 0}, {-50, 0}}, color = {0, 127, 0}));
  connect(grip.flange_b, car.flange_a) annotation(Line(points = {{-30, 0}, {-10, 0}}, color = {0, 127, 0}));
  connect(car.flange_b, brake.flange_a) annotation(Line(points = {{10, 0}, {30, 0}}, color = {0, 127, 0}));
  connect(brake.flange_b, weight.flange) annotation(Line(points = {{50, 0}, {80, 0}, {80, -30}}, color = {0, 127, 0}));
  annotation(experiment(StopTime = 30, Tolerance = 1e-8, Interval = 0.05), Documentation(info = "<html>
<p>The cable is speeded up to 4 m/s in the morning, and then never stops. The car holds on to it by friction: the
grip is closed within five seconds, and the car is pulled up the slope until it is as fast as the cable. Then it is
opened, and a little later the brake stops the car and holds it.</p>
<p>Look at <code>car.v</code> with <code>grip.forward</code>, <code>grip.backward</code> and
<code>brake.pads.backward</code>: until <code>grip.f</code> has outgrown the weight, the car rolls back a little.
Where speeds become equal the grip sticks, and the force falls to what the slope needs.</p>
</html>"));
end CableCar;

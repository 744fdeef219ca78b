within Saltus.Examples.Rotational;
model FlywheelsMeet "Two ways to join flywheels, and the same loss of energy"
  extends Saltus.Icons.Example;
  Saltus.Rotational.Inertia turning1(J = 2, phi(fixed = true), w(start = 10, fixed = true))
    annotation(Placement(transformation(extent = {{-40, 30}, {-20, 50}})));
  Saltus.Rotational.IdealClutch instant
    annotation(Placement(transformation(extent = {{-10, 30}, {10, 50}})));
  Saltus.Rotational.Inertia resting1(J = 3, phi(fixed = true), w(fixed = true))
    annotation(Placement(transformation(extent = {{20, 30}, {40, 50}})));
  Saltus.Rotational.Inertia turning2(J = 2, phi(fixed = true), w(start = 10, fixed = true))
    annotation(Placement(transformation(extent = {{-40, -40}, {-20, -20}})));
  Saltus.Rotational.Clutch plates(mu = 0.3, cgeo = 1, fn_max = 100)
    annotation(Placement(transformation(extent = {{-10, -40}, {10, -20}})));
  Saltus.Rotational.Inertia resting2(J = 3, phi(fixed = true), w(fixed = true))
    annotation(Placement(transformation(extent = {{20, -40}, {40, -20}})));
  Saltus.Logic.Sources.BooleanStep close(startTime = 1)
    annotation(Placement(transformation(extent = {{-40, -10}, {-20, 10}})));
  Saltus.Blocks.Sources.Step press(startTime = 1)
    annotation(Placement(transformation(extent = {{-40, -80}, {-20, -60}})));
equation
  connect(turning1.flange_b, instant.flange_a)
    annotation(Line(points = {{-20, 40}, {-10, 40}}, color = {95, 95, 95}));
  connect(instant.flange_b, resting1.flange_a)
    annotation(Line(points = {{10, 40}, {20, 40}}, color = {95, 95, 95}));
  connect(turning2.flange_b, plates.flange_a)
    annotation(Line(points = {{-20, -30}, {-10, -30}}, color = {95, 95, 95}));
  connect(plates.flange_b, resting2.flange_a)
    annotation(Line(points = {{10, -30}, {20, -30}}, color = {95, 95, 95}));
  connect(close.y, instant.closed)
    annotation(Line(points = {{-19, 0}, {0, 0}, {0, 28}}, color = {255, 0, 255}));
  connect(press.y, plates.press)
    annotation(Line(points = {{-19, -70}, {0, -70}, {0, -42}}, color = {0, 0, 127}));
  annotation(Documentation(info = "<html>
<p>A flywheel of 2 kg.m2 at 10 rad/s is joined to one of 3 kg.m2 at rest: above by an ideal clutch, which locks in an
instant, below by a pack of plates, which takes its time.</p>
<p>What to look at: both pairs end at 4 rad/s, since momentum is conserved, and both have lost 60 of 100 J. Above the
torque has an impulse of 12 N.m.s at 1 s (see the log); below it is 30 N.m for 0.4 s.</p>
</html>"),
    experiment(StopTime = 2, Tolerance = 1e-8, Interval = 0.005));
end FlywheelsMeet;

within Saltus.Examples.Rotational;
model SplitFriction "A car with one wheel on ice, and how a locked differential helps"
  extends Saltus.Icons.Example;
  Saltus.Rotational.Sources.ConstantTorque engine(tau = 60)
    annotation(Placement(transformation(extent = {{-100, -10}, {-80, 10}})));
  Saltus.Rotational.Differential differential(ratio = 4)
    annotation(Placement(transformation(extent = {{-70, -10}, {-50, 10}})));
  Saltus.Rotational.Inertia left(J = 2, phi(fixed = true), w(fixed = true))
    annotation(Placement(transformation(extent = {{-40, 30}, {-20, 50}})));
  Saltus.Rotational.Inertia right(J = 2, phi(fixed = true), w(fixed = true))
    annotation(Placement(transformation(extent = {{-40, -50}, {-20, -30}})));
  Saltus.Rotational.Clutch lock(mu = 0.3, cgeo = 1, fn_max = 1500)
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {-10, 0}, rotation = 90)));
  Saltus.Rotational.Friction asphalt(tau_c = 900)
    annotation(Placement(transformation(extent = {{15, 30}, {35, 50}})));
  Saltus.Rotational.Friction ice(tau_c = 60)
    annotation(Placement(transformation(extent = {{15, -50}, {35, -30}})));
  Saltus.Rotational.Inertia car(J = 100, phi(fixed = true), w(fixed = true))
    annotation(Placement(transformation(extent = {{50, -10}, {70, 10}})));
  Saltus.Blocks.Sources.Ramp press(duration = 0.2, startTime = 2)
    annotation(Placement(transformation(extent = {{32, -10}, {12, 10}})));
equation
  connect(engine.flange, differential.flange_in)
    annotation(Line(points = {{-80, 0}, {-70, 0}}, color = {95, 95, 95}));
  connect(differential.flange_left, left.flange_a)
    annotation(Line(points = {{-60, 10}, {-60, 40}, {-40, 40}}, color = {95, 95, 95}));
  connect(differential.flange_right, right.flange_a)
    annotation(Line(points = {{-60, -10}, {-60, -40}, {-40, -40}}, color = {95, 95, 95}));
  connect(left.flange_b, asphalt.flange_a)
    annotation(Line(points = {{-20, 40}, {15, 40}}, color = {95, 95, 95}));
  connect(right.flange_b, ice.flange_a)
    annotation(Line(points = {{-20, -40}, {15, -40}}, color = {95, 95, 95}));
  connect(left.flange_b, lock.flange_b)
    annotation(Line(points = {{-20, 40}, {-10, 40}, {-10, 10}}, color = {95, 95, 95}));
  connect(right.flange_b, lock.flange_a)
    annotation(Line(points = {{-20, -40}, {-10, -40}, {-10, -10}}, color = {95, 95, 95}));
  connect(asphalt.flange_b, car.flange_a)
    annotation(Line(points = {{35, 40}, {42, 40}, {42, 0}, {50, 0}}, color = {95, 95, 95}));
  connect(ice.flange_b, car.flange_a)
    annotation(Line(points = {{35, -40}, {42, -40}, {42, 0}, {50, 0}}, color = {95, 95, 95}));
  connect(press.y, lock.press)
    annotation(Line(points = {{11, 0}, {2, -0}}, color = {0, 0, 127}));
  annotation(Documentation(info = "<html>
<p>An engine torque goes through a differential to two wheels. Each grips the road by friction: the left one on
asphalt, the right one on ice. The car is an inertia as seen from the wheels. From 2 s on a clutch between the wheels
locks the differential.</p>
<p>What to look at: the wheel on ice spins, and the other one gets no more torque than the ice can hold: the car
hardly accelerates, and the left wheel sticks to the road all the time. When the differential is locked the wheels
come to the same speed, the left one takes what the right one cannot, and the car accelerates twice as fast.</p>
</html>"),
    experiment(StopTime = 4, Tolerance = 1e-7, Interval = 0.01));
end SplitFriction;

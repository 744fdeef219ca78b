within Saltus.Examples.Translational;
model JerkyBelt "A block on a belt is held by a spring: it sticks and slips"
  extends Saltus.Icons.Example;
  Saltus.Translational.Sources.ConstantSpeed belt(v = 0.5)
    annotation(Placement(transformation(extent = {{-90, -50}, {-70, -30}})));
  Saltus.Translational.PeakFriction friction(f_c = 1, f_s = 1.5)
    annotation(Placement(transformation(extent = {{-40, -50}, {-20, -30}})));
  Saltus.Translational.Mass body(m = 1, s(start = 0, fixed = true), v(start = 0, fixed = true))
    annotation(Placement(transformation(extent = {{10, -50}, {30, -30}})));
  Saltus.Translational.Spring spring(c = 1)
    annotation(Placement(transformation(extent = {{10, 10}, {30, 30}})));
  Saltus.Translational.Fixed wall
    annotation(Placement(transformation(extent = {{70, 10}, {90, 30}})));
equation
  connect(belt.flange, friction.flange_a) annotation(Line(points = {{-70, -40}, {-40, -40}}, color = {0, 127, 0}));
  connect(friction.flange_b, body.flange_a) annotation(Line(points = {{-20, -40}, {10, -40}}, color = {0, 127, 0}));
  connect(body.flange_b, spring.flange_a)
    annotation(Line(points = {{30, -40}, {40, -40}, {40, -10}, {-10, -10}, {-10, 20}, {10, 20}}, color = {0, 127, 0}));
  connect(spring.flange_b, wall.flange) annotation(Line(points = {{30, 20}, {80, 20}}, color = {0, 127, 0}));
  annotation(experiment(StopTime = 30, Tolerance = 1e-8, Interval = 0.02), Documentation(info = "<html>
<p>The belt carries the block along until the spring pulls with 1.5 N. Then friction drops to 1 N, the block slips
back, and is caught again when it is as fast as the belt.</p>
<p>Look at <code>body.v</code>: a straight line at the speed of the belt, and parts of an oscillation.
<code>friction.f</code> leaps at each break-away, and nothing jumps when it sticks again.</p>
</html>"));
end JerkyBelt;

within Saltus.Examples.Translational;
model BouncingBall "A ball that falls and jumps, ever lower"
  extends Saltus.Icons.Example;
  Saltus.Translational.Fixed floor
    annotation(Placement(transformation(extent = {{-50, -70}, {-30, -50}})));
  Saltus.Translational.Contact impact(e = 0.8)
    annotation(Placement(transformation(origin = {-40, -20}, extent = {{-10, -10}, {10, 10}}, rotation = 90)));
  Saltus.Translational.Mass ball(m = 0.2, s(start = 1, fixed = true), v(start = 0, fixed = true))
    annotation(Placement(transformation(origin = {-40, 20}, extent = {{-10, -10}, {10, 10}}, rotation = 90)));
  Saltus.Translational.Gravity weight(m = 0.2)
    annotation(Placement(transformation(extent = {{10, -10}, {30, 10}})));
equation
  connect(floor.flange, impact.flange_a) annotation(Line(points = {{-40, -60}, {-40, -30}}, color = {0, 127, 0}));
  connect(impact.flange_b, ball.flange_a) annotation(Line(points = {{-40, -10}, {-40, 10}}, color = {0, 127, 0}));
  connect(weight.flange, ball.flange_a) annotation(Line(points = {{20, 10}, {-40, 10}}, color = {0, 127, 0}));
  annotation(experiment(StopTime = 5, Tolerance = 1e-8, Interval = 0.01), Documentation(info = "<html>
<p>Newton's law of impact: a contact between the floor and the ball, with the coefficient of restitution 0.8. At
each impact the velocity jumps, and <code>impact.f</code> has an impulse.</p>
<p>Look at <code>ball.s</code>: jumps pile up at 4.06 s, infinitely many in theory. Impacts slower than
<code>impact.v_rest</code> do not rebound, and the ball lies on the floor, without a state. <code>impact.f</code> is
then its weight.</p>
</html>"));
end BouncingBall;

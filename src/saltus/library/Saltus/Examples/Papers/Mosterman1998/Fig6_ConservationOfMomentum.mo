within Saltus.Examples.Papers.Mosterman1998;
model Fig6_ConservationOfMomentum "A clutch between a weight and an inertia that share their momentum when it closes"
  extends Saltus.Icons.Example;
  Saltus.Translational.Sources.ConstantForce gravity(f = 9.8) "Of the weight"
    annotation(Placement(transformation(extent = {{-90, -10}, {-70, 10}})));
  Saltus.Translational.Mass m_1(m = 1, s(start = 0, fixed = true), v(start = 0, fixed = true)) "The weight"
    annotation(Placement(transformation(extent = {{-55, -10}, {-35, 10}})));
  Saltus.Translational.RackAndPinion wheel(r = 1) "The wheel with the rope round it"
    annotation(Placement(transformation(origin = {-10, 0}, extent = {{-10, -10}, {10, 10}}, rotation = 180)));
  Saltus.Rotational.IdealClutch Sw_2(closed = time < 0.5 or time >= 1) "The clutch"
    annotation(Placement(transformation(extent = {{15, -10}, {35, 10}})));
  Saltus.Rotational.Inertia I_1(J = 1, phi(start = 0, fixed = true), w(start = 0, fixed = true)) "The body"
    annotation(Placement(transformation(extent = {{55, -10}, {75, 10}})));
  Saltus.Units.Momentum p_1 "Of the weight";
  Saltus.Units.AngularMomentum L_1 "Of the body";
equation
  p_1 = m_1.m*m_1.v;
  L_1 = I_1.J*I_1.w;
  connect(gravity.flange, m_1.flange_a)
    annotation(Line(points = {{-70, 0}, {-55, 0}}, color = {0, 127, 0}));
  connect(m_1.flange_b, wheel.rack)
    annotation(Line(points = {{-35, 0}, {-20, 0}}, color = {0, 127, 0}));
  connect(wheel.pinion, Sw_2.flange_a)
    annotation(Line(points = {{0, 0}, {15, 0}}, color = {95, 95, 95}));
  connect(Sw_2.flange_b, I_1.flange_a)
    annotation(Line(points = {{35, 0}, {55, 0}}, color = {95, 95, 95}));
  annotation(
    experiment(StopTime = 1.5, Tolerance = 1e-8, Interval = 0.005),
    Documentation(info = "<html>
<p>Weight and body are equal. Together they are accelerated with half of gravity; while the clutch is open the
weight falls freely and the body keeps its speed. When it closes they must have one speed at once, and the momentum
is shared.</p>
<p>What to look at: 7.35 and 2.45 become 4.9 at 1 s. With a wheel of another radius the changes of the momenta
satisfy <code>change of p_1 + (change of L_1)/r = 0</code>, since force and torque are in the inverse ratio of the
speeds. The paper prints the gain at the other momentum; with a gain of one both are the same.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Mosterman, Biswas, Otter 1998",
      place = "Figure 6",
      passage = "With m_1 = I_1 the clutch opens at 0.5 s, and the velocities of weight and inertia become
different. When it closes at 1 s both become dependent: velocities change discontinuously, to satisfy the constraint
and the conservation of momentum, the state. If 2 pi r = 1 and both are equal, the momentum is distributed equally.",
      look = "2.45 until the clutch opens; before it closes 7.35 and 2.45; after that both 4.9, exactly the mean,
and an impulse of 2.45 N.m.s in the log.",
      plot = {"m_1.v", "I_1.w"}, modes = true, log = true)));
end Fig6_ConservationOfMomentum;

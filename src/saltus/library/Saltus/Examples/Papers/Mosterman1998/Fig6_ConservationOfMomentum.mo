within Saltus.Examples.Papers.Mosterman1998;
model Fig6_ConservationOfMomentum "A clutch between a weight and an inertia that share their momentum when it closes"
  extends Saltus.Icons.Example;
  parameter Saltus.Units.Mass m_1 = 1 "Of the weight";
  parameter Saltus.Units.Inertia I_1 = 1 "Of the body";
  parameter Saltus.Units.Acceleration g = 9.8 "Gravity";
  parameter Real gain(unit = "rad/m") = 1 "Speed of the rod over that of the weight: 2*pi*r in the paper";
  Saltus.Units.Velocity v_1(start = 0, fixed = true) "Of the weight, downwards";
  Saltus.Units.AngularVelocity w_rod "Of the rod";
  Saltus.Units.AngularVelocity w_1 "Of the body";
  Saltus.Units.Momentum p_1 "Of the weight";
  Saltus.Units.AngularMomentum L_1(start = 0, fixed = true) "Of the body";
  Saltus.Units.Torque tau "Of the clutch Sw_2";
  Boolean closed "The clutch Sw_2 is closed";
equation
  closed = time < 0.5 or time >= 1;
  p_1 = m_1*v_1;
  L_1 = I_1*w_1;
  w_rod = gain*v_1;
  der(p_1) = m_1*g - gain*tau;
  der(L_1) = tau;
  if closed then
    w_rod = w_1;
  else
    tau = 0;
  end if;
  annotation(
    experiment(StopTime = 1.5, Tolerance = 1e-8, Interval = 0.005),
    Documentation(info = "<html>
<p>Weight and body are equal. Together they are accelerated with half of gravity; while the clutch is open the
weight falls freely and the body keeps its speed. When it closes they must have one speed at once, and the momentum
is shared.</p>
<p>What to look at: 7.35 and 2.45 become 4.9 at 1 s. With another <code>gain</code> the changes of the momenta
satisfy <code>change of p_1 + gain*(change of L_1) = 0</code>, since force and torque are in the inverse ratio of
the speeds. The paper prints the gain at the other momentum; with a gain of one both are the same.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Mosterman, Biswas, Otter 1998",
      place = "Figure 6",
      passage = "With m_1 = I_1 the clutch opens at 0.5 s, and the velocities of weight and inertia become
different. When it closes at 1 s both become dependent: velocities change discontinuously, to satisfy the constraint
and the conservation of momentum, the state. If 2 pi r = 1 and both are equal, the momentum is distributed equally.",
      look = "2.45 until the clutch opens; before it closes 7.35 and 2.45; after that both 4.9, exactly the mean,
and an impulse of 2.45 N.m.s in the log.",
      plot = {"v_1", "w_1"}, modes = true, log = true)));
end Fig6_ConservationOfMomentum;

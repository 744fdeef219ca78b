within Saltus.Examples.Papers.Mosterman1998;
model Fig7_FreewheelingClutch
  "A brake stops the weight, the freewheeling clutch opens in the same instant, and the inertia goes on"
  extends Saltus.Icons.Example;
  Saltus.Translational.Sources.ConstantForce gravity(f = 9.8) "Of the weight"
    annotation(Placement(transformation(extent = {{-100, 20}, {-80, 40}})));
  Saltus.Translational.Mass m_1(m = 1, s(start = 0, fixed = true), v(start = 0, fixed = true)) "The weight"
    annotation(Placement(transformation(extent = {{-65, 20}, {-45, 40}})));
  Saltus.Translational.RackAndPinion wheel(r = 1) "The wheel with the rope round it"
    annotation(Placement(transformation(origin = {-20, 30}, extent = {{-10, -10}, {10, 10}}, rotation = 180)));
  Saltus.Rotational.Freewheel Sw_2 "The freewheeling clutch"
    annotation(Placement(transformation(extent = {{30, 20}, {50, 40}})));
  Saltus.Rotational.Inertia I_1(J = 1, phi(start = 0, fixed = true), w(start = 0, fixed = true)) "The body"
    annotation(Placement(transformation(extent = {{70, 20}, {90, 40}})));
  Saltus.Rotational.IdealClutch Sw_1(closed = time >= 0.2) "The brake: between housing and rod"
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {10, -10}, rotation = 90)));
  Saltus.Rotational.Fixed housing "Does not turn"
    annotation(Placement(transformation(extent = {{0, -50}, {20, -30}})));
equation
  connect(gravity.flange, m_1.flange_a)
    annotation(Line(points = {{-80, 30}, {-65, 30}}, color = {0, 127, 0}));
  connect(m_1.flange_b, wheel.rack)
    annotation(Line(points = {{-45, 30}, {-30, 30}}, color = {0, 127, 0}));
  connect(wheel.pinion, Sw_2.flange_a)
    annotation(Line(points = {{-10, 30}, {30, 30}}, color = {95, 95, 95}));
  connect(Sw_2.flange_b, I_1.flange_a)
    annotation(Line(points = {{50, 30}, {70, 30}}, color = {95, 95, 95}));
  connect(Sw_1.flange_b, Sw_2.flange_a)
    annotation(Line(points = {{10, 0}, {10, 30}, {30, 30}}, color = {95, 95, 95}));
  connect(housing.flange, Sw_1.flange_a)
    annotation(Line(points = {{10, -40}, {10, -20}}, color = {95, 95, 95}));
  annotation(
    experiment(StopTime = 0.4, Tolerance = 1e-8, Interval = 0.001),
    Documentation(info = "<html>
<p>Until 0.2 s weight and body turn together. Then the brake stops the rod. If the clutch stayed closed, the body
would have to stop as well, with an impulse that pulls at the clutch; but this clutch cannot pull, it opens.</p>
<p>What to look at: the configuration with both switches closed leaves no trace: no jump of <code>I_1.w</code>, no
impulse of the clutch, no point of the curve.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Mosterman, Biswas, Otter 1998",
      place = "Figures 7 and 8",
      passage = "At 0.2 s the brake Sw_1 closes. This alone would bring the angular velocity to zero and discharge
the momentum of I_1 at once; the force that results opens the clutch Sw_2, and I_1 goes on with the velocity it had
before. The intermediate configuration with both closed does not affect the state vector: it is a mythical mode,
decided by a posteriori values.",
      look = "I_1.w rises to 0.98 rad/s and stays; m_1.v falls to zero at 0.2 s. One event, no impulse of
Sw_2.tau: the mythical mode has no representation in time, as Figure 8 says.",
      plot = {"I_1.w", "m_1.v", "Sw_2.tau"}, modes = true, log = true)));
end Fig7_FreewheelingClutch;

within Saltus.Examples.Papers.Mosterman1998;
model Fig3_VariableCausality
  "A weight on an elastic rope drives an inertia through a clutch with friction, until a brake holds the rod"
  extends Saltus.Icons.Example;
  Saltus.Translational.Sources.ConstantForce gravity(f = 9.8) "Of the weight"
    annotation(Placement(transformation(extent = {{-100, 20}, {-80, 40}})));
  Saltus.Translational.Mass m_1(m = 1, s(start = 0, fixed = true), v(start = 0, fixed = true)) "The weight"
    annotation(Placement(transformation(extent = {{-70, 20}, {-50, 40}})));
  Saltus.Translational.Spring C(c = 50) "Elasticity of the rope, 0.02 m/N"
    annotation(Placement(transformation(extent = {{-40, 20}, {-20, 40}})));
  Saltus.Translational.RackAndPinion wheel(r = 1) "The wheel with the rope round it"
    annotation(Placement(transformation(origin = {0, 30}, extent = {{-10, -10}, {10, 10}}, rotation = 180)));
  Saltus.Rotational.Damper R_1(d = 2, phi_rel(start = 0, fixed = true)) "Friction of the closed clutch Sw_2"
    annotation(Placement(transformation(extent = {{40, 20}, {60, 40}})));
  Saltus.Rotational.Inertia I_1(J = 1, phi(start = 0, fixed = true), w(start = 0, fixed = true))
    "The body behind the clutch"
    annotation(Placement(transformation(extent = {{75, 20}, {95, 40}})));
  Saltus.Rotational.IdealClutch Sw_1(closed = time >= 1) "The brake: between housing and rod"
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {25, -10}, rotation = 90)));
  Saltus.Rotational.Fixed housing "Does not turn"
    annotation(Placement(transformation(extent = {{15, -50}, {35, -30}})));
equation
  connect(gravity.flange, m_1.flange_a)
    annotation(Line(points = {{-80, 30}, {-70, 30}}, color = {0, 127, 0}));
  connect(m_1.flange_b, C.flange_a)
    annotation(Line(points = {{-50, 30}, {-40, 30}}, color = {0, 127, 0}));
  connect(C.flange_b, wheel.rack)
    annotation(Line(points = {{-20, 30}, {-10, 30}}, color = {0, 127, 0}));
  connect(wheel.pinion, R_1.flange_a)
    annotation(Line(points = {{10, 30}, {40, 30}}, color = {95, 95, 95}));
  connect(R_1.flange_b, I_1.flange_a)
    annotation(Line(points = {{60, 30}, {75, 30}}, color = {95, 95, 95}));
  connect(Sw_1.flange_b, R_1.flange_a)
    annotation(Line(points = {{25, 0}, {25, 30}, {40, 30}}, color = {95, 95, 95}));
  connect(housing.flange, Sw_1.flange_a)
    annotation(Line(points = {{25, -40}, {25, -20}}, color = {95, 95, 95}));
  annotation(
    experiment(StopTime = 3, Tolerance = 1e-10, Interval = 0.01),
    Documentation(info = "<html>
<p>With the brake open the rope's force passes the rod and turns the body through the friction of the clutch. With
the brake closed the rod stands still: the weight swings on its rope, and the friction brakes the body. The rod has
no inertia.</p>
<p>What to look at: the speed of the body decays with the time constant <code>I_1.J/R_1.d</code> = 0.5 s after 1 s.
The rod gives its speed before, and is given it after: its causality changes.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Mosterman, Biswas, Otter 1998",
      place = "Figure 3",
      passage = "While the brake Sw_1 is open the weight m_1 turns I_1 through the elastic rope C and the closed
clutch Sw_2 with friction R_1. When Sw_1 closes, the rotation of the rod is forced to zero, but I_1 goes on because
of the friction in Sw_2, and its angular velocity decays.",
      look = "After 1 s I_1.w is an exponential. No impulse at 1 s, because rope and friction let the rod stop by
itself. The figure has no data: these are ours, with the paper's gravity of 9.8.",
      plot = {"I_1.w", "Sw_1.w_rel", "m_1.v"}, modes = true, log = true)));
end Fig3_VariableCausality;

within Saltus.Examples.Papers.Mosterman1998;
model Fig3_VariableCausality
  "A weight on an elastic rope drives an inertia through a clutch with friction, until a brake holds the rod"
  extends Saltus.Icons.Example;
  parameter Saltus.Units.Mass m_1 = 1 "Of the weight";
  parameter Real C(unit = "m/N") = 0.02 "Elasticity of the rope";
  parameter Saltus.Units.Length r = 1 "Radius of the wheel";
  parameter Saltus.Units.RotationalDampingConstant R_1 = 2 "Friction of the clutch Sw_2";
  parameter Saltus.Units.Inertia I_1 = 1 "Of the body behind the clutch";
  parameter Saltus.Units.Acceleration g = 9.8 "Gravity";
  Saltus.Units.Velocity v_1(start = 0, fixed = true) "Of the weight, downwards";
  Saltus.Units.Length stretch(start = 0, fixed = true) "Of the rope";
  Saltus.Units.Force F "Of the rope";
  Saltus.Units.AngularVelocity w_rod "Of the connecting rod, which has no inertia";
  Saltus.Units.AngularVelocity w_1(start = 0, fixed = true) "Of the body";
  Saltus.Units.Torque tau_1 "Of the brake Sw_1";
  Saltus.Units.Torque tau_2 "Of the clutch Sw_2";
  Boolean braked "The brake Sw_1 is closed";
equation
  braked = time >= 1;
  m_1*der(v_1) = m_1*g - F;
  der(stretch) = v_1 - r*w_rod;
  stretch = C*F;
  r*F = tau_1 + tau_2;
  tau_2 = R_1*(w_rod - w_1);
  I_1*der(w_1) = tau_2;
  if braked then
    w_rod = 0;
  else
    tau_1 = 0;
  end if;
  annotation(
    experiment(StopTime = 3, Tolerance = 1e-8, Interval = 0.01),
    Documentation(info = "<html>
<p>With the brake open the rope's force passes the rod and turns the body through the friction of the clutch. With
the brake closed the rod stands still: the weight swings on its rope, and the friction brakes the body.</p>
<p>What to look at: the speed of the body decays with the time constant <code>I_1/R_1</code> = 0.5 s after 1 s. The
rod gives its speed before, and is given it after: its causality changes.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Mosterman, Biswas, Otter 1998",
      place = "Figure 3",
      passage = "While the brake Sw_1 is open the weight m_1 turns I_1 through the elastic rope C and the closed
clutch Sw_2 with friction R_1. When Sw_1 closes, the rotation of the rod is forced to zero, but I_1 goes on because
of the friction in Sw_2, and its angular velocity decays.",
      look = "After 1 s w_1 is an exponential. No impulse at 1 s, because rope and friction let the rod stop by
itself. The figure has no data: these are ours, with the paper's gravity of 9.8.",
      plot = {"w_1", "w_rod", "v_1"}, modes = true, log = true)));
end Fig3_VariableCausality;

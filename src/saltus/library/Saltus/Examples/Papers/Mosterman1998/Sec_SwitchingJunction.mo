within Saltus.Examples.Papers.Mosterman1998;
model Sec_SwitchingJunction "The same with a switching junction of fixed causality: an answer that is wrong"
  extends Saltus.Icons.Example;
  parameter Saltus.Units.RotationalDampingConstant R_1 = 2 "Friction of the clutch Sw_2";
  parameter Saltus.Units.Inertia I_1 = 1 "Of the body behind the clutch";
  Fig3_VariableCausality right(R_1(d = R_1), I_1(J = I_1)) "With variable causality"
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}})));
  Saltus.Units.AngularVelocity w_1(start = 0, fixed = true)
    "Of the body, if no torque reaches it while the brake is closed";
equation
  I_1*der(w_1) = if right.Sw_1.closed then 0 else R_1*(right.Sw_1.w_rel - w_1);
  annotation(
    experiment(StopTime = 3, Tolerance = 1e-10, Interval = 0.01),
    Documentation(info = "<html>
<p>A junction that keeps its causality and, while it is off, puts zero on every bond as it is: no speed for the
rope, but also no torque for the body behind the clutch, which then goes on for ever.</p>
<p>What to look at: until 1 s both bodies agree; after that one decays, and the other does not.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Mosterman, Biswas, Otter 1998",
      place = "section Variable Causality",
      passage = "A switching junction with fixed causality has been proposed, which enforces zero on each bond
without changing its causality. It makes simulation simple but may give wrong behaviour: in Figure 3 the closed
brake would enforce torque zero on I_1, and the exponential decay by the friction in Sw_2 would be missing.",
      look = "right.I_1.w decays after 1 s, w_1 stays at its value: the wrong answer that the paper describes.",
      plot = {"right.I_1.w", "w_1"}, modes = true, log = false)));
end Sec_SwitchingJunction;

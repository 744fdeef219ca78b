within Saltus.Examples.Papers.Mosterman1998;
model Fig1_ClutchAndBrake "An ideal clutch joins two bodies, an ideal brake holds one"
  extends Saltus.Icons.Example;
  parameter Saltus.Units.Inertia J = 1 "Of each body";
  parameter Saltus.Units.Torque drive = 2 "On the first body and on the braked body";
  Boolean closed "Both switches are closed";
  // (a) the clutch
  Saltus.Units.AngularVelocity w_1(start = 0, fixed = true) "Of the driven body";
  Saltus.Units.AngularVelocity w_2(start = 0, fixed = true) "Of the other body";
  Saltus.Units.Torque tau "Of the clutch";
  // (b) the brake
  Saltus.Units.AngularVelocity w(start = 0, fixed = true) "Of the body with the brake";
  Saltus.Units.Torque tau_b "Of the brake";
equation
  closed = time >= 1 and time < 2;
  J*der(w_1) = drive - tau;
  J*der(w_2) = tau;
  if closed then
    w_1 = w_2;
  else
    tau = 0;
  end if;
  J*der(w) = drive - tau_b;
  if closed then
    w = 0;
  else
    tau_b = 0;
  end if;
  annotation(
    experiment(StopTime = 3, Tolerance = 1e-8, Interval = 0.01),
    Documentation(info = "<html>
<p>The clutch is either rigid, with no difference of speeds, or free, with no torque. The brake holds the speed at
zero or has no torque. What the switch gives and what it is given change places: the causality of the figure.</p>
<p>What to look at: both jumps at 1 s with their impulses, and that none occurs at 2 s when the switches open.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Mosterman, Biswas, Otter 1998",
      place = "Figure 1",
      passage = "An ideal clutch is a rigid connection without difference of angular velocities when it is closed,
and a free connection without torque when it is open. Connected as a brake it enforces velocity zero when closed.
The figure shows the causality of both positions as bond graphs.",
      look = "At 1 s the speeds of clutch and bodies become equal, 2 and 0 rad/s become 1 rad/s; the braked body
stops. Both switches have an impulse there, 1 and 2 N.m.s. The figure has no data: these are ours.",
      plot = {"w_1", "w_2", "w"}, modes = true, log = true)));
end Fig1_ClutchAndBrake;

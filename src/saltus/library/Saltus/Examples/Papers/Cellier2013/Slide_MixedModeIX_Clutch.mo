within Saltus.Examples.Papers.Cellier2013;
model Slide_MixedModeIX_Clutch "Two rotating bodies and a clutch that holds their angles: index 0 and index 3"
  extends Saltus.Icons.Example;
  parameter Saltus.Units.Inertia J_1 = 2 "Of the driven body";
  parameter Saltus.Units.Inertia J_2 = 3 "Of the other body";
  parameter Saltus.Units.Torque drive = 4 "On the first body";
  Saltus.Units.Angle phi_1(start = 0, fixed = true) "Of the first body";
  Saltus.Units.Angle phi_2(start = 0, fixed = true) "Of the second body";
  Saltus.Units.AngularVelocity w_1(start = 5, fixed = true) "Of the first body";
  Saltus.Units.AngularVelocity w_2(start = 0, fixed = true) "Of the second body";
  Saltus.Units.Torque tau "Of the clutch";
  discrete Saltus.Units.Angle twist(start = 0, fixed = true) "Difference of the angles at which the clutch locked";
  Boolean locked "The clutch is closed";
equation
  locked = time >= 0.5 and time < 1;
  w_1 = der(phi_1);
  w_2 = der(phi_2);
  J_1*der(w_1) = drive - tau;
  J_2*der(w_2) = tau;
  if locked then
    phi_1 - phi_2 = twist;
  else
    tau = 0;
  end if;
  when locked then
    twist = phi_1 - phi_2;
  end when;
  annotation(
    experiment(StopTime = 1.5, Tolerance = 1e-8, Interval = 0.005),
    Documentation(info = "<html>
<p>While the clutch is open each body has an equation of second order: four states, index 0. While it is locked the
difference of the angles is held: two states, and the torque of the clutch appears only in the second derivative of
the constraint: index 3. No integrator that is written into one of the bodies helps here.</p>
<p>What to look at: at 0.5 s both speeds jump to their common value, and the clutch hands on an impulse; momentum is
kept. The angles do not jump.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Cellier 2013",
      place = "slide Mixed-mode Integration IX",
      passage = "Two bodies on separate axles are connected by a clutch. While it is free each of them moves by
itself and the model has index 0; while it is locked the rotational positions are constrained and the index is 3.
Mixed-mode integration will probably not do here.",
      look = "The timeline of the modes: index 0 with four states, index 3 with two, index 0 again. The log at 0.5
s tells the jumps of both speeds, from 6 and 0 to 2.4, and the impulse of 7.2 N.m.s. The lecture gives no data:
these are ours.",
      plot = {"w_1", "w_2", "tau"}, modes = true, log = true)));
end Slide_MixedModeIX_Clutch;

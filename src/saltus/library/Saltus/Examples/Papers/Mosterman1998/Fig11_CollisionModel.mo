within Saltus.Examples.Papers.Mosterman1998;
model Fig11_CollisionModel "The elastic collision with a contact that lasts for an instant"
  extends Saltus.Icons.Example;
  parameter Saltus.Units.RestitutionCoefficient epsilon = 1 "Of restitution";
  parameter Saltus.Units.Inertia I_1 = 2 "Of the body";
  Saltus.Units.Angle phi(start = 0.5, fixed = true) "Integrator of the angular velocity";
  Saltus.Units.AngularVelocity w_1(start = -0.5/0.6, fixed = true) "Of the body";
  Saltus.Units.Torque tau "Of the wall";
  discrete Saltus.Units.AngularVelocity w_e(start = 0, fixed = true) "Of the modulated source: what the rule demands";
  Boolean reached(start = false, fixed = true) "The wall is reached";
  Boolean contact "The controlled junction is on: decided by values before the instant";
equation
  der(phi) = w_1;
  I_1*der(w_1) = tau;
  reached = phi <= 0;
  contact = pre(reached);
  when reached then
    w_e = -epsilon*pre(w_1);
  end when;
  if contact then
    w_1 = w_e;
  else
    tau = 0;
  end if;
  annotation(
    experiment(StopTime = 1.2, Tolerance = 1e-9, Interval = 0.005),
    Documentation(info = "<html>
<p>The wall, a contact that closes when the angle is zero, and a source that demands the reversed velocity while it
is closed. With that velocity the body leaves the wall at once, and the contact opens in the same instant.</p>
<p>What to look at: in the log the contact closes and opens at 0.6 s, and the wall gives an impulse of <code>(1 +
epsilon)</code> times the momentum. The mode of the contact has no duration, but it changes the state: a
pinnacle.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Mosterman, Biswas, Otter 1998",
      place = "Figure 11",
      passage = "The wall is a source of flow zero, the contact a controlled junction that closes at angle 0; the
angle is an integrator with initial value 0.5. On collision a modulated source forces the opposite velocity. The
inertia becomes dependent, restart values are calculated, and the velocity then enables the transition back to off.
Conditions use a priori values, because this is an abstraction of time scale.",
      look = "Two rounds at one event: contact true, then false. w_1 goes from -0.833 to 0.833 rad/s with an
impulse of 3.333 N.m.s for I_1 = 2.",
      plot = {"phi", "w_1"}, modes = true, log = true)));
end Fig11_CollisionModel;

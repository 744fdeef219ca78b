within Saltus.Examples.Papers.Mosterman1998;
model Fig5_VelocitySource "A clutch between a heavy weight and an inertia: no state, one state, no state"
  extends Saltus.Icons.Example;
  parameter Saltus.Units.Inertia I_1 = 1 "Of the body";
  parameter Saltus.Units.Acceleration g = 9.8 "Gravity";
  parameter Saltus.Units.Length r = 1 "Radius of the wheel";
  Saltus.Units.AngularVelocity w_m "Of the wheel: the weight falls freely, whatever hangs on the rod";
  Saltus.Units.AngularVelocity w_1 "Of the body";
  Saltus.Units.AngularMomentum L_1(start = 0, fixed = true) "Of the body";
  Saltus.Units.Torque tau "Of the clutch Sw_2";
  Boolean closed "The clutch Sw_2 is closed";
equation
  closed = time < 0.5 or time >= 1;
  r*w_m = g*time;
  L_1 = I_1*w_1;
  der(L_1) = tau;
  if closed then
    w_1 = w_m;
  else
    tau = 0;
  end if;
  annotation(
    experiment(StopTime = 1.5, Tolerance = 1e-8, Interval = 0.005),
    Documentation(info = "<html>
<p>The weight is much heavier than the body, so its speed is given: 9.8 times the time. While the clutch is closed
the momentum of the body follows from that; while it is open it is a state, which begins with the value it had.</p>
<p>What to look at: 4.9 rad/s from 0.5 s to 1 s, then a leap to 9.8 rad/s with an impulse of 4.9 N.m.s.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Mosterman, Biswas, Otter 1998",
      place = "Figure 5",
      passage = "The weight is modelled as a source of velocity 9.8 t, since it is much heavier than the inertia.
With the clutch closed the angular momentum L_1 is algebraically related to the input and the state vector has
dimension 0. At 0.5 s the clutch opens: dimension 1, with the current value as initial value. When it closes again
L_1 changes discontinuously and is no state any more.",
      look = "The timeline of the modes has 0, 1 and 0 states. w_1 is 9.8 t, 4.9 from 0.5 s on, and 9.8 t again
from 1 s on, as in the figure; the log tells jump and impulse.",
      plot = {"w_1", "w_m"}, modes = true, log = true)));
end Fig5_VelocitySource;

within Saltus.Examples.Papers.Mosterman1998;
model Fig7_FreewheelingClutch
  "A brake stops the weight, the freewheeling clutch opens in the same instant, and the inertia goes on"
  extends Saltus.Icons.Example;
  parameter Saltus.Units.Mass m_1 = 1 "Of the weight";
  parameter Saltus.Units.Inertia I_1 = 1 "Of the body";
  parameter Saltus.Units.Acceleration g = 9.8 "Gravity";
  parameter Real gain(unit = "rad/m") = 1 "Speed of the rod over that of the weight";
  parameter Saltus.Units.Time braking = 0.2 "When the brake Sw_1 closes";
  Saltus.Units.Velocity v_1(start = 0, fixed = true) "Of the weight, downwards";
  Saltus.Units.AngularVelocity w_rod "Of the rod";
  Saltus.Units.AngularVelocity w_1(start = 0, fixed = true) "Of the body";
  Saltus.Units.Torque tau_1 "Of the brake Sw_1";
  Saltus.Units.Torque tau_2 "That the clutch Sw_2 hands on to the body";
  Saltus.Units.Ratio s "Along the curve of the clutch: how much faster the body is, or the torque, negative";
  Boolean braked "The brake Sw_1 is closed";
  Boolean free "The clutch Sw_2 is open";
protected
  constant Saltus.Units.AngularVelocity w_unit = 1 "Unit of speed along the curve";
  constant Saltus.Units.Torque tau_unit = 1 "Unit of torque along the curve";
equation
  braked = time >= braking;
  free = s > 0;
  w_rod = gain*v_1;
  m_1*der(v_1) = m_1*g - gain*(tau_1 + tau_2);
  I_1*der(w_1) = tau_2;
  if braked then
    w_rod = 0;
  else
    tau_1 = 0;
  end if;
  w_1 - w_rod = if free then s*w_unit else 0;
  tau_2 = if free then 0 else -s*tau_unit;
  annotation(
    experiment(StopTime = 0.4, Tolerance = 1e-8, Interval = 0.001),
    Documentation(info = "<html>
<p>Until 0.2 s weight and body turn together. Then the brake stops the rod. If the clutch stayed closed, the body
would have to stop as well, with an impulse that pulls at the clutch; but this clutch cannot pull, it opens.</p>
<p>What to look at: the configuration with both switches closed leaves no trace: no jump of <code>w_1</code>, no
impulse of the clutch, no point of the curve.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Mosterman, Biswas, Otter 1998",
      place = "Figures 7 and 8",
      passage = "At 0.2 s the brake Sw_1 closes. This alone would bring the angular velocity to zero and discharge
the momentum of I_1 at once; the force that results opens the clutch Sw_2, and I_1 goes on with the velocity it had
before. The intermediate configuration with both closed does not affect the state vector: it is a mythical mode,
decided by a posteriori values.",
      look = "w_1 rises to 0.98 rad/s and stays; v_1 falls to zero at 0.2 s. One event, no impulse of tau_2: the
mythical mode has no representation in time, as Figure 8 says.",
      plot = {"w_1", "w_rod", "tau_2"}, modes = true, log = true)));
end Fig7_FreewheelingClutch;

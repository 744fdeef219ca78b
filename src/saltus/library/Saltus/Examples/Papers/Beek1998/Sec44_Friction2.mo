within Saltus.Examples.Papers.Beek1998;
model Sec44_Friction2 "Dry friction as a process with four states: it takes a little energy to break away"
  extends Saltus.Icons.Example;
  type Motion = enumeration(NEG "Backward", STOP "At rest", TRY "About to move", POS "Forward") "Of the body";
  parameter Saltus.Units.Velocity epsilon = 1e-5 "Velocity at which a motion has begun";
  parameter Saltus.Units.FrictionCoefficient mu = 0.1 "Coefficient of sliding friction";
  parameter Saltus.Units.FrictionCoefficient mu_0 = 0.18 "Coefficient of friction at rest";
  parameter Saltus.Units.Mass m = 1 "Of the body";
  parameter Saltus.Units.Acceleration g = 10 "Gravity";
  parameter Saltus.Units.Force drive = 2 "Amplitude of the driving force; the paper prints 1, with which nothing moves";
  parameter Saltus.Units.Frequency f = 0.125 "Of the driving force, whose angle is pi*t/4 in the paper";
  Saltus.Units.Force F_f "Friction";
  Saltus.Units.Force F_d "Driving force";
  Saltus.Units.Force F_N "Normal force";
  Saltus.Units.Position x(start = -2, fixed = true) "Of the body";
  Saltus.Units.Velocity v(start = 0, fixed = true) "Of the body";
  Motion s(start = Motion.STOP, fixed = true) "State of the process";
equation
  F_d = drive*sin(2*Saltus.Units.pi*f*time);
  F_N = m*g;
  der(v) = (F_d - F_f)/m;
  der(x) = v;
  if s == Motion.NEG then
    F_f = -mu*F_N;
  elseif s == Motion.STOP then
    F_f = F_d;
  elseif s == Motion.TRY then
    F_f = sign(F_d)*mu_0*F_N;
  else
    F_f = mu*F_N;
  end if;
  when pre(s) == Motion.STOP and abs(F_d) > mu_0*F_N then
    s = Motion.TRY;
  elsewhen pre(s) == Motion.TRY and v > epsilon then
    s = Motion.POS;
  elsewhen pre(s) == Motion.TRY and v < -epsilon then
    s = Motion.NEG;
  elsewhen pre(s) == Motion.TRY and abs(F_d) <= mu_0*F_N then
    s = Motion.STOP;
    reinit(v, 0);
  elsewhen pre(s) == Motion.POS and v <= 0 or pre(s) == Motion.NEG and v >= 0 then
    s = Motion.STOP;
    reinit(v, 0);
  end when;
  annotation(
    experiment(StopTime = 10, Tolerance = 1e-8, Interval = 0.02),
    Documentation(info = "<html>
<p>As <code>Sec44_Friction1</code>, with a state in between: the friction stays at its largest value until the body
has reached a small velocity by itself. If the drive falls before that, the body stays.</p>
<p>What to look at: the state <code>TRY</code> lasts for some milliseconds at each break-away.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Van Beek, Rooda 1998",
      place = "section 4.4, process Friction_2",
      passage = "A more detailed model: to go from rest to motion takes a small amount of energy. When the drive
exceeds mu_0 F_N the state becomes TRY, with friction mu_0 F_N; it becomes POS when the velocity exceeds epsilon,
for instance 1e-5, or STOP again if the drive falls back.",
      look = "NEG, STOP, TRY and POS in the log. TRY takes 5.4 ms with epsilon = 1e-5, so that the motion is later
than in Friction_1 by that.",
      plot = {"x", "v", "F_f", "F_d"}, modes = true, log = true)));
end Sec44_Friction2;

within Saltus.Examples.Papers.Beek1998;
model Sec44_Friction1 "Dry friction as a process with three states"
  extends Saltus.Icons.Example;
  type Motion = enumeration(NEG "Backward", STOP "At rest", POS "Forward") "Of the body";
  parameter Saltus.Units.Velocity epsilon = 1e-5 "Velocity at which a motion is begun";
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
  else
    F_f = mu*F_N;
  end if;
  when pre(s) == Motion.STOP and F_d > mu_0*F_N then
    s = Motion.POS;
    reinit(v, epsilon);
  elsewhen pre(s) == Motion.STOP and F_d < -mu_0*F_N then
    s = Motion.NEG;
    reinit(v, -epsilon);
  elsewhen pre(s) == Motion.POS and v <= 0 or pre(s) == Motion.NEG and v >= 0 then
    s = Motion.STOP;
    reinit(v, 0);
  end when;
  annotation(
    experiment(StopTime = 10, Tolerance = 1e-8, Interval = 0.02),
    Documentation(info = "<html>
<p>A body on a rough surface, driven by a sine. The selective waiting of the process, repeated for ever, is a
when-clause with a branch for each alternative. The body is given a very small velocity when it breaks away, lest it
stop at once.</p>
<p>What to look at: it breaks away where the drive exceeds 1.8 N, and stops in each half period. With the printed
drive of 1 N (<code>--set drive=1</code>) it stays where it is.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Van Beek, Rooda 1998",
      place = "section 4.4, process Friction_1",
      passage = "Friction is mu_0 F_N at most at rest and mu F_N while the body slides. A discrete variable with
the values NEG, STOP and POS selects the equation for F_f, which is D-continuous. From STOP the state changes when
the drive exceeds mu_0 F_N, with v assigned a very small epsilon so that the state event v = 0 does not occur
immediately; it changes back when v becomes 0.",
      look = "Breaks away at 1.426 s, where 2 sin(pi t/4) = 1.8. The printed drive of amplitude 1 never exceeds
mu_0 m g = 1.8: the amplitude here is 2.",
      plot = {"x", "v", "F_f", "F_d"}, modes = true, log = true)));
end Sec44_Friction1;

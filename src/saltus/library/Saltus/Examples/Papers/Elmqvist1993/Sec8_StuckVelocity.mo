within Saltus.Examples.Papers.Elmqvist1993;
model Sec8_StuckVelocity "The switch equation as the paper would like to write it, with the velocity"
  extends Saltus.Icons.Example;
  parameter Saltus.Units.Mass m = 1 "Of the block";
  parameter Saltus.Units.Force R0 = 1.5 "Largest force while it sticks";
  parameter Saltus.Units.Force Rm = 1 "Force at the beginning of a slide";
  parameter Saltus.Units.TranslationalDampingConstant Rv = 0.4 "Viscous part";
  parameter Saltus.Units.Force U = 2 "Largest push";
  parameter Saltus.Units.AngularFrequency w = 1 "Of the push";
  Saltus.Units.Position p(start = 0, fixed = true) "Position";
  Saltus.Units.Velocity v(start = 0, fixed = true) "Velocity";
  Saltus.Units.Acceleration a "Acceleration";
  Saltus.Units.Force u "The push";
  Saltus.Units.Force fr "Friction";
  Saltus.Units.Force fc "Force of constraint while it sticks, else zero";
  Boolean Stuck(start = true, fixed = true) "Sticks";
  Boolean Forward(start = false, fixed = true) "Slides forward";
  Boolean Backward(start = false, fixed = true) "Slides backward";
  Boolean StartForward(start = false, fixed = true) "About to slide forward";
  Boolean StartBackward(start = false, fixed = true) "About to slide backward";
equation
  u = U*sin(w*time);
  v = der(p);
  a = der(v);
  m*a = u - fr;
  fr = if pre(Forward) then Rv*v + Rm elseif pre(Backward) then Rv*v - Rm elseif pre(StartForward) then Rm
    elseif pre(StartBackward) then -Rm else fc;
  0 = if pre(Stuck) then v else fc;
  Stuck = not (Forward or StartForward or Backward or StartBackward);
  Forward = pre(StartForward) and v > 0 or pre(Forward) and not v <= 0;
  Backward = pre(StartBackward) and v < 0 or pre(Backward) and not v >= 0;
  StartForward = pre(Stuck) and fc > R0 or pre(StartForward) and not (v > 0 or a < 0 and not v > 0);
  StartBackward = pre(Stuck) and fc < -R0 or pre(StartBackward) and not (v < 0 or a > 0 and not v < 0);
  annotation(
    experiment(StopTime = 12, Tolerance = 1e-9, Interval = 0.02),
    Documentation(info = "<html>
<p>The machine of figure 9 around the equation <code>0 = if Stuck then v else fc</code>. While it sticks there is one
state less, and nothing can drift.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Elmqvist, Cellier, Otter 1993",
      place = "section 8, the friction force with its dummy equation",
      passage = "The law is fr = Rv v + Rm or Rv v - Rm while it slides and fc at rest, with 0 = if Stuck then v else
fc. That cannot be used, the paper says: velocities are states, and a switch equation must not have its causality
determined. So it constrains the acceleration instead, and accepts that the velocity drifts a little while the element
sticks.",
      look = "The motion of figure 8, but the velocity is exactly zero at rest: it is given up as a state there, as
the log tells, and comes back at break-away.",
      plot = {"v", "fr", "Stuck"}, modes = true, log = true)));
end Sec8_StuckVelocity;

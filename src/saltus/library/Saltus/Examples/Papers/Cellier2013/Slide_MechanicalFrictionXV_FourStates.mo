within Saltus.Examples.Papers.Cellier2013;
model Slide_MechanicalFrictionXV_FourStates "Friction as a state machine with four states and a curve at rest"
  extends Saltus.Icons.Example;
  extends BlockOnTable;
  Saltus.Units.Ratio s_hat "Along the curve of acceleration and force";
  Boolean Start(start = true, fixed = true) "Nothing is known yet";
  Boolean Forward(start = false, fixed = true) "Slides forward";
  Boolean Backward(start = false, fixed = true) "Slides backward";
  Boolean Sticking(start = false, fixed = true) "Is at rest, or about to break away";
  Boolean StartForward "Breaks away forward: an aspect of Sticking";
  Boolean StartBackward "Breaks away backward: an aspect of Sticking";
equation
  Start = false;
  Forward = pre(Start) and v > 0 or pre(Sticking) and StartForward and v > 0 or pre(Forward) and not v <= 0;
  Backward = pre(Start) and v < 0 or pre(Sticking) and StartBackward and v < 0 or pre(Backward) and not v >= 0;
  Sticking = not (Start or Forward or Backward);
  StartForward = pre(Sticking) and s_hat > 1;
  StartBackward = pre(Sticking) and s_hat < -1;
  a = if pre(Forward) or StartForward then (s_hat - 1)*a_1
    elseif pre(Backward) or StartBackward then (s_hat + 1)*a_1 else 0;
  F = if pre(Forward) then c_f*v + F_d elseif pre(Backward) then c_f*v - F_d
    elseif StartForward then F_d elseif StartBackward then -F_d else F_d*s_hat;
  when Sticking then
    reinit(v, 0);
  end when;
  annotation(
    experiment(StopTime = 12.566370614359172, Tolerance = 1e-8, Interval = 0.01),
    Documentation(info = "<html>
<p>Forward, backward, sticking and start: breaking away is an aspect of sticking, told by the curve of acceleration
and force.</p>
<p>What to look at: the motion is that of <code>Slide_MechanicalFrictionXI_Declarative</code>, with six lines more,
and a velocity that has to be set to zero.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Cellier 2013",
      place = "slides Mechanical Friction XIV (diagram) and XV",
      passage = "The new machine has four states in place of six: StartForward and StartBackward are aspects of
the sticking region. This is the friction model of the mechanics library of the Modelica Standard Library. The
diagram is printed as a picture, the transitions follow from the Petri net at the end of the lecture.",
      look = "Sticking, Forward, Sticking, Backward, in turn; StartForward and StartBackward are true for a moment
at each break-away.",
      plot = {"F", "v", "s_hat"}, modes = true, log = true)));
end Slide_MechanicalFrictionXV_FourStates;

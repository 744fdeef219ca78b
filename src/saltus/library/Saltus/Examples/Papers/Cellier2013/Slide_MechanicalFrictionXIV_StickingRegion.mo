within Saltus.Examples.Papers.Cellier2013;
model Slide_MechanicalFrictionXIV_StickingRegion "The curve of acceleration and force that holds at rest, alone"
  extends Saltus.Icons.Example;
  extends BlockOnTable;
  Saltus.Units.Ratio s_hat "Along the curve: a + 1 forward, F/F_d at rest, a - 1 backward";
  Boolean StartForward "Breaks away forward";
  Boolean StartBackward "Breaks away backward";
equation
  StartForward = s_hat > 1;
  StartBackward = s_hat < -1;
  a = if StartForward then (s_hat - 1)*a_1 elseif StartBackward then (s_hat + 1)*a_1 else 0;
  F = if StartForward then F_d elseif StartBackward then -F_d else F_d*s_hat;
  annotation(
    experiment(StopTime = 6, Tolerance = 1e-8, Interval = 0.01),
    Documentation(info = "<html>
<p>The same curve over the acceleration: it holds where the velocity is zero. Nothing constrains the velocity, so
the structure does not change. By itself it is not a friction law, which is why the lecture adds a state
machine.</p>
<p>What to look at: when the push falls below <code>F_d</code> again, the block goes on with the velocity it has. It
ought to be braked. <code>Slide_MechanicalFrictionXV_FourStates</code> is the remedy.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Cellier 2013",
      place = "slides Mechanical Friction XIII and XIV",
      passage = "Because a velocity that is zero for a while has a derivative of zero, the characteristic is
parameterised by the acceleration: a + 1, F/F_d and a - 1. StartForward and StartBackward follow from the curve
parameter. A diagram of states says when this region holds.",
      look = "The block breaks away at asin(1/2) = 0.524 s as it should. But where the push falls below 1 N at
2.618 s the curve takes the constant velocity for rest: alone it holds for v = 0 only.",
      plot = {"F", "v", "s_hat"}, modes = true, log = true)));
end Slide_MechanicalFrictionXIV_StickingRegion;

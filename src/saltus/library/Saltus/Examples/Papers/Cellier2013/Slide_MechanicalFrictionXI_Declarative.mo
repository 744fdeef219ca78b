within Saltus.Examples.Papers.Cellier2013;
model Slide_MechanicalFrictionXI_Declarative "Friction as a curve with a parameter: what is meant, and nothing else"
  extends Saltus.Icons.Example;
  extends BlockOnTable;
  Saltus.Units.Ratio s "Along the curve: v + 1 forward, F/F_d at rest, v - 1 backward";
  Boolean Forward "Slides forward";
  Boolean Backward "Slides backward";
equation
  Forward = s > 1;
  Backward = s < -1;
  v = if Forward then (s - 1)*v_1 elseif Backward then (s + 1)*v_1 else 0;
  F = if Forward then c_f*(s - 1)*v_1 + F_d elseif Backward then c_f*(s + 1)*v_1 - F_d else F_d*s;
  annotation(
    experiment(StopTime = 12.566370614359172, Tolerance = 1e-8, Interval = 0.01),
    Documentation(info = "<html>
<p>The friction characteristic, slightly simplified, with a parameter <code>s</code> along it. It may have other
units in other regions, if one takes a unit of velocity along.</p>
<p>What to look at: the run itself. While the block sticks the velocity is no state, and the force follows from the
constraint <code>v = 0</code>. No state machine, no <code>pre</code>, no <code>reinit</code>.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Cellier 2013",
      place = "slides Mechanical Friction X to XII",
      passage = "With a curve parameter, v + 1 forward, F/F_d at rest and v - 1 backward, the model is four
equations. It says unambiguously what is meant, but Dymola cannot make a program of it: when s falls below 1 the
equation v = 0 holds, the velocity cannot be a known state any more, and there is a conditional index change.",
      look = "The model is simulated as it is printed. In the log the state v is given up where the block comes to
rest and gained where it breaks away; index and number of states in the timeline of the modes change with it.",
      plot = {"F", "v", "s"}, modes = true, log = true)));
end Slide_MechanicalFrictionXI_Declarative;

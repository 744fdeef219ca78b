within Saltus.BondGraphs;
model X1 "Controlled junction of one flow: off, there is none"
  extends Saltus.BondGraphs.Interfaces.CommonFlow;
  Saltus.Blocks.Interfaces.BooleanInput on "It works as a junction"
    annotation(Placement(transformation(origin = {0, 120}, extent = {{-20, -20}, {20, 20}}, rotation = 270)));
equation
  0 = if on then sum(into.e) - sum(out.e) else f;
  annotation(Documentation(info = "<html>
<p>On it is a 1-junction. Off it has the flow zero on all bonds, as if each led to a source of flow zero: an ideal brake
that holds, a switch in a loop of wires that is open.</p>
<p>What the bonds determine and what they are told changes with the mode, and so may the number of states.</p>
</html>"),
    Icon(graphics = {
      Text(extent = {{-80, 60}, {80, -60}}, textString = "X1", textColor = {30, 30, 30})}));
end X1;

within Saltus.BondGraphs;
model X0 "Controlled junction of one effort: off, there is none"
  extends Saltus.BondGraphs.Interfaces.CommonEffort;
  Saltus.Blocks.Interfaces.BooleanInput on "It works as a junction"
    annotation(Placement(transformation(origin = {0, 120}, extent = {{-20, -20}, {20, 20}}, rotation = 270)));
equation
  0 = if on then sum(into.f) + sum(out.f) else e;
  annotation(Documentation(info = "<html>
<p>On it is a 0-junction. Off it has the effort zero on all bonds, as if each led to a source of effort zero: an ideal
clutch between two shafts, which is open.</p>
<p>What the bonds determine and what they are told changes with the mode, and so may the number of states.</p>
</html>"),
    Icon(graphics = {
      Text(extent = {{-80, 60}, {80, -60}}, textString = "X0", textColor = {30, 30, 30})}));
end X0;

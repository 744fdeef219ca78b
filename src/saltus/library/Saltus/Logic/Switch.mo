within Saltus.Logic;
block Switch "One of two signals, chosen by a Boolean"
  extends Saltus.Logic.Interfaces.Block;
  Saltus.Blocks.Interfaces.RealInput u1 "Taken while on"
    annotation(Placement(transformation(extent = {{-140, 40}, {-100, 80}})));
  Saltus.Blocks.Interfaces.BooleanInput on "What chooses"
    annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
  Saltus.Blocks.Interfaces.RealInput u2 "Taken while off"
    annotation(Placement(transformation(extent = {{-140, -80}, {-100, -40}})));
  Saltus.Blocks.Interfaces.RealOutput y "Output"
    annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
equation
  y = if on then u1 else u2;
  annotation(Documentation(info = "<html>
<p>The output is <code>u1</code> while <code>on</code> is true, and <code>u2</code> otherwise.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-100, 60}, {-40, 60}}, color = {0, 0, 127}),
      Line(points = {{-100, -60}, {-40, -60}}, color = {0, 0, 127}),
      Line(points = {{-40, 60}, {40, 0}, {100, 0}}, color = {0, 0, 127}),
      Line(points = {{-100, 0}, {-20, 0}}, color = {140, 0, 140}, pattern = LinePattern.Dot)}));
end Switch;

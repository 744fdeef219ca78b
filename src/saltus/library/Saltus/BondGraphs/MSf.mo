within Saltus.BondGraphs;
model MSf "Source of flow that a signal modulates"
  extends Saltus.BondGraphs.Interfaces.Source;
  Saltus.Blocks.Interfaces.RealInput u "The flow"
    annotation(Placement(transformation(origin = {0, 120}, extent = {{-20, -20}, {20, 20}}, rotation = 270)));
equation
  f = u;
  annotation(Documentation(info = "<html>
<p>The flow is the signal <code>u</code>: ideal modulation, which takes no power from where the signal comes from.</p>
</html>"),
    Icon(graphics = {
      Text(extent = {{-80, 60}, {80, -60}}, textString = "MSf", textColor = {170, 40, 30})}));
end MSf;

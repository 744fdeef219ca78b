within Saltus.BondGraphs;
model MSe "Source of effort that a signal modulates"
  extends Saltus.BondGraphs.Interfaces.Source;
  Saltus.Blocks.Interfaces.RealInput u "The effort"
    annotation(Placement(transformation(origin = {0, 120}, extent = {{-20, -20}, {20, 20}}, rotation = 270)));
equation
  e = u;
  annotation(Documentation(info = "<html>
<p>The effort is the signal <code>u</code>: ideal modulation, which takes no power from where the signal comes from.</p>
</html>"),
    Icon(graphics = {
      Text(extent = {{-80, 60}, {80, -60}}, textString = "MSe", textColor = {170, 40, 30})}));
end MSe;

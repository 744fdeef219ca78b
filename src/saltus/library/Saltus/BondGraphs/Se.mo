within Saltus.BondGraphs;
model Se "Source of effort"
  extends Saltus.BondGraphs.Interfaces.Source(e = value);
  input Saltus.BondGraphs.Interfaces.Effort value = 0 "What the effort is, at any time";
  annotation(Documentation(info = "<html>
<p>The effort is what <code>value</code> says, a number or a formula; what flows is up to the rest. A battery, gravity,
a pump that keeps its pressure.</p>
</html>"),
    Icon(graphics = {
      Text(extent = {{-80, 60}, {80, -60}}, textString = "Se", textColor = {170, 40, 30})}));
end Se;

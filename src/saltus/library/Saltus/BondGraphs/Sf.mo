within Saltus.BondGraphs;
model Sf "Source of flow"
  extends Saltus.BondGraphs.Interfaces.Source(f = value);
  input Saltus.BondGraphs.Interfaces.Flow value = 0 "What the flow is, at any time";
  annotation(Documentation(info = "<html>
<p>The flow is what <code>value</code> says, a number or a formula; the effort is up to the rest. A motor that keeps its
speed, a wall (flow zero).</p>
</html>"),
    Icon(graphics = {
      Text(extent = {{-80, 60}, {80, -60}}, textString = "Sf", textColor = {170, 40, 30})}));
end Sf;

within Saltus.BondGraphs;
model J0 "Junction of one effort"
  extends Saltus.BondGraphs.Interfaces.CommonEffort;
equation
  sum(into.f) + sum(out.f) = 0;
  annotation(Documentation(info = "<html>
<p>All bonds have one effort, and as much flows out as in: parallel wires, forces in a row, pipes that meet.</p>
</html>"),
    Icon(graphics = {
      Text(extent = {{-80, 60}, {80, -60}}, textString = "0", textColor = {30, 30, 30})}));
end J0;

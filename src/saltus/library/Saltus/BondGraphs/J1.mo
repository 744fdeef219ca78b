within Saltus.BondGraphs;
model J1 "Junction of one flow"
  extends Saltus.BondGraphs.Interfaces.CommonFlow;
equation
  sum(into.e) = sum(out.e);
  annotation(Documentation(info = "<html>
<p>All bonds have one flow, and efforts that come in and go out are equal: a loop of wires, parts that move
together.</p>
</html>"),
    Icon(graphics = {
      Text(extent = {{-80, 60}, {80, -60}}, textString = "1", textColor = {30, 30, 30})}));
end J1;

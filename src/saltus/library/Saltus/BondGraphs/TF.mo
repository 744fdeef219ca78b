within Saltus.BondGraphs;
model TF "Transformer: lever, gear, piston"
  extends Saltus.BondGraphs.Interfaces.TwoPort;
  parameter Saltus.BondGraphs.Interfaces.Coefficient m = 1 "Flow out for one unit of flow in";
equation
  f_out = m*f_in;
  e_in = m*e_out;
  annotation(Documentation(info = "<html>
<p>Flow follows from flow and effort from effort, with nothing lost: <code>f_out = m*f_in</code> and <code>e_in =
m*e_out</code>.</p>
</html>"),
    Icon(graphics = {
      Text(extent = {{-80, 60}, {80, -60}}, textString = "TF", textColor = {30, 30, 30})}));
end TF;

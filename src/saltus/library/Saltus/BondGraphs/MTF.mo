within Saltus.BondGraphs;
model MTF "Transformer that a signal modulates"
  extends Saltus.BondGraphs.Interfaces.TwoPort;
  Saltus.Blocks.Interfaces.RealInput m "Flow out for one unit of flow in"
    annotation(Placement(transformation(origin = {0, 120}, extent = {{-20, -20}, {20, 20}}, rotation = 270)));
equation
  f_out = m*f_in;
  e_in = m*e_out;
  annotation(Documentation(info = "<html>
<p>A transformer whose ratio is a signal: a crank, a link that turns. It still loses nothing.</p>
</html>"),
    Icon(graphics = {
      Text(extent = {{-80, 60}, {80, -60}}, textString = "MTF", textColor = {30, 30, 30})}));
end MTF;

within Saltus.BondGraphs;
model MGY "Gyrator that a signal modulates"
  extends Saltus.BondGraphs.Interfaces.TwoPort;
  Saltus.Blocks.Interfaces.RealInput r "Effort out for one unit of flow in"
    annotation(Placement(transformation(origin = {0, 120}, extent = {{-20, -20}, {20, 20}}, rotation = 270)));
equation
  e_out = r*f_in;
  e_in = r*f_out;
  annotation(Documentation(info = "<html>
<p>A gyrator whose coefficient is a signal: a motor whose field is varied. It still loses nothing.</p>
</html>"),
    Icon(graphics = {
      Text(extent = {{-80, 60}, {80, -60}}, textString = "MGY", textColor = {30, 30, 30})}));
end MGY;

within Saltus.BondGraphs;
model MR "Dissipation that a signal modulates"
  extends Saltus.BondGraphs.Interfaces.OnePort;
  Saltus.Blocks.Interfaces.RealInput R "Effort for one unit of flow"
    annotation(Placement(transformation(origin = {0, 120}, extent = {{-20, -20}, {20, 20}}, rotation = 270)));
equation
  e = R*f;
  annotation(Documentation(info = "<html>
<p>A resistance that a signal changes: a valve that is turned, a brake that is pressed. Negative values would give
power.</p>
</html>"),
    Icon(graphics = {
      Text(extent = {{-80, 60}, {80, -60}}, textString = "MR", textColor = {30, 110, 60})}));
end MR;

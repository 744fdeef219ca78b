within Saltus.BondGraphs;
model R "Dissipation: resistor, damper, orifice"
  extends Saltus.BondGraphs.Interfaces.OnePort;
  parameter Saltus.BondGraphs.Interfaces.Coefficient R = 1 "Effort for one unit of flow";
equation
  e = R*f;
  annotation(Documentation(info = "<html>
<p>Takes the power <code>R*f^2</code>. With <code>R = 0</code> it is no resistance at all.</p>
</html>"),
    Icon(graphics = {
      Text(extent = {{-80, 60}, {80, -60}}, textString = "R", textColor = {30, 110, 60})}));
end R;

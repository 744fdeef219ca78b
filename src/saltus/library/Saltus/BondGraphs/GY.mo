within Saltus.BondGraphs;
model GY "Gyrator: motor, gyroscope, pump"
  extends Saltus.BondGraphs.Interfaces.TwoPort;
  parameter Saltus.BondGraphs.Interfaces.Coefficient r = 1 "Effort out for one unit of flow in";
equation
  e_out = r*f_in;
  e_in = r*f_out;
  annotation(Documentation(info = "<html>
<p>Effort follows from flow and flow from effort, with nothing lost: <code>e_out = r*f_in</code> and <code>e_in =
r*f_out</code>.</p>
</html>"),
    Icon(graphics = {
      Text(extent = {{-80, 60}, {80, -60}}, textString = "GY", textColor = {30, 30, 30})}));
end GY;

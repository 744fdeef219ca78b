within Saltus.Logic;
block RealToBoolean "True where a signal is at least a threshold"
  extends Saltus.Logic.Interfaces.Block;
  parameter Real threshold = 0.5 "Threshold";
  Saltus.Blocks.Interfaces.RealInput u "Input"
    annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
  Saltus.Blocks.Interfaces.BooleanOutput y "Output"
    annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
equation
  y = u >= threshold;
  annotation(Documentation(info = "<html>
<p><code>y = u &gt;= threshold</code>: the inverse of <code>BooleanToReal</code> with its usual values.</p>
</html>"),
    Icon(graphics = {
      Text(extent = {{-60, 30}, {60, -30}}, textString = "R > B", textColor = {140, 0, 140})}));
end RealToBoolean;

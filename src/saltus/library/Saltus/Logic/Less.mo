within Saltus.Logic;
block Less "True where a signal is below a threshold"
  extends Saltus.Logic.Interfaces.Block;
  parameter Real threshold = 0 "Threshold";
  Saltus.Blocks.Interfaces.RealInput u "Input"
    annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
  Saltus.Blocks.Interfaces.BooleanOutput y "Output"
    annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
equation
  y = u < threshold;
  annotation(Documentation(info = "<html>
<p><code>y = u &lt; threshold</code>. The crossing is found as an event.</p>
</html>"),
    Icon(graphics = {
      Text(extent = {{-60, 30}, {60, -30}}, textString = "<", textColor = {140, 0, 140})}));
end Less;

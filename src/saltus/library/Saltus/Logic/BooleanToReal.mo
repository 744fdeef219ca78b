within Saltus.Logic;
block BooleanToReal "A number for true, and one for false"
  extends Saltus.Logic.Interfaces.Block;
  parameter Real whenTrue = 1 "Output while the input is true";
  parameter Real whenFalse = 0 "Output while the input is false";
  Saltus.Blocks.Interfaces.BooleanInput u "Input"
    annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
  Saltus.Blocks.Interfaces.RealOutput y "Output"
    annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
equation
  y = if u then whenTrue else whenFalse;
  annotation(Documentation(info = "<html>
<p>From logic to signals: the output is <code>whenTrue</code> or <code>whenFalse</code>, and jumps in between.</p>
</html>"),
    Icon(graphics = {
      Text(extent = {{-60, 30}, {60, -30}}, textString = "B > R", textColor = {140, 0, 140})}));
end BooleanToReal;

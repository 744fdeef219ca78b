within Saltus.Logic;
block Latch "Transparent while it is enabled"
  extends Saltus.Logic.Interfaces.Block;
  parameter Boolean y0 = false "What is kept at the start";
  Saltus.Blocks.Interfaces.BooleanInput u "Input"
    annotation(Placement(transformation(extent = {{-140, 40}, {-100, 80}})));
  Saltus.Blocks.Interfaces.BooleanInput enable "Lets the input through"
    annotation(Placement(transformation(extent = {{-140, -80}, {-100, -40}})));
  Saltus.Blocks.Interfaces.BooleanOutput y "Output"
    annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
initial equation
  pre(y) = y0;
equation
  y = if enable then u else pre(y);
  annotation(Documentation(info = "<html>
<p>While <code>enable</code> is true the output is the input; from when it becomes false on, the output keeps its
value. A flip-flop asks at an edge, a latch during a level.</p>
</html>"),
    Icon(graphics = {
      Text(extent = {{-95, 75}, {-45, 45}}, textString = "D"),
      Text(extent = {{-95, -45}, {-45, -75}}, textString = "E")}));
end Latch;

within Saltus.Logic;
block Hysteresis "On above one value, off below another"
  extends Saltus.Logic.Interfaces.Block;
  parameter Real low = 0 "Off below this value";
  parameter Real high = 1 "On above this value";
  parameter Boolean y0 = false "Output at the start, if the input is in between";
  Saltus.Blocks.Interfaces.RealInput u "Input"
    annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
  Saltus.Blocks.Interfaces.BooleanOutput y "Output"
    annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
initial equation
  pre(y) = y0;
equation
  y = u > high or pre(y) and u >= low;
  annotation(Documentation(info = "<html>
<p>Becomes true when the input exceeds <code>high</code>, and false when it falls below <code>low</code>; in
between it stays as it is. Thermostats are made of it: the wider the band, the fewer the switchings.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-80, -50}, {40, -50}, {40, 50}}, color = {140, 0, 140}),
      Line(points = {{80, 50}, {-40, 50}, {-40, -50}}, color = {140, 0, 140})}));
end Hysteresis;

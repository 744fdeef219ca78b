within Saltus.Logic;
block JKFlipFlop "Is set, reset or turned over at an edge of the clock"
  extends Saltus.Logic.Interfaces.Block;
  parameter Boolean q0 = false "What is stored at the start";
  Saltus.Blocks.Interfaces.BooleanInput j "Set"
    annotation(Placement(transformation(extent = {{-140, 40}, {-100, 80}})));
  Saltus.Blocks.Interfaces.BooleanInput k "Reset"
    annotation(Placement(transformation(extent = {{-140, -80}, {-100, -40}})));
  Saltus.Blocks.Interfaces.BooleanInput clock "A rising edge does it"
    annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
  Saltus.Blocks.Interfaces.BooleanOutput q "What is stored"
    annotation(Placement(transformation(extent = {{100, 50}, {120, 70}})));
  Saltus.Blocks.Interfaces.BooleanOutput qn "The opposite"
    annotation(Placement(transformation(extent = {{100, -70}, {120, -50}})));
initial equation
  pre(q) = q0;
equation
  when clock then
    q = if pre(q) then not pre(k) else pre(j);
  end when;
  qn = not q;
  annotation(Documentation(info = "<html>
<p>When <code>clock</code> becomes true: <code>j</code> sets, <code>k</code> resets, both together turn the value
over, and none of them leaves it as it is. What the inputs were before that instant counts.</p>
<p>With both inputs true it halves the frequency of its clock.</p>
</html>"),
    Icon(graphics = {
      Text(extent = {{-95, 75}, {-45, 45}}, textString = "J"),
      Text(extent = {{-95, -45}, {-45, -75}}, textString = "K"),
      Line(points = {{-100, 15}, {-75, 0}, {-100, -15}}, color = {140, 0, 140}),
      Text(extent = {{50, 75}, {95, 45}}, textString = "Q"),
      Text(extent = {{50, -45}, {95, -75}}, textString = "Q'")}));
end JKFlipFlop;

within Saltus.Logic;
block TFlipFlop "Turns over at each edge of its input"
  extends Saltus.Logic.Interfaces.Block;
  parameter Boolean q0 = false "What is stored at the start";
  Saltus.Blocks.Interfaces.BooleanInput u "A rising edge turns it over"
    annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
  Saltus.Blocks.Interfaces.BooleanOutput q "What is stored"
    annotation(Placement(transformation(extent = {{100, 50}, {120, 70}})));
  Saltus.Blocks.Interfaces.BooleanOutput qn "The opposite"
    annotation(Placement(transformation(extent = {{100, -70}, {120, -50}})));
initial equation
  pre(q) = q0;
equation
  when u then
    q = not pre(q);
  end when;
  qn = not q;
  annotation(Documentation(info = "<html>
<p>Each time <code>u</code> becomes true the output changes: it has half the frequency of its input. A chain of
them, each driven by <code>qn</code> of the one before, counts in binary.</p>
</html>"),
    Icon(graphics = {
      Text(extent = {{-95, 45}, {-45, 15}}, textString = "T"),
      Line(points = {{-100, 15}, {-75, 0}, {-100, -15}}, color = {140, 0, 140}),
      Text(extent = {{50, 75}, {95, 45}}, textString = "Q"),
      Text(extent = {{50, -45}, {95, -75}}, textString = "Q'")}));
end TFlipFlop;

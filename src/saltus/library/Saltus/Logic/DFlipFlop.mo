within Saltus.Logic;
block DFlipFlop "Takes over its input at an edge of the clock"
  extends Saltus.Logic.Interfaces.Block;
  parameter Boolean q0 = false "What is stored at the start";
  Saltus.Blocks.Interfaces.BooleanInput d "What is to be stored"
    annotation(Placement(transformation(extent = {{-140, 40}, {-100, 80}})));
  Saltus.Blocks.Interfaces.BooleanInput clock "A rising edge stores it"
    annotation(Placement(transformation(extent = {{-140, -80}, {-100, -40}})));
  Saltus.Blocks.Interfaces.BooleanOutput q "What is stored"
    annotation(Placement(transformation(extent = {{100, 50}, {120, 70}})));
  Saltus.Blocks.Interfaces.BooleanOutput qn "The opposite"
    annotation(Placement(transformation(extent = {{100, -70}, {120, -50}})));
initial equation
  pre(q) = q0;
equation
  when clock then
    q = pre(d);
  end when;
  qn = not q;
  annotation(Documentation(info = "<html>
<p>When <code>clock</code> becomes true, <code>q</code> takes the value that <code>d</code> had before that
instant, and keeps it until the next rising edge.</p>
<p>Because the value before the edge counts, several of them with one clock make a shift register: each takes what
its neighbour had.</p>
</html>"),
    Icon(graphics = {
      Text(extent = {{-95, 75}, {-45, 45}}, textString = "D"),
      Line(points = {{-100, -45}, {-75, -60}, {-100, -75}}, color = {140, 0, 140}),
      Text(extent = {{50, 75}, {95, 45}}, textString = "Q"),
      Text(extent = {{50, -45}, {95, -75}}, textString = "Q'")}));
end DFlipFlop;

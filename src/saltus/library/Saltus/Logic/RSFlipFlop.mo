within Saltus.Logic;
block RSFlipFlop "A memory that is set and reset"
  extends Saltus.Logic.Interfaces.Block;
  parameter Boolean q0 = false "What is stored at the start";
  Saltus.Blocks.Interfaces.BooleanInput s "Set"
    annotation(Placement(transformation(extent = {{-140, 40}, {-100, 80}})));
  Saltus.Blocks.Interfaces.BooleanInput r "Reset"
    annotation(Placement(transformation(extent = {{-140, -80}, {-100, -40}})));
  Saltus.Blocks.Interfaces.BooleanOutput q "What is stored"
    annotation(Placement(transformation(extent = {{100, 50}, {120, 70}})));
  Saltus.Blocks.Interfaces.BooleanOutput qn "The opposite"
    annotation(Placement(transformation(extent = {{100, -70}, {120, -50}})));
initial equation
  pre(q) = q0;
equation
  q = not r and (s or pre(q));
  qn = not q;
  annotation(Documentation(info = "<html>
<p>Stores true as soon as <code>s</code> is true and false as soon as <code>r</code> is, and keeps it when neither
is. If both are true, reset wins.</p>
<p>Its memory is <code>pre(q)</code>, the value before an event; use it for start and stop buttons.</p>
</html>"),
    Icon(graphics = {
      Text(extent = {{-95, 75}, {-45, 45}}, textString = "S"),
      Text(extent = {{-95, -45}, {-45, -75}}, textString = "R"),
      Text(extent = {{50, 75}, {95, 45}}, textString = "Q"),
      Text(extent = {{50, -45}, {95, -75}}, textString = "Q'")}));
end RSFlipFlop;

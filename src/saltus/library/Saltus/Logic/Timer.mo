within Saltus.Logic;
block Timer "How long the input has been true"
  extends Saltus.Logic.Interfaces.Block;
  Saltus.Blocks.Interfaces.BooleanInput u "Input"
    annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
  Saltus.Blocks.Interfaces.RealOutput y "Seconds since it became true; 0 while it is false"
    annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
protected
  discrete Saltus.Units.Time t0 "When the input became true";
initial equation
  pre(t0) = time;
equation
  when u then
    t0 = time;
  end when;
  y = if u then time - t0 else 0;
  annotation(Documentation(info = "<html>
<p>While <code>u</code> is true the output is the time since it became so, and zero otherwise. An input that is
true at the start counts from there.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-70, -80}, {-70, 80}}, color = {160, 160, 160}),
      Line(points = {{-80, -70}, {80, -70}}, color = {160, 160, 160}),
      Line(points = {{-70, -70}, {-30, -70}, {20, 50}, {20, -70}, {40, -70}, {70, -10}}, color = {140, 0, 140})}));
end Timer;

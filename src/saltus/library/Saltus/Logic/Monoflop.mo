within Saltus.Logic;
block Monoflop "A pulse of given length at each rising edge"
  extends Saltus.Logic.Interfaces.SingleInput;
  parameter Saltus.Units.Time pulseTime(min = 0) = 0.1 "Length of the pulse";
  parameter Boolean retriggerable = false "An edge during a pulse begins it anew";
protected
  discrete Saltus.Units.Time t1 "When the pulse ends";
initial equation
  pre(t1) = time;
equation
  when u then
    t1 = if retriggerable or time >= pre(t1) then time + pulseTime else pre(t1);
  end when;
  y = time < t1;
  annotation(Documentation(info = "<html>
<p>When the input becomes true the output does so, too, for exactly <code>pulseTime</code>, however long the input
lasts. Edges during the pulse are ignored, or begin it anew if <code>retriggerable</code>.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-80, 20}, {-60, 20}, {-60, 70}, {-40, 70}, {-40, 20}, {80, 20}}, color = {140, 0, 140}),
      Line(points = {{-80, -70}, {-60, -70}, {-60, -20}, {40, -20}, {40, -70}, {80, -70}}, color = {140, 0, 140},
        thickness = 0.5)}));
end Monoflop;

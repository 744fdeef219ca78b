within Saltus.Logic;
block OffDelay "Becomes false later than the input"
  extends Saltus.Logic.Interfaces.SingleInput;
  parameter Saltus.Units.Time delayTime(min = 0) = 0.1 "How much longer the output is true";
protected
  discrete Saltus.Units.Time t1 "When the output ends";
initial equation
  pre(t1) = time;
equation
  when not u then
    t1 = time + delayTime;
  end when;
  y = u or time < t1;
  annotation(Documentation(info = "<html>
<p>The output is true at once when the input is, and stays true for <code>delayTime</code> after the input has
become false. Fans that run on, lights of stairs.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-80, 20}, {-60, 20}, {-60, 70}, {10, 70}, {10, 20}, {80, 20}}, color = {140, 0, 140}),
      Line(points = {{-80, -70}, {-60, -70}, {-60, -20}, {60, -20}, {60, -70}, {80, -70}}, color = {140, 0, 140},
        thickness = 0.5)}));
end OffDelay;

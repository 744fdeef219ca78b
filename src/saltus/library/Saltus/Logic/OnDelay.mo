within Saltus.Logic;
block OnDelay "Becomes true later than the input"
  extends Saltus.Logic.Interfaces.SingleInput;
  parameter Saltus.Units.Time delayTime(min = 0) = 0.1 "How long the input must have been true";
protected
  discrete Saltus.Units.Time t1 "When it has been true for long enough";
initial equation
  pre(t1) = time + delayTime;
equation
  when u then
    t1 = time + delayTime;
  end when;
  y = u and time >= t1;
  annotation(Documentation(info = "<html>
<p>The output is true when the input has been true for <code>delayTime</code>, and false at once when the input is.
Pulses that are shorter do not get through: use it against chattering contacts.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-80, 20}, {-60, 20}, {-60, 70}, {40, 70}, {40, 20}, {80, 20}}, color = {140, 0, 140}),
      Line(points = {{-80, -70}, {-10, -70}, {-10, -20}, {40, -20}, {40, -70}, {80, -70}}, color = {140, 0, 140},
        thickness = 0.5)}));
end OnDelay;

within Saltus.Logic;
block Pre "The value before an event: breaks loops"
  extends Saltus.Logic.Interfaces.SingleInput;
equation
  y = pre(u);
  annotation(Documentation(info = "<html>
<p><code>y = pre(u)</code>. Gates have no delay, so that a loop of them may contradict itself, or have two
solutions. With this block in the loop there is an order: what comes out is what went in before the present
event, and the event goes on, without time passing, until nothing changes any more. At the start it is false,
unless something else says what the input was before.</p>
</html>"),
    Icon(graphics = {
      Text(extent = {{-70, 30}, {70, -30}}, textString = "pre", textColor = {140, 0, 140})}));
end Pre;

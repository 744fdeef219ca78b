within Saltus;
package Logic "Boolean signals: gates, flip-flops, timers, hysteresis"
  annotation(Documentation(info = "<html>
<p>Blocks with Boolean inputs and outputs. Inputs are named <code>u</code>, outputs <code>y</code>; those of
flip-flops have the names that they always have. What a block remembers is its value before an event,
<code>pre</code>; what is true only for an instant (an edge, a tick) is true during that event.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, -90}, {90, 90}}, lineColor = {90, 90, 90}, fillColor = {248, 248, 248},
        fillPattern = FillPattern.Solid, radius = 20),
      Text(extent = {{-60, 50}, {60, -50}}, textString = "&")}));
end Logic;

within Saltus;
package Logic "Boolean signals: gates, flip-flops, timers, hysteresis"
  annotation(Documentation(info = "<html>
<p>Blocks with Boolean inputs and outputs. Inputs are named <code>u</code>, outputs <code>y</code>.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, -90}, {90, 90}}, lineColor = {90, 90, 90}, fillColor = {248, 248, 248},
        fillPattern = FillPattern.Solid, radius = 20),
      Text(extent = {{-60, 50}, {60, -50}}, textString = "&")}));
end Logic;

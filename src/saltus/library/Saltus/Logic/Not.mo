within Saltus.Logic;
block Not "True if the input is not"
  extends Saltus.Logic.Interfaces.SingleInput;
equation
  y = not u;
  annotation(Documentation(info = "<html>
<p><code>y = not u</code>.</p>
</html>"),
    Icon(graphics = {
      Text(extent = {{-60, 30}, {60, -30}}, textString = "1", textColor = {140, 0, 140}),
      Ellipse(extent = {{84, 8}, {100, -8}}, lineColor = {140, 0, 140}, fillColor = {255, 255, 255},
        fillPattern = FillPattern.Solid)}));
end Not;

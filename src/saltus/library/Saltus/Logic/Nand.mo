within Saltus.Logic;
block Nand "False if both inputs are true"
  extends Saltus.Logic.Interfaces.TwoInputs;
equation
  y = not (u1 and u2);
  annotation(Documentation(info = "<html>
<p><code>y = not (u1 and u2)</code>. All other gates can be made of this one.</p>
</html>"),
    Icon(graphics = {
      Text(extent = {{-60, 30}, {60, -30}}, textString = "&", textColor = {140, 0, 140}),
      Ellipse(extent = {{84, 8}, {100, -8}}, lineColor = {140, 0, 140}, fillColor = {255, 255, 255},
        fillPattern = FillPattern.Solid)}));
end Nand;

within Saltus.Logic;
block Nor "True if no input is"
  extends Saltus.Logic.Interfaces.TwoInputs;
equation
  y = not (u1 or u2);
  annotation(Documentation(info = "<html>
<p><code>y = not (u1 or u2)</code>. Two of them, each with the output of the other as an input, would be a flip-
flop; take <code>RSFlipFlop</code> instead, whose memory is well defined.</p>
</html>"),
    Icon(graphics = {
      Text(extent = {{-60, 30}, {60, -30}}, textString = ">=1", textColor = {140, 0, 140}),
      Ellipse(extent = {{84, 8}, {100, -8}}, lineColor = {140, 0, 140}, fillColor = {255, 255, 255},
        fillPattern = FillPattern.Solid)}));
end Nor;

within Saltus.Logic;
block Or "True if one input is, or both"
  extends Saltus.Logic.Interfaces.TwoInputs;
equation
  y = u1 or u2;
  annotation(Documentation(info = "<html>
<p><code>y = u1 or u2</code>. For more than two inputs there is <code>OrN</code>.</p>
</html>"),
    Icon(graphics = {
      Text(extent = {{-60, 30}, {60, -30}}, textString = ">=1", textColor = {140, 0, 140})}));
end Or;

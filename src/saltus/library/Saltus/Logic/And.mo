within Saltus.Logic;
block And "True if both inputs are"
  extends Saltus.Logic.Interfaces.TwoInputs;
equation
  y = u1 and u2;
  annotation(Documentation(info = "<html>
<p><code>y = u1 and u2</code>. For more than two inputs there is <code>AndN</code>.</p>
</html>"),
    Icon(graphics = {
      Text(extent = {{-60, 30}, {60, -30}}, textString = "&", textColor = {140, 0, 140})}));
end And;

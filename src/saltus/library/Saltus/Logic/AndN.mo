within Saltus.Logic;
block AndN "True if all inputs are"
  extends Saltus.Logic.Interfaces.VectorInput;
equation
  y = min(u);
  annotation(Documentation(info = "<html>
<p>True if all <code>n</code> inputs are. Connect to <code>u[1]</code>, <code>u[2]</code> and so on.</p>
</html>"),
    Icon(graphics = {
      Text(extent = {{-60, 30}, {60, -30}}, textString = "&", textColor = {140, 0, 140})}));
end AndN;

within Saltus.Logic;
block OrN "True if any input is"
  extends Saltus.Logic.Interfaces.VectorInput;
equation
  y = max(u);
  annotation(Documentation(info = "<html>
<p>True if at least one of the <code>n</code> inputs is. Connect to <code>u[1]</code>, <code>u[2]</code> and so on.</p>
</html>"),
    Icon(graphics = {
      Text(extent = {{-60, 30}, {60, -30}}, textString = ">=1", textColor = {140, 0, 140})}));
end OrN;

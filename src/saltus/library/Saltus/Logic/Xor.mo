within Saltus.Logic;
block Xor "True if the inputs differ"
  extends Saltus.Logic.Interfaces.TwoInputs;
equation
  y = u1 <> u2;
  annotation(Documentation(info = "<html>
<p><code>y = u1 &lt;&gt; u2</code>: one or the other, not both. It is the sum of two binary digits without the
carry.</p>
</html>"),
    Icon(graphics = {
      Text(extent = {{-60, 30}, {60, -30}}, textString = "=1", textColor = {140, 0, 140})}));
end Xor;

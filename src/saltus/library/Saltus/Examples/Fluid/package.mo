within Saltus.Examples;
package Fluid "Tanks and pipes"
  annotation(Documentation(info = "<html>
<p>Examples for the parts of <code>Saltus.Fluid</code>.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, -90}, {90, 90}}, lineColor = {90, 90, 90}, fillColor = {248, 248, 248},
        fillPattern = FillPattern.Solid, radius = 20)}));
end Fluid;

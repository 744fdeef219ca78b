within Saltus.Examples;
package Papers "The gallery: models and figures of the papers"
  annotation(Documentation(info = "<html>
<p>One package for each paper, one class for each model, listing or figure. <code>saltus gallery</code> lists them.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, -90}, {90, 90}}, lineColor = {90, 90, 90}, fillColor = {248, 248, 248},
        fillPattern = FillPattern.Solid, radius = 20)}));
end Papers;

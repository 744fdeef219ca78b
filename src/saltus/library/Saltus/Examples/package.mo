within Saltus;
package Examples "Models to simulate, to read and to change"
  annotation(Documentation(info = "<html>
<p>At least one example shows each part of the library at work. <code>Papers</code> is the gallery: the models and
figures of the papers that Saltus grows from.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, -90}, {90, 90}}, lineColor = {90, 90, 90}, fillColor = {248, 248, 248},
        fillPattern = FillPattern.Solid, radius = 20),
      Polygon(points = {{-30, 50}, {60, 0}, {-30, -50}, {-30, 50}}, lineColor = {40, 110, 60})}));
end Examples;

within Saltus;
package Translational "Masses, springs, stops: motion along one line"
  annotation(Documentation(info = "<html>
<p>Flanges carry a position <code>s</code> and the force <code>f</code> into the part.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, -90}, {90, 90}}, lineColor = {90, 90, 90}, fillColor = {248, 248, 248},
        fillPattern = FillPattern.Solid, radius = 20),
      Rectangle(extent = {{-40, 30}, {40, -30}}, lineColor = {0, 127, 0}),
      Line(points = {{-80, -30}, {80, -30}}, color = {0, 127, 0})}));
end Translational;

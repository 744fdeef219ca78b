within Saltus;
package Powertrain "Engine, automatic gearbox and vehicle"
  annotation(Documentation(info = "<html>
<p>Models at the level of the gearbox paper: few parameters, made of the parts of <code>Saltus.Rotational</code> and
<code>Saltus.Translational</code>.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, -90}, {90, 90}}, lineColor = {90, 90, 90}, fillColor = {248, 248, 248},
        fillPattern = FillPattern.Solid, radius = 20),
      Ellipse(extent = {{-60, -10}, {-20, -50}}, lineColor = {60, 60, 60}),
      Ellipse(extent = {{20, -10}, {60, -50}}, lineColor = {60, 60, 60}),
      Line(points = {{-70, -30}, {-60, 10}, {60, 10}, {70, -30}}, color = {60, 60, 60})}));
end Powertrain;

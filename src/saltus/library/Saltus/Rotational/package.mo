within Saltus;
package Rotational "Shafts, gears, clutches: rotation about one axis"
  annotation(Documentation(info = "<html>
<p>Flanges carry an angle <code>phi</code> and the torque <code>tau</code> into the part.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, -90}, {90, 90}}, lineColor = {90, 90, 90}, fillColor = {248, 248, 248},
        fillPattern = FillPattern.Solid, radius = 20),
      Rectangle(extent = {{-70, 12}, {70, -12}}, lineColor = {95, 95, 95}),
      Rectangle(extent = {{-30, 60}, {30, -60}}, lineColor = {95, 95, 95})}));
end Rotational;

within Saltus;
package Thermal "Heat: capacities, conduction, convection, radiation"
  annotation(Documentation(info = "<html>
<p>Ports carry a temperature <code>T</code> and the heat flow rate <code>Q_flow</code> into the part.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, -90}, {90, 90}}, lineColor = {90, 90, 90}, fillColor = {248, 248, 248},
        fillPattern = FillPattern.Solid, radius = 20),
      Polygon(points = {{-50, -50}, {0, 60}, {50, -50}, {-50, -50}}, lineColor = {191, 0, 0})}));
end Thermal;

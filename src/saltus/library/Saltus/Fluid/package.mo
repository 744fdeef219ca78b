within Saltus;
package Fluid "Tanks, valves and pumps for one incompressible liquid"
  annotation(Documentation(info = "<html>
<p>Ports carry a pressure <code>p</code> and the volume flow rate <code>q</code> into the part. The liquid has one
density and one temperature.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, -90}, {90, 90}}, lineColor = {90, 90, 90}, fillColor = {248, 248, 248},
        fillPattern = FillPattern.Solid, radius = 20),
      Line(points = {{-50, 60}, {-50, -60}, {50, -60}, {50, 60}}, color = {0, 90, 180}),
      Line(points = {{-50, 10}, {50, 10}}, color = {0, 90, 180})}));
end Fluid;

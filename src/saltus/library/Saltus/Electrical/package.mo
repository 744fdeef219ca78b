within Saltus;
package Electrical "Circuits: ideal elements, switches, machines"
  annotation(Documentation(info = "<html>
<p>Pins carry a potential <code>v</code> and the current <code>i</code> into the part. Every circuit needs a
<code>Ground</code>.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, -90}, {90, 90}}, lineColor = {90, 90, 90}, fillColor = {248, 248, 248},
        fillPattern = FillPattern.Solid, radius = 20),
      Line(points = {{-70, 0}, {-30, 0}, {30, 40}}, color = {0, 0, 255}),
      Line(points = {{30, 0}, {70, 0}}, color = {0, 0, 255})}));
end Electrical;

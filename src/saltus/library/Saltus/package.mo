package Saltus "Parts for hybrid physical systems, ideal by default"
  annotation(
    version = "0.1.0",
    Documentation(info = "<html>
<p>A small library of parts to connect: electrical, mechanical, thermal and fluid ones, signals and logic. A switch is
a switch, a diode is a diode, a clutch locks: nothing leaks and nothing is smoothed unless a parameter asks for
it.</p>
<p>The parts are written plainly, to be read: a part is its connectors, its parameters and its law. Curves with
corners (diodes, friction) are written with a parameter <code>s</code> along the curve; what is a state, and which
equations hold, is found during the simulation.</p>
<p>Connectors have the usual variables (<code>v</code>, <code>i</code>; <code>phi</code>, <code>tau</code>;
<code>s</code>, <code>f</code>; <code>T</code>, <code>Q_flow</code>), so that parts of other libraries can be
connected to them.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, -90}, {90, 90}}, lineColor = {40, 40, 40}, fillColor = {245, 245, 245},
        fillPattern = FillPattern.Solid, radius = 20),
      Line(points = {{-70, -40}, {-10, -10}, {-10, 40}, {30, 20}, {30, 60}, {70, 70}}, color = {200, 60, 30},
        thickness = 1)}));
end Saltus;

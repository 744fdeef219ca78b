within Saltus;
package Blocks "Signals: continuous, discrete and nonlinear blocks, sources, tables"
  annotation(Documentation(info = "<html>
<p>Blocks have inputs and outputs and compute one from the other. Signals are plain numbers without a unit: what they
mean is said by what they are connected to. Times and frequencies of parameters do have units.</p>
<p>Corners, jumps and ticks are events and as exact as time itself; nothing is smoothed.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, -90}, {90, 90}}, lineColor = {90, 90, 90}, fillColor = {248, 248, 248},
        fillPattern = FillPattern.Solid, radius = 20),
      Rectangle(extent = {{-30, 25}, {30, -25}}, lineColor = {0, 0, 127}),
      Line(points = {{-80, 0}, {-30, 0}}, color = {0, 0, 127}),
      Line(points = {{30, 0}, {80, 0}}, color = {0, 0, 127})}));
end Blocks;

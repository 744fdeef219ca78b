within Saltus.Logic;
block Edge "True for the instant in which the input becomes true"
  extends Saltus.Logic.Interfaces.SingleInput;
equation
  y = edge(u) and not initial();
  annotation(Documentation(info = "<html>
<p>True only in the event in which <code>u</code> becomes true. The start of a run is no edge. A plot does not show
it; count it, or reset something with it.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-70, -50}, {0, -50}, {0, 50}, {70, 50}}, color = {140, 0, 140}, thickness = 0.5),
      Polygon(points = {{0, 20}, {-14, -12}, {14, -12}, {0, 20}}, lineColor = {140, 0, 140},
        fillColor = {140, 0, 140}, fillPattern = FillPattern.Solid)}));
end Edge;

within Saltus.Electrical;
model Ground "The potential zero"
  Saltus.Electrical.Interfaces.Pin p "To be connected to the point that has no potential"
    annotation(Placement(transformation(extent = {{-10, 90}, {10, 110}})));
equation
  p.v = 0;
  annotation(Documentation(info = "<html>
<p>Voltages are differences of potentials; ground says from where they are counted: <code>p.v = 0</code>. It takes
whatever current comes. Every circuit needs one, and so does each part of a circuit that a transformer separates from
the rest.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{0, 90}, {0, 40}}, color = {0, 0, 255}),
      Line(points = {{-60, 40}, {60, 40}}, color = {0, 0, 255}),
      Line(points = {{-40, 15}, {40, 15}}, color = {0, 0, 255}),
      Line(points = {{-20, -10}, {20, -10}}, color = {0, 0, 255}),
      Text(extent = {{-150, -30}, {150, -70}}, textString = "%name", textColor = {0, 0, 255})}));
end Ground;

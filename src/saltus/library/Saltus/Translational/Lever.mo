within Saltus.Translational;
model Lever "A lever on a fixed fulcrum, for small movements"
  extends Saltus.Translational.Interfaces.TwoFlanges;
  parameter Saltus.Units.Ratio ratio = 1 "Length of the arm at flange_b over that of the arm at flange_a";
equation
  flange_b.s = -ratio*flange_a.s;
  flange_a.f = ratio*flange_b.f;
  annotation(Documentation(info = "<html>
<p>When one end goes up the other goes down, <code>ratio</code> times as far and with as many times less force. No
work is lost, and both ends are at zero together.</p>
<p>Seen from <code>flange_a</code> a mass at <code>flange_b</code> weighs <code>ratio^2</code> times as much.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-90, 0}, {-70, 40}, {70, -40}, {90, 0}}, color = {0, 127, 0}),
      Polygon(points = {{0, 0}, {-20, -50}, {20, -50}, {0, 0}}, lineColor = {0, 127, 0}, fillColor = {214, 234, 214},
        fillPattern = FillPattern.Solid),
      Line(points = {{-40, -50}, {40, -50}}, color = {0, 127, 0}),
      Text(extent = {{-150, -60}, {150, -95}}, textString = "%ratio")}));
end Lever;

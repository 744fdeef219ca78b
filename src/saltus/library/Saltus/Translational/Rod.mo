within Saltus.Translational;
model Rod "A rigid rod without mass"
  extends Saltus.Translational.Interfaces.TwoFlanges;
  parameter Saltus.Units.Length L = 1 "Length: flange_b is so far ahead of flange_a";
equation
  flange_b.s = flange_a.s + L;
  flange_a.f + flange_b.f = 0;
  annotation(Documentation(info = "<html>
<p>Keeps two flanges at a distance. Force goes through it unchanged, pushing or pulling, and so do impulses.</p>
<p>Masses at both ends move as one: only one of them has states of its own.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, 8}, {90, -8}}, lineColor = {0, 127, 0}, fillColor = {214, 234, 214},
        fillPattern = FillPattern.Solid),
      Text(extent = {{-150, -30}, {150, -65}}, textString = "L=%L")}));
end Rod;

within Saltus.Translational;
model Mass "A rigid body that slides along the line"
  extends Saltus.Translational.Interfaces.TwoFlanges;
  parameter Saltus.Units.Mass m = 1 "Mass";
  Saltus.Units.Position s(start = 0) "Position of the body and of both flanges";
  Saltus.Units.Velocity v(start = 0) "Velocity";
  Saltus.Units.Acceleration a "Acceleration";
equation
  flange_a.s = s;
  flange_b.s = s;
  v = der(s);
  a = der(v);
  m*a = flange_a.f + flange_b.f;
  annotation(Documentation(info = "<html>
<p>Newton's law: the forces at both flanges accelerate the mass. It is a point: the flanges are at the same place
(use <code>Rod</code> for a length between them).</p>
<p>Position and velocity are states as long as nothing holds the body. When something locks, hits or catches it, the
velocity jumps so that momentum is conserved, and the forces have impulses.</p>
<p>Say where it begins with <code>s(start = 0, fixed = true)</code> and <code>v(start = 0, fixed = true)</code>.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-90, 0}, {90, 0}}, color = {0, 127, 0}),
      Rectangle(extent = {{-60, 40}, {60, -40}}, lineColor = {0, 127, 0}, fillColor = {214, 234, 214},
        fillPattern = FillPattern.Solid),
      Text(extent = {{-150, -50}, {150, -85}}, textString = "m=%m")}));
end Mass;

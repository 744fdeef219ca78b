within Saltus.Translational;
model Rope "Pulls when it is taut, does nothing when it is slack"
  extends Saltus.Translational.Interfaces.Compliant;
  parameter Saltus.Units.Length L = 1 "Length: flange_b is never further ahead of flange_a";
  Saltus.Units.Force s "Place on the curve: the length that is left; or the tension, negative";
  Boolean slack "There is length left";
protected
  constant Saltus.Units.TranslationalSpringConstant unit = 1 "How s counts lengths";
equation
  slack = s > 0;
  unit*(L - s_rel) = if slack then s else 0;
  f = if slack then 0 else -s;
  annotation(Documentation(info = "<html>
<p>A rope that does not stretch and has no mass. It takes any pull and no push.</p>
<p>When it goes taut both ends get the same velocity at once: <code>f</code> has an impulse, and momentum is
conserved. It goes slack where its tension would become negative.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-90, 0}, {-60, -14}, {-20, -26}, {20, -26}, {60, -14}, {90, 0}}, color = {0, 127, 0},
        thickness = 0.5),
      Line(points = {{-90, 0}, {90, 0}}, color = {0, 127, 0}, pattern = LinePattern.Dash),
      Text(extent = {{-150, -40}, {150, -75}}, textString = "L=%L")}));
end Rope;

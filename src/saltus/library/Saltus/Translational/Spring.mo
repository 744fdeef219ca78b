within Saltus.Translational;
model Spring "A linear spring without mass"
  extends Saltus.Translational.Interfaces.Compliant;
  parameter Saltus.Units.TranslationalSpringConstant c = 1 "Stiffness";
  parameter Saltus.Units.Position s_rel0 = 0 "Distance of the flanges at which there is no force";
equation
  f = c*(s_rel - s_rel0);
  annotation(Documentation(info = "<html>
<p>Hooke's law: the force grows with the elongation, and draws the flanges together when the spring is longer than
<code>s_rel0</code>.</p>
<p>Its energy is <code>c*(s_rel - s_rel0)^2/2</code>. Nothing is lost in it: see <code>SpringDamper</code>.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-90, 0}, {-60, 0}, {-45, -30}, {-15, 30}, {15, -30}, {45, 30}, {60, 0}, {90, 0}},
        color = {0, 127, 0}),
      Text(extent = {{-150, -45}, {150, -80}}, textString = "c=%c")}));
end Spring;

within Saltus.Translational;
model Friction "Dry friction between two bodies, with a viscous part"
  extends Saltus.Translational.Interfaces.FrictionCurve;
  parameter Saltus.Units.Force f_c(min = 0) = 1 "Force of dry (Coulomb) friction";
equation
  f_stick = f_c;
  f_slide = f_c;
  annotation(Documentation(info = "<html>
<p>At rest it takes any force up to <code>f_c</code>; sliding it brakes with <code>f_c + d*abs(v_rel)</code>.</p>
<p>It sticks from the moment at which both bodies have the same velocity, and breaks away where more than
<code>f_c</code> would be needed to hold them together. With a <code>Fixed</code> at <code>flange_a</code> it is the
friction on a table.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-60, -80}, {0, -72}, {0, -48}, {60, -40}}, color = {200, 60, 30}),
      Line(points = {{-60, -60}, {60, -60}}, color = {190, 190, 190})}));
end Friction;

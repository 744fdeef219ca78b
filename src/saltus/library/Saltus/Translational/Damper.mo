within Saltus.Translational;
model Damper "A linear damper without mass"
  extends Saltus.Translational.Interfaces.CompliantWithVelocity;
  parameter Saltus.Units.TranslationalDampingConstant d = 1 "Damping constant";
equation
  f = d*v_rel;
  annotation(Documentation(info = "<html>
<p>The force is proportional to the velocity with which the flanges move apart.</p>
<p>All work done on it becomes heat: <code>d*v_rel^2</code>. With <code>d = 0</code> it is not there.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-90, 0}, {10, 0}}, color = {0, 127, 0}),
      Line(points = {{-50, 30}, {50, 30}, {50, -30}, {-50, -30}}, color = {0, 127, 0}),
      Rectangle(extent = {{0, 26}, {16, -26}}, lineColor = {0, 127, 0}, fillColor = {0, 127, 0},
        fillPattern = FillPattern.Solid),
      Line(points = {{50, 0}, {90, 0}}, color = {0, 127, 0}),
      Text(extent = {{-150, -45}, {150, -80}}, textString = "d=%d")}));
end Damper;

within Saltus.Translational;
model SpringDamper "A spring and a damper side by side"
  extends Saltus.Translational.Interfaces.CompliantWithVelocity;
  parameter Saltus.Units.TranslationalSpringConstant c = 1 "Stiffness";
  parameter Saltus.Units.TranslationalDampingConstant d = 1 "Damping constant";
  parameter Saltus.Units.Position s_rel0 = 0 "Distance of the flanges at which the spring has no force";
  Saltus.Units.Power lossPower "Power that becomes heat";
equation
  f = c*(s_rel - s_rel0) + d*v_rel;
  lossPower = d*v_rel^2;
  annotation(Documentation(info = "<html>
<p>The forces of a spring and of a damper between the same flanges, added.</p>
<p>A mass <code>m</code> at its end oscillates if <code>d &lt; 2*sqrt(c*m)</code>.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-90, 0}, {-70, 0}, {-70, 30}, {-50, 30}, {-38, 10}, {-13, 50}, {13, 10}, {38, 50}, {50, 30},
        {70, 30}, {70, 0}, {90, 0}}, color = {0, 127, 0}),
      Line(points = {{-70, 0}, {-70, -35}, {0, -35}}, color = {0, 127, 0}),
      Line(points = {{-40, -15}, {40, -15}, {40, -55}, {-40, -55}}, color = {0, 127, 0}),
      Line(points = {{40, -35}, {70, -35}, {70, 0}}, color = {0, 127, 0}),
      Rectangle(extent = {{0, -18}, {12, -52}}, lineColor = {0, 127, 0}, fillColor = {0, 127, 0},
        fillPattern = FillPattern.Solid)}));
end SpringDamper;

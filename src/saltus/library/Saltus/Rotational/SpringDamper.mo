within Saltus.Rotational;
model SpringDamper "A torsion spring and a damper side by side"
  extends Saltus.Rotational.Interfaces.CompliantWithVelocity;
  parameter Saltus.Units.RotationalSpringConstant c = 1 "Stiffness";
  parameter Saltus.Units.RotationalDampingConstant d = 0 "Damping";
  parameter Saltus.Units.Angle phi_rel0 = 0 "Relative angle at which the spring is slack";
equation
  tau = c*(phi_rel - phi_rel0) + d*w_rel;
  annotation(Documentation(info = "<html>
<p>The sum of both torques, <code>tau = c*(phi_rel - phi_rel0) + d*w_rel</code>: an elastic shaft whose material damps
a little. With <code>d = 0</code> it is a spring.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-100, 0}, {-70, 0}, {-70, 40}, {-50, 40}, {-40, 65}, {-20, 15}, {0, 65}, {20, 15}, {40, 65},
        {50, 40},
        {70, 40}, {70, 0}, {100, 0}}, color = {95, 95, 95}),
      Line(points = {{-70, 0}, {-70, -40}, {-10, -40}}, color = {95, 95, 95}),
      Line(points = {{40, -40}, {70, -40}, {70, 0}}, color = {95, 95, 95}),
      Line(points = {{-40, -15}, {40, -15}, {40, -65}, {-40, -65}}, color = {95, 95, 95}),
      Rectangle(extent = {{-10, -20}, {2, -60}}, lineColor = {95, 95, 95}, fillColor = {200, 205, 215},
        fillPattern = FillPattern.Solid),
      Text(extent = {{-150, -75}, {150, -105}}, textString = "c = %c")}));
end SpringDamper;

within Saltus.Rotational;
model Damper "A viscous damper"
  extends Saltus.Rotational.Interfaces.CompliantWithVelocity;
  parameter Saltus.Units.RotationalDampingConstant d = 1 "Damping";
equation
  tau = d*w_rel;
  annotation(Documentation(info = "<html>
<p>The torque is proportional to the relative velocity, <code>tau = d*w_rel</code>, and the power
<code>d*w_rel^2</code> becomes heat.</p>
<p>A viscous damper never holds anything at rest: that is what the friction parts are for.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-100, 0}, {-10, 0}}, color = {95, 95, 95}),
      Line(points = {{50, 0}, {100, 0}}, color = {95, 95, 95}),
      Line(points = {{-60, 40}, {50, 40}, {50, -40}, {-60, -40}}, color = {95, 95, 95}),
      Rectangle(extent = {{-10, 36}, {6, -36}}, lineColor = {95, 95, 95}, fillColor = {200, 205, 215},
        fillPattern = FillPattern.Solid),
      Text(extent = {{-150, -60}, {150, -90}}, textString = "d = %d")}));
end Damper;

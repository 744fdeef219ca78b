within Saltus.Rotational;
model StribeckFriction "Dry friction that weakens as it begins to slide"
  extends Saltus.Rotational.Interfaces.FrictionCurve;
  parameter Saltus.Units.Torque tau_c(min = 0) = 1 "Torque of dry (Coulomb) friction";
  parameter Saltus.Units.Torque tau_s(min = 0) = 1.5 "Torque at break-away; at least tau_c";
  parameter Saltus.Units.AngularVelocity w_s(min = 0) = 1 "Velocity at which most of the difference has gone";
equation
  tau_stick = tau_s;
  tau_slide = tau_c + (tau_s - tau_c)*exp(-(w_rel/w_s)^2);
  annotation(Documentation(info = "<html>
<p>At rest it takes any torque up to <code>tau_s</code>. From there the torque falls with the velocity to
<code>tau_c</code>: <code>tau_c + (tau_s - tau_c)*exp(-(w_rel/w_s)^2) + d*abs(w_rel)</code>.</p>
<p>Where the curve falls, friction feeds oscillations instead of damping them: brakes squeal and bows sound.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-100, 0}, {-20, 0}, {-20, 50}}, color = {95, 95, 95}),
      Line(points = {{100, 0}, {20, 0}, {20, 50}}, color = {95, 95, 95}),
      Rectangle(extent = {{-20, 60}, {-4, 20}}, lineColor = {95, 95, 95}, fillColor = {220, 190, 150},
        fillPattern = FillPattern.Solid),
      Rectangle(extent = {{4, 60}, {20, 20}}, lineColor = {95, 95, 95}, fillColor = {220, 190, 150},
        fillPattern = FillPattern.Solid),
      Line(points = {{-60, -72}, {-30, -68}, {-14, -72}, {0, -84}, {0, -26}, {14, -38}, {30, -42}, {60, -38}},
        color = {200, 60, 30}),
      Line(points = {{-60, -55}, {60, -55}}, color = {190, 190, 190})}));
end StribeckFriction;

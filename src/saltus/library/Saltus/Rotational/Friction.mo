within Saltus.Rotational;
model Friction "Dry friction between two shafts, with a viscous part"
  extends Saltus.Rotational.Interfaces.FrictionCurve;
  parameter Saltus.Units.Torque tau_c(min = 0) = 1 "Torque of dry (Coulomb) friction";
equation
  tau_stick = tau_c;
  tau_slide = tau_c;
  annotation(Documentation(info = "<html>
<p>At rest it takes any torque up to <code>tau_c</code>; sliding it brakes with <code>tau_c + d*abs(w_rel)</code>.</p>
<p>It sticks from the moment at which both flanges have the same speed, and breaks away where more than
<code>tau_c</code> would be needed to hold them together. With a <code>Fixed</code> at one flange it is the friction
of a bearing.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-100, 0}, {-20, 0}, {-20, 50}}, color = {95, 95, 95}),
      Line(points = {{100, 0}, {20, 0}, {20, 50}}, color = {95, 95, 95}),
      Rectangle(extent = {{-20, 60}, {-4, 20}}, lineColor = {95, 95, 95}, fillColor = {220, 190, 150},
        fillPattern = FillPattern.Solid),
      Rectangle(extent = {{4, 60}, {20, 20}}, lineColor = {95, 95, 95}, fillColor = {220, 190, 150},
        fillPattern = FillPattern.Solid),
      Line(points = {{-60, -80}, {0, -72}, {0, -38}, {60, -30}}, color = {200, 60, 30}),
      Line(points = {{-60, -55}, {60, -55}}, color = {190, 190, 190})}));
end Friction;

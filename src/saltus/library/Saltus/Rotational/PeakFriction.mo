within Saltus.Rotational;
model PeakFriction "Dry friction that holds more than it brakes"
  extends Saltus.Rotational.Interfaces.FrictionCurve;
  parameter Saltus.Units.Torque tau_c(min = 0) = 1 "Torque of dry (Coulomb) friction";
  parameter Saltus.Units.Torque tau_s(min = 0) = 1.5 "Torque at break-away; at least tau_c";
equation
  tau_stick = tau_s;
  tau_slide = tau_c;
  annotation(Documentation(info = "<html>
<p>At rest it takes any torque up to <code>tau_s</code>; once it slides it brakes with <code>tau_c +
d*abs(w_rel)</code>.</p>
<p>At break-away the torque leaps from <code>tau_s</code> to <code>tau_c</code>, and the acceleration with it: motions
at a creep go by jerks. With <code>tau_s = tau_c</code> it is <code>Friction</code>.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-100, 0}, {-20, 0}, {-20, 50}}, color = {95, 95, 95}),
      Line(points = {{100, 0}, {20, 0}, {20, 50}}, color = {95, 95, 95}),
      Rectangle(extent = {{-20, 60}, {-4, 20}}, lineColor = {95, 95, 95}, fillColor = {220, 190, 150},
        fillPattern = FillPattern.Solid),
      Rectangle(extent = {{4, 60}, {20, 20}}, lineColor = {95, 95, 95}, fillColor = {220, 190, 150},
        fillPattern = FillPattern.Solid),
      Line(points = {{-60, -68}, {0, -68}}, color = {200, 60, 30}),
      Line(points = {{0, -84}, {0, -26}}, color = {200, 60, 30}),
      Line(points = {{0, -42}, {60, -42}}, color = {200, 60, 30}),
      Line(points = {{-60, -55}, {60, -55}}, color = {190, 190, 190})}));
end PeakFriction;

within Saltus.Rotational;
model PlasticStop "Hard stops that swallow the speed"
  extends Saltus.Rotational.Interfaces.CompliantWithVelocity;
  parameter Saltus.Units.Angle phi_min = -1 "Least relative angle";
  parameter Saltus.Units.Angle phi_max = 1 "Largest relative angle";
  parameter Saltus.Units.Torque tau_hold(min = 0) = 0 "Torque that it takes to pull it off a stop; 0: it leaves freely";
  Saltus.Units.Torque s_max "Place on the curve of the upper stop: minus its torque at contact, else the distance to it";
  Saltus.Units.Torque s_min "Place on the curve of the lower stop: minus its torque at contact, else the distance to it";
  Boolean upper "Contact with the upper stop";
  Boolean lower "Contact with the lower stop";
protected
  constant Saltus.Units.RotationalSpringConstant unit = 1 "How s_max and s_min count angles";
equation
  upper = s_max < tau_hold;
  lower = s_min < tau_hold;
  unit*(phi_max - phi_rel) = if upper then 0 else s_max - tau_hold;
  unit*(phi_rel - phi_min) = if lower then 0 else s_min - tau_hold;
  tau = (if upper then -s_max else 0) + (if lower then s_min else 0);
  annotation(Documentation(info = "<html>
<p>Between the limits there is no torque. Where a limit is reached the relative speed jumps to zero, with the impulse that this takes, and
the flanges stay together while they are pressed against each other.</p>
<p>They part where the torque would have to pull; with <code>tau_hold</code> the stop is sticky, and holds on until it is pulled
with so much. Others: <code>NewtonStop</code> throws back, <code>ElasticStop</code> gives way.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-100, 0}, {-60, 0}, {-60, -50}, {60, -50}}, color = {95, 95, 95}),
      Rectangle(extent = {{-60, 50}, {-45, -50}}, lineColor = {95, 95, 95}, fillColor = {120, 120, 120},
        fillPattern = FillPattern.Solid),
      Rectangle(extent = {{45, 50}, {60, -50}}, lineColor = {95, 95, 95}, fillColor = {120, 120, 120},
        fillPattern = FillPattern.Solid),
      Line(points = {{0, 20}, {0, 70}, {100, 70}, {100, 0}}, color = {95, 95, 95}),
      Ellipse(extent = {{-18, 18}, {18, -18}}, lineColor = {95, 95, 95}, fillColor = {200, 205, 215},
        fillPattern = FillPattern.Solid)}));
end PlasticStop;

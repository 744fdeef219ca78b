within Saltus.Rotational;
model ElasticStop "Stops that give way like a spring with a damper"
  extends Saltus.Rotational.Interfaces.CompliantWithVelocity;
  parameter Saltus.Units.Angle phi_min = -1 "Least relative angle without a torque";
  parameter Saltus.Units.Angle phi_max = 1 "Largest relative angle without a torque";
  parameter Saltus.Units.RotationalSpringConstant c = 1e4 "Stiffness of the stops";
  parameter Saltus.Units.RotationalDampingConstant d = 0 "Damping of the stops";
  Saltus.Units.Angle x "How far the stop is pressed in: positive the upper one, negative the lower one";
equation
  x = if phi_rel > phi_max then phi_rel - phi_max elseif phi_rel < phi_min then phi_rel - phi_min else 0;
  tau = if phi_rel > phi_max then max(0, c*x + d*w_rel) elseif phi_rel < phi_min then min(0, c*x + d*w_rel) else 0;
  annotation(Documentation(info = "<html>
<p>Between the limits there is no torque; beyond them a spring and a damper press back: <code>tau = c*x +
d*w_rel</code>, but never so that they would pull.</p>
<p>Nothing jumps but the torque of the damper. The stiffer the stop, the shorter the steps of the integrator: if what
happens inside of the contact is of no interest, take <code>Stop</code>.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-100, 0}, {-60, 0}, {-60, -50}, {60, -50}}, color = {95, 95, 95}),
      Rectangle(extent = {{-60, 50}, {-45, -50}}, lineColor = {95, 95, 95}, fillColor = {120, 120, 120},
        fillPattern = FillPattern.Solid),
      Rectangle(extent = {{45, 50}, {60, -50}}, lineColor = {95, 95, 95}, fillColor = {120, 120, 120},
        fillPattern = FillPattern.Solid),
      Line(points = {{0, 20}, {0, 70}, {100, 70}, {100, 0}}, color = {95, 95, 95}),
      Ellipse(extent = {{-18, 18}, {18, -18}}, lineColor = {95, 95, 95}, fillColor = {200, 205, 215},
        fillPattern = FillPattern.Solid),
      Line(points = {{18, 0}, {23, 8}, {28, -8}, {33, 8}, {38, -8}, {45, 0}}, color = {200, 60, 30}),
      Line(points = {{-18, 0}, {-23, 8}, {-28, -8}, {-33, 8}, {-38, -8}, {-45, 0}}, color = {200, 60, 30})}));
end ElasticStop;

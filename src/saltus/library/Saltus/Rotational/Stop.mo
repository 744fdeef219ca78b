within Saltus.Rotational;
model Stop "Hard stops, which swallow the speed or throw it back"
  extends Saltus.Rotational.Interfaces.CompliantWithVelocity;
  parameter Saltus.Units.Angle phi_min = -1 "Least relative angle";
  parameter Saltus.Units.Angle phi_max = 1 "Largest relative angle";
  parameter Saltus.Units.RestitutionCoefficient e = 0
    "Relative speed after an impact over that before it; 0: plastic, 1: elastic";
  parameter Saltus.Units.AngularVelocity w_rest(min = 0) = 1e-3 "Slower impacts are plastic: it stays at the stop";
  parameter Saltus.Units.Torque tau_hold(min = 0) = 0
    "Torque that it takes to pull it off a stop; 0: it leaves freely";
  Saltus.Units.Torque s_max "Place on the curve of the upper stop: at contact minus its torque, else the distance";
  Saltus.Units.Torque s_min "Place on the curve of the lower stop: at contact minus its torque, else the distance";
  Boolean upper "Contact with the upper stop";
  Boolean lower "Contact with the lower stop";
  discrete Saltus.Units.AngularVelocity w_after(start = 0, fixed = true) "Relative speed after the last impact";
  Boolean rebound "In the instant of an impact: it is thrown back";
protected
  constant Saltus.Units.RotationalSpringConstant unit = 1 "How s_max and s_min count angles";
equation
  upper = s_max < tau_hold;
  lower = s_min < tau_hold;
  when {upper, lower} then
    w_after = if abs(pre(w_rel)) > w_rest then -e*pre(w_rel) else 0;
  end when;
  rebound = (edge(upper) or edge(lower)) and w_after <> 0;

  0 = if rebound and upper then w_rel - w_after elseif upper then phi_max - phi_rel
    else s_max - tau_hold - unit*(phi_max - phi_rel);
  0 = if rebound and lower then w_rel - w_after elseif lower then phi_rel - phi_min
    else s_min - tau_hold - unit*(phi_rel - phi_min);
  tau = (if upper then -s_max else 0) + (if lower then s_min else 0);
  annotation(Documentation(info = "<html>
<p>Between the limits there is no torque. At an impact the relative speed jumps from <code>w</code> to
<code>-e*w</code>, and the torque has the impulse that this takes: everything that is rigidly connected on either
side, through gears and locked clutches, has its share of it.</p>
<p>With <code>e = 0</code>, and after impacts slower than <code>w_rest</code>, the flanges stay together until the
torque pulls them apart; <code>tau_hold</code> makes the stop sticky, so that it holds on until it is pulled with so
much. Stops that give way: <code>ElasticStop</code>.</p>
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
      Line(points = {{22, 0}, {38, 0}, {30, 8}}, color = {200, 60, 30}),
      Line(points = {{22, -14}, {38, -14}}, color = {200, 60, 30}),
      Line(points = {{30, -6}, {22, -14}, {30, -22}}, color = {200, 60, 30}),
      Text(extent = {{-150, -60}, {150, -90}}, textString = "e = %e")}));
end Stop;

within Saltus.Powertrain;
model ShiftClutch "Plates between two shafts, which springs keep apart until a piston presses them together"
  extends Saltus.Rotational.Interfaces.CompliantWithVelocity;
  parameter Saltus.Units.Torque tau_max(min = 0) = 400 "Torque of the plates at press = 1";
  parameter Saltus.Units.Ratio p_spring(min = 0, max = 1) = 0.1 "What of the pressure the springs take";
  Saltus.Blocks.Interfaces.RealInput press(unit = "1") "Pressure of the piston: 0 to 1"
    annotation(Placement(transformation(origin = {0, -120}, extent = {{-20, -20}, {20, 20}}, rotation = 90)));
  Saltus.Units.Torque tau_plates(nominal = tau_max) "Torque at which the plates slip";
  Saltus.Units.Torque s(nominal = tau_max)
    "Place on the curve: the torque while it is locked; where it slips, beyond it by the velocity";
  Boolean released "The plates are apart";
  Boolean forward "They slip, flange_b ahead of flange_a";
  Boolean backward "They slip, flange_b behind flange_a";
  Boolean locked "They do not slip";
  Saltus.Units.Torque tau_slip "Torque while they do";
protected
  constant Saltus.Units.RotationalDampingConstant unit = 1 "How s counts velocities";
equation
  released = press <= p_spring;
  tau_plates = if released then 0 else tau_max*(press - p_spring)/(1 - p_spring);
  forward = not released and s > tau_plates;
  backward = not released and s < -tau_plates;
  locked = not (released or forward or backward);
  tau_slip = if forward then tau_plates elseif backward then -tau_plates else 0;
  unit*w_rel = if locked then 0 else s - tau_slip;
  tau = if locked then s else tau_slip;
  annotation(Documentation(info = "<html>
<p>A clutch of an automatic gearbox. Below the pressure <code>p_spring</code> its plates are apart and hand on nothing,
not even at rest. Above it they slip with a torque that grows with the pressure, up to <code>tau_max</code>, and lock
where both sides have come to the same speed.</p>
<p>That it is released tells it from <code>Saltus.Rotational.Clutch</code>, which with <code>press = 0</code> still
sticks, with no torque, where both sides happen to stand. In a gearbox that stands, many clutches and brakes would do so
at once, more than there are shafts to hold.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-100, 0}, {-30, 0}}, color = {95, 95, 95}),
      Line(points = {{30, 0}, {100, 0}}, color = {95, 95, 95}),
      Rectangle(extent = {{-30, 60}, {-14, -60}}, lineColor = {95, 95, 95}, fillColor = {220, 190, 150},
        fillPattern = FillPattern.Solid),
      Rectangle(extent = {{14, 60}, {30, -60}}, lineColor = {95, 95, 95}, fillColor = {220, 190, 150},
        fillPattern = FillPattern.Solid),
      Line(points = {{-14, 40}, {-8, 48}, {-3, 32}, {3, 48}, {8, 32}, {14, 40}}, color = {95, 95, 95}),
      Line(points = {{0, -100}, {0, -80}, {-50, -80}, {-50, -40}}, color = {0, 0, 127}),
      Polygon(points = {{-30, -40}, {-50, -32}, {-50, -48}, {-30, -40}}, lineColor = {0, 0, 127}, fillColor = {0, 0,
        127},
        fillPattern = FillPattern.Solid)}));
end ShiftClutch;

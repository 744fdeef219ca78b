within Saltus.Powertrain;
model ShiftFreewheel "A freewheel, and plates beside it that a piston presses together"
  extends Saltus.Rotational.Interfaces.CompliantWithVelocity;
  parameter Saltus.Units.Torque tau_max(min = 0) = 400 "Torque of the plates at press = 1";
  parameter Saltus.Units.Ratio p_spring(min = 0, max = 1) = 0.1 "What of the pressure the springs take";
  Saltus.Blocks.Interfaces.RealInput press(unit = "1") "Pressure of the piston: 0 to 1"
    annotation(Placement(transformation(origin = {0, -120}, extent = {{-20, -20}, {20, 20}}, rotation = 90)));
  Saltus.Units.Torque tau_plates(nominal = tau_max) "Torque of the plates against overrunning";
  Saltus.Units.Torque s(nominal = tau_max)
    "Place on the curve: the torque while it locks; beyond tau_plates by the velocity of flange_b ahead";
  Boolean released "The plates are apart";
  Boolean free "It overruns";
protected
  constant Saltus.Units.RotationalDampingConstant unit = 1 "How s counts velocities";
equation
  released = press <= p_spring;
  tau_plates = if released then 0 else tau_max*(press - p_spring)/(1 - p_spring);
  free = s > tau_plates;
  unit*w_rel = if free then s - tau_plates else 0;
  tau = if free then tau_plates else s;
  annotation(Documentation(info = "<html>
<p>Flange <code>a</code> drives <code>b</code> in positive direction whatever the pressure is: that is the freewheel.
Where <code>b</code> would run ahead, the plates hold it back, with nothing below the pressure <code>p_spring</code> of
their springs, and with <code>tau_max</code> at full pressure. Both together are one curve: how freewheel and plates
share a torque while all is locked is nobody's concern.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-100, 0}, {-30, 0}}, color = {95, 95, 95}),
      Line(points = {{30, 0}, {100, 0}}, color = {95, 95, 95}),
      Rectangle(extent = {{-30, 60}, {-14, -60}}, lineColor = {95, 95, 95}, fillColor = {220, 190, 150},
        fillPattern = FillPattern.Solid),
      Rectangle(extent = {{14, 60}, {30, -60}}, lineColor = {95, 95, 95}, fillColor = {220, 190, 150},
        fillPattern = FillPattern.Solid),
      Polygon(points = {{-10, 20}, {10, 0}, {-10, -20}, {-10, 20}}, lineColor = {200, 60, 30}, fillColor = {200, 60,
        30},
        fillPattern = FillPattern.Solid),
      Line(points = {{-14, 45}, {-8, 53}, {-3, 37}, {3, 53}, {8, 37}, {14, 45}}, color = {95, 95, 95}),
      Line(points = {{0, -100}, {0, -80}, {-50, -80}, {-50, -40}}, color = {0, 0, 127}),
      Polygon(points = {{-30, -40}, {-50, -32}, {-50, -48}, {-30, -40}}, lineColor = {0, 0, 127}, fillColor = {0, 0,
        127},
        fillPattern = FillPattern.Solid)}));
end ShiftFreewheel;

within Saltus.Rotational;
model OneWayClutch "A clutch with a freewheel beside it"
  extends Saltus.Rotational.Interfaces.CompliantWithVelocity;
  parameter Saltus.Units.FrictionCoefficient mu = 0.3 "Friction coefficient";
  parameter Saltus.Units.Length cgeo = 1 "Number of rubbing faces times their mean radius";
  parameter Saltus.Units.Force fn_max = 1 "Force that presses at press = 1";
  Saltus.Blocks.Interfaces.RealInput press(unit = "1") "How far it is engaged: 0 open, 1 pressed with fn_max"
    annotation(Placement(transformation(origin = {0, -120}, extent = {{-20, -20}, {20, 20}}, rotation = 90)));
  Saltus.Units.Torque tau_max "Torque of the plates against overrunning";
  Saltus.Units.Torque s
    "Place on the curve: the torque while it locks; beyond tau_max by the velocity of flange_b ahead";
  Boolean free "It overruns";
protected
  constant Saltus.Units.RotationalDampingConstant unit = 1 "How s counts velocities";
equation
  tau_max = mu*cgeo*fn_max*max(0, press);
  free = s > tau_max;
  unit*w_rel = if free then s - tau_max else 0;
  tau = if free then tau_max else s;
  annotation(Documentation(info = "<html>
<p>Flange <code>a</code> drives <code>b</code> in positive direction whatever the signal says: that is the freewheel.
Where <code>b</code> would run ahead, the plates hold it back with at most <code>mu*cgeo*fn_max*press</code>. Both
together are one curve; at <code>press = 0</code> it is that of the <code>Freewheel</code>.</p>
<p>Automatic gearboxes use it so that a gear is taken over the moment another one lets go, and still brakes
downhill.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-100, 0}, {-30, 0}}, color = {95, 95, 95}),
      Line(points = {{30, 0}, {100, 0}}, color = {95, 95, 95}),
      Rectangle(extent = {{-30, 60}, {-10, -60}}, lineColor = {95, 95, 95}, fillColor = {220, 190, 150},
        fillPattern = FillPattern.Solid),
      Rectangle(extent = {{10, 60}, {30, -60}}, lineColor = {95, 95, 95}, fillColor = {220, 190, 150},
        fillPattern = FillPattern.Solid),
      Polygon(points = {{-10, 20}, {10, 0}, {-10, -20}, {-10, 20}}, lineColor = {200, 60, 30}, fillColor = {200, 60,
        30},
        fillPattern = FillPattern.Solid),
      Line(points = {{0, -100}, {0, -80}, {-50, -80}, {-50, -40}}, color = {0, 0, 127}),
      Polygon(points = {{-30, -40}, {-50, -32}, {-50, -48}, {-30, -40}}, lineColor = {0, 0, 127}, fillColor = {0, 0,
        127},
        fillPattern = FillPattern.Solid)}));
end OneWayClutch;

within Saltus.Rotational;
model Clutch "Two packs of plates that a force presses together"
  extends Saltus.Rotational.Interfaces.FrictionCurve;
  parameter Saltus.Units.FrictionCoefficient mu = 0.3 "Friction coefficient";
  parameter Saltus.Units.Length cgeo = 1 "Number of rubbing faces times their mean radius";
  parameter Saltus.Units.Force fn_max = 1 "Force that presses at press = 1";
  parameter Saltus.Units.Ratio peak(min = 1) = 1 "Largest torque at rest over that of the sliding";
  Saltus.Blocks.Interfaces.RealInput press(unit = "1") "How far it is engaged: 0 open, 1 pressed with fn_max"
    annotation(Placement(transformation(origin = {0, -120}, extent = {{-20, -20}, {20, 20}}, rotation = 90)));
equation
  tau_slide = mu*cgeo*fn_max*max(0, press);
  tau_stick = peak*tau_slide;
  annotation(Documentation(info = "<html>
<p>Friction whose torque a signal commands: sliding it hands on <code>mu*cgeo*fn_max*press</code> from the faster to
the slower side, and with <code>press = 0</code> nothing at all. <code>d</code> is the drag of the oil, if there is
any.</p>
<p>It locks, ideally, where both sides have come to the same speed, and slips again where more than its torque is
asked for. There is no jolt in locking: speeds do not jump. A clutch that locks in an instant is an
<code>IdealClutch</code>.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-100, 0}, {-30, 0}}, color = {95, 95, 95}),
      Line(points = {{30, 0}, {100, 0}}, color = {95, 95, 95}),
      Rectangle(extent = {{-30, 60}, {-10, -60}}, lineColor = {95, 95, 95}, fillColor = {220, 190, 150},
        fillPattern = FillPattern.Solid),
      Rectangle(extent = {{10, 60}, {30, -60}}, lineColor = {95, 95, 95}, fillColor = {220, 190, 150},
        fillPattern = FillPattern.Solid),
      Line(points = {{0, -100}, {0, -80}, {-50, -80}, {-50, -40}}, color = {0, 0, 127}),
      Polygon(points = {{-30, -40}, {-50, -32}, {-50, -48}, {-30, -40}}, lineColor = {0, 0, 127}, fillColor = {0, 0,
        127},
        fillPattern = FillPattern.Solid)}));
end Clutch;

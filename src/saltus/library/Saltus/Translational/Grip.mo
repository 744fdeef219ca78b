within Saltus.Translational;
model Grip "Two bars that a force presses together: a clutch for motion along a line"
  extends Saltus.Translational.Interfaces.FrictionCurve;
  parameter Saltus.Units.FrictionCoefficient mu = 0.3 "Friction coefficient";
  parameter Saltus.Units.Ratio cgeo(min = 0) = 1 "Number of rubbing faces";
  parameter Saltus.Units.Force fn_max(min = 0) = 1 "Force that presses at press = 1";
  parameter Saltus.Units.Ratio peak(min = 1) = 1 "Largest force at rest over that of the sliding";
  Saltus.Blocks.Interfaces.RealInput press(final unit = "1") "How far it is engaged: 0 open, 1 pressed with fn_max"
    annotation(Placement(transformation(origin = {0, -120}, extent = {{-20, -20}, {20, 20}}, rotation = 90)));
equation
  f_slide = mu*cgeo*fn_max*max(0, press);
  f_stick = peak*f_slide;
  annotation(Documentation(info = "<html>
<p>Friction whose force a signal commands: sliding it hands on <code>mu*cgeo*fn_max*press</code> from the faster to
the slower side, and with <code>press = 0</code> nothing at all.</p>
<p>It holds, ideally, once both sides have come to the same speed, and slips again where more than its force is
asked for. There is no jolt in it. What locks in an instant is a <code>Coupling</code>.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{0, -100}, {0, -44}}, color = {0, 0, 127}),
      Polygon(points = {{0, -22}, {-8, -44}, {8, -44}, {0, -22}}, lineColor = {0, 0, 127}, fillColor = {0, 0, 127},
        fillPattern = FillPattern.Solid),
      Line(points = {{-30, 20}, {30, 20}}, color = {0, 0, 127}, thickness = 0.5)}));
end Grip;

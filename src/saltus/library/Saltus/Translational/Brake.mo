within Saltus.Translational;
model Brake "A bar that a force presses against the ground"
  extends Saltus.Translational.Interfaces.TwoFlanges;
  parameter Saltus.Units.FrictionCoefficient mu = 0.3 "Friction coefficient";
  parameter Saltus.Units.Ratio cgeo(min = 0) = 1 "Number of rubbing faces";
  parameter Saltus.Units.Force fn_max(min = 0) = 1 "Force that presses at press = 1";
  parameter Saltus.Units.Ratio peak(min = 1) = 1 "Largest force at rest over that of the sliding";
  parameter Saltus.Units.TranslationalDampingConstant d = 0 "Viscous part; 0: dry";
  Saltus.Blocks.Interfaces.RealInput press(final unit = "1") "How far it is applied: 0 released, 1 pressed with fn_max"
    annotation(Placement(transformation(origin = {0, -120}, extent = {{-20, -20}, {20, 20}}, rotation = 90)));
  Saltus.Translational.Grip pads(mu = mu, cgeo = cgeo, fn_max = fn_max, peak = peak, d = d) "Between ground and bar"
    annotation(Placement(transformation(origin = {0, 30}, extent = {{-10, -10}, {10, 10}}, rotation = 270)));
  Saltus.Translational.Fixed ground "Does not move"
    annotation(Placement(transformation(origin = {0, 60}, extent = {{-10, -10}, {10, 10}}, rotation = 180)));
equation
  connect(flange_a, flange_b) annotation(Line(points = {{-100, 0}, {100, 0}}, color = {0, 127, 0}));
  connect(pads.flange_b, flange_a) annotation(Line(points = {{0, 20}, {0, 0}, {-100, 0}}, color = {0, 127, 0}));
  connect(ground.flange, pads.flange_a) annotation(Line(points = {{0, 60}, {0, 40}}, color = {0, 127, 0}));
  connect(press, pads.press)
    annotation(Line(points = {{0, -120}, {0, -60}, {-40, -60}, {-40, 30}, {-12, 30}}, color = {0, 0, 127}));
  annotation(Documentation(info = "<html>
<p>A bar goes through; a <code>Grip</code> to the ground holds it. It brakes with <code>mu*cgeo*fn_max*press</code>
while the bar moves, and holds as much (times <code>peak</code>) once it stands.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, 8}, {90, -8}}, lineColor = {0, 127, 0}, fillColor = {214, 234, 214},
        fillPattern = FillPattern.Solid),
      Rectangle(extent = {{-30, 28}, {30, 10}}, lineColor = {0, 127, 0}, fillColor = {220, 190, 150},
        fillPattern = FillPattern.Solid),
      Rectangle(extent = {{-30, -10}, {30, -28}}, lineColor = {0, 127, 0}, fillColor = {220, 190, 150},
        fillPattern = FillPattern.Solid),
      Line(points = {{-50, 28}, {50, 28}}, color = {0, 127, 0}),
      Line(points = {{0, -100}, {0, -50}}, color = {0, 0, 127}),
      Polygon(points = {{0, -28}, {-8, -50}, {8, -50}, {0, -28}}, lineColor = {0, 0, 127}, fillColor = {0, 0, 127},
        fillPattern = FillPattern.Solid)}));
end Brake;

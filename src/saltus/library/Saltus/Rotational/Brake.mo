within Saltus.Rotational;
model Brake "A shaft whose plates a force presses against the housing"
  extends Saltus.Rotational.Interfaces.TwoFlanges;
  parameter Saltus.Units.FrictionCoefficient mu = 0.3 "Friction coefficient";
  parameter Saltus.Units.Length cgeo = 1 "Number of rubbing faces times their mean radius";
  parameter Saltus.Units.Force fn_max = 1 "Force that presses at press = 1";
  parameter Saltus.Units.Ratio peak(min = 1) = 1 "Largest torque at rest over that of the sliding";
  parameter Saltus.Units.RotationalDampingConstant d = 0 "Viscous part; 0: dry";
  Saltus.Blocks.Interfaces.RealInput press(unit = "1") "How far it is applied: 0 released, 1 pressed with fn_max"
    annotation(Placement(transformation(origin = {0, -120}, extent = {{-20, -20}, {20, 20}}, rotation = 90)));
  Saltus.Rotational.Clutch pads(mu = mu, cgeo = cgeo, fn_max = fn_max, peak = peak, d = d) "Between housing and shaft"
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {0, -30}, rotation = 90)));
  Saltus.Rotational.Fixed housing "Does not turn"
    annotation(Placement(transformation(extent = {{-10, -70}, {10, -50}})));
equation
  connect(flange_a, flange_b)
    annotation(Line(points = {{-100, 0}, {100, 0}}, color = {95, 95, 95}));
  connect(pads.flange_b, flange_a)
    annotation(Line(points = {{0, -20}, {0, 0}, {-100, 0}}, color = {95, 95, 95}));
  connect(housing.flange, pads.flange_a)
    annotation(Line(points = {{0, -60}, {0, -40}}, color = {95, 95, 95}));
  connect(press, pads.press)
    annotation(Line(points = {{0, -120}, {0, -90}, {40, -90}, {40, -30}, {12, -30}}, color = {0, 0, 127}));
  annotation(Documentation(info = "<html>
<p>One shaft goes through; a <code>Clutch</code> to the housing holds it. It brakes with
<code>mu*cgeo*fn_max*press</code> while the shaft turns, and holds as much (times <code>peak</code>) once it
stands.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, 8}, {90, -8}}, lineColor = {95, 95, 95}, fillColor = {220, 220, 220},
        fillPattern = FillPattern.Solid),
      Rectangle(extent = {{-10, 50}, {10, -50}}, lineColor = {95, 95, 95}, fillColor = {200, 205, 215},
        fillPattern = FillPattern.Solid),
      Rectangle(extent = {{-30, -30}, {-12, -56}}, lineColor = {95, 95, 95}, fillColor = {220, 190, 150},
        fillPattern = FillPattern.Solid),
      Rectangle(extent = {{12, -30}, {30, -56}}, lineColor = {95, 95, 95}, fillColor = {220, 190, 150},
        fillPattern = FillPattern.Solid),
      Line(points = {{0, -100}, {0, -80}, {-50, -80}, {-50, -44}, {-30, -44}}, color = {0, 0, 127}),
      Line(points = {{0, -80}, {50, -80}, {50, -44}, {30, -44}}, color = {0, 0, 127})}));
end Brake;

within Saltus.Powertrain;
model ShiftBrake "Plates between a shaft and the housing, which springs keep apart until a piston presses them"
  extends Saltus.Rotational.Interfaces.TwoFlanges;
  parameter Saltus.Units.Torque tau_max(min = 0) = 400 "Torque of the plates at press = 1";
  parameter Saltus.Units.Ratio p_spring(min = 0, max = 1) = 0.1 "What of the pressure the springs take";
  Saltus.Blocks.Interfaces.RealInput press(unit = "1") "Pressure of the piston: 0 to 1"
    annotation(Placement(transformation(origin = {0, -120}, extent = {{-20, -20}, {20, 20}}, rotation = 90)));
  Saltus.Powertrain.ShiftClutch plates(tau_max = tau_max, p_spring = p_spring) "Between housing and shaft"
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {0, -30}, rotation = 90)));
  Saltus.Rotational.Fixed housing "Does not turn"
    annotation(Placement(transformation(extent = {{-10, -70}, {10, -50}})));
equation
  connect(flange_a, flange_b)
    annotation(Line(points = {{-100, 0}, {100, 0}}, color = {95, 95, 95}));
  connect(plates.flange_b, flange_a)
    annotation(Line(points = {{0, -20}, {0, 0}, {-100, 0}}, color = {95, 95, 95}));
  connect(housing.flange, plates.flange_a)
    annotation(Line(points = {{0, -60}, {0, -40}}, color = {95, 95, 95}));
  connect(press, plates.press)
    annotation(Line(points = {{0, -120}, {0, -90}, {40, -90}, {40, -30}, {12, -30}}, color = {0, 0, 127}));
  annotation(Documentation(info = "<html>
<p>One shaft goes through; a <code>ShiftClutch</code> to the housing slows it down and holds it. Released, it lets the
shaft turn without any torque.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, 8}, {90, -8}}, lineColor = {95, 95, 95}, fillColor = {220, 220, 220},
        fillPattern = FillPattern.Solid),
      Rectangle(extent = {{-10, 50}, {10, -50}}, lineColor = {95, 95, 95}, fillColor = {200, 205, 215},
        fillPattern = FillPattern.Solid),
      Rectangle(extent = {{-34, -30}, {-16, -56}}, lineColor = {95, 95, 95}, fillColor = {220, 190, 150},
        fillPattern = FillPattern.Solid),
      Rectangle(extent = {{16, -30}, {34, -56}}, lineColor = {95, 95, 95}, fillColor = {220, 190, 150},
        fillPattern = FillPattern.Solid),
      Line(points = {{0, -100}, {0, -80}, {-50, -80}, {-50, -44}, {-34, -44}}, color = {0, 0, 127}),
      Line(points = {{0, -80}, {50, -80}, {50, -44}, {34, -44}}, color = {0, 0, 127})}));
end ShiftBrake;

within Saltus.Examples.Papers.Beek1998;
partial model Tank "What all tanks of the paper have in common: a level, and an outlet that gravity drives"
  parameter Saltus.Units.Area A = 0.1 "Cross-section of the tank";
  parameter Saltus.Units.Length h_0 = 1 "Level at the start";
  parameter Saltus.Units.VolumeFlowRate k = 1e-4 "Flow through the outlet at a pressure of one pascal";
  parameter Saltus.Units.Density rho = 1000 "Of the liquid";
  parameter Saltus.Units.Acceleration g = 9.81 "Gravity";
  Saltus.Units.Length h(start = h_0, fixed = true) "Level";
  Saltus.Units.VolumeFlowRate Q_o "Flow out of the tank";
protected
  constant Saltus.Units.Pressure pascal = 1 "Unit of pressure";
equation
  Q_o = k*sqrt(rho*g*h/pascal);
  annotation(Documentation(info = "<html>
<p>The balance of the volume is missing. The paper prints no data; with these a barrel of 100 litres runs empty in
some twenty seconds.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-60, 80}, {-60, -80}, {60, -80}, {60, 80}}),
      Rectangle(extent = {{-60, 20}, {60, -80}}, lineColor = {0, 90, 180}, fillColor = {150, 200, 240},
        fillPattern = FillPattern.Solid)}));
end Tank;

within Saltus.Thermal;
model Convection "Heat between a surface and what streams along it"
  Saltus.Thermal.Interfaces.HeatPort solid "The surface"
    annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
  Saltus.Thermal.Interfaces.OtherHeatPort fluid "Air or water"
    annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  parameter Saltus.Units.Area A = 1 "Area of the surface";
  Saltus.Blocks.Interfaces.RealInput h(unit = "W/(m2.K)") "Heat transfer coefficient"
    annotation(Placement(transformation(extent = {{-20, -20}, {20, 20}}, origin = {0, 120}, rotation = 270)));
  Saltus.Units.TemperatureDifference dT "How much warmer the surface is";
  Saltus.Units.HeatFlowRate Q_flow "Heat flow rate from the surface to the fluid";
equation
  dT = solid.T - fluid.T;
  Q_flow = solid.Q_flow;
  solid.Q_flow + fluid.Q_flow = 0;
  Q_flow = h*A*dT;
  annotation(Documentation(info = "<html>
<p>Newton's law of cooling: <code>Q_flow = h*A*dT</code>. The coefficient <code>h</code> is a signal, since it depends
on how fast the fluid streams: a fan that is switched on changes it. If it is constant, write it where the part is
used: <code>Saltus.Thermal.Convection toAir(A = 0.1, h = 10)</code>.</p>
<p>Usual values are 5 to 25 W/(m2.K) in still air, 25 to 250 in a draught, 500 and more in water.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, 70}, {-50, -70}}, lineColor = {191, 0, 0}, fillColor = {240, 225, 225},
        fillPattern = FillPattern.Solid),
      Line(points = {{-30, -70}, {-30, 60}, {-40, 45}}, color = {0, 127, 255}),
      Line(points = {{-30, 60}, {-20, 45}}, color = {0, 127, 255}),
      Line(points = {{20, -70}, {20, 60}, {10, 45}}, color = {0, 127, 255}),
      Line(points = {{20, 60}, {30, 45}}, color = {0, 127, 255}),
      Line(points = {{-50, 0}, {90, 0}}, color = {191, 0, 0}),
      Line(points = {{75, 10}, {90, 0}, {75, -10}}, color = {191, 0, 0}),
      Line(points = {{0, 100}, {0, 10}}, color = {0, 0, 127}),
      Text(extent = {{-150, -80}, {150, -120}}, textString = "%name", textColor = {0, 0, 255})}));
end Convection;

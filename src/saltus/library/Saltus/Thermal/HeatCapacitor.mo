within Saltus.Thermal;
model HeatCapacitor "A body that stores heat, with one temperature"
  Saltus.Thermal.Interfaces.HeatPort port "Where heat flows in"
    annotation(Placement(transformation(extent = {{-10, -110}, {10, -90}})));
  parameter Saltus.Units.HeatCapacity C = 1 "Heat capacity: mass times specific heat capacity";
  Saltus.Units.Temperature T(start = 293.15) "Temperature of the body";
equation
  T = port.T;
  C*der(T) = port.Q_flow;
  annotation(Documentation(info = "<html>
<p>Heat that flows in raises the temperature: <code>C*der(T) = port.Q_flow</code>. The body has one temperature;
divide a thick one into several, with a <code>ThermalConductor</code> between each two.</p>
<p>The temperature at the beginning is written where the part is used: <code>Saltus.Thermal.HeatCapacitor body(C =
500, T(start = 350, fixed = true))</code>. A litre of water has 4186 J/K, a kilogram of copper 385, of aluminium 897,
of iron 449.</p>
</html>"),
    Icon(graphics = {
      Polygon(points = {{-60, -70}, {-75, -20}, {-60, 40}, {-20, 70}, {30, 65}, {65, 35}, {75, -20}, {55, -65},
        {10, -75}, {-60, -70}}, lineColor = {191, 0, 0}, fillColor = {240, 225, 225}, fillPattern = FillPattern.Solid),
      Line(points = {{0, -75}, {0, -90}}, color = {191, 0, 0}),
      Text(extent = {{-60, 20}, {60, -20}}, textString = "C=%C"),
      Text(extent = {{-150, 120}, {150, 80}}, textString = "%name", textColor = {0, 0, 255})}));
end HeatCapacitor;

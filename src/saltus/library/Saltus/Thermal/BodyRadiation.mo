within Saltus.Thermal;
model BodyRadiation "Heat that is exchanged by radiation"
  extends Saltus.Thermal.Interfaces.TwoPorts;
  parameter Saltus.Units.Area A = 1 "Area that radiates";
  parameter Saltus.Units.Emissivity epsilon = 1 "Emissivity: 1 is a black body, 0 a mirror";
equation
  Q_flow = epsilon*A*Saltus.Units.sigma*(port_a.T^4 - port_b.T^4);
  annotation(Documentation(info = "<html>
<p>The law of Stefan and Boltzmann: <code>Q_flow = epsilon*A*sigma*(port_a.T^4 - port_b.T^4)</code>. The area belongs
to a body at <code>port_a</code> that sees nothing but the surroundings at <code>port_b</code>. Temperatures are
absolute, in kelvin.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, 70}, {-60, -70}}, lineColor = {191, 0, 0}, fillColor = {240, 225, 225},
        fillPattern = FillPattern.Solid),
      Rectangle(extent = {{60, 70}, {90, -70}}, lineColor = {191, 0, 0}, fillColor = {240, 225, 225},
        fillPattern = FillPattern.Solid),
      Line(points = {{-50, 30}, {-35, 40}, {-20, 20}, {-5, 40}, {10, 20}, {25, 40}, {45, 30}}, color = {191, 0, 0}),
      Line(points = {{35, 40}, {45, 30}, {35, 22}}, color = {191, 0, 0}),
      Line(points = {{50, -30}, {35, -20}, {20, -40}, {5, -20}, {-10, -40}, {-25, -20}, {-45, -30}},
        color = {191, 0, 0}),
      Line(points = {{-35, -20}, {-45, -30}, {-35, -38}}, color = {191, 0, 0})}));
end BodyRadiation;

within Saltus.Thermal;
model ThermalConductor "Lets heat through, in proportion to the difference of temperatures"
  extends Saltus.Thermal.Interfaces.TwoPorts;
  parameter Saltus.Units.ThermalConductance G = 1 "Thermal conductance";
equation
  Q_flow = G*dT;
  annotation(Documentation(info = "<html>
<p><code>Q_flow = G*dT</code>. For a wall <code>G</code> is the conductivity of the material times the area over the
thickness; brick has a conductivity of about 0.7 W/(m.K), glass wool of 0.04, copper of 400. <code>G = 0</code> is a
perfect insulation.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-70, 50}, {70, -50}}, lineColor = {191, 0, 0}, fillColor = {240, 225, 225},
        fillPattern = FillPattern.Solid),
      Line(points = {{-90, 0}, {-70, 0}}, color = {191, 0, 0}),
      Line(points = {{70, 0}, {90, 0}}, color = {191, 0, 0}),
      Line(points = {{-40, 0}, {40, 0}, {25, 10}}, color = {191, 0, 0}),
      Line(points = {{40, 0}, {25, -10}}, color = {191, 0, 0}),
      Text(extent = {{-150, -60}, {150, -100}}, textString = "G=%G")}));
end ThermalConductor;

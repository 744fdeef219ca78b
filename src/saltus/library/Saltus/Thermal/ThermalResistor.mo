within Saltus.Thermal;
model ThermalResistor "Lets heat through, described by its resistance"
  extends Saltus.Thermal.Interfaces.TwoPorts;
  parameter Saltus.Units.ThermalResistance R = 1 "Thermal resistance";
equation
  dT = R*Q_flow;
  annotation(Documentation(info = "<html>
<p><code>dT = R*Q_flow</code>: a <code>ThermalConductor</code> as data sheets of semiconductors and heat sinks
describe it, in kelvin per watt. <code>R = 0</code> is a perfect contact: both sides have one temperature.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-70, 30}, {70, -30}}, lineColor = {191, 0, 0}, fillColor = {255, 255, 255},
        fillPattern = FillPattern.Solid),
      Line(points = {{-90, 0}, {-70, 0}}, color = {191, 0, 0}),
      Line(points = {{70, 0}, {90, 0}}, color = {191, 0, 0}),
      Text(extent = {{-150, -40}, {150, -80}}, textString = "R=%R")}));
end ThermalResistor;

within Saltus.Fluid;
model CheckValve "Lets liquid through one way only"
  extends Saltus.Fluid.Interfaces.TwoPorts;
  parameter Saltus.Units.Pressure p_open(min = 0) = 0 "Pressure difference that its spring needs to open";
  Saltus.Units.Pressure s "Place on the curve: what the pressure difference is short of p_open, negative; or the flow";
  Boolean closed "It is closed";
protected
  constant Saltus.Units.HydraulicResistance unit = 1e8 "How s counts flows: a bar for a litre per second";
equation
  closed = s < 0;
  dp - p_open = if closed then s else 0;
  unit*q = if closed then 0 else s;
  annotation(Documentation(info = "<html>
<p>From <code>port_a</code> to <code>port_b</code> it has no resistance, the other way nothing flows: the diode of
hydraulics. It closes where the flow reaches zero and opens where the pressure difference would exceed
<code>p_open</code>.</p>
<p>Behind a pump it keeps the tank from running back.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-90, 0}, {90, 0}}, color = {0, 90, 180}),
      Ellipse(extent = {{-35, 20}, {5, -20}}, lineColor = {0, 90, 180}, fillColor = {255, 255, 255},
        fillPattern = FillPattern.Solid),
      Line(points = {{-50, 40}, {-10, 0}, {-50, -40}}, color = {0, 90, 180}),
      Line(points = {{20, 30}, {50, 0}, {20, -30}}, color = {200, 60, 30})}));
end CheckValve;

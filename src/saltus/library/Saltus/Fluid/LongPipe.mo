within Saltus.Fluid;
model LongPipe "A pipe whose liquid has inertia"
  extends Saltus.Fluid.Interfaces.TwoPorts(q(start = 0));
  parameter Saltus.Units.HydraulicInertance I = 1e6 "Inertance: density times length over cross section";
  parameter Saltus.Units.HydraulicResistance R = 0 "Resistance of laminar flow";
  parameter Saltus.Units.Length height = 0 "How much higher port_b is than port_a";
  parameter Saltus.Units.Density rho = 1000 "Density of the liquid; matters where there is a height";
  parameter Saltus.Units.Acceleration g = Saltus.Units.g "Acceleration of gravity";
equation
  dp = I*der(q) + R*q + rho*g*height;
  annotation(Documentation(info = "<html>
<p>The liquid in the pipe is a mass that the pressure difference accelerates: <code>I = rho*L/A</code> for a length
<code>L</code> and a cross section <code>A</code>. The flow is a state.</p>
<p>Shut in an instant, the flow jumps to zero and pressures have an impulse: <code>I</code> times the flow there
was. How high the pressure rises needs something that yields, such as an <code>Accumulator</code>.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, 15}, {90, -15}}, lineColor = {60, 60, 60}, fillColor = {180, 215, 245},
        fillPattern = FillPattern.Solid),
      Line(points = {{-50, 0}, {50, 0}, {35, 8}}, color = {0, 90, 180}),
      Line(points = {{50, 0}, {35, -8}}, color = {0, 90, 180})}));
end LongPipe;

within Saltus.Fluid;
model Pipe "A pipe with laminar flow"
  extends Saltus.Fluid.Interfaces.TwoPorts;
  parameter Saltus.Units.HydraulicResistance R = 1e7 "Resistance";
  parameter Saltus.Units.Length height = 0 "How much higher port_b is than port_a";
  parameter Saltus.Units.Density rho = 1000 "Density of the liquid; matters where there is a height";
  parameter Saltus.Units.Acceleration g = Saltus.Units.g "Acceleration of gravity";
equation
  dp = R*q + rho*g*height;
  annotation(Documentation(info = "<html>
<p>The pressure falls with the flow, and with the height that the pipe climbs. A straight round pipe of length
<code>L</code> and diameter <code>D</code> has <code>R = 128*eta*L/(pi*D^4)</code>. With <code>R = 0</code> only the
height is left.</p>
<p>It is always full, and what flows in flows out at once; liquid with inertia: <code>LongPipe</code>.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, 15}, {90, -15}}, lineColor = {60, 60, 60}, fillColor = {180, 215, 245},
        fillPattern = FillPattern.Solid)}));
end Pipe;

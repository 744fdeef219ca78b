within Saltus.Electrical;
model Inductor "Stores magnetic flux"
  extends Saltus.Electrical.Interfaces.TwoPin(i(start = 0));
  parameter Saltus.Units.Inductance L = 1e-3 "Inductance";
equation
  L*der(i) = v;
  annotation(Documentation(info = "<html>
<p>The voltage drives the current up: <code>L*der(i) = v</code>. It stores the energy <code>L*i^2/2</code>.</p>
<p>The current at the beginning is written where the part is used: <code>Saltus.Electrical.Inductor L1(L = 1e-3,
i(start = 2, fixed = true))</code>. Without <code>fixed</code> the start value is used if nothing else decides the
current; that is what one wants for inductors in series, of which one depends on the others.</p>
<p>When an ideal switch interrupts the current, the voltage has an impulse of the weight of the flux <code>L*i</code>,
and the energy is lost. A diode across the inductor gives the current another way.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-90, 0}, {-60, 0}}, color = {0, 0, 255}),
      Line(points = {{60, 0}, {90, 0}}, color = {0, 0, 255}),
      Line(points = {{-60, 0}, {-56, 18}, {-45, 26}, {-34, 18}, {-30, 0}, {-26, 18}, {-15, 26}, {-4, 18}, {0, 0},
        {4, 18}, {15, 26}, {26, 18}, {30, 0}, {34, 18}, {45, 26}, {56, 18}, {60, 0}}, color = {0, 0, 255}),
      Text(extent = {{-150, -20}, {150, -60}}, textString = "L=%L")}));
end Inductor;

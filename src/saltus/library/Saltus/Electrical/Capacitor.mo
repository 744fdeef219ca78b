within Saltus.Electrical;
model Capacitor "Stores charge"
  extends Saltus.Electrical.Interfaces.TwoPin(v(start = 0));
  parameter Saltus.Units.Capacitance C = 1e-6 "Capacitance";
equation
  C*der(v) = i;
  annotation(Documentation(info = "<html>
<p>The current charges it: <code>C*der(v) = i</code>. It stores the energy <code>C*v^2/2</code>.</p>
<p>The voltage at the beginning is written where the part is used: <code>Saltus.Electrical.Capacitor C1(C = 1e-6,
v(start = 5, fixed = true))</code>. Without <code>fixed</code> the start value is used if nothing else decides the
voltage; that is what one wants for capacitors in a loop, of which one depends on the others.</p>
<p>When an ideal switch connects capacitors of different voltages, charge flows in no time: the current has an
impulse, the voltages jump, the charge is conserved, and energy is lost.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-90, 0}, {-12, 0}}, color = {0, 0, 255}),
      Line(points = {{12, 0}, {90, 0}}, color = {0, 0, 255}),
      Line(points = {{-12, 50}, {-12, -50}}, color = {0, 0, 255}, thickness = 1),
      Line(points = {{12, 50}, {12, -50}}, color = {0, 0, 255}, thickness = 1),
      Text(extent = {{-150, -60}, {150, -100}}, textString = "C=%C")}));
end Capacitor;

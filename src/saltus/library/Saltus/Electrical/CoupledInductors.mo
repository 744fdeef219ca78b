within Saltus.Electrical;
model CoupledInductors "Two coils that share a part of their flux"
  extends Saltus.Electrical.Interfaces.FourPin(i1(start = 0), i2(start = 0));
  parameter Saltus.Units.Inductance L1 = 1e-3 "Inductance of the first coil";
  parameter Saltus.Units.Inductance L2 = 1e-3 "Inductance of the second coil";
  parameter Saltus.Units.Inductance M = 0.5e-3 "Mutual inductance";
protected
  constant Saltus.Units.Ratio rounding = 1e-14 "Of a square root";
equation
  assert(M^2 <= (1 + rounding)*L1*L2, "Coils cannot share more flux than they have: M^2 must not be more than L1*L2");
  v1 = L1*der(i1) + M*der(i2);
  v2 = M*der(i1) + L2*der(i2);
  annotation(Documentation(info = "<html>
<p>A current in one coil makes flux in both: <code>v1 = L1*der(i1) + M*der(i2)</code> and
<code>v2 = M*der(i1) + L2*der(i2)</code>. It stores the energy <code>L1*i1^2/2 + M*i1*i2 + L2*i2^2/2</code>. The
coupling factor is <code>M/sqrt(L1*L2)</code>, and at most 1. With <code>M = sqrt(L1*L2)</code> they share all of their
flux: there is one state instead of two, and one current may jump if the other does, as in a <code>Transformer</code>
with an <code>Inductor</code> across it.</p>
<p>When a switch interrupts one current, the other jumps so that the flux of its coil stays what it was: this is how a
flyback converter hands over its energy.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-90, 50}, {-30, 50}, {-30, 40}, {-14, 36}, {-8, 30}, {-14, 24}, {-30, 20}, {-14, 16}, {-8, 10},
        {-14, 4}, {-30, 0}, {-14, -4}, {-8, -10}, {-14, -16}, {-30, -20}, {-14, -24}, {-8, -30}, {-14, -36}, {-30, -40},
        {-30, -50}, {-90, -50}}, color = {0, 0, 255}),
      Line(points = {{90, 50}, {30, 50}, {30, 40}, {14, 36}, {8, 30}, {14, 24}, {30, 20}, {14, 16}, {8, 10}, {14, 4},
        {30, 0}, {14, -4}, {8, -10}, {14, -16}, {30, -20}, {14, -24}, {8, -30}, {14, -36}, {30, -40}, {30, -50},
        {90, -50}}, color = {0, 0, 255}),
      Ellipse(extent = {{-44, 44}, {-36, 36}}, lineColor = {0, 0, 255}, fillColor = {0, 0, 255},
        fillPattern = FillPattern.Solid),
      Ellipse(extent = {{36, 44}, {44, 36}}, lineColor = {0, 0, 255}, fillColor = {0, 0, 255},
        fillPattern = FillPattern.Solid),
      Text(extent = {{-100, -65}, {100, -100}}, textString = "M=%M")}));
end CoupledInductors;

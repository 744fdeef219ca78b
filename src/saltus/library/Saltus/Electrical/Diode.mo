within Saltus.Electrical;
model Diode "Conducts from p to n, blocks the other way"
  extends Saltus.Electrical.Interfaces.Valve;
  parameter Saltus.Units.Voltage Vknee = 0 "Forward voltage at which it begins to conduct; 0: ideal";
equation
  corner = Vknee;
  off = s < 0;
  annotation(Documentation(info = "<html>
<p>While it conducts it has no voltage, while it blocks no current. The curve is a right angle, and <code>s</code>
is the place on it: a negative voltage before the corner, a positive current behind it.</p>
<p>It turns off where its current reaches zero, and on where its voltage would become positive. Joined with
capacitors it may conduct for an instant only: a charge goes over, and it blocks again.</p>
<p>With <code>Vknee = 0.7</code> it is a silicon diode with losses; <code>Ron</code> tilts the conducting line,
<code>Goff</code> the blocking one.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-90, 0}, {90, 0}}, color = {0, 0, 255}),
      Polygon(points = {{-30, 40}, {-30, -40}, {30, 0}, {-30, 40}}, lineColor = {0, 0, 255},
        fillColor = {255, 255, 255}, fillPattern = FillPattern.Solid),
      Line(points = {{30, 40}, {30, -40}}, color = {0, 0, 255}, thickness = 0.5)}));
end Diode;

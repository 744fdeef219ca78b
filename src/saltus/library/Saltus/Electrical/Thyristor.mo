within Saltus.Electrical;
model Thyristor "Conducts from p to n once it is fired, until its current ends"
  extends Saltus.Electrical.Interfaces.Valve(off(start = true, fixed = true));
  parameter Saltus.Units.Voltage Vknee = 0 "Forward voltage while it conducts; 0: ideal";
  Saltus.Blocks.Interfaces.BooleanInput fire "True: it begins to conduct as soon as the voltage is positive"
    annotation(Placement(transformation(extent = {{-20, -20}, {20, 20}}, origin = {60, -120}, rotation = 90)));
equation
  corner = Vknee;
  off = s < 0 or pre(off) and not fire;
  annotation(Documentation(info = "<html>
<p>A diode that waits: it blocks both ways until it is fired while its voltage is positive. From then on it
conducts, fired or not, until its current reaches zero. The law is one line: it is off where the curve says so, and
stays off as long as it is not fired.</p>
<p>Fire it with a short pulse at an angle of each period; the later the angle, the smaller the mean voltage behind
it. A pulse that has ended before the voltage is positive does nothing. Turning it off by its gate is the business
of a <code>GTO</code>.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-90, 0}, {90, 0}}, color = {0, 0, 255}),
      Polygon(points = {{-30, 40}, {-30, -40}, {30, 0}, {-30, 40}}, lineColor = {0, 0, 255},
        fillColor = {255, 255, 255}, fillPattern = FillPattern.Solid),
      Line(points = {{30, 40}, {30, -40}}, color = {0, 0, 255}, thickness = 0.5),
      Line(points = {{30, -10}, {60, -40}, {60, -100}}, color = {255, 0, 255})}));
end Thyristor;

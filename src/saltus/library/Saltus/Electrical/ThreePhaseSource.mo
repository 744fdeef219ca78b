within Saltus.Electrical;
model ThreePhaseSource "Three sine voltages, a third of a period apart, in a star"
  Saltus.Electrical.Interfaces.Pin a "First phase"
    annotation(Placement(transformation(extent = {{90, 50}, {110, 70}})));
  Saltus.Electrical.Interfaces.Pin b "Second phase"
    annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  Saltus.Electrical.Interfaces.Pin c "Third phase"
    annotation(Placement(transformation(extent = {{90, -70}, {110, -50}})));
  Saltus.Electrical.Interfaces.NegativePin n "Neutral: the centre of the star"
    annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
  parameter Saltus.Units.Voltage V = 325 "Amplitude of a phase against neutral";
  parameter Saltus.Units.Frequency f = 50 "Frequency";
  parameter Saltus.Units.Angle phase = 0 "Phase of a at time 0";
protected
  constant Saltus.Units.Angle third = 2*Saltus.Units.pi/3 "From phase to phase";
equation
  a.v - n.v = V*sin(2*Saltus.Units.pi*f*time + phase);
  b.v - n.v = V*sin(2*Saltus.Units.pi*f*time + phase - third);
  c.v - n.v = V*sin(2*Saltus.Units.pi*f*time + phase + third);
  a.i + b.i + c.i + n.i = 0;
  annotation(Documentation(info = "<html>
<p>The phases <code>a</code>, <code>b</code>, <code>c</code> follow each other in this order, each a third of a period
after the one before. The amplitude between two of them is <code>sqrt(3)*V</code>: the default is a mains of 230 V and
400 V effective.</p>
<p>Connect the neutral <code>n</code> to ground, even if nothing else is connected there. To turn the order round,
exchange two connections.</p>
</html>"),
    Icon(graphics = {
      Ellipse(extent = {{-60, 60}, {60, -60}}, lineColor = {0, 0, 255}, fillColor = {255, 255, 255},
        fillPattern = FillPattern.Solid),
      Line(points = {{-90, 0}, {-60, 0}}, color = {0, 0, 255}),
      Line(points = {{0, 60}, {90, 60}}, color = {0, 0, 255}),
      Line(points = {{60, 0}, {90, 0}}, color = {0, 0, 255}),
      Line(points = {{0, -60}, {90, -60}}, color = {0, 0, 255}),
      Line(points = {{-40, 20}, {-30, 35}, {-20, 40}, {-10, 35}, {10, 5}, {20, 0}, {30, 5}, {40, 20}},
        color = {120, 120, 120}),
      Line(points = {{-40, 0}, {-30, -5}, {-20, 0}, {0, 30}, {10, 30}, {20, 25}, {40, 0}}, color = {120, 120, 120}),
      Line(points = {{-40, -5}, {-30, 5}, {-15, -20}, {0, -30}, {20, -20}, {40, 5}}, color = {120, 120, 120}),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end ThreePhaseSource;

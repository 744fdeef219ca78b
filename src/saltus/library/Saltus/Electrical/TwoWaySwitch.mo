within Saltus.Electrical;
model TwoWaySwitch "Changeover contact: a Boolean signal says to which side"
  parameter Saltus.Units.Resistance Ron = 0 "Resistance of the closed side; 0: ideal";
  parameter Saltus.Units.Conductance Goff = 0 "Conductance of the open side; 0: ideal";
  Saltus.Electrical.Interfaces.Pin p "Common pin"
    annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
  Saltus.Electrical.Interfaces.NegativePin n1 "Joined with p while control is false"
    annotation(Placement(transformation(extent = {{90, 30}, {110, 50}})));
  Saltus.Electrical.Interfaces.NegativePin n2 "Joined with p while control is true"
    annotation(Placement(transformation(extent = {{90, -50}, {110, -30}})));
  Saltus.Blocks.Interfaces.BooleanInput control "False: to n1, true: to n2"
    annotation(Placement(transformation(extent = {{-20, -20}, {20, 20}}, origin = {0, -120}, rotation = 90)));
  Saltus.Units.Voltage v1 "Voltage from p to n1";
  Saltus.Units.Voltage v2 "Voltage from p to n2";
  Saltus.Units.Current i1 "Current from p to n1";
  Saltus.Units.Current i2 "Current from p to n2";
equation
  v1 = p.v - n1.v;
  v2 = p.v - n2.v;
  i1 = -n1.i;
  i2 = -n2.i;
  p.i = i1 + i2;
  if control then
    i1 = Goff*v1;
    v2 = Ron*i2;
  else
    v1 = Ron*i1;
    i2 = Goff*v2;
  end if;
  annotation(Documentation(info = "<html>
<p>The common pin is joined with one of two others; the one that is left carries nothing. It changes over in no
time: the pin is never between the contacts, and the contacts are never joined with each other.</p>
<p>It hands a capacitor from one circuit to another, with an impulse of the current where the voltages differ, and
it is the ideal leg of a bridge: the common pin at the load, the contacts at the two poles of the battery.</p>
</html>"),
    Icon(graphics = {
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255}),
      Line(points = {{-90, 0}, {-40, 0}}, color = {0, 0, 255}),
      Line(points = {{40, 40}, {90, 40}}, color = {0, 0, 255}),
      Line(points = {{40, -40}, {90, -40}}, color = {0, 0, 255}),
      Line(points = {{-36, 4}, {34, 38}}, color = {0, 0, 255}, thickness = 0.5),
      Ellipse(extent = {{-46, 6}, {-34, -6}}, lineColor = {0, 0, 255}, fillColor = {255, 255, 255},
        fillPattern = FillPattern.Solid),
      Ellipse(extent = {{34, 46}, {46, 34}}, lineColor = {0, 0, 255}, fillColor = {255, 255, 255},
        fillPattern = FillPattern.Solid),
      Ellipse(extent = {{34, -34}, {46, -46}}, lineColor = {0, 0, 255}, fillColor = {255, 255, 255},
        fillPattern = FillPattern.Solid),
      Line(points = {{0, -100}, {0, 20}}, color = {255, 0, 255}, pattern = LinePattern.Dash)}));
end TwoWaySwitch;

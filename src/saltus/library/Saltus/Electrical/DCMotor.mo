within Saltus.Electrical;
model DCMotor "Direct-current machine with permanent magnets: motor and generator"
  parameter Saltus.Units.Resistance R = 0.5 "Resistance of the windings";
  parameter Saltus.Units.Inductance L = 1e-3 "Inductance of the windings";
  parameter Saltus.Units.ElectricalTorqueConstant k = 0.05 "Torque per current, and voltage per speed";
  parameter Saltus.Units.Inertia J = 1e-4 "Inertia of the rotor";
  Saltus.Electrical.Interfaces.Pin p "Positive pin"
    annotation(Placement(transformation(extent = {{-110, 50}, {-90, 70}})));
  Saltus.Electrical.Interfaces.NegativePin n "Negative pin"
    annotation(Placement(transformation(extent = {{-110, -70}, {-90, -50}})));
  Saltus.Rotational.Interfaces.Flange flange "Shaft; the housing stands still"
    annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  Saltus.Units.Voltage v "Voltage from p to n";
  Saltus.Units.Current i(start = 0) "Current from p to n";
  Saltus.Units.Angle phi(start = 0) "Angle of the rotor";
  Saltus.Units.AngularVelocity w(start = 0) "Speed of the rotor";
equation
  v = p.v - n.v;
  i = p.i;
  p.i + n.i = 0;
  phi = flange.phi;
  w = der(phi);
  v = R*i + L*der(i) + k*w;
  J*der(w) = k*i + flange.tau;
  annotation(Documentation(info = "<html>
<p>At a constant voltage it runs up until the voltage <code>k*w</code> that its speed induces leaves just the
current that the load needs. Driven at the shaft it is a generator: the current comes back out of the pins.</p>
<p>The current cannot jump unless its circuit is opened; then it is gone at once, by an impulse of the voltage, and
diodes across the switches give it a way. <code>J = 0</code> leaves the inertia to what is connected to the
shaft.</p>
</html>"),
    Icon(graphics = {
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255}),
      Line(points = {{-90, 60}, {-60, 60}}, color = {0, 0, 255}),
      Line(points = {{-90, -60}, {-60, -60}}, color = {0, 0, 255}),
      Rectangle(extent = {{60, 10}, {90, -10}}, lineColor = {95, 95, 95}, fillColor = {225, 225, 225},
        fillPattern = FillPattern.Solid),
      Rectangle(extent = {{-60, 70}, {60, -70}}, lineColor = {0, 0, 255}, fillColor = {235, 240, 250},
        fillPattern = FillPattern.Solid, radius = 10),
      Text(extent = {{-40, 40}, {40, -40}}, textString = "M", textColor = {0, 0, 255})}));
end DCMotor;

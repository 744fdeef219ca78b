within Saltus.Electrical;
model EMF "Windings in a magnetic field: voltage for speed, torque for current"
  parameter Saltus.Units.ElectricalTorqueConstant k = 0.05 "Torque per current, and voltage per speed";
  Saltus.Electrical.Interfaces.Pin p "Positive pin"
    annotation(Placement(transformation(extent = {{-110, 50}, {-90, 70}})));
  Saltus.Electrical.Interfaces.NegativePin n "Negative pin"
    annotation(Placement(transformation(extent = {{-110, -70}, {-90, -50}})));
  Saltus.Rotational.Interfaces.Flange flange "Shaft of the rotor; the housing stands still"
    annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  Saltus.Units.Voltage v "Voltage from p to n";
  Saltus.Units.Current i "Current from p to n";
  Saltus.Units.AngularVelocity w "Speed of the shaft";
  Saltus.Units.Torque tau "Torque that drives the shaft";
equation
  v = p.v - n.v;
  i = p.i;
  p.i + n.i = 0;
  w = der(flange.phi);
  tau = -flange.tau;
  v = k*w;
  tau = k*i;
  annotation(Documentation(info = "<html>
<p>Turns electrical into mechanical power and back without loss: <code>v*i</code> goes in at the pins,
<code>tau*w</code> out at the shaft. It is the heart of a machine; resistance and inductance of the windings and the
inertia of the rotor are parts of their own (<code>DCMotor</code> has them all).</p>
<p>Where a clutch makes the speed jump, the voltage jumps with it; where the pins are shorted without a resistance,
the shaft is locked.</p>
</html>"),
    Icon(graphics = {
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255}),
      Line(points = {{-90, 60}, {0, 60}, {0, 50}}, color = {0, 0, 255}),
      Line(points = {{-90, -60}, {0, -60}, {0, -50}}, color = {0, 0, 255}),
      Rectangle(extent = {{50, 8}, {90, -8}}, lineColor = {95, 95, 95}, fillColor = {225, 225, 225},
        fillPattern = FillPattern.Solid),
      Ellipse(extent = {{-50, 50}, {50, -50}}, lineColor = {0, 0, 255}, fillColor = {255, 255, 255},
        fillPattern = FillPattern.Solid),
      Line(points = {{-20, 24}, {20, 24}, {12, 30}}, color = {0, 0, 255}),
      Line(points = {{20, -24}, {-20, -24}, {-12, -30}}, color = {0, 0, 255})}));
end EMF;

within Saltus.Examples.BondGraphs;
model BrakedMotor "A motor whose shaft is held for a while"
  extends Saltus.Icons.Example;
  Saltus.BondGraphs.Se battery(value = 12) "Feeds the motor"
    annotation(Placement(transformation(extent = {{-100, -10}, {-80, 10}})));
  Saltus.BondGraphs.J1 circuit(nIn = 1, nOut = 3) "One current"
    annotation(Placement(transformation(extent = {{-70, -10}, {-50, 10}})));
  Saltus.BondGraphs.I coil(I = 0.01, p(fixed = true)) "Of the motor"
    annotation(Placement(transformation(extent = {{-40, -40}, {-20, -20}})));
  Saltus.BondGraphs.R windings(R = 0.5) "Its resistance"
    annotation(Placement(transformation(extent = {{-40, -70}, {-20, -50}})));
  Saltus.BondGraphs.GY field(r = 0.1) "Torque by current, voltage by speed"
    annotation(Placement(transformation(extent = {{-35, -10}, {-15, 10}})));
  Saltus.BondGraphs.X1 shaft(on(start = true), nIn = 1, nOut = 2) "Free while it is on"
    annotation(Placement(transformation(extent = {{5, -10}, {25, 10}})));
  Saltus.BondGraphs.I rotor(I = 0.001, p(fixed = true)) "The body that turns"
    annotation(Placement(transformation(extent = {{40, -40}, {60, -20}})));
  Saltus.BondGraphs.R bearing(R = 0.002) "Its friction"
    annotation(Placement(transformation(extent = {{40, -70}, {60, -50}})));
  Saltus.Logic.Sources.BooleanTable brake(table = {0.3, 0.4}, before = true) "Lets the shaft go"
    annotation(Placement(transformation(extent = {{-40, 40}, {-20, 60}})));
equation
  connect(battery.bond, circuit.into[1])
    annotation(Line(points = {{-80, 0}, {-70, 0}}, color = {30, 30, 30}));
  connect(circuit.out[1], coil.bond)
    annotation(Line(points = {{-50, 0}, {-45, 0}, {-45, -30}, {-40, -30}}, color = {30, 30, 30}));
  connect(circuit.out[2], windings.bond)
    annotation(Line(points = {{-50, 0}, {-45, 0}, {-45, -60}, {-40, -60}}, color = {30, 30, 30}));
  connect(circuit.out[3], field.into)
    annotation(Line(points = {{-50, 0}, {-35, 0}}, color = {30, 30, 30}));
  connect(field.out, shaft.into[1])
    annotation(Line(points = {{-15, 0}, {5, 0}}, color = {30, 30, 30}));
  connect(shaft.out[1], rotor.bond)
    annotation(Line(points = {{25, 0}, {30, 0}, {30, -30}, {40, -30}}, color = {30, 30, 30}));
  connect(shaft.out[2], bearing.bond)
    annotation(Line(points = {{25, 0}, {30, 0}, {30, -60}, {40, -60}}, color = {30, 30, 30}));
  connect(brake.y, shaft.on)
    annotation(Line(points = {{-19, 50}, {15, 50}, {15, 12}}, color = {255, 0, 255}));
  annotation(
    experiment(StopTime = 0.6, Tolerance = 1e-8, Interval = 0.002),
    Documentation(info = "<html>
<p>A battery drives coil and windings, the field turns current into torque, and the shaft is a controlled 1-junction:
off, it is held, and the rotor has no speed.</p>
<p>What to look at: at 0.3 s the rotor stops at once, with an impulse at the brake, and the current rises to what the
windings let through.</p>
</html>"));
end BrakedMotor;

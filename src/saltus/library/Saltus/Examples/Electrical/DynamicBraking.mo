within Saltus.Examples.Electrical;
model DynamicBraking "A flywheel is driven by a battery, then stopped by a resistor"
  extends Saltus.Icons.Example;
  Saltus.Electrical.Sources.ConstantVoltage V(V = 24)
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {-90, 0}, rotation = -90)));
  Saltus.Electrical.Resistor brake(R = 1) "Turns the energy into heat"
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {-60, 0}, rotation = -90)));
  Saltus.Logic.Sources.BooleanStep stop(startTime = 1) "The driver says stop"
    annotation(Placement(transformation(extent = {{-70, 70}, {-50, 90}})));
  Saltus.Electrical.TwoWaySwitch S "Battery or resistor"
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {-30, 40}, rotation = 180)));
  Saltus.Electrical.Resistor R(R = 0.5)
    annotation(Placement(transformation(extent = {{-10, 30}, {10, 50}})));
  Saltus.Electrical.Inductor L(L = 0.001, i(start = 0, fixed = true))
    annotation(Placement(transformation(extent = {{18, 30}, {38, 50}})));
  Saltus.Electrical.EMF emf(k = 0.1) "The heart of the motor"
    annotation(Placement(transformation(extent = {{50, -10}, {70, 10}})));
  Saltus.Rotational.Inertia flywheel(J = 0.002, phi(start = 0, fixed = true), w(start = 0, fixed = true))
    annotation(Placement(transformation(extent = {{78, -10}, {98, 10}})));
  Saltus.Electrical.Ground ground
    annotation(Placement(transformation(extent = {{-100, -60}, {-80, -40}})));
equation
  connect(V.p, S.n1)
    annotation(Line(points = {{-90, 10}, {-90, 36}, {-40, 36}}, color = {0, 0, 255}));
  connect(brake.p, S.n2)
    annotation(Line(points = {{-60, 10}, {-60, 44}, {-40, 44}}, color = {0, 0, 255}));
  connect(stop.y, S.control)
    annotation(Line(points = {{-49, 80}, {-30, 80}, {-30, 52}}, color = {255, 0, 255}));
  connect(S.p, R.p)
    annotation(Line(points = {{-20, 40}, {-10, 40}}, color = {0, 0, 255}));
  connect(R.n, L.p)
    annotation(Line(points = {{10, 40}, {18, 40}}, color = {0, 0, 255}));
  connect(L.n, emf.p)
    annotation(Line(points = {{38, 40}, {44, 40}, {44, 6}, {50, 6}}, color = {0, 0, 255}));
  connect(emf.n, brake.n)
    annotation(Line(points = {{50, -6}, {44, -6}, {44, -40}, {-60, -40}, {-60, -10}}, color = {0, 0, 255}));
  connect(brake.n, V.n)
    annotation(Line(points = {{-60, -10}, {-60, -40}, {-90, -40}, {-90, -10}}, color = {0, 0, 255}));
  connect(ground.p, V.n)
    annotation(Line(points = {{-90, -40}, {-90, -10}}, color = {0, 0, 255}));
  connect(emf.flange, flywheel.flange_a)
    annotation(Line(points = {{70, 0}, {78, 0}}, color = {95, 95, 95}));
  annotation(Documentation(info = "<html>
<p>A motor made of its parts: resistance, inductance, and the conversion of power between circuit and shaft. After a
second the changeover switch disconnects the battery and closes the circuit with a resistor.</p>
<p><b>What to look at:</b> <code>flywheel.w</code> rises to 240 rad/s with the time constant <code>J*R/k^2</code>, a
tenth of a second, and falls with three tenths, because now there are 1.5 ohms. The current <code>L.i</code> turns
round: the motor is a generator. Two thirds of the energy of the flywheel become heat in the braking resistor, one
third in the windings.</p>
</html>"),
    experiment(StopTime = 2.5, Tolerance = 1e-7, Interval = 0.005));
end DynamicBraking;

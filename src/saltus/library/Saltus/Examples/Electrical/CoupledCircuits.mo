within Saltus.Examples.Electrical;
model CoupledCircuits "Two resonant circuits pass their energy to each other"
  extends Saltus.Icons.Example;
  Saltus.Electrical.Capacitor C1(C = 1e-6, v(start = 10, fixed = true)) "Begins with all the energy"
    annotation(Placement(transformation(origin = {-70, 0}, extent = {{-10, -10}, {10, 10}}, rotation = 270)));
  Saltus.Electrical.Resistor R1(R = 0.5) "Of the first coil"
    annotation(Placement(transformation(extent = {{-50, 30}, {-30, 50}})));
  Saltus.Electrical.CoupledInductors coils(L1 = 1e-3, L2 = 1e-3, M = 1e-4, i1(fixed = true), i2(fixed = true))
    "With a gap between them"
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}})));
  Saltus.Electrical.Resistor R2(R = 0.5) "Of the second coil"
    annotation(Placement(transformation(extent = {{30, 30}, {50, 50}})));
  Saltus.Electrical.Capacitor C2(C = 1e-6, v(start = 0, fixed = true)) "Begins empty"
    annotation(Placement(transformation(origin = {70, 0}, extent = {{-10, -10}, {10, 10}}, rotation = 270)));
  Saltus.Electrical.Ground ground1 "Of the first circuit"
    annotation(Placement(transformation(extent = {{-80, -70}, {-60, -50}})));
  Saltus.Electrical.Ground ground2 "Of the second circuit"
    annotation(Placement(transformation(extent = {{60, -70}, {80, -50}})));
equation
  connect(C1.p, R1.p) annotation(Line(points = {{-70, 10}, {-70, 40}, {-50, 40}}, color = {0, 0, 255}));
  connect(R1.n, coils.p1) annotation(Line(points = {{-30, 40}, {-20, 40}, {-20, 5}, {-10, 5}}, color = {0, 0, 255}));
  connect(coils.n1, C1.n)
    annotation(Line(points = {{-10, -5}, {-20, -5}, {-20, -40}, {-70, -40}, {-70, -10}}, color = {0, 0, 255}));
  connect(C1.n, ground1.p) annotation(Line(points = {{-70, -10}, {-70, -50}}, color = {0, 0, 255}));
  connect(coils.p2, R2.p) annotation(Line(points = {{10, 5}, {20, 5}, {20, 40}, {30, 40}}, color = {0, 0, 255}));
  connect(R2.n, C2.p) annotation(Line(points = {{50, 40}, {70, 40}, {70, 10}}, color = {0, 0, 255}));
  connect(coils.n2, C2.n)
    annotation(Line(points = {{10, -5}, {20, -5}, {20, -40}, {70, -40}, {70, -10}}, color = {0, 0, 255}));
  connect(C2.n, ground2.p) annotation(Line(points = {{70, -10}, {70, -50}}, color = {0, 0, 255}));
  annotation(experiment(StopTime = 0.01, Tolerance = 1e-8, Interval = 1e-5),
    Documentation(info = "<html>
<p>A capacitor is charged to 10 V; the other circuit begins empty. Their coils share a tenth of their flux.</p>
<p>What to look at: <code>C1.v</code> and <code>C2.v</code> at 5 kHz. After a millisecond all energy is in the second
circuit, after two it is back in the first: this is how energy crosses a gap without wires. The resistors take it in
the end.</p>
</html>"));
end CoupledCircuits;

within Saltus.Examples.Electrical;
model CukConverter "A negative voltage by way of a capacitor"
  extends Saltus.Icons.Example;
  Saltus.Electrical.Sources.ConstantVoltage V(V = 12)
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {-90, 0}, rotation = -90)));
  Saltus.Logic.Sources.BooleanPulse pwm(period = 1e-4, width = 0.6) "10 kHz"
    annotation(Placement(transformation(extent = {{-73, -10}, {-53, 10}})));
  Saltus.Electrical.Inductor L1(L = 0.002, i(start = 0, fixed = true))
    annotation(Placement(transformation(extent = {{-75, 30}, {-55, 50}})));
  Saltus.Electrical.Transistor T
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {-33, 0}, rotation = -90)));
  Saltus.Electrical.Capacitor C1(C = 2.2e-5, v(start = 12, fixed = true)) "Carries the energy across"
    annotation(Placement(transformation(extent = {{-15, 30}, {5, 50}})));
  Saltus.Electrical.Diode D
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {20, 0}, rotation = -90)));
  Saltus.Electrical.Inductor L2(L = 0.002, i(start = 0, fixed = true))
    annotation(Placement(transformation(extent = {{35, 30}, {55, 50}})));
  Saltus.Electrical.Capacitor C2(C = 2.2e-5, v(start = 0, fixed = true))
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {58, 0}, rotation = -90)));
  Saltus.Electrical.Resistor load(R = 12)
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {88, 0}, rotation = -90)));
  Saltus.Electrical.Ground ground
    annotation(Placement(transformation(extent = {{-100, -70}, {-80, -50}})));
equation
  connect(V.p, L1.p)
    annotation(Line(points = {{-90, 10}, {-90, 40}, {-75, 40}}, color = {0, 0, 255}));
  connect(pwm.y, T.gate)
    annotation(Line(points = {{-52, 0}, {-45, 0}}, color = {255, 0, 255}));
  connect(L1.n, C1.p)
    annotation(Line(points = {{-55, 40}, {-15, 40}}, color = {0, 0, 255}));
  connect(T.p, L1.n)
    annotation(Line(points = {{-33, 10}, {-33, 40}, {-55, 40}}, color = {0, 0, 255}));
  connect(C1.n, L2.p)
    annotation(Line(points = {{5, 40}, {35, 40}}, color = {0, 0, 255}));
  connect(D.p, C1.n)
    annotation(Line(points = {{20, 10}, {20, 40}, {5, 40}}, color = {0, 0, 255}));
  connect(L2.n, C2.p)
    annotation(Line(points = {{55, 40}, {58, 40}, {58, 10}}, color = {0, 0, 255}));
  connect(C2.p, load.p)
    annotation(Line(points = {{58, 10}, {58, 40}, {88, 40}, {88, 10}}, color = {0, 0, 255}));
  connect(load.n, C2.n)
    annotation(Line(points = {{88, -10}, {88, -50}, {58, -50}, {58, -10}}, color = {0, 0, 255}));
  connect(C2.n, D.n)
    annotation(Line(points = {{58, -10}, {58, -50}, {20, -50}, {20, -10}}, color = {0, 0, 255}));
  connect(D.n, T.n)
    annotation(Line(points = {{20, -10}, {20, -50}, {-33, -50}, {-33, -10}}, color = {0, 0, 255}));
  connect(T.n, V.n)
    annotation(Line(points = {{-33, -10}, {-33, -50}, {-90, -50}, {-90, -10}}, color = {0, 0, 255}));
  connect(ground.p, V.n)
    annotation(Line(points = {{-90, -50}, {-90, -10}}, color = {0, 0, 255}));
  annotation(Documentation(info = "<html>
<p>With the transistor open the current of <code>L1</code> charges <code>C1</code> through the diode; with the
transistor closed <code>C1</code> drives the current of <code>L2</code> and the load, the other way round. Both
currents are smooth, in and out.</p>
<p><b>What to look at:</b> the load gets 12 V times 0.6/0.4, with the sign turned: <code>load.v</code> settles at
-18 V, and <code>C1.v</code> at 12 V + 18 V. There is no controller, and the four reactances swing for a while.</p>
</html>"),
    experiment(StopTime = 0.012, Tolerance = 1e-6, Interval = 1e-5));
end CukConverter;

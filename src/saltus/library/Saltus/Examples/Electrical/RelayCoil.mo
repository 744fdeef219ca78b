within Saltus.Examples.Electrical;
model RelayCoil "A coil is switched off, with and without a freewheeling diode"
  extends Saltus.Icons.Example;
  Saltus.Electrical.Sources.ConstantVoltage V1(V = 24)
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {-85, 0}, rotation = -90)));
  Saltus.Electrical.Switch S1(closed = time < 0.05)
    annotation(Placement(transformation(extent = {{-70, 30}, {-50, 50}})));
  Saltus.Electrical.Diode D "Gives the current a way"
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {-40, 0}, rotation = 90)));
  Saltus.Electrical.Resistor R1(R = 120)
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {-15, 20}, rotation = -90)));
  Saltus.Electrical.Inductor L1(L = 0.6, i(start = 0, fixed = true)) "The coil"
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {-15, -20}, rotation = -90)));
  Saltus.Electrical.Ground ground1
    annotation(Placement(transformation(extent = {{-95, -80}, {-75, -60}})));
  Saltus.Electrical.Sources.ConstantVoltage V2(V = 24)
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {25, 0}, rotation = -90)));
  Saltus.Electrical.Switch S2(closed = time < 0.05)
    annotation(Placement(transformation(extent = {{40, 30}, {60, 50}})));
  Saltus.Electrical.Resistor R2(R = 120)
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {80, 20}, rotation = -90)));
  Saltus.Electrical.Inductor L2(L = 0.6, i(start = 0, fixed = true)) "The same coil"
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {80, -20}, rotation = -90)));
  Saltus.Electrical.Ground ground2
    annotation(Placement(transformation(extent = {{15, -80}, {35, -60}})));
equation
  connect(V1.p, S1.p)
    annotation(Line(points = {{-85, 10}, {-85, 40}, {-70, 40}}, color = {0, 0, 255}));
  connect(S1.n, R1.p)
    annotation(Line(points = {{-50, 40}, {-15, 40}, {-15, 30}}, color = {0, 0, 255}));
  connect(D.n, S1.n)
    annotation(Line(points = {{-40, 10}, {-40, 40}, {-50, 40}}, color = {0, 0, 255}));
  connect(R1.n, L1.p)
    annotation(Line(points = {{-15, 10}, {-15, -10}}, color = {0, 0, 255}));
  connect(L1.n, V1.n)
    annotation(Line(points = {{-15, -30}, {-15, -50}, {-85, -50}, {-85, -10}}, color = {0, 0, 255}));
  connect(D.p, V1.n)
    annotation(Line(points = {{-40, -10}, {-40, -50}, {-85, -50}, {-85, -10}}, color = {0, 0, 255}));
  connect(ground1.p, V1.n)
    annotation(Line(points = {{-85, -60}, {-85, -10}}, color = {0, 0, 255}));
  connect(V2.p, S2.p)
    annotation(Line(points = {{25, 10}, {25, 40}, {40, 40}}, color = {0, 0, 255}));
  connect(S2.n, R2.p)
    annotation(Line(points = {{60, 40}, {80, 40}, {80, 30}}, color = {0, 0, 255}));
  connect(R2.n, L2.p)
    annotation(Line(points = {{80, 10}, {80, -10}}, color = {0, 0, 255}));
  connect(L2.n, V2.n)
    annotation(Line(points = {{80, -30}, {80, -50}, {25, -50}, {25, -10}}, color = {0, 0, 255}));
  connect(ground2.p, V2.n)
    annotation(Line(points = {{25, -60}, {25, -10}}, color = {0, 0, 255}));
  annotation(Documentation(info = "<html>
<p>Two equal coils of a relay, switched off after 50 ms. On the left the diode takes the current over and it fades
with the time constant L/R of 5 ms. On the right there is no way: the switch makes the current end in no time.</p>
<p><b>What to look at:</b> <code>L1.i</code> and <code>L2.i</code> are the same until 50 ms. Then <code>L2.i</code>
is zero, and <code>L2.v</code> has an impulse of the flux 0.6 H times 0.2 A, 0.12 volt-seconds, that
<code>--log-events</code> tells: in reality an arc at the contact, or the end of a transistor. The price of the
diode is that the relay releases later.</p>
</html>"),
    experiment(StopTime = 0.1, Tolerance = 1e-8, Interval = 0.0005));
end RelayCoil;

within Saltus.Examples.Electrical;
model BuckConverter "From 24 V down to 12 V, until the load is taken away"
  extends Saltus.Icons.Example;
  Saltus.Electrical.Sources.ConstantVoltage V(V = 24)
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {-90, 0}, rotation = -90)));
  Saltus.Logic.Sources.BooleanPulse pwm(period = 1e-4, width = 0.5) "10 kHz"
    annotation(Placement(transformation(extent = {{-72, -10}, {-52, 10}})));
  Saltus.Electrical.Transistor T
    annotation(Placement(transformation(extent = {{-52, 30}, {-32, 50}})));
  Saltus.Electrical.Diode D "Freewheeling"
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {-18, 0}, rotation = 90)));
  Saltus.Electrical.Inductor L(L = 0.001, i(start = 0, fixed = true))
    annotation(Placement(transformation(extent = {{-10, 30}, {10, 50}})));
  Saltus.Electrical.Capacitor C(C = 4.7e-5, v(start = 0, fixed = true))
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {25, 0}, rotation = -90)));
  Saltus.Electrical.Resistor R1(R = 120) "Small load"
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {55, 0}, rotation = -90)));
  Saltus.Electrical.Switch S(closed = time < 0.01) "Takes the large load away"
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {85, 20}, rotation = -90)));
  Saltus.Electrical.Resistor R2(R = 6) "Large load"
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {85, -20}, rotation = -90)));
  Saltus.Electrical.Ground ground
    annotation(Placement(transformation(extent = {{-100, -70}, {-80, -50}})));
equation
  connect(V.p, T.p)
    annotation(Line(points = {{-90, 10}, {-90, 40}, {-52, 40}}, color = {0, 0, 255}));
  connect(pwm.y, T.gate)
    annotation(Line(points = {{-51, 0}, {-42, 0}, {-42, 28}}, color = {255, 0, 255}));
  connect(T.n, L.p)
    annotation(Line(points = {{-32, 40}, {-10, 40}}, color = {0, 0, 255}));
  connect(D.n, T.n)
    annotation(Line(points = {{-18, 10}, {-18, 40}, {-32, 40}}, color = {0, 0, 255}));
  connect(L.n, C.p)
    annotation(Line(points = {{10, 40}, {25, 40}, {25, 10}}, color = {0, 0, 255}));
  connect(C.p, R1.p)
    annotation(Line(points = {{25, 10}, {25, 40}, {55, 40}, {55, 10}}, color = {0, 0, 255}));
  connect(R1.p, S.p)
    annotation(Line(points = {{55, 10}, {55, 40}, {85, 40}, {85, 30}}, color = {0, 0, 255}));
  connect(S.n, R2.p)
    annotation(Line(points = {{85, 10}, {85, -10}}, color = {0, 0, 255}));
  connect(R2.n, R1.n)
    annotation(Line(points = {{85, -30}, {85, -50}, {55, -50}, {55, -10}}, color = {0, 0, 255}));
  connect(R1.n, C.n)
    annotation(Line(points = {{55, -10}, {55, -50}, {25, -50}, {25, -10}}, color = {0, 0, 255}));
  connect(C.n, D.p)
    annotation(Line(points = {{25, -10}, {25, -50}, {-18, -50}, {-18, -10}}, color = {0, 0, 255}));
  connect(D.p, V.n)
    annotation(Line(points = {{-18, -10}, {-18, -50}, {-90, -50}, {-90, -10}}, color = {0, 0, 255}));
  connect(ground.p, V.n)
    annotation(Line(points = {{-90, -50}, {-90, -10}}, color = {0, 0, 255}));
  annotation(Documentation(info = "<html>
<p>The transistor connects the inductor with the battery for half of each period; for the rest its current goes on
through the diode. The mean voltage of the inductor must be zero, so half of 24 V remain for the output.</p>
<p><b>What to look at:</b> with the large load <code>C.v</code> settles at 12 V, and <code>L.i</code> is a triangle
about 2.1 A. At 10 ms the large load is taken away. Now the current ends before the period does: for a while neither
transistor nor diode conducts, <code>L.i</code> is no state any more, and the voltage climbs to 16.5 V although
nobody has touched the pulses. Converters need controllers.</p>
</html>"),
    experiment(StopTime = 0.02, Tolerance = 1e-6, Interval = 2e-5));
end BuckConverter;

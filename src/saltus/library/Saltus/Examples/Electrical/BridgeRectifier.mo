within Saltus.Examples.Electrical;
model BridgeRectifier "Four diodes and a smoothing capacitor: the power supply of everything"
  extends Saltus.Icons.Example;
  Saltus.Electrical.Sources.SineVoltage V(V = 17, f = 50) "A transformer of 12 V"
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {-80, 0}, rotation = -90)));
  Saltus.Electrical.Resistor Rs(R = 0.2) "Of its windings"
    annotation(Placement(transformation(extent = {{-65, 30}, {-45, 50}})));
  Saltus.Electrical.Diode D1
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {-20, 20}, rotation = 90)));
  Saltus.Electrical.Diode D2
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {20, 20}, rotation = 90)));
  Saltus.Electrical.Diode D3
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {-20, -30}, rotation = 90)));
  Saltus.Electrical.Diode D4
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {20, -30}, rotation = 90)));
  Saltus.Electrical.Capacitor C(C = 0.002, v(start = 0, fixed = true)) "Smoothing"
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {55, 0}, rotation = -90)));
  Saltus.Electrical.Resistor load(R = 20)
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {85, 0}, rotation = -90)));
  Saltus.Electrical.Ground ground
    annotation(Placement(transformation(extent = {{10, -80}, {30, -60}})));
equation
  connect(V.p, Rs.p)
    annotation(Line(points = {{-80, 10}, {-80, 40}, {-65, 40}}, color = {0, 0, 255}));
  connect(Rs.n, D1.p)
    annotation(Line(points = {{-45, 40}, {-35, 40}, {-35, -5}, {-20, -5}, {-20, 10}}, color = {0, 0, 255}));
  connect(D1.p, D3.n)
    annotation(Line(points = {{-20, 10}, {-20, -20}}, color = {0, 0, 255}));
  connect(V.n, D2.p)
    annotation(Line(points = {{-80, -10}, {20, -10}, {20, 10}}, color = {0, 0, 255}));
  connect(D2.p, D4.n)
    annotation(Line(points = {{20, 10}, {20, -20}}, color = {0, 0, 255}));
  connect(D1.n, D2.n)
    annotation(Line(points = {{-20, 30}, {-20, 50}, {20, 50}, {20, 30}}, color = {0, 0, 255}));
  connect(D2.n, C.p)
    annotation(Line(points = {{20, 30}, {20, 50}, {55, 50}, {55, 10}}, color = {0, 0, 255}));
  connect(C.p, load.p)
    annotation(Line(points = {{55, 10}, {55, 50}, {85, 50}, {85, 10}}, color = {0, 0, 255}));
  connect(D3.p, D4.p)
    annotation(Line(points = {{-20, -40}, {-20, -50}, {20, -50}, {20, -40}}, color = {0, 0, 255}));
  connect(D4.p, C.n)
    annotation(Line(points = {{20, -40}, {20, -50}, {55, -50}, {55, -10}}, color = {0, 0, 255}));
  connect(C.n, load.n)
    annotation(Line(points = {{55, -10}, {55, -50}, {85, -50}, {85, -10}}, color = {0, 0, 255}));
  connect(ground.p, D4.p)
    annotation(Line(points = {{20, -60}, {20, -40}}, color = {0, 0, 255}));
  annotation(Documentation(info = "<html>
<p>In each half of a period two diodes conduct and charge the capacitor for a short time; for the rest of it all
four block and the load lives on the capacitor.</p>
<p><b>What to look at:</b> <code>load.v</code> has a ripple of 100 Hz, while the current <code>Rs.i</code> of the
transformer comes in short peaks of many times the current of the load: that is why such supplies disturb the
mains.</p>
<p>While all diodes block, nothing says how the voltage is shared between them: the potentials of the source float,
and the run tells so (W406). Give the diodes a leak, <code>Goff = 1e-6</code>, and it is shared evenly.</p>
</html>"),
    experiment(StopTime = 0.1, Tolerance = 1e-7, Interval = 0.0002));
end BridgeRectifier;

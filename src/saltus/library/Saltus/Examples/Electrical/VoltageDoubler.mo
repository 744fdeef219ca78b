within Saltus.Examples.Electrical;
model VoltageDoubler "Two diodes and two capacitors: twice the peak of the source"
  extends Saltus.Icons.Example;
  Saltus.Electrical.Sources.SineVoltage V(V = 10, f = 50)
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {-80, 0}, rotation = -90)));
  Saltus.Electrical.Capacitor C1(C = 1e-4, v(start = 0, fixed = true)) "Lifts the wave"
    annotation(Placement(transformation(extent = {{-50, 30}, {-30, 50}})));
  Saltus.Electrical.Diode D1 "Charges C1 in the negative half-wave"
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {-10, 0}, rotation = 90)));
  Saltus.Electrical.Diode D2 "Charges C2 with the lifted wave"
    annotation(Placement(transformation(extent = {{10, 30}, {30, 50}})));
  Saltus.Electrical.Capacitor C2(C = 1e-4, v(start = 0, fixed = true))
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {50, 0}, rotation = -90)));
  Saltus.Electrical.Resistor load(R = 2000)
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {80, 0}, rotation = -90)));
  Saltus.Electrical.Ground ground
    annotation(Placement(transformation(extent = {{-90, -70}, {-70, -50}})));
equation
  connect(V.p, C1.p)
    annotation(Line(points = {{-80, 10}, {-80, 40}, {-50, 40}}, color = {0, 0, 255}));
  connect(C1.n, D2.p)
    annotation(Line(points = {{-30, 40}, {10, 40}}, color = {0, 0, 255}));
  connect(D1.n, C1.n)
    annotation(Line(points = {{-10, 10}, {-10, 40}, {-30, 40}}, color = {0, 0, 255}));
  connect(D2.n, C2.p)
    annotation(Line(points = {{30, 40}, {50, 40}, {50, 10}}, color = {0, 0, 255}));
  connect(C2.p, load.p)
    annotation(Line(points = {{50, 10}, {50, 40}, {80, 40}, {80, 10}}, color = {0, 0, 255}));
  connect(load.n, C2.n)
    annotation(Line(points = {{80, -10}, {80, -50}, {50, -50}, {50, -10}}, color = {0, 0, 255}));
  connect(C2.n, D1.p)
    annotation(Line(points = {{50, -10}, {50, -50}, {-10, -50}, {-10, -10}}, color = {0, 0, 255}));
  connect(D1.p, V.n)
    annotation(Line(points = {{-10, -10}, {-10, -50}, {-80, -50}, {-80, -10}}, color = {0, 0, 255}));
  connect(ground.p, V.n)
    annotation(Line(points = {{-80, -50}, {-80, -10}}, color = {0, 0, 255}));
  annotation(Documentation(info = "<html>
<p>In the negative half-waves <code>D1</code> charges <code>C1</code> to the peak of the source; in the positive
ones source and <code>C1</code> in series charge <code>C2</code> to twice the peak. More stages make the high
voltage of old television sets.</p>
<p><b>What to look at:</b> <code>C2.v</code> climbs in steps that halve each time, to almost 20 V; what is missing
is the charge that the load takes in a period. The wave at <code>D1.n.v</code> swings between zero and 20 V. All
elements are ideal, so a conducting diode ties capacitors to the source: there is one state with one diode
conducting, and two with none.</p>
</html>"),
    experiment(StopTime = 0.2, Tolerance = 1e-7, Interval = 0.0005));
end VoltageDoubler;

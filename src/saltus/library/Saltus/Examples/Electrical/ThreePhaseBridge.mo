within Saltus.Examples.Electrical;
model ThreePhaseBridge "Six diodes make a direct current of three phases"
  extends Saltus.Icons.Example;
  Saltus.Electrical.Sources.SineVoltage V1(V = 325, f = 50) "Phases of 230 V"
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {-75, 40}, rotation = 180)));
  Saltus.Electrical.Sources.SineVoltage V2(V = 325, f = 50, phase = -2.0943951023931953)
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {-75, 0}, rotation = 180)));
  Saltus.Electrical.Sources.SineVoltage V3(V = 325, f = 50, phase = 2.0943951023931953)
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {-75, -40}, rotation = 180)));
  Saltus.Electrical.Inductor L1(L = 0.002, i(start = 0, fixed = true)) "Of the mains"
    annotation(Placement(transformation(extent = {{-55, 30}, {-35, 50}})));
  Saltus.Electrical.Inductor L2(L = 0.002, i(start = 0, fixed = true))
    annotation(Placement(transformation(extent = {{-55, -10}, {-35, 10}})));
  Saltus.Electrical.Inductor L3(L = 0.002, i(start = 0))
    annotation(Placement(transformation(extent = {{-55, -50}, {-35, -30}})));
  Saltus.Electrical.Diode D1
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {-10, 60}, rotation = 90)));
  Saltus.Electrical.Diode D3
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {20, 60}, rotation = 90)));
  Saltus.Electrical.Diode D5
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {50, 60}, rotation = 90)));
  Saltus.Electrical.Diode D4
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {-10, -70}, rotation = 90)));
  Saltus.Electrical.Diode D6
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {20, -70}, rotation = 90)));
  Saltus.Electrical.Diode D2
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {50, -70}, rotation = 90)));
  Saltus.Electrical.Inductor L(L = 0.05, i(start = 0, fixed = true))
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {80, 30}, rotation = -90)));
  Saltus.Electrical.Resistor load(R = 10)
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {80, -20}, rotation = -90)));
  Saltus.Electrical.Ground ground
    annotation(Placement(transformation(extent = {{-100, -85}, {-80, -65}})));
equation
  connect(V1.p, L1.p)
    annotation(Line(points = {{-65, 40}, {-55, 40}}, color = {0, 0, 255}));
  connect(V2.p, L2.p)
    annotation(Line(points = {{-65, 0}, {-55, 0}}, color = {0, 0, 255}));
  connect(V3.p, L3.p)
    annotation(Line(points = {{-65, -40}, {-55, -40}}, color = {0, 0, 255}));
  connect(V1.n, V2.n)
    annotation(Line(points = {{-85, 40}, {-90, 40}, {-90, 0}, {-85, 0}}, color = {0, 0, 255}));
  connect(V2.n, V3.n)
    annotation(Line(points = {{-85, 0}, {-90, 0}, {-90, -40}, {-85, -40}}, color = {0, 0, 255}));
  connect(ground.p, V3.n)
    annotation(Line(points = {{-90, -65}, {-90, -40}, {-85, -40}}, color = {0, 0, 255}));
  connect(L1.n, D1.p)
    annotation(Line(points = {{-35, 40}, {-10, 40}, {-10, 50}}, color = {0, 0, 255}));
  connect(L2.n, D3.p)
    annotation(Line(points = {{-35, 0}, {20, 0}, {20, 50}}, color = {0, 0, 255}));
  connect(L3.n, D5.p)
    annotation(Line(points = {{-35, -40}, {50, -40}, {50, 50}}, color = {0, 0, 255}));
  connect(D1.p, D4.n)
    annotation(Line(points = {{-10, 50}, {-10, -60}}, color = {0, 0, 255}));
  connect(D3.p, D6.n)
    annotation(Line(points = {{20, 50}, {20, -60}}, color = {0, 0, 255}));
  connect(D5.p, D2.n)
    annotation(Line(points = {{50, 50}, {50, -60}}, color = {0, 0, 255}));
  connect(D1.n, D3.n)
    annotation(Line(points = {{-10, 70}, {-10, 80}, {20, 80}, {20, 70}}, color = {0, 0, 255}));
  connect(D3.n, D5.n)
    annotation(Line(points = {{20, 70}, {20, 80}, {50, 80}, {50, 70}}, color = {0, 0, 255}));
  connect(D5.n, L.p)
    annotation(Line(points = {{50, 70}, {50, 80}, {80, 80}, {80, 40}}, color = {0, 0, 255}));
  connect(L.n, load.p)
    annotation(Line(points = {{80, 20}, {80, -10}}, color = {0, 0, 255}));
  connect(D4.p, D6.p)
    annotation(Line(points = {{-10, -80}, {-10, -90}, {20, -90}, {20, -80}}, color = {0, 0, 255}));
  connect(D6.p, D2.p)
    annotation(Line(points = {{20, -80}, {20, -90}, {50, -90}, {50, -80}}, color = {0, 0, 255}));
  connect(D2.p, load.n)
    annotation(Line(points = {{50, -80}, {50, -90}, {80, -90}, {80, -30}}, color = {0, 0, 255}));
  annotation(Documentation(info = "<html>
<p>One of the upper diodes connects the highest phase with the load, one of the lower ones the lowest. The diodes
are numbered in the order in which they take over, every sixth of a period.</p>
<p><b>What to look at:</b> the current does not change over at once, because the mains have an inductance: for a
part of each sixth three diodes conduct. The overlap takes from the mean of <code>load.v</code> what the inductance
of the mains takes from each step of the current: without it the mean would be 3*sqrt(3)/pi times the amplitude,
537.5 V; each ampere costs 6*f*L1, 0.6 V.</p>
<p>With two, three or no diodes conducting the circuit has one, two or no independent current: the states change
with the modes.</p>
</html>"),
    experiment(StopTime = 0.06, Tolerance = 1e-7, Interval = 0.0001));
end ThreePhaseBridge;

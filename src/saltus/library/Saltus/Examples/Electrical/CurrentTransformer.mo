within Saltus.Examples.Electrical;
model CurrentTransformer "A hundred amperes are measured without touching them"
  extends Saltus.Icons.Example;
  Saltus.Electrical.Sources.SineCurrent mains(I = 100, f = 50) "The current to be measured"
    annotation(Placement(transformation(origin = {-60, 0}, extent = {{-10, -10}, {10, 10}}, rotation = 90)));
  Saltus.Electrical.Transformer transformer(n = 1/1000) "One turn, and a thousand"
    annotation(Placement(transformation(extent = {{-20, -10}, {0, 10}})));
  Saltus.Electrical.Inductor Lm(L = 1, i(start = 0, fixed = true, nominal = 1e-3))
    "Magnetises the core, seen from the thousand turns"
    annotation(Placement(transformation(origin = {30, 0}, extent = {{-10, -10}, {10, 10}}, rotation = 270)));
  Saltus.Electrical.Resistor burden(R = 10) "Makes a voltage of the small current"
    annotation(Placement(transformation(origin = {70, 0}, extent = {{-10, -10}, {10, 10}}, rotation = 270)));
  Saltus.Electrical.Ground ground1 "Potential zero of the mains"
    annotation(Placement(transformation(extent = {{-70, -70}, {-50, -50}})));
  Saltus.Electrical.Ground ground2 "Potential zero of the meter"
    annotation(Placement(transformation(extent = {{20, -70}, {40, -50}})));
equation
  connect(mains.n, transformer.p1)
    annotation(Line(points = {{-60, 10}, {-60, 40}, {-40, 40}, {-40, 5}, {-20, 5}}, color = {0, 0, 255}));
  connect(transformer.n1, mains.p)
    annotation(Line(points = {{-20, -5}, {-40, -5}, {-40, -40}, {-60, -40}, {-60, -10}}, color = {0, 0, 255}));
  connect(mains.p, ground1.p) annotation(Line(points = {{-60, -10}, {-60, -50}}, color = {0, 0, 255}));
  connect(transformer.n2, ground2.p)
    annotation(Line(points = {{0, -5}, {10, -5}, {10, -40}, {30, -40}, {30, -50}}, color = {0, 0, 255}));
  connect(Lm.n, ground2.p) annotation(Line(points = {{30, -10}, {30, -50}}, color = {0, 0, 255}));
  connect(burden.n, ground2.p)
    annotation(Line(points = {{70, -10}, {70, -40}, {30, -40}, {30, -50}}, color = {0, 0, 255}));
  connect(transformer.p2, Lm.p)
    annotation(Line(points = {{0, 5}, {10, 5}, {10, 40}, {30, 40}, {30, 10}}, color = {0, 0, 255}));
  connect(Lm.p, burden.p) annotation(Line(points = {{30, 10}, {30, 40}, {70, 40}, {70, 10}}, color = {0, 0, 255}));
  annotation(experiment(StopTime = 0.3, Tolerance = 1e-8, Interval = 2e-4),
    Documentation(info = "<html>
<p>The conductor with the large current goes once through a core, the other coil has a thousand turns. Its current is
a thousandth, and makes one volt in a resistor of 10 ohms.</p>
<p>What to look at: <code>burden.v</code> is a picture of the large current, which hardly notices:
<code>transformer.v1</code> is a millivolt. The magnetising inductance <code>Lm</code> makes a small error of the
phase, two degrees, and takes a while to lose its direct current.</p>
</html>"));
end CurrentTransformer;

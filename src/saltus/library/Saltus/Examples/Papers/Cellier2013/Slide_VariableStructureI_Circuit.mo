within Saltus.Examples.Papers.Cellier2013;
model Slide_VariableStructureI_Circuit "The rectifier with an inductor in series, as a circuit"
  extends Saltus.Icons.Example;
  Saltus.Electrical.Sources.SineVoltage source(V = 10, f = 50)
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {-80, 0}, rotation = -90)));
  Saltus.Electrical.Resistor R_i(R = 1) "Of the source"
    annotation(Placement(transformation(extent = {{-65, 30}, {-45, 50}})));
  Saltus.Electrical.Inductor L(L = 0.01, i(start = 0, fixed = true)) "What is new in this circuit"
    annotation(Placement(transformation(extent = {{-25, 30}, {-5, 50}})));
  Saltus.Electrical.Diode D "Ideal"
    annotation(Placement(transformation(extent = {{15, 30}, {35, 50}})));
  Saltus.Electrical.Capacitor C(C = 1e-3, v(start = 0, fixed = true)) "Beside the load"
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {50, 0}, rotation = -90)));
  Saltus.Electrical.Resistor R_L(R = 50) "The load"
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {85, 0}, rotation = -90)));
  Saltus.Electrical.Ground ground
    annotation(Placement(transformation(extent = {{-90, -60}, {-70, -40}})));
equation
  connect(source.p, R_i.p)
    annotation(Line(points = {{-80, 10}, {-80, 40}, {-65, 40}}, color = {0, 0, 255}));
  connect(R_i.n, L.p)
    annotation(Line(points = {{-45, 40}, {-25, 40}}, color = {0, 0, 255}));
  connect(L.n, D.p)
    annotation(Line(points = {{-5, 40}, {15, 40}}, color = {0, 0, 255}));
  connect(D.n, C.p)
    annotation(Line(points = {{35, 40}, {50, 40}, {50, 10}}, color = {0, 0, 255}));
  connect(D.n, R_L.p)
    annotation(Line(points = {{35, 40}, {85, 40}, {85, 10}}, color = {0, 0, 255}));
  connect(C.n, source.n)
    annotation(Line(points = {{50, -10}, {50, -40}, {-80, -40}, {-80, -10}}, color = {0, 0, 255}));
  connect(R_L.n, source.n)
    annotation(Line(points = {{85, -10}, {85, -40}, {-80, -40}, {-80, -10}}, color = {0, 0, 255}));
  connect(ground.p, source.n)
    annotation(Line(points = {{-80, -40}, {-80, -10}}, color = {0, 0, 255}));
  annotation(
    experiment(StopTime = 0.1, Tolerance = 1e-8, Interval = 1e-4),
    Documentation(info = "<html>
<p>The circuit of the first slide, made of parts of the library: a source with a resistance, an inductor, an ideal
diode, and a capacitor beside the load.</p>
<p>What to look at: <code>D.i</code> is zero while the diode blocks, and <code>D.v</code> is zero while it conducts.
<code>Slide_VariableStructureI_IdealDiode</code> is the same with the nine equations of the lecture.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Cellier 2013",
      place = "slide Variable Structure Models, the circuit",
      passage = "The circuit of the lecture before is changed a little: an inductor is added in series with the
source. Everything that follows, the fixed causality, the division by zero, the leaky diode, comes from this one
part.",
      look = "Pulses of current that charge the capacitor, and a voltage of the load that falls in between. The
diode of the library is the ideal one, without any leak. The drawing is lost; this is the circuit after its
equations.",
      plot = {"D.i", "D.v", "C.v"}, modes = true, log = true)));
end Slide_VariableStructureI_Circuit;

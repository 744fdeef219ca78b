within Saltus.Examples.Papers.Mattsson1999;
model Fig1_DiodeCharacteristics "A real and an ideal diode at the same source"
  extends Saltus.Icons.Example;
  Saltus.Electrical.Sources.SineVoltage v0(V = 5, f = 50) "Feeds both"
    annotation(Placement(transformation(origin = {-80, 0}, extent = {{-10, 10}, {10, -10}}, rotation = 270)));
  Saltus.Electrical.Resistor R1(R = 10) "In front of the real diode"
    annotation(Placement(transformation(extent = {{-50, 20}, {-30, 40}})));
  Parts.RealDiode real_diode "Its current is a function of its voltage"
    annotation(Placement(transformation(origin = {-10, 0}, extent = {{-10, 10}, {10, -10}}, rotation = 270)));
  Saltus.Electrical.Resistor R2(R = 10) "In front of the ideal diode"
    annotation(Placement(transformation(extent = {{10, 50}, {30, 70}})));
  Parts.IdealDiode ideal_diode "Its characteristic has a corner"
    annotation(Placement(transformation(origin = {60, 0}, extent = {{-10, 10}, {10, -10}}, rotation = 270)));
  Saltus.Electrical.Ground ground "Potential zero"
    annotation(Placement(transformation(extent = {{-10, -70}, {10, -50}})));
equation
  connect(v0.p, R1.p) annotation(Line(points = {{-80, 10}, {-80, 30}, {-50, 30}}, color = {0, 0, 255}));
  connect(v0.p, R2.p) annotation(Line(points = {{-80, 10}, {-80, 60}, {10, 60}}, color = {0, 0, 255}));
  connect(R1.n, real_diode.p) annotation(Line(points = {{-30, 30}, {-10, 30}, {-10, 10}}, color = {0, 0, 255}));
  connect(R2.n, ideal_diode.p) annotation(Line(points = {{30, 60}, {60, 60}, {60, 10}}, color = {0, 0, 255}));
  connect(v0.n, ground.p)
    annotation(Line(points = {{-80, -10}, {-80, -40}, {0, -40}, {0, -50}}, color = {0, 0, 255}));
  connect(real_diode.n, ground.p)
    annotation(Line(points = {{-10, -10}, {-10, -40}, {0, -40}, {0, -50}}, color = {0, 0, 255}));
  connect(ideal_diode.n, ground.p)
    annotation(Line(points = {{60, -10}, {60, -40}, {0, -40}, {0, -50}}, color = {0, 0, 255}));
  annotation(
    experiment(StopTime = 0.04, Tolerance = 1e-8, Interval = 1e-4),
    Documentation(info = "<html>
<p>The same source and resistor in front of an exponential diode and of an ideal one.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Mattsson, Otter, Elmqvist 1999",
      place = "section 2, figure 1",
      passage = "A detailed model of a diode has no discontinuity: its current is a function of its voltage. Where the
details of switching do not matter the ideal characteristic is enough, and the paper says that this makes simulations
ten to a hundred times faster. But at u = 0 the current is no function of the voltage any more.",
      look = "The currents differ by the small forward voltage of the real diode; the ideal one has no voltage while
it conducts. The figure is a sketch without numbers; saturation current and voltages are ours.",
      plot = {"real_diode.v", "real_diode.i", "ideal_diode.v", "ideal_diode.i"}, modes = true, log = false)));
end Fig1_DiodeCharacteristics;

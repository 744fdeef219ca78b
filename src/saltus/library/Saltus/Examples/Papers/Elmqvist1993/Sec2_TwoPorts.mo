within Saltus.Examples.Papers.Elmqvist1993;
model Sec2_TwoPorts "Resistor, capacitor and inductor as specialisations of one class"
  extends Saltus.Icons.Example;
  Parts.VSource U0(u0 = 1) "One volt from the start"
    annotation(Placement(transformation(origin = {-60, 0}, extent = {{-10, 10}, {10, -10}}, rotation = 270)));
  Parts.Resistor R(R = 20) "Damps"
    annotation(Placement(transformation(extent = {{-40, 20}, {-20, 40}})));
  Parts.Inductor L(L = 0.1, i(start = 0, fixed = true)) "Its current is a state"
    annotation(Placement(transformation(extent = {{0, 20}, {20, 40}})));
  Parts.Capacitor C(C = 1e-4, u(start = 0, fixed = true)) "Its voltage is a state"
    annotation(Placement(transformation(origin = {60, 0}, extent = {{-10, 10}, {10, -10}}, rotation = 270)));
  Parts.Common common "Ground"
    annotation(Placement(transformation(extent = {{-10, -60}, {10, -40}})));
equation
  connect(U0.A, R.A) annotation(Line(points = {{-60, 10}, {-60, 30}, {-40, 30}}, color = {0, 0, 255}));
  connect(R.B, L.A) annotation(Line(points = {{-20, 30}, {0, 30}}, color = {0, 0, 255}));
  connect(L.B, C.A) annotation(Line(points = {{20, 30}, {60, 30}, {60, 10}}, color = {0, 0, 255}));
  connect(C.B, common.P) annotation(Line(points = {{60, -10}, {60, -30}, {0, -30}, {0, -40}}, color = {0, 0, 255}));
  connect(U0.B, common.P)
    annotation(Line(points = {{-60, -10}, {-60, -30}, {0, -30}, {0, -40}}, color = {0, 0, 255}));
  annotation(
    experiment(StopTime = 0.06, Tolerance = 1e-9, Interval = 1e-4),
    Documentation(info = "<html>
<p>A series circuit of the three elements, switched to one volt. It rings with 300 rad/s and decays with a time
constant of 10 ms.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Elmqvist, Cellier, Otter 1993",
      place = "section 2, classes TwoPort, Resistor, Capacitor, Inductor",
      passage = "What elements with two ends have in common is said once, in a class TwoPort with two cuts, a voltage
and a current. Resistor, capacitor and inductor inherit it, and each adds a parameter and a single equation. Cuts
group variables: potentials are equal where elements meet, and currents sum to zero.",
      look = "A damped oscillation of voltage and current. The paper shows the classes without a circuit; the values
are ours.",
      plot = {"C.u", "L.i"}, modes = false, log = false)));
end Sec2_TwoPorts;

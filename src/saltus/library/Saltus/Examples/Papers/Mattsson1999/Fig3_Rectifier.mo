within Saltus.Examples.Papers.Mattsson1999;
model Fig3_Rectifier "The simple rectifier circuit"
  extends Saltus.Icons.Example;
  Saltus.Electrical.Sources.SineVoltage v0(V = 10, f = 50) "Generator"
    annotation(Placement(transformation(origin = {-70, 0}, extent = {{-10, 10}, {10, -10}}, rotation = 270)));
  Saltus.Electrical.Resistor R1(R = 10) "Between generator and diode"
    annotation(Placement(transformation(extent = {{-50, 20}, {-30, 40}})));
  Parts.IdealDiode diode "Curve with the parameter s"
    annotation(Placement(transformation(extent = {{-20, 20}, {0, 40}})));
  Saltus.Electrical.Capacitor C(C = 1e-3, v(start = 0, fixed = true)) "Its voltage v2 is the state"
    annotation(Placement(transformation(origin = {30, 0}, extent = {{-10, 10}, {10, -10}}, rotation = 270)));
  Saltus.Electrical.Resistor R2(R = 50) "Load"
    annotation(Placement(transformation(origin = {70, 0}, extent = {{-10, 10}, {10, -10}}, rotation = 270)));
  Saltus.Electrical.Ground ground "Potential zero"
    annotation(Placement(transformation(extent = {{-10, -60}, {10, -40}})));
equation
  connect(v0.p, R1.p) annotation(Line(points = {{-70, 10}, {-70, 30}, {-50, 30}}, color = {0, 0, 255}));
  connect(R1.n, diode.p) annotation(Line(points = {{-30, 30}, {-20, 30}}, color = {0, 0, 255}));
  connect(diode.n, C.p) annotation(Line(points = {{0, 30}, {30, 30}, {30, 10}}, color = {0, 0, 255}));
  connect(diode.n, R2.p) annotation(Line(points = {{0, 30}, {70, 30}, {70, 10}}, color = {0, 0, 255}));
  connect(v0.n, ground.p)
    annotation(Line(points = {{-70, -10}, {-70, -30}, {0, -30}, {0, -40}}, color = {0, 0, 255}));
  connect(C.n, ground.p) annotation(Line(points = {{30, -10}, {30, -30}, {0, -30}, {0, -40}}, color = {0, 0, 255}));
  connect(R2.n, ground.p) annotation(Line(points = {{70, -10}, {70, -30}, {0, -30}, {0, -40}}, color = {0, 0, 255}));
  annotation(
    experiment(StopTime = 0.06, Tolerance = 1e-9, Interval = 1e-4),
    Documentation(info = "<html>
<p>Generator, resistor, diode, and a load with a capacitor. <code>saltus explain</code> shows the coupled equations
around the diode.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Mattsson, Otter, Elmqvist 1999",
      place = "section 3, figure 3, continuous simulation and event detection",
      passage = "With the voltage of the capacitor known, five equations for off, s, the voltage and the current of
the diode and v1 are coupled; what remains are assignments. While the solver integrates, off is kept and its equation
is not evaluated; s is watched, and where it crosses zero the integration is halted.",
      look = "One event for each change of the diode, where s crosses zero; before and after it s is a current or a
voltage. The paper gives no values; ours are those of the rectifier of 1993 with ten volts.",
      plot = {"C.v", "diode.s", "diode.i"}, modes = true, log = true)));
end Fig3_Rectifier;

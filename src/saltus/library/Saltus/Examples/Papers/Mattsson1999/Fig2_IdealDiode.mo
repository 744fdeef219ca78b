within Saltus.Examples.Papers.Mattsson1999;
model Fig2_IdealDiode "The ideal diode as a curve with the parameter s"
  extends Saltus.Icons.Example;
  Saltus.Electrical.Sources.SineVoltage v0(V = 1, f = 1) "Goes to and fro"
    annotation(Placement(transformation(origin = {-60, 0}, extent = {{-10, 10}, {10, -10}}, rotation = 270)));
  Saltus.Electrical.Resistor R(R = 2) "Lets source and diode have different voltages"
    annotation(Placement(transformation(extent = {{-30, 20}, {-10, 40}})));
  Parts.IdealDiode diode "Three equations"
    annotation(Placement(transformation(origin = {60, 0}, extent = {{-10, 10}, {10, -10}}, rotation = 270)));
  Saltus.Electrical.Ground ground "Potential zero"
    annotation(Placement(transformation(extent = {{-10, -60}, {10, -40}})));
equation
  connect(v0.p, R.p) annotation(Line(points = {{-60, 10}, {-60, 30}, {-30, 30}}, color = {0, 0, 255}));
  connect(R.n, diode.p) annotation(Line(points = {{-10, 30}, {60, 30}, {60, 10}}, color = {0, 0, 255}));
  connect(diode.n, ground.p)
    annotation(Line(points = {{60, -10}, {60, -30}, {0, -30}, {0, -40}}, color = {0, 0, 255}));
  connect(v0.n, ground.p)
    annotation(Line(points = {{-60, -10}, {-60, -30}, {0, -30}, {0, -40}}, color = {0, 0, 255}));
  annotation(
    experiment(StopTime = 2, Tolerance = 1e-8, Interval = 0.01),
    Documentation(info = "<html>
<p>Where <code>s</code> is negative it is the voltage, where it is positive it is the current.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Mattsson, Otter, Elmqvist 1999",
      place = "section 2, figure 2",
      passage = "A curve can be described by a parameter s: u is s and i is zero where s is negative (off = s < 0),
and u is zero and i is s elsewhere. This describes the ideal diode uniquely and in a declarative way, without any
algorithm. That the solver finds the mode follows from a mixed system of continuous and discrete equations at
events.",
      look = "s runs along the corner without a break, while v and i take turns: s is the wave of 1 V while it is
negative, and half of it while it is positive, the current through 2 ohm.",
      plot = {"diode.s", "diode.v", "diode.i"}, modes = true, log = true)));
end Fig2_IdealDiode;

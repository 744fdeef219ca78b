within Saltus.Examples.Electrical;
model InvertingAmplifier "An amplifier is asked for more than it can give"
  extends Saltus.Icons.Example;
  Saltus.Electrical.Sources.SineVoltage V(V = 5, f = 50) "Input"
    annotation(Placement(transformation(origin = {-80, 0}, extent = {{-10, -10}, {10, 10}}, rotation = 270)));
  Saltus.Electrical.Resistor R1(R = 1000) "Makes a current of the input"
    annotation(Placement(transformation(extent = {{-60, 15}, {-40, 35}})));
  Saltus.Electrical.OperationalAmplifier amplifier(Vmax = 10) "Keeps its inputs equal, if it can"
    annotation(Placement(transformation(extent = {{0, 10}, {20, 30}})));
  Saltus.Electrical.Resistor R2(R = 3000) "Feedback"
    annotation(Placement(transformation(extent = {{0, 50}, {20, 70}})));
  Saltus.Electrical.Resistor load(R = 500) "Output"
    annotation(Placement(transformation(origin = {70, 0}, extent = {{-10, -10}, {10, 10}}, rotation = 270)));
  Saltus.Electrical.Ground ground "Potential zero"
    annotation(Placement(transformation(extent = {{-90, -70}, {-70, -50}})));
equation
  connect(V.p, R1.p) annotation(Line(points = {{-80, 10}, {-80, 25}, {-60, 25}}, color = {0, 0, 255}));
  connect(R1.n, amplifier.minus) annotation(Line(points = {{-40, 25}, {0, 25}}, color = {0, 0, 255}));
  connect(amplifier.minus, R2.p)
    annotation(Line(points = {{0, 25}, {-20, 25}, {-20, 60}, {0, 60}}, color = {0, 0, 255}));
  connect(R2.n, amplifier.out) annotation(Line(points = {{20, 60}, {40, 60}, {40, 20}, {20, 20}}, color = {0, 0, 255}));
  connect(amplifier.out, load.p) annotation(Line(points = {{20, 20}, {70, 20}, {70, 10}}, color = {0, 0, 255}));
  connect(amplifier.plus, ground.p)
    annotation(Line(points = {{0, 15}, {-20, 15}, {-20, -40}, {-80, -40}, {-80, -50}}, color = {0, 0, 255}));
  connect(load.n, V.n) annotation(Line(points = {{70, -10}, {70, -40}, {-80, -40}, {-80, -10}}, color = {0, 0, 255}));
  connect(V.n, ground.p) annotation(Line(points = {{-80, -10}, {-80, -50}}, color = {0, 0, 255}));
  annotation(experiment(StopTime = 0.04, Tolerance = 1e-8, Interval = 1e-4),
    Documentation(info = "<html>
<p>The operational amplifier keeps its inputs equal, so the input current V/R1 flows on through R2, and the output is
-3 times the input.</p>
<p>What to look at: <code>amplifier.out.v</code> is cut off at 10 V. As long as it is, the inputs are not equal: see
<code>amplifier.v</code>. The corners are events, and between them the equations are those of a circuit without an
amplifier.</p>
</html>"));
end InvertingAmplifier;

within Saltus.Examples.Electrical;
model Comparator "Which voltage is larger?"
  extends Saltus.Icons.Example;
  Saltus.Electrical.Sources.SineVoltage sine(V = 4, f = 100) "Compared"
    annotation(Placement(transformation(origin = {-80, -10}, extent = {{-10, -10}, {10, 10}}, rotation = 270)));
  Saltus.Electrical.Sources.RampVoltage ramp(V = 10, duration = 0.1, offset = -5) "With this"
    annotation(Placement(transformation(origin = {-40, 0}, extent = {{-10, -10}, {10, 10}}, rotation = 270)));
  Saltus.Electrical.OperationalAmplifier comparator(Vmax = 5, Vmin = 0) "Without feedback"
    annotation(Placement(transformation(extent = {{0, 10}, {20, 30}})));
  Saltus.Electrical.Resistor load(R = 1000) "Output"
    annotation(Placement(transformation(origin = {60, 0}, extent = {{-10, -10}, {10, 10}}, rotation = 270)));
  Saltus.Electrical.Ground ground "Potential zero"
    annotation(Placement(transformation(extent = {{-90, -70}, {-70, -50}})));
equation
  connect(ramp.p, comparator.minus) annotation(Line(points = {{-40, 10}, {-40, 25}, {0, 25}}, color = {0, 0, 255}));
  connect(sine.p, comparator.plus) annotation(Line(points = {{-80, 0}, {-80, 15}, {0, 15}}, color = {0, 0, 255}));
  connect(comparator.out, load.p) annotation(Line(points = {{20, 20}, {60, 20}, {60, 10}}, color = {0, 0, 255}));
  connect(load.n, ground.p)
    annotation(Line(points = {{60, -10}, {60, -40}, {-80, -40}, {-80, -50}}, color = {0, 0, 255}));
  connect(ramp.n, ground.p)
    annotation(Line(points = {{-40, -10}, {-40, -40}, {-80, -40}, {-80, -50}}, color = {0, 0, 255}));
  connect(sine.n, ground.p) annotation(Line(points = {{-80, -20}, {-80, -50}}, color = {0, 0, 255}));
  annotation(experiment(StopTime = 0.1, Tolerance = 1e-8, Interval = 2e-4),
    Documentation(info = "<html>
<p>An operational amplifier without feedback compares: its output is at the upper limit while <code>plus</code> is
above <code>minus</code>.</p>
<p>What to look at: the output <code>comparator.out.v</code>. As the ramp rises, the pulses become shorter, until the
sine does not reach it any more. With a sawtooth in place of the ramp this makes pulse width modulation.</p>
</html>"));
end Comparator;

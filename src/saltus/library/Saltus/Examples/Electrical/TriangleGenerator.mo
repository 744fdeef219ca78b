within Saltus.Examples.Electrical;
model TriangleGenerator "Two amplifiers make triangles and squares"
  extends Saltus.Icons.Example;
  Saltus.Electrical.OperationalAmplifier trigger(Vmax = 10, s(start = 20)) "Feedback to plus: begins high"
    annotation(Placement(transformation(extent = {{-40, 10}, {-20, 30}})));
  Saltus.Electrical.Resistor R1(R = 10e3) "From the ramp"
    annotation(Placement(transformation(extent = {{-80, 5}, {-60, 25}})));
  Saltus.Electrical.Resistor R2(R = 20e3) "From the output of the trigger"
    annotation(Placement(transformation(extent = {{-40, -30}, {-20, -10}})));
  Saltus.Electrical.Resistor R3(R = 10e3) "Current to be integrated"
    annotation(Placement(transformation(extent = {{5, 10}, {25, 30}})));
  Saltus.Electrical.OperationalAmplifier integrator(Vmax = 10) "Keeps its input at zero"
    annotation(Placement(transformation(extent = {{50, 5}, {70, 25}})));
  Saltus.Electrical.Capacitor C(C = 50e-9, v(start = 0, fixed = true)) "Its voltage is the ramp"
    annotation(Placement(transformation(extent = {{50, 40}, {70, 60}})));
  Saltus.Electrical.Ground ground1 "Of the trigger"
    annotation(Placement(transformation(origin = {-70, 50}, extent = {{-10, -10}, {10, 10}}, rotation = 180)));
  Saltus.Electrical.Ground ground2 "Of the integrator"
    annotation(Placement(transformation(extent = {{20, -50}, {40, -30}})));
equation
  connect(R1.n, trigger.plus) annotation(Line(points = {{-60, 15}, {-40, 15}}, color = {0, 0, 255}));
  connect(trigger.plus, R2.p)
    annotation(Line(points = {{-40, 15}, {-48, 15}, {-48, -20}, {-40, -20}}, color = {0, 0, 255}));
  connect(R2.n, trigger.out)
    annotation(Line(points = {{-20, -20}, {-10, -20}, {-10, 20}, {-20, 20}}, color = {0, 0, 255}));
  connect(trigger.out, R3.p) annotation(Line(points = {{-20, 20}, {5, 20}}, color = {0, 0, 255}));
  connect(R3.n, integrator.minus) annotation(Line(points = {{25, 20}, {50, 20}}, color = {0, 0, 255}));
  connect(integrator.minus, C.p)
    annotation(Line(points = {{50, 20}, {35, 20}, {35, 50}, {50, 50}}, color = {0, 0, 255}));
  connect(C.n, integrator.out) annotation(Line(points = {{70, 50}, {85, 50}, {85, 15}, {70, 15}}, color = {0, 0, 255}));
  connect(integrator.plus, ground2.p) annotation(Line(points = {{50, 10}, {30, 10}, {30, -30}}, color = {0, 0, 255}));
  connect(trigger.minus, ground1.p)
    annotation(Line(points = {{-40, 25}, {-48, 25}, {-48, 35}, {-70, 35}, {-70, 40}}, color = {0, 0, 255}));
  connect(integrator.out, R1.p)
    annotation(Line(points = {{70, 15}, {85, 15}, {85, -70}, {-90, -70}, {-90, 15}, {-80, 15}}, color = {0, 0, 255}));
  annotation(experiment(StopTime = 5e-3, Tolerance = 1e-8, Interval = 5e-6),
    Documentation(info = "<html>
<p>An integrator makes a ramp of what a trigger gives it, and the trigger turns over when the ramp has reached half of
its output. Nothing is clocked.</p>
<p>What to look at: <code>integrator.out.v</code>, triangles of 5 V, and <code>trigger.out.v</code>, squares of 10 V.
The period is <code>4*R3*C*R1/R2</code>, one millisecond. Try <code>R1.R</code> and <code>R3.R</code>.</p>
</html>"));
end TriangleGenerator;

within Saltus.Examples.Electrical;
model SchmittTrigger "Positive feedback ignores a ripple"
  extends Saltus.Icons.Example;
  Saltus.Blocks.Sources.Sine slow(amplitude = 4, f = 1) "What is meant"
    annotation(Placement(transformation(extent = {{-100, 10}, {-80, 30}})));
  Saltus.Blocks.Sources.Sine ripple(amplitude = 0.8, f = 37) "What disturbs"
    annotation(Placement(transformation(extent = {{-100, -30}, {-80, -10}})));
  Saltus.Blocks.Math.Add sum "Both together"
    annotation(Placement(transformation(extent = {{-70, -10}, {-50, 10}})));
  Saltus.Electrical.Sources.SignalVoltage V "Input"
    annotation(Placement(transformation(origin = {-30, 0}, extent = {{-10, -10}, {10, 10}}, rotation = 270)));
  Saltus.Electrical.OperationalAmplifier plain(Vmax = 10) "Compares with zero"
    annotation(Placement(transformation(extent = {{10, 60}, {30, 80}})));
  Saltus.Electrical.Resistor load(R = 1000) "Output of the plain one"
    annotation(Placement(transformation(origin = {85, 40}, extent = {{-10, -10}, {10, 10}}, rotation = 270)));
  Saltus.Electrical.OperationalAmplifier trigger(Vmax = 10, s(start = 20))
    "Compares with a part of its output; begins high"
    annotation(Placement(transformation(extent = {{10, 5}, {30, 25}})));
  Saltus.Electrical.Resistor R2(R = 3000) "Feedback"
    annotation(Placement(transformation(origin = {50, -15}, extent = {{-10, -10}, {10, 10}}, rotation = 270)));
  Saltus.Electrical.Resistor R1(R = 1000) "A quarter of the output is left here"
    annotation(Placement(transformation(origin = {50, -55}, extent = {{-10, -10}, {10, 10}}, rotation = 270)));
  Saltus.Electrical.Ground ground "Potential zero"
    annotation(Placement(transformation(extent = {{-40, -90}, {-20, -70}})));
equation
  connect(slow.y, sum.u1) annotation(Line(points = {{-79, 20}, {-76, 20}, {-76, 6}, {-72, 6}}, color = {0, 0, 127}));
  connect(ripple.y, sum.u2)
    annotation(Line(points = {{-79, -20}, {-76, -20}, {-76, -6}, {-72, -6}}, color = {0, 0, 127}));
  connect(sum.y, V.u) annotation(Line(points = {{-49, 0}, {-42, 0}}, color = {0, 0, 127}));
  connect(V.p, trigger.minus) annotation(Line(points = {{-30, 10}, {-30, 20}, {10, 20}}, color = {0, 0, 255}));
  connect(V.p, plain.minus) annotation(Line(points = {{-30, 10}, {-30, 75}, {10, 75}}, color = {0, 0, 255}));
  connect(plain.plus, ground.p)
    annotation(Line(points = {{10, 65}, {-10, 65}, {-10, -70}, {-30, -70}}, color = {0, 0, 255}));
  connect(plain.out, load.p) annotation(Line(points = {{30, 70}, {85, 70}, {85, 50}}, color = {0, 0, 255}));
  connect(load.n, ground.p) annotation(Line(points = {{85, 30}, {85, -70}, {-30, -70}}, color = {0, 0, 255}));
  connect(trigger.out, R2.p) annotation(Line(points = {{30, 15}, {50, 15}, {50, -5}}, color = {0, 0, 255}));
  connect(R2.n, R1.p) annotation(Line(points = {{50, -25}, {50, -45}}, color = {0, 0, 255}));
  connect(R1.p, trigger.plus)
    annotation(Line(points = {{50, -45}, {50, -35}, {0, -35}, {0, 10}, {10, 10}}, color = {0, 0, 255}));
  connect(R1.n, ground.p) annotation(Line(points = {{50, -65}, {50, -70}, {-30, -70}}, color = {0, 0, 255}));
  connect(V.n, ground.p) annotation(Line(points = {{-30, -10}, {-30, -70}}, color = {0, 0, 255}));
  annotation(experiment(StopTime = 2, Tolerance = 1e-8, Interval = 1e-3),
    Documentation(info = "<html>
<p>A slow sine with a fast ripple is to be made a square wave. A plain comparator switches several times at each
crossing. If a quarter of the output is the threshold, it moves away when it is crossed.</p>
<p>What to look at: <code>plain.out.v</code> flickers, <code>trigger.out.v</code> changes twice in a period, when the
input reaches 2.5 V and -2.5 V. There is no memory in the amplifier: it is the circuit that has two solutions, and
stays with one of them as long as it exists.</p>
</html>"));
end SchmittTrigger;

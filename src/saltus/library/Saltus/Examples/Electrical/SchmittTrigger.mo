within Saltus.Examples.Electrical;
model SchmittTrigger "Positive feedback ignores a ripple"
  extends Saltus.Icons.Example;
  Saltus.Electrical.Sources.SignalVoltage V(u = signal) "Input"
    annotation(Placement(transformation(extent = {{-90, -10}, {-70, 10}}, rotation = 270)));
  Saltus.Electrical.OperationalAmplifier plain(Vmax = 10) "Compares with zero"
    annotation(Placement(transformation(extent = {{0, 60}, {20, 80}})));
  Saltus.Electrical.Resistor load(R = 1000) "Output of the plain one"
    annotation(Placement(transformation(extent = {{70, 30}, {90, 50}}, rotation = 270)));
  Saltus.Electrical.OperationalAmplifier trigger(Vmax = 10, s(start = 20))
    "Compares with a part of its output; begins high"
    annotation(Placement(transformation(extent = {{0, 5}, {20, 25}})));
  Saltus.Electrical.Resistor R2(R = 3000) "Feedback"
    annotation(Placement(transformation(extent = {{30, -25}, {50, -5}}, rotation = 270)));
  Saltus.Electrical.Resistor R1(R = 1000) "A quarter of the output is left here"
    annotation(Placement(transformation(extent = {{30, -65}, {50, -45}}, rotation = 270)));
  Saltus.Electrical.Ground ground "Potential zero"
    annotation(Placement(transformation(extent = {{-90, -90}, {-70, -70}})));
  parameter Saltus.Units.Time T = 1 "Period of the slow part";
  parameter Saltus.Units.Voltage slow = 4 "Amplitude of the slow part";
  parameter Saltus.Units.Voltage fast = 0.8 "Amplitude of the ripple";
  Saltus.Units.Voltage signal = slow*sin(2*Saltus.Units.pi*time/T) + fast*sin(74*Saltus.Units.pi*time/T) "Input";
equation
  connect(V.p, trigger.minus) annotation(Line(points = {{-80, 10}, {-80, 20}, {0, 20}}, color = {0, 0, 255}));
  connect(V.p, plain.minus) annotation(Line(points = {{-80, 10}, {-80, 75}, {0, 75}}, color = {0, 0, 255}));
  connect(plain.plus, ground.p)
    annotation(Line(points = {{0, 65}, {-30, 65}, {-30, -70}, {-80, -70}}, color = {0, 0, 255}));
  connect(plain.out, load.p) annotation(Line(points = {{20, 70}, {80, 70}, {80, 50}}, color = {0, 0, 255}));
  connect(load.n, ground.p) annotation(Line(points = {{80, 30}, {80, -70}, {-80, -70}}, color = {0, 0, 255}));
  connect(trigger.out, R2.p) annotation(Line(points = {{20, 15}, {40, 15}, {40, -5}}, color = {0, 0, 255}));
  connect(R2.n, R1.p) annotation(Line(points = {{40, -25}, {40, -45}}, color = {0, 0, 255}));
  connect(R1.p, trigger.plus)
    annotation(Line(points = {{40, -45}, {40, -35}, {-10, -35}, {-10, 10}, {0, 10}}, color = {0, 0, 255}));
  connect(R1.n, ground.p) annotation(Line(points = {{40, -65}, {40, -70}, {-80, -70}}, color = {0, 0, 255}));
  connect(V.n, ground.p) annotation(Line(points = {{-80, -10}, {-80, -70}}, color = {0, 0, 255}));
  annotation(experiment(StopTime = 2, Tolerance = 1e-8, Interval = 1e-3),
    Documentation(info = "<html>
<p>A slow sine with a fast ripple is to be made a square wave. A plain comparator switches several times at each
crossing. If a quarter of the output is the threshold, it moves away when it is crossed.</p>
<p>What to look at: <code>plain.out.v</code> flickers, <code>trigger.out.v</code> changes twice in a period, when the
input reaches 2.5 V and -2.5 V. There is no memory in the amplifier: it is the circuit that has two solutions, and
stays with one of them as long as it exists.</p>
</html>"));
end SchmittTrigger;

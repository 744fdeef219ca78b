within Saltus.Examples.Electrical;
model FrequencySweep "A resonant circuit is driven with a rising frequency"
  extends Saltus.Icons.Example;
  Saltus.Electrical.Sources.SignalCurrent source(u = I*sin(phase)) "Sweeps"
    annotation(Placement(transformation(extent = {{-70, -10}, {-50, 10}}, rotation = 90)));
  Saltus.Electrical.Resistor R(R = 1000) "Damps: a resonance of about 60 Hz width"
    annotation(Placement(transformation(extent = {{-30, -10}, {-10, 10}}, rotation = 270)));
  Saltus.Electrical.Inductor L(L = 10e-3, i(start = 0, fixed = true)) "Takes the current at low frequencies"
    annotation(Placement(transformation(extent = {{10, -10}, {30, 10}}, rotation = 270)));
  Saltus.Electrical.Capacitor C(C = 2.533e-6, v(start = 0, fixed = true)) "Takes the current at high frequencies"
    annotation(Placement(transformation(extent = {{50, -10}, {70, 10}}, rotation = 270)));
  Saltus.Electrical.Ground ground "Potential zero"
    annotation(Placement(transformation(extent = {{-70, -70}, {-50, -50}})));
  parameter Saltus.Units.Current I = 1e-3 "Amplitude of the current";
  parameter Saltus.Units.Frequency f0 = 500 "Frequency at the beginning";
  parameter Real rate(unit = "Hz/s") = 5000 "How fast the frequency rises";
  Saltus.Units.Frequency f = f0 + rate*time "Frequency now";
  Saltus.Units.Angle phase(start = 0, fixed = true) "Phase of the current";
equation
  der(phase) = 2*Saltus.Units.pi*f;
  connect(source.n, R.p) annotation(Line(points = {{-60, 10}, {-60, 40}, {-20, 40}, {-20, 10}}, color = {0, 0, 255}));
  connect(source.n, L.p) annotation(Line(points = {{-60, 10}, {-60, 40}, {20, 40}, {20, 10}}, color = {0, 0, 255}));
  connect(source.n, C.p) annotation(Line(points = {{-60, 10}, {-60, 40}, {60, 40}, {60, 10}}, color = {0, 0, 255}));
  connect(R.n, source.p)
    annotation(Line(points = {{-20, -10}, {-20, -40}, {-60, -40}, {-60, -10}}, color = {0, 0, 255}));
  connect(L.n, source.p) annotation(Line(points = {{20, -10}, {20, -40}, {-60, -40}, {-60, -10}}, color = {0, 0, 255}));
  connect(C.n, source.p) annotation(Line(points = {{60, -10}, {60, -40}, {-60, -40}, {-60, -10}}, color = {0, 0, 255}));
  connect(source.p, ground.p) annotation(Line(points = {{-60, -10}, {-60, -50}}, color = {0, 0, 255}));
  annotation(experiment(StopTime = 0.2, Tolerance = 1e-7, Interval = 5e-5),
    Documentation(info = "<html>
<p>A current of one milliampere sweeps from 500 Hz to 1500 Hz in 0.2 s.</p>
<p>What to look at: the voltage <code>C.v</code> grows to nearly a volt where the frequency <code>f</code> passes 1
kHz, a little after 0.1 s, and beats with the dying resonance afterwards. Away from it nearly all of the current flows
in <code>L</code> or <code>C</code>.</p>
</html>"));
end FrequencySweep;

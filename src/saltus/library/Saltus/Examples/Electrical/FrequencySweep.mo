within Saltus.Examples.Electrical;
model FrequencySweep "A resonant circuit is driven with a rising frequency"
  extends Saltus.Icons.Example;
  Saltus.Blocks.Sources.Chirp sweep(amplitude = 1e-3, f1 = 500, f2 = 1500, duration = 0.2)
    "The current that is asked for"
    annotation(Placement(transformation(extent = {{-95, -10}, {-75, 10}})));
  Saltus.Electrical.Sources.SignalCurrent source "Drives it into the circuit"
    annotation(Placement(transformation(origin = {-50, 0}, extent = {{-10, 10}, {10, -10}}, rotation = 90)));
  Saltus.Electrical.Resistor R(R = 1000) "Damps: a resonance of about 60 Hz width"
    annotation(Placement(transformation(origin = {-10, 0}, extent = {{-10, -10}, {10, 10}}, rotation = 270)));
  Saltus.Electrical.Inductor L(L = 10e-3, i(start = 0, fixed = true)) "Takes the current at low frequencies"
    annotation(Placement(transformation(origin = {30, 0}, extent = {{-10, -10}, {10, 10}}, rotation = 270)));
  Saltus.Electrical.Capacitor C(C = 2.533e-6, v(start = 0, fixed = true)) "Takes the current at high frequencies"
    annotation(Placement(transformation(origin = {70, 0}, extent = {{-10, -10}, {10, 10}}, rotation = 270)));
  Saltus.Electrical.Ground ground "Potential zero"
    annotation(Placement(transformation(extent = {{-60, -70}, {-40, -50}})));
equation
  connect(sweep.y, source.u) annotation(Line(points = {{-74, 0}, {-62, 0}}, color = {0, 0, 127}));
  connect(source.n, R.p) annotation(Line(points = {{-50, 10}, {-50, 40}, {-10, 40}, {-10, 10}}, color = {0, 0, 255}));
  connect(source.n, L.p) annotation(Line(points = {{-50, 10}, {-50, 40}, {30, 40}, {30, 10}}, color = {0, 0, 255}));
  connect(source.n, C.p) annotation(Line(points = {{-50, 10}, {-50, 40}, {70, 40}, {70, 10}}, color = {0, 0, 255}));
  connect(R.n, source.p)
    annotation(Line(points = {{-10, -10}, {-10, -40}, {-50, -40}, {-50, -10}}, color = {0, 0, 255}));
  connect(L.n, source.p) annotation(Line(points = {{30, -10}, {30, -40}, {-50, -40}, {-50, -10}}, color = {0, 0, 255}));
  connect(C.n, source.p) annotation(Line(points = {{70, -10}, {70, -40}, {-50, -40}, {-50, -10}}, color = {0, 0, 255}));
  connect(source.p, ground.p) annotation(Line(points = {{-50, -10}, {-50, -50}}, color = {0, 0, 255}));
  annotation(experiment(StopTime = 0.2, Tolerance = 1e-7, Interval = 5e-5),
    Documentation(info = "<html>
<p>A current of one milliampere sweeps from 500 Hz to 1500 Hz in 0.2 s.</p>
<p>What to look at: the voltage <code>C.v</code> grows to nearly a volt where the frequency passes 1 kHz, a little
after 0.1 s, and beats with the dying resonance afterwards. Away from it nearly all of the current flows in
<code>L</code> or <code>C</code>.</p>
</html>"));
end FrequencySweep;

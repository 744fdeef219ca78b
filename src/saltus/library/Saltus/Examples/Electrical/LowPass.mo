within Saltus.Examples.Electrical;
model LowPass "A resistor and a capacitor smooth pulses"
  extends Saltus.Icons.Example;
  Saltus.Electrical.Sources.PulseVoltage V(V = 5, period = 1e-3, width = 0.4) "Pulses of 0.4 ms, once in a millisecond"
    annotation(Placement(transformation(origin = {-60, 0}, extent = {{-10, -10}, {10, 10}}, rotation = 270)));
  Saltus.Electrical.Resistor R(R = 1000) "Lets the capacitor charge slowly"
    annotation(Placement(transformation(extent = {{-30, 30}, {-10, 50}})));
  Saltus.Electrical.Capacitor C(C = 1e-6, v(start = 0, fixed = true)) "Smooths"
    annotation(Placement(transformation(origin = {20, 0}, extent = {{-10, -10}, {10, 10}}, rotation = 270)));
  Saltus.Electrical.Sensors.VoltageSensor sensor "Shows the output"
    annotation(Placement(transformation(origin = {60, 0}, extent = {{-10, -10}, {10, 10}}, rotation = 270)));
  Saltus.Electrical.Ground ground "Potential zero"
    annotation(Placement(transformation(extent = {{-70, -70}, {-50, -50}})));
equation
  connect(V.p, R.p) annotation(Line(points = {{-60, 10}, {-60, 40}, {-30, 40}}, color = {0, 0, 255}));
  connect(R.n, C.p) annotation(Line(points = {{-10, 40}, {20, 40}, {20, 10}}, color = {0, 0, 255}));
  connect(R.n, sensor.p) annotation(Line(points = {{-10, 40}, {60, 40}, {60, 10}}, color = {0, 0, 255}));
  connect(C.n, V.n) annotation(Line(points = {{20, -10}, {20, -40}, {-60, -40}, {-60, -10}}, color = {0, 0, 255}));
  connect(sensor.n, C.n) annotation(Line(points = {{60, -10}, {60, -40}, {20, -40}, {20, -10}}, color = {0, 0, 255}));
  connect(V.n, ground.p) annotation(Line(points = {{-60, -10}, {-60, -50}}, color = {0, 0, 255}));
  annotation(experiment(StopTime = 0.01, Tolerance = 1e-8, Interval = 1e-5),
    Documentation(info = "<html>
<p>What to look at: <code>C.v</code> and <code>V.v</code>. The capacitor follows the pulses with the time constant R*C
of one millisecond, so of pulses that are as short as that a ripple is left, around their mean of 2 V.</p>
<p>Try <code>C.C = 1e-7</code>: the output follows the edges. Or <code>C.C = 1e-5</code>: it is nearly constant.</p>
</html>"));
end LowPass;

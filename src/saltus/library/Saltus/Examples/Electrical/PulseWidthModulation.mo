within Saltus.Examples.Electrical;
model PulseWidthModulation "A switched voltage drives a smooth current"
  extends Saltus.Icons.Example;
  Saltus.Electrical.Sources.PWMVoltage V(V = 24, period = 1e-4, duty = duty) "On and off, ten thousand times a second"
    annotation(Placement(transformation(extent = {{-70, -10}, {-50, 10}}, rotation = 270)));
  Saltus.Electrical.Resistor R(R = 1) "Of the coil"
    annotation(Placement(transformation(extent = {{-30, 30}, {-10, 50}})));
  Saltus.Electrical.Inductor L(L = 2e-3, i(start = 12, fixed = true)) "Of the coil"
    annotation(Placement(transformation(extent = {{10, 30}, {30, 50}})));
  Saltus.Electrical.Sensors.CurrentSensor sensor "Shows the current"
    annotation(Placement(transformation(extent = {{50, -10}, {70, 10}}, rotation = 270)));
  Saltus.Electrical.Ground ground "Potential zero"
    annotation(Placement(transformation(extent = {{-70, -70}, {-50, -50}})));
  parameter Saltus.Units.Frequency f = 50 "Frequency of the duty cycle";
  Saltus.Units.Ratio duty = 0.5 + 0.4*sin(2*Saltus.Units.pi*f*time) "Duty cycle that is asked for";
  Saltus.Units.Voltage mean = V.V*duty "What the source gives on average";
equation
  connect(V.p, R.p) annotation(Line(points = {{-60, 10}, {-60, 40}, {-30, 40}}, color = {0, 0, 255}));
  connect(R.n, L.p) annotation(Line(points = {{-10, 40}, {10, 40}}, color = {0, 0, 255}));
  connect(L.n, sensor.p) annotation(Line(points = {{30, 40}, {60, 40}, {60, 10}}, color = {0, 0, 255}));
  connect(sensor.n, V.n) annotation(Line(points = {{60, -10}, {60, -40}, {-60, -40}, {-60, -10}}, color = {0, 0, 255}));
  connect(V.n, ground.p) annotation(Line(points = {{-60, -10}, {-60, -50}}, color = {0, 0, 255}));
  annotation(experiment(StopTime = 0.04, Tolerance = 1e-7, Interval = 2e-5),
    Documentation(info = "<html>
<p>A source that is either off or at 24 V, ten thousand times a second, drives a current through a coil. The duty
cycle follows a sine.</p>
<p>What to look at: <code>L.i</code> is a smooth sine with a small ripple, as if the source could give any voltage.
The ripple is largest where the duty cycle is one half. <code>mean</code> is what the voltage is on average.</p>
</html>"));
end PulseWidthModulation;

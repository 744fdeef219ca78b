within Saltus.Examples.Electrical;
model PulseWidthModulation "A switched voltage drives a smooth current"
  extends Saltus.Icons.Example;
  Saltus.Blocks.Sources.Sine duty(amplitude = 0.4, f = 50, offset = 0.5) "Duty cycle that is asked for"
    annotation(Placement(transformation(extent = {{-95, -10}, {-75, 10}})));
  Saltus.Electrical.Sources.PWMVoltage V(V = 24, period = 1e-4) "On and off, ten thousand times a second"
    annotation(Placement(transformation(origin = {-40, 0}, extent = {{-10, -10}, {10, 10}}, rotation = 270)));
  Saltus.Electrical.Resistor R(R = 1) "Of the coil"
    annotation(Placement(transformation(extent = {{-20, 30}, {0, 50}})));
  Saltus.Electrical.Inductor L(L = 2e-3, i(start = 12, fixed = true)) "Of the coil"
    annotation(Placement(transformation(extent = {{20, 30}, {40, 50}})));
  Saltus.Electrical.Sensors.CurrentSensor sensor "Shows the current"
    annotation(Placement(transformation(origin = {60, 0}, extent = {{-10, -10}, {10, 10}}, rotation = 270)));
  Saltus.Electrical.Ground ground "Potential zero"
    annotation(Placement(transformation(extent = {{-50, -70}, {-30, -50}})));
  Saltus.Units.Voltage mean = V.V*V.duty "What the source gives on average";
equation
  connect(duty.y, V.duty) annotation(Line(points = {{-74, 0}, {-52, 0}}, color = {0, 0, 127}));
  connect(V.p, R.p) annotation(Line(points = {{-40, 10}, {-40, 40}, {-20, 40}}, color = {0, 0, 255}));
  connect(R.n, L.p) annotation(Line(points = {{0, 40}, {20, 40}}, color = {0, 0, 255}));
  connect(L.n, sensor.p) annotation(Line(points = {{40, 40}, {60, 40}, {60, 10}}, color = {0, 0, 255}));
  connect(sensor.n, V.n) annotation(Line(points = {{60, -10}, {60, -40}, {-40, -40}, {-40, -10}}, color = {0, 0, 255}));
  connect(V.n, ground.p) annotation(Line(points = {{-40, -10}, {-40, -50}}, color = {0, 0, 255}));
  annotation(experiment(StopTime = 0.04, Tolerance = 1e-7, Interval = 2e-5),
    Documentation(info = "<html>
<p>A source that is either off or at 24 V, ten thousand times a second, drives a current through a coil. The duty
cycle follows a sine.</p>
<p>What to look at: <code>L.i</code> is a smooth sine with a small ripple, as if the source could give any voltage.
The ripple is largest where the duty cycle is one half. <code>mean</code> is what the voltage is on average.</p>
</html>"));
end PulseWidthModulation;

within Saltus.Examples.Electrical;
model ResonantCircuit "Inductor and capacitor hand energy to and fro"
  extends Saltus.Icons.Example;
  Saltus.Electrical.Sources.StepVoltage V(V = 10, startTime = 1e-3) "Switched on after a millisecond"
    annotation(Placement(transformation(origin = {-80, 0}, extent = {{-10, -10}, {10, 10}}, rotation = 270)));
  Saltus.Electrical.Sensors.PowerSensor meter "Power that the source gives"
    annotation(Placement(transformation(extent = {{-60, 30}, {-40, 50}})));
  Saltus.Electrical.Resistor R(R = 10) "Takes the energy in the end"
    annotation(Placement(transformation(extent = {{-20, 30}, {0, 50}})));
  Saltus.Electrical.Inductor L(L = 10e-3, i(start = 0, fixed = true)) "Stores energy in its current"
    annotation(Placement(transformation(extent = {{20, 30}, {40, 50}})));
  Saltus.Electrical.Capacitor C(C = 2.533e-6, v(start = 0, fixed = true)) "Stores energy in its voltage"
    annotation(Placement(transformation(origin = {70, 0}, extent = {{-10, -10}, {10, 10}}, rotation = 270)));
  Saltus.Electrical.Sensors.CurrentSensor sensor "Current on its way back"
    annotation(Placement(transformation(origin = {10, -40}, extent = {{-10, -10}, {10, 10}}, rotation = 180)));
  Saltus.Electrical.Ground ground "Potential zero"
    annotation(Placement(transformation(extent = {{-90, -80}, {-70, -60}})));
equation
  connect(V.p, meter.p) annotation(Line(points = {{-80, 10}, {-80, 40}, {-60, 40}}, color = {0, 0, 255}));
  connect(meter.n, R.p) annotation(Line(points = {{-40, 40}, {-20, 40}}, color = {0, 0, 255}));
  connect(R.n, L.p) annotation(Line(points = {{0, 40}, {20, 40}}, color = {0, 0, 255}));
  connect(L.n, C.p) annotation(Line(points = {{40, 40}, {70, 40}, {70, 10}}, color = {0, 0, 255}));
  connect(C.n, sensor.p) annotation(Line(points = {{70, -10}, {70, -40}, {20, -40}}, color = {0, 0, 255}));
  connect(sensor.n, V.n) annotation(Line(points = {{0, -40}, {-80, -40}, {-80, -10}}, color = {0, 0, 255}));
  connect(meter.ref, V.n)
    annotation(Line(points = {{-50, 30}, {-50, -40}, {-80, -40}, {-80, -10}}, color = {0, 0, 255}));
  connect(V.n, ground.p) annotation(Line(points = {{-80, -10}, {-80, -60}}, color = {0, 0, 255}));
  annotation(experiment(StopTime = 0.02, Tolerance = 1e-8, Interval = 2e-5),
    Documentation(info = "<html>
<p>What to look at: the voltage <code>C.v</code> overshoots to nearly twice the step, and rings at 1 kHz until the
resistor has taken the energy. The source gives twice what the capacitor keeps; <code>meter.power</code> shows that
some of it is even given back meanwhile.</p>
<p>With <code>R.R = 126</code> there is no overshoot any more, whatever is more than that creeps.</p>
</html>"));
end ResonantCircuit;

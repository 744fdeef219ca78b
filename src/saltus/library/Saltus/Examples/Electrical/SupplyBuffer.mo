within Saltus.Examples.Electrical;
model SupplyBuffer "A capacitor helps a long line to supply a transmitter"
  extends Saltus.Icons.Example;
  Saltus.Electrical.Sources.ConstantVoltage battery(V = 5) "Far away"
    annotation(Placement(transformation(origin = {-85, 0}, extent = {{-10, -10}, {10, 10}}, rotation = 270)));
  Saltus.Electrical.Resistor line(R = 0.5) "Resistance of the line"
    annotation(Placement(transformation(extent = {{-70, 30}, {-50, 50}})));
  Saltus.Electrical.Capacitor C(C = 2e-3, v(start = 5, fixed = true)) "Helps during bursts"
    annotation(Placement(transformation(origin = {-30, 0}, extent = {{-10, -10}, {10, 10}}, rotation = 270)));
  Saltus.Electrical.Conductor leak(G = 1e-4) "The capacitor is not perfect"
    annotation(Placement(transformation(origin = {0, 0}, extent = {{-10, -10}, {10, 10}}, rotation = 270)));
  Saltus.Electrical.Sources.ConstantCurrent idle(I = 0.02) "What the circuit always draws"
    annotation(Placement(transformation(origin = {30, 0}, extent = {{-10, -10}, {10, 10}}, rotation = 270)));
  Saltus.Electrical.Sources.PulseCurrent sender(I = 1, period = 10e-3, width = 0.1, startTime = 5e-3)
    "Bursts of a millisecond"
    annotation(Placement(transformation(origin = {60, 0}, extent = {{-10, -10}, {10, 10}}, rotation = 270)));
  Saltus.Electrical.Sources.StepCurrent lamp(I = 0.2, startTime = 0.05) "Switched on once"
    annotation(Placement(transformation(origin = {90, 0}, extent = {{-10, -10}, {10, 10}}, rotation = 270)));
  Saltus.Electrical.Sensors.PotentialSensor sensor "Voltage at the circuit"
    annotation(Placement(transformation(extent = {{-10, 60}, {10, 80}})));
  Saltus.Electrical.Ground ground "Potential zero"
    annotation(Placement(transformation(extent = {{-95, -70}, {-75, -50}})));
equation
  connect(battery.p, line.p) annotation(Line(points = {{-85, 10}, {-85, 40}, {-70, 40}}, color = {0, 0, 255}));
  connect(line.n, C.p) annotation(Line(points = {{-50, 40}, {-30, 40}, {-30, 10}}, color = {0, 0, 255}));
  connect(line.n, leak.p) annotation(Line(points = {{-50, 40}, {0, 40}, {0, 10}}, color = {0, 0, 255}));
  connect(line.n, idle.p) annotation(Line(points = {{-50, 40}, {30, 40}, {30, 10}}, color = {0, 0, 255}));
  connect(line.n, sender.p) annotation(Line(points = {{-50, 40}, {60, 40}, {60, 10}}, color = {0, 0, 255}));
  connect(line.n, lamp.p) annotation(Line(points = {{-50, 40}, {90, 40}, {90, 10}}, color = {0, 0, 255}));
  connect(line.n, sensor.p)
    annotation(Line(points = {{-50, 40}, {-30, 40}, {-30, 70}, {-10, 70}}, color = {0, 0, 255}));
  connect(C.n, battery.n)
    annotation(Line(points = {{-30, -10}, {-30, -40}, {-85, -40}, {-85, -10}}, color = {0, 0, 255}));
  connect(leak.n, battery.n)
    annotation(Line(points = {{0, -10}, {0, -40}, {-85, -40}, {-85, -10}}, color = {0, 0, 255}));
  connect(idle.n, battery.n)
    annotation(Line(points = {{30, -10}, {30, -40}, {-85, -40}, {-85, -10}}, color = {0, 0, 255}));
  connect(sender.n, battery.n)
    annotation(Line(points = {{60, -10}, {60, -40}, {-85, -40}, {-85, -10}}, color = {0, 0, 255}));
  connect(lamp.n, battery.n)
    annotation(Line(points = {{90, -10}, {90, -40}, {-85, -40}, {-85, -10}}, color = {0, 0, 255}));
  connect(battery.n, ground.p) annotation(Line(points = {{-85, -10}, {-85, -50}}, color = {0, 0, 255}));
  annotation(experiment(StopTime = 0.1, Tolerance = 1e-8, Interval = 1e-4),
    Documentation(info = "<html>
<p>A battery of 5 V at the end of a line of half an ohm supplies a circuit that always draws 20 mA, one ampere
whenever it sends, and after 50 ms 200 mA more for a lamp.</p>
<p>What to look at: <code>sensor.v</code>, the voltage at the circuit. Each burst pulls it down, but only to 4.7 V
since the capacitor helps; without it, 4.5 V would be left. The leak of the capacitor costs half a milliampere.</p>
</html>"));
end SupplyBuffer;

within Saltus.Examples.Thermal;
model Thermostat "A room is kept warm by a heater that is on or off"
  extends Saltus.Icons.Example;
  Saltus.Thermal.HeatCapacitor room(C = 2e6, T(start = 293.15, fixed = true)) "Air and furniture"
    annotation(Placement(transformation(extent = {{-10, 30}, {10, 50}})));
  Saltus.Thermal.ThermalConductor walls(G = 150) "Walls and windows"
    annotation(Placement(transformation(extent = {{30, -10}, {50, 10}})));
  Saltus.Thermal.Sources.PrescribedTemperature outside(T = mean - swing*cos(2*Saltus.Units.pi*(time - coldest)/day))
    "Day and night"
    annotation(Placement(transformation(extent = {{70, -10}, {90, 10}}, rotation = 180)));
  Saltus.Thermal.Sources.PrescribedHeatFlow heater(Q_flow = if on then P else 0) "On or off"
    annotation(Placement(transformation(extent = {{-60, -10}, {-40, 10}})));
  Saltus.Thermal.Sensors.TemperatureSensor sensor "What the thermostat sees"
    annotation(Placement(transformation(extent = {{40, 50}, {60, 70}})));
  parameter Saltus.Units.HeatFlowRate P = 5000 "Power of the heater";
  parameter Saltus.Units.Temperature low = 292.15 "Below this the heater is switched on";
  parameter Saltus.Units.Temperature high = 294.15 "Above this it is switched off";
  parameter Saltus.Units.Temperature mean = 278.15 "Outside, on average";
  parameter Saltus.Units.TemperatureDifference swing = 6 "Outside, up and down by so much";
  parameter Saltus.Units.Time day = 86400 "Length of a day";
  parameter Saltus.Units.Time coldest = 10800 "Three o'clock in the morning";
  Boolean on(start = true, fixed = true) "The heater is on";
equation
  on = sensor.T < low or pre(on) and sensor.T < high;
  connect(heater.port, room.port) annotation(Line(points = {{-40, 0}, {0, 0}, {0, 30}}, color = {191, 0, 0}));
  connect(room.port, walls.port_a) annotation(Line(points = {{0, 30}, {0, 0}, {30, 0}}, color = {191, 0, 0}));
  connect(walls.port_b, outside.port) annotation(Line(points = {{50, 0}, {70, 0}}, color = {191, 0, 0}));
  connect(room.port, sensor.port)
    annotation(Line(points = {{0, 30}, {0, 20}, {25, 20}, {25, 60}, {40, 60}}, color = {191, 0, 0}));
  annotation(experiment(StopTime = 172800, Tolerance = 1e-7, Interval = 60),
    Documentation(info = "<html>
<p>The heater is switched on below 19 and off above 21 degrees Celsius; between them it stays what it is. Outside it
is 5 degrees on average, warmest in the afternoon.</p>
<p>What to look at: <code>room.T</code> goes up and down between the limits, fast up and slowly down when it is warm
outside. The edges of <code>on</code> are events, found exactly where the temperature crosses a limit: no sampling, no
chatter.</p>
</html>"));
end Thermostat;

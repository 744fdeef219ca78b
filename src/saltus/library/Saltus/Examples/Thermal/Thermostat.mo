within Saltus.Examples.Thermal;
model Thermostat "A room is kept warm by a heater that is on or off"
  extends Saltus.Icons.Example;
  Saltus.Thermal.HeatCapacitor room(C = 2e6, T(start = 293.15, fixed = true)) "Air and furniture"
    annotation(Placement(transformation(extent = {{-10, 30}, {10, 50}})));
  Saltus.Thermal.ThermalConductor walls(G = 150) "Walls and windows"
    annotation(Placement(transformation(extent = {{25, -10}, {45, 10}})));
  Saltus.Thermal.Sources.PrescribedTemperature outside "Day and night"
    annotation(Placement(transformation(origin = {75, 0}, extent = {{-10, -10}, {10, 10}}, rotation = 180)));
  Saltus.Blocks.Sources.Sine weather(amplitude = 6, f = 1/86400, phase = -3/4*Saltus.Units.pi, offset = 278.15)
    "Temperature outside"
    annotation(Placement(transformation(extent = {{65, 40}, {85, 60}})));
  Saltus.Thermal.Sensors.TemperatureSensor sensor "What the thermostat sees"
    annotation(Placement(transformation(origin = {30, -50}, extent = {{-10, -10}, {10, 10}}, rotation = 180)));
  Saltus.Logic.Hysteresis warm(low = 292.15, high = 294.15) "True above 21 degrees, until it is below 19"
    annotation(Placement(transformation(origin = {-20, -50}, extent = {{-10, -10}, {10, 10}}, rotation = 180)));
  Saltus.Logic.BooleanToReal power(whenTrue = 0, whenFalse = 5000) "Five kilowatts, if it is not warm"
    annotation(Placement(transformation(extent = {{-80, -10}, {-60, 10}})));
  Saltus.Thermal.Sources.PrescribedHeatFlow heater "On or off"
    annotation(Placement(transformation(extent = {{-40, -10}, {-20, 10}})));
equation
  connect(power.y, heater.Q_flow) annotation(Line(points = {{-59, 0}, {-42, 0}}, color = {0, 0, 127}));
  connect(heater.port, room.port) annotation(Line(points = {{-20, 0}, {0, 0}, {0, 30}}, color = {191, 0, 0}));
  connect(room.port, walls.port_a) annotation(Line(points = {{0, 30}, {0, 0}, {25, 0}}, color = {191, 0, 0}));
  connect(walls.port_b, outside.port) annotation(Line(points = {{45, 0}, {65, 0}}, color = {191, 0, 0}));
  connect(weather.y, outside.T) annotation(Line(points = {{86, 50}, {95, 50}, {95, 0}, {87, 0}}, color = {0, 0, 127}));
  connect(sensor.port, room.port)
    annotation(Line(points = {{40, -50}, {55, -50}, {55, -20}, {0, -20}, {0, 30}}, color = {191, 0, 0}));
  connect(sensor.T, warm.u) annotation(Line(points = {{19, -50}, {-8, -50}}, color = {0, 0, 127}));
  connect(warm.y, power.u)
    annotation(Line(points = {{-31, -50}, {-95, -50}, {-95, 0}, {-82, 0}}, color = {255, 0, 255}));
  annotation(experiment(StopTime = 172800, Tolerance = 1e-7, Interval = 60),
    Documentation(info = "<html>
<p>The heater is switched on below 19 and off above 21 degrees Celsius; between them it stays what it is. Outside it
is 5 degrees on average, coldest at three in the morning.</p>
<p>What to look at: <code>room.T</code> goes up and down between the limits, fast up and slowly down when it is warm
outside. The edges of <code>heater.Q_flow</code> are events, found exactly where the temperature crosses a limit: no
sampling, no chatter.</p>
</html>"));
end Thermostat;

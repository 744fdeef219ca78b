model NAME "A room with a thermostat: change it to what you need"
  // A part is declared by its class, a name of your choice, and values for its parameters.
  // `saltus components` lists all parts, `saltus components Hysteresis` tells all about one.
  Saltus.Thermal.HeatCapacitor room(C = 5e5, T(start = 285.15, fixed = true)) "12 degrees Celsius at first";
  Saltus.Thermal.ThermalConductor walls(G = 100);
  Saltus.Thermal.Sources.FixedTemperature outside(T = 273.15);
  Saltus.Thermal.Sources.PrescribedHeatFlow heater;
  Saltus.Thermal.Sensors.TemperatureSensor thermometer;
  // It is too warm above 21 degrees Celsius, and no longer below 19.
  Saltus.Logic.Hysteresis tooWarm(low = 292.15, high = 294.15);
  Saltus.Logic.BooleanToReal power(whenTrue = 0, whenFalse = 4000);
equation
  // Connected ports have one temperature, and their heat flow rates sum to zero.
  connect(room.port, walls.port_a);
  connect(walls.port_b, outside.port);
  connect(heater.port, room.port);
  connect(thermometer.port, room.port);
  // Signals go from an output to inputs.
  connect(thermometer.T, tooWarm.u);
  connect(tooWarm.y, power.u);
  connect(power.y, heater.Q_flow);
  // For how long it is simulated, and how often values are written.
  annotation(experiment(StopTime = 36000, Interval = 60, Tolerance = 1e-8));
end NAME;

within Saltus.Examples.Thermal;
model HeatSink "A resistor is loaded with pulses, and warms a heat sink"
  extends Saltus.Icons.Example;
  Saltus.Electrical.Sources.PulseVoltage V(V = 50, period = 20, width = 0.4) "On for 8 of 20 seconds"
    annotation(Placement(transformation(origin = {-80, 50}, extent = {{-10, -10}, {10, 10}}, rotation = 270)));
  Saltus.Electrical.Resistor R(R = 100, useHeatPort = true) "Gets warm"
    annotation(Placement(transformation(origin = {-40, 50}, extent = {{-10, -10}, {10, 10}}, rotation = 270)));
  Saltus.Electrical.Ground ground "Potential zero"
    annotation(Placement(transformation(extent = {{-90, 0}, {-70, 20}})));
  Saltus.Thermal.HeatCapacitor case(C = 4, T(start = 293.15, fixed = true)) "Of the resistor"
    annotation(Placement(transformation(origin = {-40, -40}, extent = {{-10, -10}, {10, 10}}, rotation = 180)));
  Saltus.Thermal.ThermalResistor paste(R = 0.5) "Between case and sink"
    annotation(Placement(transformation(extent = {{-10, -30}, {10, -10}})));
  Saltus.Thermal.Sensors.RelativeTemperatureSensor across "How much warmer the case is than the sink"
    annotation(Placement(transformation(extent = {{-10, 10}, {10, 30}})));
  Saltus.Thermal.HeatCapacitor sink(C = 50, T(start = 293.15, fixed = true)) "A piece of aluminium"
    annotation(Placement(transformation(origin = {30, -40}, extent = {{-10, -10}, {10, 10}}, rotation = 180)));
  Saltus.Thermal.ThermalResistor toAir(R = 3) "As its data sheet says"
    annotation(Placement(transformation(extent = {{50, -30}, {70, -10}})));
  Saltus.Thermal.Sources.FixedTemperature air(T = 293.15) "Outside"
    annotation(Placement(transformation(origin = {80, 20}, extent = {{-10, -10}, {10, 10}}, rotation = 270)));
equation
  connect(V.p, R.p) annotation(Line(points = {{-80, 60}, {-80, 70}, {-40, 70}, {-40, 60}}, color = {0, 0, 255}));
  connect(R.n, V.n) annotation(Line(points = {{-40, 40}, {-40, 30}, {-80, 30}, {-80, 40}}, color = {0, 0, 255}));
  connect(V.n, ground.p) annotation(Line(points = {{-80, 40}, {-80, 20}}, color = {0, 0, 255}));
  connect(R.heatPort, case.port)
    annotation(Line(points = {{-50, 50}, {-60, 50}, {-60, -20}, {-40, -20}, {-40, -30}}, color = {191, 0, 0}));
  connect(case.port, paste.port_a) annotation(Line(points = {{-40, -30}, {-40, -20}, {-10, -20}}, color = {191, 0, 0}));
  connect(paste.port_b, sink.port) annotation(Line(points = {{10, -20}, {30, -20}, {30, -30}}, color = {191, 0, 0}));
  connect(sink.port, toAir.port_a) annotation(Line(points = {{30, -30}, {30, -20}, {50, -20}}, color = {191, 0, 0}));
  connect(toAir.port_b, air.port) annotation(Line(points = {{70, -20}, {80, -20}, {80, 10}}, color = {191, 0, 0}));
  connect(across.port_a, paste.port_a)
    annotation(Line(points = {{-10, 20}, {-15, 20}, {-15, -20}, {-10, -20}}, color = {191, 0, 0}));
  connect(across.port_b, paste.port_b)
    annotation(Line(points = {{10, 20}, {15, 20}, {15, -20}, {10, -20}}, color = {191, 0, 0}));
  annotation(experiment(StopTime = 600, Tolerance = 1e-8, Interval = 0.5),
    Documentation(info = "<html>
<p>The resistor has a heat port: what it takes from the circuit flows on as heat, into its case, and from there
through a layer of paste into the heat sink and to the air.</p>
<p>What to look at: <code>case.T</code> follows each pulse of 25 W, the sink takes minutes to become warm. In the end
the sink is 30 K warmer than the air, since 10 W on average flow through 3 K/W. <code>across.dT</code> is what the
paste costs.</p>
</html>"));
end HeatSink;

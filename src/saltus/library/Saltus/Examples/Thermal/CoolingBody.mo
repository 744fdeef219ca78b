within Saltus.Examples.Thermal;
model CoolingBody "A hot body cools in still air, then a fan is switched on"
  extends Saltus.Icons.Example;
  Saltus.Thermal.HeatCapacitor body(C = 500, T(start = 373.15, fixed = true)) "A little more than a kilogram of iron"
    annotation(Placement(transformation(extent = {{-70, 20}, {-50, 40}})));
  Saltus.Thermal.Sensors.HeatFlowSensor meter "What the body loses"
    annotation(Placement(transformation(extent = {{-40, -10}, {-20, 10}})));
  Saltus.Thermal.Convection surface(A = 0.04) "To the air"
    annotation(Placement(transformation(extent = {{0, -10}, {20, 10}})));
  Saltus.Thermal.Sources.FixedTemperature air(T = 293.15) "So much air that it does not get warmer"
    annotation(Placement(transformation(origin = {60, 0}, extent = {{-10, -10}, {10, 10}}, rotation = 180)));
  Saltus.Blocks.Sources.Step fan(height = 40, offset = 10, startTime = 600) "Still air, then a draught, in W/(m2.K)"
    annotation(Placement(transformation(origin = {10, 50}, extent = {{-10, -10}, {10, 10}}, rotation = 270)));
  Saltus.Thermal.Sensors.TemperatureSensor thermometer "Shows the temperature"
    annotation(Placement(transformation(extent = {{-30, 50}, {-10, 70}})));
equation
  connect(body.port, meter.port_a) annotation(Line(points = {{-60, 20}, {-60, 0}, {-40, 0}}, color = {191, 0, 0}));
  connect(meter.port_b, surface.solid) annotation(Line(points = {{-20, 0}, {0, 0}}, color = {191, 0, 0}));
  connect(surface.fluid, air.port) annotation(Line(points = {{20, 0}, {50, 0}}, color = {191, 0, 0}));
  connect(fan.y, surface.h) annotation(Line(points = {{10, 39}, {10, 12}}, color = {0, 0, 127}));
  connect(body.port, thermometer.port)
    annotation(Line(points = {{-60, 20}, {-60, 10}, {-40, 10}, {-40, 60}, {-30, 60}}, color = {191, 0, 0}));
  annotation(experiment(StopTime = 1200, Tolerance = 1e-8, Interval = 1),
    Documentation(info = "<html>
<p>Newton's law of cooling: the body loses heat in proportion to how much warmer it is than the air.</p>
<p>What to look at: <code>body.T</code> falls exponentially, with a time constant of 1250 s, and five times as fast
after 600 s, when the fan runs. The heat flow <code>meter.Q_flow</code> jumps at that moment; the temperature has a
corner.</p>
</html>"));
end CoolingBody;

within Saltus.Examples.Fluid;
model HouseholdWater "A well pump with a pressure vessel and a pressure switch"
  extends Saltus.Icons.Example;
  Saltus.Fluid.Ambient well
    annotation(Placement(transformation(extent = {{-90, 10}, {-70, 30}})));
  Saltus.Fluid.Pump pump(p_max = 6e5, q_max = 1.2e-3)
    annotation(Placement(transformation(extent = {{-60, 10}, {-40, 30}})));
  Saltus.Fluid.CheckValve check
    annotation(Placement(transformation(extent = {{-25, 10}, {-5, 30}})));
  Saltus.Fluid.Accumulator vessel(V0 = 0.05, V(start = 0.02, fixed = true))
    annotation(Placement(transformation(extent = {{0, 50}, {20, 70}})));
  Saltus.Fluid.OnOffValve tap(q_nom = 0.3e-3, dp_nom = 3e5, open = sin(0.1*time) > 0)
    annotation(Placement(transformation(extent = {{30, 10}, {50, 30}})));
  Saltus.Fluid.Ambient sink
    annotation(Placement(transformation(extent = {{90, 10}, {70, 30}})));
  Saltus.Fluid.Sensors.PressureSensor pressure
    annotation(Placement(transformation(extent = {{30, -30}, {50, -10}})));
  Saltus.Logic.Hysteresis switch(low = 2e5, high = 4e5, y0 = true)
    annotation(Placement(transformation(origin = {40, -60}, extent = {{-10, -10}, {10, 10}}, rotation = 180)));
  Saltus.Logic.BooleanToReal drive(whenTrue = 0, whenFalse = 1)
    annotation(Placement(transformation(origin = {-10, -60}, extent = {{-10, -10}, {10, 10}}, rotation = 180)));
equation
  connect(well.port, pump.port_a) annotation(Line(points = {{-70, 20}, {-60, 20}}, color = {0, 90, 180}));
  connect(pump.port_b, check.port_a) annotation(Line(points = {{-40, 20}, {-25, 20}}, color = {0, 90, 180}));
  connect(check.port_b, vessel.port) annotation(Line(points = {{-5, 20}, {10, 20}, {10, 50}}, color = {0, 90, 180}));
  connect(check.port_b, tap.port_a) annotation(Line(points = {{-5, 20}, {30, 20}}, color = {0, 90, 180}));
  connect(tap.port_b, sink.port) annotation(Line(points = {{50, 20}, {70, 20}}, color = {0, 90, 180}));
  connect(tap.port_a, pressure.port)
    annotation(Line(points = {{30, 20}, {20, 20}, {20, -20}, {30, -20}}, color = {0, 90, 180}));
  connect(pressure.p, switch.u)
    annotation(Line(points = {{51, -20}, {70, -20}, {70, -60}, {52, -60}}, color = {0, 0, 127}));
  connect(switch.y, drive.u) annotation(Line(points = {{29, -60}, {2, -60}}, color = {255, 0, 255}));
  connect(drive.y, pump.speed) annotation(Line(points = {{-21, -60}, {-50, -60}, {-50, 8}}, color = {0, 0, 127}));
  annotation(experiment(StopTime = 300, Tolerance = 1e-8, Interval = 0.5), Documentation(info = "<html>
<p>The pressure switch starts the pump below 2 bar and stops it above 4 bar. When the pump stops, the check valve
keeps the water in the vessel, and its gas supplies the tap.</p>
<p>Look at <code>pressure.p</code>, <code>check.q</code> and <code>switch.y</code>: the check valve is closed
whenever the pump stands. While it is closed nothing flows through the pump, and its pressure is that of the
well.</p>
</html>"));
end HouseholdWater;

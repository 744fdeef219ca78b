within Saltus.Examples.Thermal;
model LampFilament "A filament glows, and radiates what it is given"
  extends Saltus.Icons.Example;
  Saltus.Thermal.Sources.FixedHeatFlow current(Q_flow = 60) "What the current heats"
    annotation(Placement(transformation(extent = {{-70, -10}, {-50, 10}})));
  Saltus.Thermal.HeatCapacitor filament(C = 6e-3, T(start = 293.15, fixed = true))
    "A few hundredths of a gram of tungsten"
    annotation(Placement(transformation(extent = {{-30, 20}, {-10, 40}})));
  Saltus.Thermal.BodyRadiation glow(A = 5.7e-5, epsilon = 0.3) "The surface of the wire"
    annotation(Placement(transformation(extent = {{10, -10}, {30, 10}})));
  Saltus.Thermal.Sources.FixedTemperature room(T = 293.15) "Around the lamp"
    annotation(Placement(transformation(origin = {60, 0}, extent = {{-10, -10}, {10, 10}}, rotation = 180)));
equation
  connect(current.port, filament.port) annotation(Line(points = {{-50, 0}, {-20, 0}, {-20, 20}}, color = {191, 0, 0}));
  connect(filament.port, glow.port_a) annotation(Line(points = {{-20, 20}, {-20, 0}, {10, 0}}, color = {191, 0, 0}));
  connect(glow.port_b, room.port) annotation(Line(points = {{30, 0}, {50, 0}}, color = {191, 0, 0}));
  annotation(experiment(StopTime = 2, Tolerance = 1e-8, Interval = 5e-3),
    Documentation(info = "<html>
<p>Sixty watts heat a thin wire of tungsten; hardly anything but radiation takes them away.</p>
<p>What to look at: <code>filament.T</code> is at 2800 K within a second, where the area radiates as much as comes in:
fourth powers settle quickly. With half the power it is still 2360 K.</p>
</html>"));
end LampFilament;

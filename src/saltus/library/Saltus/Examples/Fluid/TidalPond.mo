within Saltus.Examples.Fluid;
model TidalPond "A pond that the tide fills through flaps and that drives a mill"
  extends Saltus.Icons.Example;
  Saltus.Fluid.Sources.SignalPressure sea(p = 1000*9.81*(2 + 1.5*sin(2*3.141592653589793*time/44700)))
    annotation(Placement(transformation(extent = {{-90, -30}, {-70, -10}})));
  Saltus.Fluid.CheckValve flaps
    annotation(Placement(transformation(extent = {{-50, -30}, {-30, -10}})));
  Saltus.Fluid.Orifice channel(q_nom = 2, dp_nom = 1e4)
    annotation(Placement(transformation(extent = {{-10, -30}, {10, -10}})));
  Saltus.Fluid.Tank pond(A = 5000, h(start = 2, fixed = true))
    annotation(Placement(transformation(extent = {{30, -22}, {50, -2}})));
  Saltus.Fluid.Valve gate(q_nom = 0.6, dp_nom = 1e4, opening = if mod(time, 44700) < 22350 then 0 else 0.8)
    annotation(Placement(transformation(extent = {{-10, 30}, {10, 50}})));
  Saltus.Fluid.Ambient river
    annotation(Placement(transformation(extent = {{-70, 30}, {-50, 50}})));
equation
  connect(sea.port, flaps.port_a) annotation(Line(points = {{-70, -20}, {-50, -20}}, color = {0, 90, 180}));
  connect(flaps.port_b, channel.port_a) annotation(Line(points = {{-30, -20}, {-10, -20}}, color = {0, 90, 180}));
  connect(channel.port_b, pond.port_a) annotation(Line(points = {{10, -20}, {30, -20}}, color = {0, 90, 180}));
  connect(pond.port_b, gate.port_b)
    annotation(Line(points = {{50, -20}, {70, -20}, {70, 40}, {10, 40}}, color = {0, 90, 180}));
  connect(gate.port_a, river.port) annotation(Line(points = {{-10, 40}, {-50, 40}}, color = {0, 90, 180}));
  annotation(experiment(StopTime = 134100, Tolerance = 1e-8, Interval = 300), Documentation(info = "<html>
<p>High tide pushes the flaps open and fills the pond; at low tide the flaps keep the water in, and through the gate
it drives the mill, half a tide long.</p>
<p>Look at <code>pond.h</code>: it follows the sea upwards only. <code>flaps.closed</code> tells when it is cut off;
there the pond has the memory, and the sea goes its own way.</p>
</html>"));
end TidalPond;

within Saltus.Examples.Logic;
model Dosing "Batches of equal size from a flow that is not"
  extends Saltus.Icons.Example;
  Saltus.Blocks.Sources.Sine inflow(offset = 1, amplitude = 0.6, f = 0.2) "In litres per second"
    annotation(Placement(transformation(extent = {{-90, -10}, {-70, 10}})));
  Saltus.Blocks.Continuous.Integrator batch(useReset = true) "In litres"
    annotation(Placement(transformation(extent = {{-40, -10}, {-20, 10}})));
  Saltus.Logic.Greater full(threshold = 1)
    annotation(Placement(transformation(extent = {{5, -10}, {25, 10}})));
  Saltus.Logic.Counter number
    annotation(Placement(transformation(extent = {{50, -10}, {70, 10}})));
  Saltus.Blocks.Continuous.Integrator total "Without reset"
    annotation(Placement(transformation(extent = {{-40, 40}, {-20, 60}})));
equation
  connect(inflow.y, batch.u)
    annotation(Line(points = {{-69, 0}, {-42, 0}}, color = {0, 0, 127}));
  connect(inflow.y, total.u)
    annotation(Line(points = {{-69, 0}, {-55, 0}, {-55, 50}, {-42, 50}}, color = {0, 0, 127}));
  connect(batch.y, full.u)
    annotation(Line(points = {{-19, 0}, {3, 0}}, color = {0, 0, 127}));
  connect(full.y, number.u)
    annotation(Line(points = {{26, 0}, {48, 0}}, color = {255, 0, 255}));
  connect(full.y, batch.reset)
    annotation(Line(points = {{26, 0}, {40, 0}, {40, -40}, {-30, -40}, {-30, -12}}, color = {255, 0, 255}));
  annotation(Documentation(info = "<html>
<p>A flow that varies is integrated; when a batch is complete, the integrator begins again and a counter counts.
The reset happens at the instant of the crossing, so nothing is lost, whatever the flow.</p>
<p><b>What to look at:</b> <code>batch.y</code> is a saw tooth with teeth of one height and different widths;
<code>number.y</code> is the whole part of <code>total.y</code>.</p>
</html>"),
    experiment(StopTime = 12, Tolerance = 1e-8, Interval = 0.02));
end Dosing;

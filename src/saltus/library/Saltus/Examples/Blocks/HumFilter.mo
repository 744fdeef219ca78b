within Saltus.Examples.Blocks;
model HumFilter "Three ways to get rid of mains hum"
  extends Saltus.Icons.Example;
  Saltus.Blocks.Sources.Sine signal(f = 0.5) "What is wanted"
    annotation(Placement(transformation(extent = {{-90, 30}, {-70, 50}})));
  Saltus.Blocks.Sources.Sine hum(f = 50, amplitude = 0.5) "What is not"
    annotation(Placement(transformation(extent = {{-90, -50}, {-70, -30}})));
  Saltus.Blocks.Math.Add measured "Both"
    annotation(Placement(transformation(extent = {{-40, -10}, {-20, 10}})));
  Saltus.Blocks.Continuous.LowPass flat(order = 4, f = 10)
    annotation(Placement(transformation(extent = {{30, 40}, {50, 60}})));
  Saltus.Blocks.Continuous.LowPass calm(order = 4, f = 10, damping = Saltus.Blocks.Continuous.Damping.critical)
    annotation(Placement(transformation(extent = {{30, -10}, {50, 10}})));
  Saltus.Blocks.Discrete.MovingAverage mean(n = 20, samplePeriod = 0.001) "One period of the mains"
    annotation(Placement(transformation(extent = {{30, -60}, {50, -40}})));
equation
  connect(signal.y, measured.u1)
    annotation(Line(points = {{-69, 40}, {-55.5, 40}, {-55.5, 6}, {-42, 6}}, color = {0, 0, 127}));
  connect(hum.y, measured.u2)
    annotation(Line(points = {{-69, -40}, {-55.5, -40}, {-55.5, -6}, {-42, -6}}, color = {0, 0, 127}));
  connect(measured.y, flat.u)
    annotation(Line(points = {{-19, 0}, {0, 0}, {0, 50}, {28, 50}}, color = {0, 0, 127}));
  connect(measured.y, calm.u)
    annotation(Line(points = {{-19, 0}, {28, 0}}, color = {0, 0, 127}));
  connect(measured.y, mean.u)
    annotation(Line(points = {{-19, 0}, {0, 0}, {0, -50}, {28, -50}}, color = {0, 0, 127}));
  annotation(Documentation(info = "<html>
<p>A slow signal of half a hertz, and on top of it 50 Hz from the mains. A filter of fourth order with the poles of
Butterworth, one with critical damping, and the mean over exactly one period of the mains: twenty samples, a
millisecond apart.</p>
<p><b>What to look at:</b> <code>flat.y</code> and <code>calm.y</code> are clean, but late; <code>mean.y</code> has
no hum at all, because a whole oscillation always has the mean zero, and is only ten milliseconds late.</p>
</html>"),
    experiment(StopTime = 2, Tolerance = 1e-6, Interval = 0.001));
end HumFilter;

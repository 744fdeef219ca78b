within Saltus.Examples.Blocks;
model PulseWidthModulation "A sine made of two levels"
  extends Saltus.Icons.Example;
  Saltus.Blocks.Sources.Sine wanted(amplitude = 0.8)
    annotation(Placement(transformation(extent = {{-90, 30}, {-70, 50}})));
  Saltus.Blocks.Sources.SawTooth carrier(amplitude = 2, offset = -1, period = 0.05)
    annotation(Placement(transformation(extent = {{-90, -10}, {-70, 10}})));
  Saltus.Blocks.Math.Subtract difference
    annotation(Placement(transformation(extent = {{-45, 10}, {-25, 30}})));
  Saltus.Blocks.Sources.Constant high
    annotation(Placement(transformation(extent = {{-45, 50}, {-25, 70}})));
  Saltus.Blocks.Sources.Constant low(k = -1)
    annotation(Placement(transformation(extent = {{-45, -30}, {-25, -10}})));
  Saltus.Blocks.Math.Switch pulses
    annotation(Placement(transformation(extent = {{5, 10}, {25, 30}})));
  Saltus.Blocks.Continuous.LowPass found(order = 3, f = 5)
    annotation(Placement(transformation(extent = {{50, 10}, {70, 30}})));
equation
  connect(wanted.y, difference.u1)
    annotation(Line(points = {{-69, 40}, {-58, 40}, {-58, 26}, {-47, 26}}, color = {0, 0, 127}));
  connect(carrier.y, difference.u2)
    annotation(Line(points = {{-69, 0}, {-58, 0}, {-58, 14}, {-47, 14}}, color = {0, 0, 127}));
  connect(difference.y, pulses.control)
    annotation(Line(points = {{-24, 20}, {3, 20}}, color = {0, 0, 127}));
  connect(high.y, pulses.u1)
    annotation(Line(points = {{-24, 60}, {-10, 60}, {-10, 26}, {3, 26}}, color = {0, 0, 127}));
  connect(low.y, pulses.u2)
    annotation(Line(points = {{-24, -20}, {-10, -20}, {-10, 14}, {3, 14}}, color = {0, 0, 127}));
  connect(pulses.y, found.u)
    annotation(Line(points = {{26, 20}, {48, 20}}, color = {0, 0, 127}));
  annotation(Documentation(info = "<html>
<p>A saw tooth of 20 Hz is compared with a sine of 1 Hz: the output is 1 while the sine is larger and -1 otherwise.
The pulses are the wider the larger the sine is, and a low-pass finds the sine again. Amplifiers and inverters
work like this, with less loss than any that has levels in between.</p>
<p><b>What to look at:</b> <code>pulses.y</code> has two values only, <code>found.y</code> is the sine again, a
little late.</p>
</html>"),
    experiment(StopTime = 2, Tolerance = 1e-6, Interval = 0.002));
end PulseWidthModulation;

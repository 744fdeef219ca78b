within Saltus.Examples.Blocks;
model AnalogueToDigital "What a converter does to a signal, and what a derivative does then"
  extends Saltus.Icons.Example;
  Saltus.Blocks.Sources.Sine signal(f = 0.5)
    annotation(Placement(transformation(extent = {{-95, 10}, {-75, 30}})));
  Saltus.Blocks.Discrete.ZeroOrderHold hold(samplePeriod = 0.05) "Sampled"
    annotation(Placement(transformation(extent = {{-50, 10}, {-30, 30}})));
  Saltus.Blocks.Nonlinear.Quantizer converter(quantum = 0.25) "Rounded"
    annotation(Placement(transformation(extent = {{-10, 10}, {10, 30}})));
  Saltus.Blocks.Math.Subtract error "What is lost"
    annotation(Placement(transformation(extent = {{35, 40}, {55, 60}})));
  Saltus.Blocks.Continuous.Derivative noisy(T = 0.02) "Of the digital signal"
    annotation(Placement(transformation(extent = {{35, 0}, {55, 20}})));
  Saltus.Blocks.Continuous.Derivative clean(T = 0.02) "Of the true one"
    annotation(Placement(transformation(extent = {{35, 70}, {55, 90}})));
  Saltus.Logic.Sources.SampleTrigger trigger(period = 0.1)
    annotation(Placement(transformation(extent = {{-50, -90}, {-30, -70}})));
  Saltus.Blocks.Discrete.Sampler sampler "On a trigger"
    annotation(Placement(transformation(extent = {{-10, -50}, {10, -30}})));
  Saltus.Blocks.Nonlinear.Deadband onChange(band = 0.2) "When there is news"
    annotation(Placement(transformation(extent = {{35, -50}, {55, -30}})));
equation
  connect(signal.y, hold.u)
    annotation(Line(points = {{-74, 20}, {-52, 20}}, color = {0, 0, 127}));
  connect(hold.y, converter.u)
    annotation(Line(points = {{-29, 20}, {-12, 20}}, color = {0, 0, 127}));
  connect(signal.y, error.u1)
    annotation(Line(points = {{-74, 20}, {-63, 20}, {-63, 56}, {33, 56}}, color = {0, 0, 127}));
  connect(converter.y, error.u2)
    annotation(Line(points = {{11, 20}, {22, 20}, {22, 44}, {33, 44}}, color = {0, 0, 127}));
  connect(converter.y, noisy.u)
    annotation(Line(points = {{11, 20}, {22, 20}, {22, 10}, {33, 10}}, color = {0, 0, 127}));
  connect(signal.y, clean.u)
    annotation(Line(points = {{-74, 20}, {-63, 20}, {-63, 80}, {33, 80}}, color = {0, 0, 127}));
  connect(signal.y, sampler.u)
    annotation(Line(points = {{-74, 20}, {-63, 20}, {-63, -40}, {-12, -40}}, color = {0, 0, 127}));
  connect(trigger.y, sampler.trigger)
    annotation(Line(points = {{-29, -80}, {0, -80}, {0, -52}}, color = {255, 0, 255}));
  connect(signal.y, onChange.u)
    annotation(Line(points = {{-74, 20}, {-63, 20}, {-63, -12}, {24, -12}, {24, -40}, {33, -40}},
      color = {0, 0, 127}));
  annotation(Documentation(info = "<html>
<p>A sine is sampled twenty times per second and rounded to steps of 0.25. The difference to the true signal looks
harmless. But a derivative, which was fine before, now sees nothing but steps. Below, two other ways to sample:
when a trigger says so, and whenever the signal has changed by 0.2 since the last message.</p>
<p><b>What to look at:</b> <code>error.y</code> is never larger than half a step and the motion during a sample.
<code>clean.y</code> is the true derivative, <code>noisy.y</code> the one of the stairs. <code>onChange.y</code>
sends most where the signal is fast.</p>
</html>"),
    experiment(StopTime = 4, Tolerance = 1e-6, Interval = 0.002));
end AnalogueToDigital;

within Saltus.Examples.Blocks;
model TestSignals "One of each source"
  extends Saltus.Icons.Example;
  Saltus.Blocks.Sources.Constant constantly(k = 0.5)
    annotation(Placement(transformation(extent = {{-90, 50}, {-70, 70}})));
  Saltus.Blocks.Sources.Clock clock(startTime = 0.2)
    annotation(Placement(transformation(extent = {{-50, 50}, {-30, 70}})));
  Saltus.Blocks.Sources.Step step(startTime = 0.3)
    annotation(Placement(transformation(extent = {{-10, 50}, {10, 70}})));
  Saltus.Blocks.Sources.Ramp ramp(startTime = 0.2, duration = 0.6)
    annotation(Placement(transformation(extent = {{30, 50}, {50, 70}})));
  Saltus.Blocks.Sources.Sine sine(f = 2)
    annotation(Placement(transformation(extent = {{70, 50}, {90, 70}})));
  Saltus.Blocks.Sources.Pulse pulse(period = 0.2, width = 0.3)
    annotation(Placement(transformation(extent = {{-90, -10}, {-70, 10}})));
  Saltus.Blocks.Sources.SawTooth saw(period = 0.2)
    annotation(Placement(transformation(extent = {{-50, -10}, {-30, 10}})));
  Saltus.Blocks.Sources.Trapezoid trapezoid(rising = 0.1, staying = 0.1, falling = 0.05, period = 0.4)
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}})));
  Saltus.Blocks.Sources.Exponential exponential(startTime = 0.1)
    annotation(Placement(transformation(extent = {{30, -10}, {50, 10}})));
  Saltus.Blocks.Sources.Chirp chirp(f1 = 2, f2 = 20)
    annotation(Placement(transformation(extent = {{70, -10}, {90, 10}})));
  Saltus.Blocks.Sources.TimeTable table(table = [0, 0; 0.1, 1; 0.3, 0.5; 0.3, -0.5; 0.4, 0], periodic = true)
    annotation(Placement(transformation(extent = {{-90, -70}, {-70, -50}})));
  annotation(Documentation(info = "<html>
<p>Signals to try things with: steps and ramps for set points, sines and chirps for frequencies, pulses for clocks,
tables for what was measured. All corners and jumps are scheduled events.</p>
<p><b>What to look at:</b> plot the outputs one below the other. The two pulses of <code>pulse</code> and
<code>saw</code> begin at the same instants: they come from clocks.</p>
</html>"),
    experiment(StopTime = 1, Tolerance = 1e-6, Interval = 0.002));
end TestSignals;

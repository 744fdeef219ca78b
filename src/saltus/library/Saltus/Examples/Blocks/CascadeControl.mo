within Saltus.Examples.Blocks;
model CascadeControl "A drive with two control loops, one four times as fast as the other"
  extends Saltus.Icons.Example;
  Saltus.Blocks.Sources.Step wanted(startTime = 0.105) "Speed that is wanted"
    annotation(Placement(transformation(extent = {{-100, 40}, {-80, 60}})));
  Saltus.Blocks.Clocked.Sampler setpoint(given = false)
    annotation(Placement(transformation(extent = {{-70, 40}, {-50, 60}})));
  Saltus.Blocks.Clocked.Sampler speed(given = false)
    annotation(Placement(transformation(extent = {{-70, -10}, {-50, 10}})));
  Saltus.Blocks.Clocked.FirstOrder smooth(T = 0.002) "Of the measured speed"
    annotation(Placement(transformation(extent = {{-40, -10}, {-20, 10}})));
  Saltus.Blocks.Clocked.Slower slower(factor = 4)
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}})));
  Saltus.Blocks.Math.Feedback slowError
    annotation(Placement(transformation(extent = {{-40, 40}, {-20, 60}})));
  Saltus.Blocks.Clocked.PI slow(k = 4, Ti = 0.2) "Speed controller"
    annotation(Placement(transformation(extent = {{-10, 40}, {10, 60}})));
  Saltus.Blocks.Clocked.Faster faster(factor = 4)
    annotation(Placement(transformation(extent = {{20, 40}, {40, 60}})));
  Saltus.Blocks.Clocked.Sampler current(ticks = 1, resolution = 1000) "Gives the clock"
    annotation(Placement(transformation(extent = {{30, -30}, {50, -10}})));
  Saltus.Blocks.Math.Feedback fastError
    annotation(Placement(transformation(extent = {{50, 40}, {70, 60}})));
  Saltus.Blocks.Clocked.PI fast(k = 0.5, Ti = 0.01) "Current controller"
    annotation(Placement(transformation(extent = {{80, 40}, {100, 60}})));
  Saltus.Blocks.Clocked.Hold voltage
    annotation(Placement(transformation(extent = {{110, 40}, {130, 60}})));
  Saltus.Blocks.Continuous.FirstOrder coil(T = 0.01) "From voltage to current"
    annotation(Placement(transformation(extent = {{110, -60}, {90, -40}})));
  Saltus.Blocks.Continuous.FirstOrder rotor(T = 0.5) "From current to speed"
    annotation(Placement(transformation(extent = {{10, -60}, {-10, -40}})));
equation
  connect(wanted.y, setpoint.u)
    annotation(Line(points = {{-79, 50}, {-72, 50}}, color = {0, 0, 127}));
  connect(setpoint.y, slowError.u1)
    annotation(Line(points = {{-49, 50}, {-42, 50}}, color = {0, 0, 127}));
  connect(speed.y, smooth.u)
    annotation(Line(points = {{-49, 0}, {-42, 0}}, color = {0, 0, 127}));
  connect(smooth.y, slower.u)
    annotation(Line(points = {{-19, 0}, {-12, 0}}, color = {0, 0, 127}));
  connect(slower.y, slowError.u2)
    annotation(Line(points = {{11, 0}, {15, 0}, {15, 25}, {-30, 25}, {-30, 38}}, color = {0, 0, 127}));
  connect(slowError.y, slow.u)
    annotation(Line(points = {{-19, 50}, {-12, 50}}, color = {0, 0, 127}));
  connect(slow.y, faster.u)
    annotation(Line(points = {{11, 50}, {18, 50}}, color = {0, 0, 127}));
  connect(faster.y, fastError.u1)
    annotation(Line(points = {{41, 50}, {48, 50}}, color = {0, 0, 127}));
  connect(current.y, fastError.u2)
    annotation(Line(points = {{51, -20}, {60, -20}, {60, 38}}, color = {0, 0, 127}));
  connect(fastError.y, fast.u)
    annotation(Line(points = {{71, 50}, {78, 50}}, color = {0, 0, 127}));
  connect(fast.y, voltage.u)
    annotation(Line(points = {{101, 50}, {108, 50}}, color = {0, 0, 127}));
  connect(voltage.y, coil.u)
    annotation(Line(points = {{131, 50}, {140, 50}, {140, -50}, {112, -50}}, color = {0, 0, 127}));
  connect(coil.y, rotor.u)
    annotation(Line(points = {{89, -50}, {12, -50}}, color = {0, 0, 127}));
  connect(coil.y, current.u)
    annotation(Line(points = {{89, -50}, {20, -50}, {20, -20}, {28, -20}}, color = {0, 0, 127}));
  connect(rotor.y, speed.u)
    annotation(Line(points = {{-11, -50}, {-80, -50}, {-80, 0}, {-72, 0}}, color = {0, 0, 127}));
  annotation(Documentation(info = "<html>
<p>The speed controller asks for a current, and the current controller for a voltage. The clock is given once, by the
sampler of the current. The speed is measured as often and smoothed, but its controller is four times slower, since
blocks between them say so.</p>
<p><b>What to look at:</b> <code>voltage.y</code> steps every millisecond, <code>faster.y</code> every four; and
<code>rotor.y</code> reaches the speed that is wanted.</p>
</html>"),
    experiment(StopTime = 1, Tolerance = 1e-6, Interval = 0.001));
end CascadeControl;

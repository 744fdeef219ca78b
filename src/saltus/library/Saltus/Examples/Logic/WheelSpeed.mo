within Saltus.Examples.Logic;
model WheelSpeed "Counting teeth: a speed sensor"
  extends Saltus.Icons.Example;
  Saltus.Blocks.Sources.Chirp sensor(f1 = 20, f2 = 120, duration = 5, amplitude = 5) "In volt"
    annotation(Placement(transformation(extent = {{-100, 10}, {-80, 30}})));
  Saltus.Logic.RealToBoolean tooth(threshold = 1)
    annotation(Placement(transformation(extent = {{-60, 10}, {-40, 30}})));
  Saltus.Logic.Edge up
    annotation(Placement(transformation(extent = {{-15, 60}, {5, 80}})));
  Saltus.Logic.Falling down
    annotation(Placement(transformation(extent = {{-15, 25}, {5, 45}})));
  Saltus.Logic.Change any
    annotation(Placement(transformation(extent = {{-15, -10}, {5, 10}})));
  Saltus.Logic.Counter ups
    annotation(Placement(transformation(extent = {{30, 60}, {50, 80}})));
  Saltus.Logic.Counter downs
    annotation(Placement(transformation(extent = {{30, 25}, {50, 45}})));
  Saltus.Logic.Counter all
    annotation(Placement(transformation(extent = {{30, -10}, {50, 10}})));
  Saltus.Logic.Counter teeth(useReset = true) "Since the last reading"
    annotation(Placement(transformation(extent = {{30, -50}, {50, -30}})));
  Saltus.Logic.Sources.SampleTrigger reading(period = 0.5, startTime = 0.5)
    annotation(Placement(transformation(extent = {{-15, -90}, {5, -70}})));
equation
  connect(sensor.y, tooth.u)
    annotation(Line(points = {{-79, 20}, {-62, 20}}, color = {0, 0, 127}));
  connect(tooth.y, up.u)
    annotation(Line(points = {{-39, 20}, {-28, 20}, {-28, 70}, {-17, 70}}, color = {255, 0, 255}));
  connect(tooth.y, down.u)
    annotation(Line(points = {{-39, 20}, {-28, 20}, {-28, 35}, {-17, 35}}, color = {255, 0, 255}));
  connect(tooth.y, any.u)
    annotation(Line(points = {{-39, 20}, {-28, 20}, {-28, 0}, {-17, 0}}, color = {255, 0, 255}));
  connect(tooth.y, teeth.u)
    annotation(Line(points = {{-39, 20}, {-28, 20}, {-28, -40}, {28, -40}}, color = {255, 0, 255}));
  connect(up.y, ups.u)
    annotation(Line(points = {{6, 70}, {28, 70}}, color = {255, 0, 255}));
  connect(down.y, downs.u)
    annotation(Line(points = {{6, 35}, {28, 35}}, color = {255, 0, 255}));
  connect(any.y, all.u)
    annotation(Line(points = {{6, 0}, {28, 0}}, color = {255, 0, 255}));
  connect(reading.y, teeth.reset)
    annotation(Line(points = {{6, -80}, {40, -80}, {40, -52}}, color = {255, 0, 255}));
  annotation(Documentation(info = "<html>
<p>A toothed wheel turns faster and faster past a sensor. Its signal is made Boolean; edges are counted, and every
half second the number is what has come since the last reading. Rising edges, falling edges, and both: counting
both doubles the resolution.</p>
<p><b>What to look at:</b> <code>teeth.y</code> is reset every half second, and higher before each reset: the
frequency rises. At the end <code>all.y</code> is the sum of <code>ups.y</code> and <code>downs.y</code>.</p>
</html>"),
    experiment(StopTime = 5, Tolerance = 1e-6, Interval = 0.001));
end WheelSpeed;

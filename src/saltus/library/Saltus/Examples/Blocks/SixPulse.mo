within Saltus.Examples.Blocks;
model SixPulse "The voltage of a three-phase bridge, from minimum and maximum"
  extends Saltus.Icons.Example;
  Saltus.Blocks.Sources.Sine a(f = 50)
    annotation(Placement(transformation(extent = {{-95, 50}, {-75, 70}})));
  Saltus.Blocks.Sources.Sine b(f = 50, phase = -2.0943951023931953) "A third of a turn later"
    annotation(Placement(transformation(extent = {{-95, -10}, {-75, 10}})));
  Saltus.Blocks.Sources.Sine c(f = 50, phase = -4.1887902047863905)
    annotation(Placement(transformation(extent = {{-95, -70}, {-75, -50}})));
  Saltus.Blocks.Math.Max max1
    annotation(Placement(transformation(extent = {{-45, 44}, {-25, 64}})));
  Saltus.Blocks.Math.Max max2
    annotation(Placement(transformation(extent = {{-5, 38}, {15, 58}})));
  Saltus.Blocks.Math.Min min1
    annotation(Placement(transformation(extent = {{-45, -50}, {-25, -30}})));
  Saltus.Blocks.Math.Min min2
    annotation(Placement(transformation(extent = {{-5, -56}, {15, -36}})));
  Saltus.Blocks.Math.Subtract bridge
    annotation(Placement(transformation(extent = {{35, -10}, {55, 10}})));
  Saltus.Blocks.Continuous.FirstOrder smooth(T = 0.02)
    annotation(Placement(transformation(extent = {{70, -10}, {90, 10}})));
equation
  connect(a.y, max1.u1)
    annotation(Line(points = {{-74, 60}, {-47, 60}}, color = {0, 0, 127}));
  connect(b.y, max1.u2)
    annotation(Line(points = {{-74, 0}, {-60, 0}, {-60, 48}, {-47, 48}}, color = {0, 0, 127}));
  connect(a.y, min1.u1)
    annotation(Line(points = {{-74, 60}, {-64, 60}, {-64, -34}, {-47, -34}}, color = {0, 0, 127}));
  connect(b.y, min1.u2)
    annotation(Line(points = {{-74, 0}, {-60, 0}, {-60, -46}, {-47, -46}}, color = {0, 0, 127}));
  connect(max1.y, max2.u1)
    annotation(Line(points = {{-24, 54}, {-7, 54}}, color = {0, 0, 127}));
  connect(c.y, max2.u2)
    annotation(Line(points = {{-74, -60}, {-54, -60}, {-54, 30}, {-12, 30}, {-12, 42}, {-7, 42}},
      color = {0, 0, 127}));
  connect(min1.y, min2.u1)
    annotation(Line(points = {{-24, -40}, {-7, -40}}, color = {0, 0, 127}));
  connect(c.y, min2.u2)
    annotation(Line(points = {{-74, -60}, {-12, -60}, {-12, -52}, {-7, -52}}, color = {0, 0, 127}));
  connect(max2.y, bridge.u1)
    annotation(Line(points = {{16, 48}, {24, 48}, {24, 6}, {33, 6}}, color = {0, 0, 127}));
  connect(min2.y, bridge.u2)
    annotation(Line(points = {{16, -46}, {24, -46}, {24, -6}, {33, -6}}, color = {0, 0, 127}));
  connect(bridge.y, smooth.u)
    annotation(Line(points = {{56, 0}, {68, 0}}, color = {0, 0, 127}));
  annotation(Documentation(info = "<html>
<p>An ideal bridge of six diodes connects its output to whichever of three phases is highest and whichever is
lowest. As signals: the maximum less the minimum. Every crossing of two phases is an event.</p>
<p><b>What to look at:</b> <code>bridge.y</code> has six humps in each period of 20 ms, between 1.5 and 1.73 times
the amplitude of a phase; its mean, which <code>smooth.y</code> approaches, is 3*sqrt(3)/pi = 1.654 times the
amplitude.</p>
</html>"),
    experiment(StopTime = 0.1, Tolerance = 1e-6, Interval = 1e-4));
end SixPulse;

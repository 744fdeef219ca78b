within Saltus.Examples.Blocks;
model LockIn "A weak signal of known frequency is found under a strong one"
  extends Saltus.Icons.Example;
  Saltus.Blocks.Sources.Sine weak(f = 5, amplitude = 0.1, phase = 0.7)
    annotation(Placement(transformation(extent = {{-100, 60}, {-80, 80}})));
  Saltus.Blocks.Sources.Sine strong(f = 7.3)
    annotation(Placement(transformation(extent = {{-100, 20}, {-80, 40}})));
  Saltus.Blocks.Math.Add measured
    annotation(Placement(transformation(extent = {{-65, 40}, {-45, 60}})));
  Saltus.Blocks.Sources.Clock angle(slope = 31.41592653589793) "2*pi*5 per second"
    annotation(Placement(transformation(extent = {{-100, -40}, {-80, -20}})));
  Saltus.Blocks.Math.Sin sine
    annotation(Placement(transformation(extent = {{-65, -5}, {-45, 15}})));
  Saltus.Blocks.Math.Cos cosine
    annotation(Placement(transformation(extent = {{-65, -60}, {-45, -40}})));
  Saltus.Blocks.Math.Product inPhase
    annotation(Placement(transformation(extent = {{-25, 10}, {-5, 30}})));
  Saltus.Blocks.Math.Product quadrature
    annotation(Placement(transformation(extent = {{-25, -50}, {-5, -30}})));
  Saltus.Blocks.Continuous.LowPass low1(f = 0.3, order = 4)
    annotation(Placement(transformation(extent = {{10, 10}, {30, 30}})));
  Saltus.Blocks.Continuous.LowPass low2(f = 0.3, order = 4)
    annotation(Placement(transformation(extent = {{10, -50}, {30, -30}})));
  Saltus.Blocks.Math.Product square1
    annotation(Placement(transformation(extent = {{42, 10}, {62, 30}})));
  Saltus.Blocks.Math.Product square2
    annotation(Placement(transformation(extent = {{42, -50}, {62, -30}})));
  Saltus.Blocks.Math.Sum both(k = {4, 4})
    annotation(Placement(transformation(extent = {{75, 10}, {95, 30}})));
  Saltus.Blocks.Math.Sqrt amplitude
    annotation(Placement(transformation(extent = {{75, -30}, {95, -10}})));
equation
  connect(weak.y, measured.u1)
    annotation(Line(points = {{-79, 70}, {-73, 70}, {-73, 56}, {-67, 56}}, color = {0, 0, 127}));
  connect(strong.y, measured.u2)
    annotation(Line(points = {{-79, 30}, {-73, 30}, {-73, 44}, {-67, 44}}, color = {0, 0, 127}));
  connect(angle.y, sine.u)
    annotation(Line(points = {{-79, -30}, {-72, -30}, {-72, 5}, {-67, 5}}, color = {0, 0, 127}));
  connect(angle.y, cosine.u)
    annotation(Line(points = {{-79, -30}, {-72, -30}, {-72, -50}, {-67, -50}}, color = {0, 0, 127}));
  connect(measured.y, inPhase.u1)
    annotation(Line(points = {{-44, 50}, {-37, 50}, {-37, 26}, {-27, 26}}, color = {0, 0, 127}));
  connect(sine.y, inPhase.u2)
    annotation(Line(points = {{-44, 5}, {-33, 5}, {-33, 14}, {-27, 14}}, color = {0, 0, 127}));
  connect(measured.y, quadrature.u1)
    annotation(Line(points = {{-44, 50}, {-37, 50}, {-37, -34}, {-27, -34}}, color = {0, 0, 127}));
  connect(cosine.y, quadrature.u2)
    annotation(Line(points = {{-44, -50}, {-33, -50}, {-33, -46}, {-27, -46}}, color = {0, 0, 127}));
  connect(inPhase.y, low1.u)
    annotation(Line(points = {{-4, 20}, {8, 20}}, color = {0, 0, 127}));
  connect(quadrature.y, low2.u)
    annotation(Line(points = {{-4, -40}, {8, -40}}, color = {0, 0, 127}));
  connect(low1.y, square1.u1)
    annotation(Line(points = {{31, 20}, {35, 20}, {35, 26}, {40, 26}}, color = {0, 0, 127}));
  connect(low1.y, square1.u2)
    annotation(Line(points = {{31, 20}, {35, 20}, {35, 14}, {40, 14}}, color = {0, 0, 127}));
  connect(low2.y, square2.u1)
    annotation(Line(points = {{31, -40}, {35, -40}, {35, -34}, {40, -34}}, color = {0, 0, 127}));
  connect(low2.y, square2.u2)
    annotation(Line(points = {{31, -40}, {35, -40}, {35, -46}, {40, -46}}, color = {0, 0, 127}));
  connect(square1.y, both.u[1])
    annotation(Line(points = {{63, 20}, {73, 20}}, color = {0, 0, 127}));
  connect(square2.y, both.u[2])
    annotation(Line(points = {{63, -40}, {68, -40}, {68, 20}, {73, 20}}, color = {0, 0, 127}));
  connect(both.y, amplitude.u)
    annotation(Line(points = {{96, 20}, {98, 20}, {98, 0}, {70, 0}, {70, -20}, {73, -20}}, color = {0, 0, 127}));
  annotation(Documentation(info = "<html>
<p>A signal of 5 Hz with the amplitude 0.1 is hidden under one of 7.3 Hz that is ten times as large. It is
multiplied with sine and cosine of the known frequency; what is left at zero frequency belongs to it alone, and
two low-passes keep just that. The root of the sum of squares is half the amplitude, whatever the phase.</p>
<p><b>What to look at:</b> <code>measured.y</code> shows nothing of it; <code>amplitude.y</code> settles at 0.1.</p>
</html>"),
    experiment(StopTime = 8, Tolerance = 1e-6, Interval = 0.005));
end LockIn;

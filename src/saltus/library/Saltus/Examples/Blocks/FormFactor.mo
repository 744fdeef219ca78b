within Saltus.Examples.Blocks;
model FormFactor "Mean and effective value of a rectified sine"
  extends Saltus.Icons.Example;
  Saltus.Blocks.Sources.Sine current(f = 1)
    annotation(Placement(transformation(extent = {{-100, 10}, {-80, 30}})));
  Saltus.Blocks.Math.Sign side
    annotation(Placement(transformation(extent = {{-72, 60}, {-52, 80}})));
  Saltus.Blocks.Math.Product switched "Rectified by switching"
    annotation(Placement(transformation(extent = {{-35, 54}, {-15, 74}})));
  Saltus.Blocks.Math.Abs rectified
    annotation(Placement(transformation(extent = {{-68, 10}, {-48, 30}})));
  Saltus.Blocks.Continuous.Integrator charge(y0 = 1e-6)
    annotation(Placement(transformation(extent = {{-30, 10}, {-10, 30}})));
  Saltus.Blocks.Math.Product square
    annotation(Placement(transformation(extent = {{-65, -40}, {-45, -20}})));
  Saltus.Blocks.Continuous.Integrator heat(y0 = 1e-6)
    annotation(Placement(transformation(extent = {{-30, -40}, {-10, -20}})));
  Saltus.Blocks.Sources.Clock clock(offset = 1e-6) "As if there had been a microsecond of 1 A before"
    annotation(Placement(transformation(extent = {{-65, -85}, {-45, -65}})));
  Saltus.Blocks.Math.Division mean
    annotation(Placement(transformation(extent = {{10, 4}, {30, 24}})));
  Saltus.Blocks.Math.Division meanSquare
    annotation(Placement(transformation(extent = {{10, -46}, {30, -26}})));
  Saltus.Blocks.Math.Sqrt effective
    annotation(Placement(transformation(extent = {{40, -46}, {60, -26}})));
  Saltus.Blocks.Math.Division factor
    annotation(Placement(transformation(extent = {{75, -10}, {95, 10}})));
equation
  connect(current.y, rectified.u)
    annotation(Line(points = {{-79, 20}, {-70, 20}}, color = {0, 0, 127}));
  connect(current.y, side.u)
    annotation(Line(points = {{-79, 20}, {-76, 20}, {-76, 70}, {-74, 70}}, color = {0, 0, 127}));
  connect(side.y, switched.u1)
    annotation(Line(points = {{-51, 70}, {-44, 70}, {-37, 70}}, color = {0, 0, 127}));
  connect(current.y, switched.u2)
    annotation(Line(points = {{-79, 20}, {-76, 20}, {-76, 45}, {-42, 45}, {-42, 58}, {-37, 58}},
      color = {0, 0, 127}));
  connect(rectified.y, charge.u)
    annotation(Line(points = {{-47, 20}, {-32, 20}}, color = {0, 0, 127}));
  connect(current.y, square.u1)
    annotation(Line(points = {{-79, 20}, {-76, 20}, {-76, -24}, {-67, -24}}, color = {0, 0, 127}));
  connect(current.y, square.u2)
    annotation(Line(points = {{-79, 20}, {-76, 20}, {-76, -36}, {-67, -36}}, color = {0, 0, 127}));
  connect(square.y, heat.u)
    annotation(Line(points = {{-44, -30}, {-32, -30}}, color = {0, 0, 127}));
  connect(charge.y, mean.u1)
    annotation(Line(points = {{-9, 20}, {0, 20}, {8, 20}}, color = {0, 0, 127}));
  connect(clock.y, mean.u2)
    annotation(Line(points = {{-44, -75}, {4, -75}, {4, 8}, {8, 8}}, color = {0, 0, 127}));
  connect(heat.y, meanSquare.u1)
    annotation(Line(points = {{-9, -30}, {-4, -30}, {8, -30}}, color = {0, 0, 127}));
  connect(clock.y, meanSquare.u2)
    annotation(Line(points = {{-44, -75}, {4, -75}, {4, -42}, {8, -42}}, color = {0, 0, 127}));
  connect(meanSquare.y, effective.u)
    annotation(Line(points = {{31, -36}, {38, -36}}, color = {0, 0, 127}));
  connect(effective.y, factor.u1)
    annotation(Line(points = {{61, -36}, {66, -36}, {66, 6}, {73, 6}}, color = {0, 0, 127}));
  connect(mean.y, factor.u2)
    annotation(Line(points = {{31, 14}, {60, 14}, {60, -6}, {73, -6}}, color = {0, 0, 127}));
  annotation(Documentation(info = "<html>
<p>An instrument of the old kind measures the mean of the rectified current and is scaled to show the effective
value, which is right for sines only. Here are both, from their definitions: the integral of the absolute value,
and the root of the integral of the square, each divided by time. A rectifier that switches with the sign does
the same as the absolute value.</p>
<p><b>What to look at:</b> at the end of each half period <code>mean.y</code> is 2/pi = 0.637,
<code>effective.y</code> is 0.707, and <code>factor.y</code> is 1.11.</p>
</html>"),
    experiment(StopTime = 4, Tolerance = 1e-8, Interval = 0.01));
end FormFactor;

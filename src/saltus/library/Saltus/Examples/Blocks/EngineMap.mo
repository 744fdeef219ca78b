within Saltus.Examples.Blocks;
model EngineMap "Tables: a drive along a map"
  extends Saltus.Icons.Example;
  Saltus.Blocks.Sources.TimeTable accelerator(table = [0, 0; 2, 0.6; 3, 0.6; 3, 1; 7, 1; 9, 0.1]) "From 0 to 1"
    annotation(Placement(transformation(extent = {{-90, 30}, {-70, 50}})));
  Saltus.Blocks.Sources.Clock speed(offset = 100, slope = 45) "In rad/s"
    annotation(Placement(transformation(extent = {{-90, -30}, {-70, -10}})));
  Saltus.Blocks.Tables.Table2D torque(table = [0, 100, 200, 300, 400, 500; 0, -10, -15, -22, -30, -40;
    0.3, 60, 55, 45, 35, 20; 0.6, 110, 120, 115, 100, 80; 1, 140, 165, 170, 160, 130])
    "In N.m, over accelerator and speed"
    annotation(Placement(transformation(extent = {{-30, 30}, {-10, 50}})));
  Saltus.Blocks.Tables.Table1D bearable(table = [100, 120; 200, 150; 300, 145; 500, 125]) "Of the gearbox, in N.m"
    annotation(Placement(transformation(extent = {{-30, -30}, {-10, -10}})));
  Saltus.Blocks.Math.Gain negative(k = -1)
    annotation(Placement(transformation(extent = {{10, -65}, {30, -45}})));
  Saltus.Blocks.Nonlinear.VariableLimiter limited
    annotation(Placement(transformation(extent = {{40, 10}, {60, 30}})));
  Saltus.Blocks.Tables.Curve1D drag(table = [0, 2; 100, 3; 200, 6; 350, 9; 500, 18]) "Of the gearbox, in N.m"
    annotation(Placement(transformation(extent = {{-30, -95}, {-10, -75}})));
  Saltus.Blocks.Math.Subtract net
    annotation(Placement(transformation(extent = {{75, 4}, {95, 24}})));
equation
  connect(accelerator.y, torque.u1)
    annotation(Line(points = {{-69, 40}, {-50, 40}, {-50, 46}, {-32, 46}}, color = {0, 0, 127}));
  connect(speed.y, torque.u2)
    annotation(Line(points = {{-69, -20}, {-45, -20}, {-45, 34}, {-32, 34}}, color = {0, 0, 127}));
  connect(speed.y, bearable.u)
    annotation(Line(points = {{-69, -20}, {-32, -20}}, color = {0, 0, 127}));
  connect(torque.y, limited.u)
    annotation(Line(points = {{-9, 40}, {16, 40}, {16, 20}, {38, 20}}, color = {0, 0, 127}));
  connect(bearable.y, limited.upper)
    annotation(Line(points = {{-9, -20}, {10, -20}, {10, 28}, {38, 28}}, color = {0, 0, 127}));
  connect(bearable.y, negative.u)
    annotation(Line(points = {{-9, -20}, {2, -20}, {2, -55}, {8, -55}}, color = {0, 0, 127}));
  connect(negative.y, limited.lower)
    annotation(Line(points = {{31, -55}, {34, -55}, {34, 12}, {38, 12}}, color = {0, 0, 127}));
  connect(speed.y, drag.u)
    annotation(Line(points = {{-69, -20}, {-45, -20}, {-45, -85}, {-32, -85}}, color = {0, 0, 127}));
  connect(drag.y, net.u2)
    annotation(Line(points = {{-9, -85}, {66, -85}, {66, 8}, {73, 8}}, color = {0, 0, 127}));
  connect(limited.y, net.u1)
    annotation(Line(points = {{61, 20}, {73, 20}}, color = {0, 0, 127}));
  annotation(Documentation(info = "<html>
<p>The torque of an engine is a map over accelerator and speed, as it is measured on a test bench. The accelerator
follows a table over time with a jump in it, the speed rises. A second table holds the largest torque that the
gearbox can bear at each speed; a limiter with inputs cuts off what is above. The drag of the gearbox, a smooth
curve through measured points, is what is lost on the way.</p>
<p><b>What to look at:</b> <code>torque.y</code> has a corner wherever a line of the map is crossed, each at an
event; <code>limited.y</code> leaves it where the gearbox is weaker. <code>drag.y</code> has no corners.</p>
</html>"),
    experiment(StopTime = 9, Tolerance = 1e-6, Interval = 0.02));
end EngineMap;

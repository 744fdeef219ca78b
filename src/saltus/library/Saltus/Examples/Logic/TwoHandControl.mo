within Saltus.Examples.Logic;
model TwoHandControl "A press that needs both hands"
  extends Saltus.Icons.Example;
  Saltus.Logic.Sources.BooleanTable left(table = {2, 4, 6, 9, 11, 13})
    annotation(Placement(transformation(extent = {{-100, 40}, {-80, 60}})));
  Saltus.Logic.Sources.BooleanTable right(table = {2.3, 5, 7, 9, 11.1, 13})
    annotation(Placement(transformation(extent = {{-100, -10}, {-80, 10}})));
  Saltus.Logic.Sources.BooleanTable guard(table = {10.5, 12}, before = true) "Shut"
    annotation(Placement(transformation(extent = {{-100, -60}, {-80, -40}})));
  Saltus.Logic.Or any
    annotation(Placement(transformation(extent = {{-55, 50}, {-35, 70}})));
  Saltus.Logic.Monoflop window(pulseTime = 0.5)
    annotation(Placement(transformation(extent = {{-15, 50}, {5, 70}})));
  Saltus.Logic.And both
    annotation(Placement(transformation(extent = {{-55, 0}, {-35, 20}})));
  Saltus.Logic.AndN start
    annotation(Placement(transformation(extent = {{25, 20}, {45, 40}})));
  Saltus.Logic.Nand release
    annotation(Placement(transformation(extent = {{-15, -50}, {5, -30}})));
  Saltus.Logic.RSFlipFlop closed
    annotation(Placement(transformation(extent = {{65, 0}, {85, 20}})));
equation
  connect(left.y, any.u1)
    annotation(Line(points = {{-79, 50}, {-68, 50}, {-68, 66}, {-57, 66}}, color = {255, 0, 255}));
  connect(right.y, any.u2)
    annotation(Line(points = {{-79, 0}, {-65, 0}, {-65, 54}, {-57, 54}}, color = {255, 0, 255}));
  connect(left.y, both.u1)
    annotation(Line(points = {{-79, 50}, {-68, 50}, {-68, 16}, {-57, 16}}, color = {255, 0, 255}));
  connect(right.y, both.u2)
    annotation(Line(points = {{-79, 0}, {-65, 0}, {-65, 4}, {-57, 4}}, color = {255, 0, 255}));
  connect(any.y, window.u)
    annotation(Line(points = {{-34, 60}, {-17, 60}}, color = {255, 0, 255}));
  connect(window.y, start.u[1])
    annotation(Line(points = {{6, 60}, {14, 60}, {14, 30}, {23, 30}}, color = {255, 0, 255}));
  connect(both.y, start.u[2])
    annotation(Line(points = {{-34, 10}, {14, 10}, {14, 30}, {23, 30}}, color = {255, 0, 255}));
  connect(guard.y, start.u[3])
    annotation(Line(points = {{-79, -50}, {-60, -50}, {-60, -20}, {14, -20}, {14, 30}, {23, 30}},
      color = {255, 0, 255}));
  connect(both.y, release.u1)
    annotation(Line(points = {{-34, 10}, {-25, 10}, {-25, -34}, {-17, -34}}, color = {255, 0, 255}));
  connect(guard.y, release.u2)
    annotation(Line(points = {{-79, -50}, {-60, -50}, {-60, -46}, {-17, -46}}, color = {255, 0, 255}));
  connect(start.y, closed.s)
    annotation(Line(points = {{46, 30}, {55, 30}, {55, 16}, {63, 16}}, color = {255, 0, 255}));
  connect(release.y, closed.r)
    annotation(Line(points = {{6, -40}, {55, -40}, {55, 4}, {63, 4}}, color = {255, 0, 255}));
  annotation(Documentation(info = "<html>
<p>A press may close only while both buttons are held, and only if they were pressed within half a second of each
other: a button that is tied down does not count. All guards must be shut as well. The first button that is
pressed opens a window of half a second; both together inside the window are stored until one is let go.</p>
<p><b>What to look at:</b> the press closes at 2.3 s and opens at 4 s. At 6 s the second button comes too late, and
at 11 s a guard is open: <code>closed.q</code> stays false.</p>
</html>"),
    experiment(StopTime = 14, Tolerance = 1e-6));
end TwoHandControl;

within Saltus.Examples.Logic;
model PressureAlarm "An alarm that does not cry wolf"
  extends Saltus.Icons.Example;
  Saltus.Blocks.Sources.TimeTable pressure(table = [0, 1; 3, 1; 3, 4; 3.3, 4; 3.3, 1; 7, 1.5; 8, 3.5; 9.5, 3.5;
    10, 1; 14, 0.5; 16, 1]) "In bar"
    annotation(Placement(transformation(extent = {{-95, 30}, {-75, 50}})));
  Saltus.Logic.Greater high(threshold = 3)
    annotation(Placement(transformation(extent = {{-55, 30}, {-35, 50}})));
  Saltus.Logic.OnDelay lasting(delayTime = 0.5)
    annotation(Placement(transformation(extent = {{-15, 30}, {5, 50}})));
  Saltus.Logic.RSFlipFlop alarm
    annotation(Placement(transformation(extent = {{35, 24}, {55, 44}})));
  Saltus.Logic.Sources.BooleanTable acknowledge(table = {12, 12.5})
    annotation(Placement(transformation(extent = {{-15, -10}, {5, 10}})));
  Saltus.Logic.OffDelay horn(delayTime = 2)
    annotation(Placement(transformation(extent = {{35, 65}, {55, 85}})));
  Saltus.Logic.Counter spikes
    annotation(Placement(transformation(extent = {{-15, 70}, {5, 90}})));
  Saltus.Logic.Less low(threshold = 0.7)
    annotation(Placement(transformation(extent = {{-55, -30}, {-35, -10}})));
  Saltus.Logic.Sources.BooleanStep door1(startTime = 5, before = true) "Open, then closed"
    annotation(Placement(transformation(extent = {{-55, -65}, {-35, -45}})));
  Saltus.Logic.Sources.BooleanStep door2(startTime = 15) "Opened at 15 s"
    annotation(Placement(transformation(extent = {{-55, -95}, {-35, -75}})));
  Saltus.Logic.OrN trouble(n = 4)
    annotation(Placement(transformation(extent = {{0, -60}, {20, -40}})));
  Saltus.Logic.Nor permit "The pump may run"
    annotation(Placement(transformation(extent = {{70, -30}, {90, -10}})));
equation
  connect(pressure.y, high.u)
    annotation(Line(points = {{-74, 40}, {-57, 40}}, color = {0, 0, 127}));
  connect(high.y, lasting.u)
    annotation(Line(points = {{-34, 40}, {-17, 40}}, color = {255, 0, 255}));
  connect(lasting.y, alarm.s)
    annotation(Line(points = {{6, 40}, {33, 40}}, color = {255, 0, 255}));
  connect(acknowledge.y, alarm.r)
    annotation(Line(points = {{6, 0}, {22, 0}, {22, 28}, {33, 28}}, color = {255, 0, 255}));
  connect(lasting.y, horn.u)
    annotation(Line(points = {{6, 40}, {22, 40}, {22, 75}, {33, 75}}, color = {255, 0, 255}));
  connect(high.y, spikes.u)
    annotation(Line(points = {{-34, 40}, {-25, 40}, {-25, 80}, {-17, 80}}, color = {255, 0, 255}));
  connect(pressure.y, low.u)
    annotation(Line(points = {{-74, 40}, {-65, 40}, {-65, -20}, {-57, -20}}, color = {0, 0, 127}));
  connect(low.y, trouble.u[1])
    annotation(Line(points = {{-34, -20}, {-15, -20}, {-15, -50}, {-2, -50}}, color = {255, 0, 255}));
  connect(door1.y, trouble.u[2])
    annotation(Line(points = {{-34, -55}, {-15, -55}, {-15, -50}, {-2, -50}}, color = {255, 0, 255}));
  connect(door2.y, trouble.u[3])
    annotation(Line(points = {{-34, -85}, {-15, -85}, {-15, -50}, {-2, -50}}, color = {255, 0, 255}));
  connect(high.y, trouble.u[4])
    annotation(Line(points = {{-34, 40}, {-25, 40}, {-25, -50}, {-12, -50}, {-2, -50}}, color = {255, 0, 255}));
  connect(alarm.q, permit.u1)
    annotation(Line(points = {{56, 40}, {62, 40}, {62, -14}, {68, -14}}, color = {255, 0, 255}));
  connect(trouble.y, permit.u2)
    annotation(Line(points = {{21, -50}, {45, -50}, {45, -26}, {68, -26}}, color = {255, 0, 255}));
  annotation(Documentation(info = "<html>
<p>A pressure with spikes on it. Spikes shorter than half a second are ignored; what lasts longer is an alarm,
which stays until it is acknowledged. The horn sounds on for two seconds after the pressure is good again. If
one of the doors of the plant is open, or the pressure has fallen below its least value, the pump must not run.</p>
<p><b>What to look at:</b> <code>lasting.y</code> misses the short spike at 3 s, <code>alarm.q</code> is stored
from the long one on and is reset at 12 s. <code>spikes.y</code> has counted both; <code>permit.y</code> says
when the pump may run.</p>
</html>"),
    experiment(StopTime = 18, Tolerance = 1e-6, Interval = 0.05));
end PressureAlarm;

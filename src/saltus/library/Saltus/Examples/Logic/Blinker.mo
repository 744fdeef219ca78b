within Saltus.Examples.Logic;
model Blinker "Loops of gates: a lamp that blinks, and a memory"
  extends Saltus.Icons.Example;
  Saltus.Logic.Not again
    annotation(Placement(transformation(extent = {{-80, 40}, {-60, 60}})));
  Saltus.Logic.OnDelay dark(delayTime = 0.7)
    annotation(Placement(transformation(extent = {{-35, 40}, {-15, 60}})));
  Saltus.Logic.OffDelay light(delayTime = 0.3) "The lamp"
    annotation(Placement(transformation(extent = {{10, 40}, {30, 60}})));
  Saltus.Logic.Pre before
    annotation(Placement(transformation(extent = {{55, 40}, {75, 60}})));
  Saltus.Logic.Sources.BooleanTable reset(table = {3, 3.1})
    annotation(Placement(transformation(extent = {{-90, -40}, {-70, -20}})));
  Saltus.Logic.Sources.BooleanTable set(table = {1, 1.1, 6, 6.1})
    annotation(Placement(transformation(extent = {{-90, -85}, {-70, -65}})));
  Saltus.Logic.Nor upper
    annotation(Placement(transformation(extent = {{-30, -46}, {-10, -26}})));
  Saltus.Logic.Pre memory
    annotation(Placement(transformation(extent = {{5, -46}, {25, -26}})));
  Saltus.Logic.Nor lower
    annotation(Placement(transformation(extent = {{45, -79}, {65, -59}})));
equation
  connect(again.y, dark.u)
    annotation(Line(points = {{-59, 50}, {-37, 50}}, color = {255, 0, 255}));
  connect(dark.y, light.u)
    annotation(Line(points = {{-14, 50}, {8, 50}}, color = {255, 0, 255}));
  connect(light.y, before.u)
    annotation(Line(points = {{31, 50}, {53, 50}}, color = {255, 0, 255}));
  connect(before.y, again.u)
    annotation(Line(points = {{76, 50}, {88, 50}, {88, 15}, {-90, 15}, {-90, 50}, {-82, 50}}, color = {255, 0, 255}));
  connect(reset.y, upper.u1)
    annotation(Line(points = {{-69, -30}, {-32, -30}}, color = {255, 0, 255}));
  connect(upper.y, memory.u)
    annotation(Line(points = {{-9, -36}, {3, -36}}, color = {255, 0, 255}));
  connect(memory.y, lower.u1)
    annotation(Line(points = {{26, -36}, {34, -36}, {34, -63}, {43, -63}}, color = {255, 0, 255}));
  connect(set.y, lower.u2)
    annotation(Line(points = {{-69, -75}, {43, -75}}, color = {255, 0, 255}));
  connect(lower.y, upper.u2)
    annotation(Line(points = {{66, -69}, {78, -69}, {78, -94}, {-45, -94}, {-45, -42}, {-32, -42}},
      color = {255, 0, 255}));
  annotation(Documentation(info = "<html>
<p>A ring of four blocks: when the lamp has been dark for 0.7 s it is switched on, and stays on for 0.3 s. Below,
two gates remember: each has the output of the other as an input, so that a short pulse on one of the inputs is
kept until there is one on the other. In both loops one block tells the value before an event, which says in
which order things happen in no time.</p>
<p><b>What to look at:</b> <code>light.y</code> has a period of exactly one second. <code>upper.y</code> is true
from 1 s to 3 s, and again from 6 s on.</p>
</html>"),
    experiment(StopTime = 8, Tolerance = 1e-6));
end Blinker;

within Saltus.Examples.Logic;
model RippleCounter "Flip-flops that count"
  extends Saltus.Icons.Example;
  Saltus.Logic.Sources.BooleanPulse clock(period = 1, startTime = 1)
    annotation(Placement(transformation(extent = {{-95, 20}, {-75, 40}})));
  Saltus.Logic.TFlipFlop digit1
    annotation(Placement(transformation(extent = {{-55, 20}, {-35, 40}})));
  Saltus.Logic.TFlipFlop digit2
    annotation(Placement(transformation(extent = {{-15, 14}, {5, 34}})));
  Saltus.Logic.TFlipFlop digit3
    annotation(Placement(transformation(extent = {{25, 8}, {45, 28}})));
  Saltus.Logic.Sources.BooleanConstant yes
    annotation(Placement(transformation(extent = {{25, -40}, {45, -20}})));
  Saltus.Logic.JKFlipFlop digit4
    annotation(Placement(transformation(extent = {{70, 2}, {90, 22}})));
  Saltus.Logic.Counter pulses
    annotation(Placement(transformation(extent = {{-55, -40}, {-35, -20}})));
equation
  connect(clock.y, digit1.u)
    annotation(Line(points = {{-74, 30}, {-57, 30}}, color = {255, 0, 255}));
  connect(digit1.qn, digit2.u)
    annotation(Line(points = {{-34, 24}, {-17, 24}}, color = {255, 0, 255}));
  connect(digit2.qn, digit3.u)
    annotation(Line(points = {{6, 18}, {23, 18}}, color = {255, 0, 255}));
  connect(digit3.qn, digit4.clock)
    annotation(Line(points = {{46, 12}, {68, 12}}, color = {255, 0, 255}));
  connect(yes.y, digit4.j)
    annotation(Line(points = {{46, -30}, {60, -30}, {60, 18}, {68, 18}}, color = {255, 0, 255}));
  connect(yes.y, digit4.k)
    annotation(Line(points = {{46, -30}, {60, -30}, {60, 6}, {68, 6}}, color = {255, 0, 255}));
  connect(clock.y, pulses.u)
    annotation(Line(points = {{-74, 30}, {-65, 30}, {-65, -30}, {-57, -30}}, color = {255, 0, 255}));
  annotation(Documentation(info = "<html>
<p>Each flip-flop turns over when the one before it falls back: it has half its frequency. Three of them and a last
one with two inputs, which are both true, count the pulses of a clock from 0 to 15 and begin again. A counter
shows what is expected.</p>
<p><b>What to look at:</b> <code>q</code> of the four flip-flops are the binary digits of the number of pulses: at
5.2 s they are true, false, true, false, and <code>pulses.y</code> is 5.</p>
</html>"),
    experiment(StopTime = 20, Tolerance = 1e-6));
end RippleCounter;

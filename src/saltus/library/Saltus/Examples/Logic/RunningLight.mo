within Saltus.Examples.Logic;
model RunningLight "A shift register"
  extends Saltus.Icons.Example;
  Saltus.Logic.Sources.BooleanPulse clock(period = 1, startTime = 0.5)
    annotation(Placement(transformation(extent = {{-95, -50}, {-75, -30}})));
  Saltus.Logic.DFlipFlop light1
    annotation(Placement(transformation(extent = {{-50, 10}, {-30, 30}})));
  Saltus.Logic.DFlipFlop light2
    annotation(Placement(transformation(extent = {{-5, 10}, {15, 30}})));
  Saltus.Logic.DFlipFlop light3
    annotation(Placement(transformation(extent = {{40, 10}, {60, 30}})));
  Saltus.Logic.Sources.BooleanTable button(table = {4.3, 7.7})
    annotation(Placement(transformation(extent = {{-50, -90}, {-30, -70}})));
  Saltus.Logic.Not free
    annotation(Placement(transformation(extent = {{-15, -90}, {5, -70}})));
  Saltus.Logic.Latch shown
    annotation(Placement(transformation(extent = {{30, -84}, {50, -64}})));
equation
  connect(light3.qn, light1.d)
    annotation(Line(points = {{61, 14}, {75, 14}, {75, 60}, {-65, 60}, {-65, 26}, {-52, 26}}, color = {255, 0, 255}));
  connect(light1.q, light2.d)
    annotation(Line(points = {{-29, 26}, {-7, 26}}, color = {255, 0, 255}));
  connect(light2.q, light3.d)
    annotation(Line(points = {{16, 26}, {38, 26}}, color = {255, 0, 255}));
  connect(clock.y, light1.clock)
    annotation(Line(points = {{-74, -40}, {-64, -40}, {-64, 14}, {-52, 14}}, color = {255, 0, 255}));
  connect(clock.y, light2.clock)
    annotation(Line(points = {{-74, -40}, {-18, -40}, {-18, 14}, {-7, 14}}, color = {255, 0, 255}));
  connect(clock.y, light3.clock)
    annotation(Line(points = {{-74, -40}, {28, -40}, {28, 14}, {38, 14}}, color = {255, 0, 255}));
  connect(button.y, free.u)
    annotation(Line(points = {{-29, -80}, {-17, -80}}, color = {255, 0, 255}));
  connect(free.y, shown.enable)
    annotation(Line(points = {{6, -80}, {28, -80}}, color = {255, 0, 255}));
  connect(light1.q, shown.u)
    annotation(Line(points = {{-29, 26}, {-22, 26}, {-22, -14}, {18, -14}, {18, -68}, {28, -68}},
      color = {255, 0, 255}));
  annotation(Documentation(info = "<html>
<p>Three flip-flops with one clock: at each edge every one takes what its neighbour had before, and the first one
takes the opposite of the last. The lights go on one after the other, then off one after the other. A latch
freezes the first light while a button is pressed.</p>
<p><b>What to look at:</b> the outputs of <code>light1</code> to <code>light3</code> are the same signal, a period
apart; the pattern repeats after six edges. <code>shown.y</code> stands still from 4.3 s to 7.7 s.</p>
</html>"),
    experiment(StopTime = 12, Tolerance = 1e-6));
end RunningLight;

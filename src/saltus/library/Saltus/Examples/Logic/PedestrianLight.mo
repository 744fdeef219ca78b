within Saltus.Examples.Logic;
model PedestrianLight "Who presses the button gets green, but not at once"
  extends Saltus.Icons.Example;
  Saltus.Logic.Sources.BooleanTable button(table = {1, 1.2, 4, 4.1, 14, 14.3, 30, 30.2}) "Pressed and let go"
    annotation(Placement(transformation(extent = {{-95, 30}, {-75, 50}})));
  Saltus.Logic.RSFlipFlop request "Stored"
    annotation(Placement(transformation(extent = {{-55, 24}, {-35, 44}})));
  Saltus.Logic.OnDelay patience(delayTime = 2) "Cars may still go"
    annotation(Placement(transformation(extent = {{-10, 30}, {10, 50}})));
  Saltus.Logic.Edge begin
    annotation(Placement(transformation(extent = {{30, 30}, {50, 50}})));
  Saltus.Logic.Monoflop red(pulseTime = 7) "Cars have red"
    annotation(Placement(transformation(extent = {{65, 30}, {85, 50}})));
  Saltus.Logic.OnDelay safe(delayTime = 2) "The last car has gone"
    annotation(Placement(transformation(extent = {{-30, -40}, {-10, -20}})));
  Saltus.Logic.Monoflop green(pulseTime = 4) "People have green"
    annotation(Placement(transformation(extent = {{10, -40}, {30, -20}})));
  Saltus.Logic.Falling served
    annotation(Placement(transformation(extent = {{50, -70}, {70, -50}})));
  Saltus.Logic.Timer waiting
    annotation(Placement(transformation(extent = {{-10, 70}, {10, 90}})));
equation
  connect(button.y, request.s)
    annotation(Line(points = {{-74, 40}, {-57, 40}}, color = {255, 0, 255}));
  connect(request.q, patience.u)
    annotation(Line(points = {{-34, 40}, {-12, 40}}, color = {255, 0, 255}));
  connect(patience.y, begin.u)
    annotation(Line(points = {{11, 40}, {28, 40}}, color = {255, 0, 255}));
  connect(begin.y, red.u)
    annotation(Line(points = {{51, 40}, {63, 40}}, color = {255, 0, 255}));
  connect(red.y, safe.u)
    annotation(Line(points = {{86, 40}, {94, 40}, {94, 0}, {-45, 0}, {-45, -30}, {-32, -30}}, color = {255, 0, 255}));
  connect(safe.y, green.u)
    annotation(Line(points = {{-9, -30}, {8, -30}}, color = {255, 0, 255}));
  connect(green.y, served.u)
    annotation(Line(points = {{31, -30}, {38, -30}, {38, -60}, {48, -60}}, color = {255, 0, 255}));
  connect(served.y, request.r)
    annotation(Line(points = {{71, -60}, {90, -60}, {90, -85}, {-65, -85}, {-65, 28}, {-57, 28}},
      color = {255, 0, 255}));
  connect(request.q, waiting.u)
    annotation(Line(points = {{-34, 40}, {-22, 40}, {-22, 80}, {-12, 80}}, color = {255, 0, 255}));
  annotation(Documentation(info = "<html>
<p>A request is stored until it has been served. Cars get red when it has been there for two seconds; two more
seconds later people have green, for four seconds, which also answers the request; a second after that cars may
go again. Pressing twice does not help.</p>
<p><b>What to look at:</b> <code>request.q</code>, <code>red.y</code> for the cars and <code>green.y</code> for
people: green is never true while red is not. <code>waiting.y</code> shows how long a request has been there.</p>
</html>"),
    experiment(StopTime = 40, Tolerance = 1e-6));
end PedestrianLight;

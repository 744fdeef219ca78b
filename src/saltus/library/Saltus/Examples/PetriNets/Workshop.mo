within Saltus.Examples.PetriNets;
model Workshop "A machine that takes parts in pairs from a small buffer"
  extends Saltus.Icons.Example;
  Saltus.PetriNets.Place stock(start = 9, nIn = 0) "Parts that are not brought yet"
    annotation(Placement(transformation(extent = {{-90, -10}, {-70, 10}})));
  Saltus.PetriNets.TimedTransition bring(delay = 1) "One after the other"
    annotation(Placement(transformation(extent = {{-60, -10}, {-40, 10}})));
  Saltus.PetriNets.Place buffer(capacity = 3) "Has room for three"
    annotation(Placement(transformation(extent = {{-30, -10}, {-10, 10}})));
  Saltus.PetriNets.Transition begin(nIn = 2, weightIn = {2, 1}) "Takes two parts"
    annotation(Placement(transformation(extent = {{0, -10}, {20, 10}})));
  Saltus.PetriNets.Place idle(start = 1) "The machine waits"
    annotation(Placement(transformation(extent = {{30, 30}, {50, 50}})));
  Saltus.PetriNets.Place works "The machine works"
    annotation(Placement(transformation(extent = {{30, -10}, {50, 10}})));
  Saltus.PetriNets.TimedTransition finish(delay = 5, nOut = 2) "It has worked"
    annotation(Placement(transformation(extent = {{60, -10}, {80, 10}})));
  Saltus.PetriNets.Place done(nOut = 0) "Parts that are made"
    annotation(Placement(transformation(extent = {{60, -50}, {80, -30}})));
equation
  connect(stock.leave[1], bring.from[1]) annotation(Line(points = {{-69, 0}, {-55, 0}}, color = {30, 30, 30}));
  connect(bring.to[1], buffer.enter[1]) annotation(Line(points = {{-45, 0}, {-31, 0}}, color = {30, 30, 30}));
  connect(buffer.leave[1], begin.from[1]) annotation(Line(points = {{-9, 0}, {5, 0}}, color = {30, 30, 30}));
  connect(idle.leave[1], begin.from[2])
    annotation(Line(points = {{51, 40}, {55, 40}, {55, 56}, {2, 56}, {2, 0}, {5, 0}}, color = {30, 30, 30}));
  connect(begin.to[1], works.enter[1]) annotation(Line(points = {{15, 0}, {29, 0}}, color = {30, 30, 30}));
  connect(works.leave[1], finish.from[1]) annotation(Line(points = {{51, 0}, {65, 0}}, color = {30, 30, 30}));
  connect(finish.to[1], idle.enter[1])
    annotation(Line(points = {{75, 0}, {90, 0}, {90, 66}, {22, 66}, {22, 40}, {29, 40}}, color = {30, 30, 30}));
  connect(finish.to[2], done.enter[1])
    annotation(Line(points = {{75, 0}, {90, 0}, {90, -60}, {52, -60}, {52, -40}, {59, -40}}, color = {30, 30, 30}));
  annotation(
    experiment(StopTime = 30, Interval = 0.1),
    Documentation(info = "<html>
<p>A part is brought each second, as long as the buffer has room. The machine takes two at a time and works for five
seconds.</p>
<p>What to look at: the buffer is full while the machine works, and nothing is brought; the ninth part is left over.</p>
</html>"));
end Workshop;

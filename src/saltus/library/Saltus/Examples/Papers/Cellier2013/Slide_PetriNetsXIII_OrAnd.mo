within Saltus.Examples.Papers.Cellier2013;
model Slide_PetriNetsXIII_OrAnd
  "A condition with or is two transitions side by side, one with and needs a place between two"
  extends Saltus.Icons.Example;
  Saltus.Units.Ratio x "A signal";
  Saltus.Units.Ratio y "Another signal";
  PetriNets.Place waits(initial_p = true, nIn = 0, nOut = 2) "For x or y"
    annotation(Placement(transformation(extent = {{-80, 40}, {-60, 60}})));
  PetriNets.Place either(nIn = 2, nOut = 0) "One of them was large enough"
    annotation(Placement(transformation(extent = {{60, 40}, {80, 60}})));
  PetriNets.Transition byX(c = x > 0.5) "x is large"
    annotation(Placement(transformation(extent = {{-10, 60}, {10, 80}})));
  PetriNets.Transition byY(c = y > 0.5) "y is large"
    annotation(Placement(transformation(extent = {{-10, 20}, {10, 40}})));
  PetriNets.Place waiting(initial_p = true) "For x and y"
    annotation(Placement(transformation(extent = {{-80, -60}, {-60, -40}})));
  PetriNets.Place half(nOut = 2) "x is large" annotation(Placement(transformation(extent = {{-10, -60}, {10, -40}})));
  PetriNets.Place both(nOut = 0) "Both are large"
    annotation(Placement(transformation(extent = {{60, -60}, {80, -40}})));
  PetriNets.Transition first(c = x > 0.5) "x is large"
    annotation(Placement(transformation(extent = {{-45, -60}, {-25, -40}})));
  PetriNets.Transition second(c = y > 0.5) "y is large as well"
    annotation(Placement(transformation(extent = {{25, -60}, {45, -40}})));
  PetriNets.Transition back(c = x <= 0.5) "x is small again"
    annotation(Placement(transformation(origin = {-35, -80}, extent = {{-10, -10}, {10, 10}}, rotation = 180)));
equation
  x = sin(2*time);
  y = sin(0.7*time - 2.1);
  connect(waits.leave[1], byX.from[1])
    annotation(Line(points = {{-59, 50}, {-40, 50}, {-40, 70}, {-5, 70}}, color = {255, 0, 255}));
  connect(waits.leave[2], byY.from[1])
    annotation(Line(points = {{-59, 50}, {-40, 50}, {-40, 30}, {-5, 30}}, color = {255, 0, 255}));
  connect(byX.to[1], either.enter[1])
    annotation(Line(points = {{5, 70}, {40, 70}, {40, 50}, {59, 50}}, color = {255, 0, 255}));
  connect(byY.to[1], either.enter[2])
    annotation(Line(points = {{5, 30}, {40, 30}, {40, 50}, {59, 50}}, color = {255, 0, 255}));
  connect(waiting.leave[1], first.from[1]) annotation(Line(points = {{-59, -50}, {-40, -50}}, color = {255, 0, 255}));
  connect(first.to[1], half.enter[1]) annotation(Line(points = {{-30, -50}, {-11, -50}}, color = {255, 0, 255}));
  connect(half.leave[1], back.from[1])
    annotation(Line(points = {{11, -50}, {15, -50}, {15, -80}, {-30, -80}}, color = {255, 0, 255}));
  connect(half.leave[2], second.from[1]) annotation(Line(points = {{11, -50}, {30, -50}}, color = {255, 0, 255}));
  connect(second.to[1], both.enter[1]) annotation(Line(points = {{40, -50}, {59, -50}}, color = {255, 0, 255}));
  connect(back.to[1], waiting.enter[1])
    annotation(Line(points = {{-40, -80}, {-90, -80}, {-90, -50}, {-81, -50}}, color = {255, 0, 255}));
  annotation(
    experiment(StopTime = 12, Tolerance = 1e-8, Interval = 0.02),
    Documentation(info = "<html>
<p>Above: the token moves when <code>x > 0.5 or y > 0.5</code>, by two transitions between the same places. Below:
when <code>x > 0.5 and y > 0.5</code>, by two transitions in series, with a place between them, and a way back for
the case that <code>x</code> becomes small again before <code>y</code> is large.</p>
<p>What to look at: no condition consists of more than one relation.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Cellier 2013",
      place = "slide Petri Nets XIII",
      passage = "Conditions with or are parallel transitions between the same two places. Conditions with and
would be transitions in series, which is not possible without a place between them: they always add discrete states.",
      look = "either gets its token where the first of the two signals crosses 0.5, both where for the first time
both are above it; half is the additional state, visited in vain before.",
      plot = {"x", "y", "either.p", "half.p", "both.p"}, modes = false, log = true)));
end Slide_PetriNetsXIII_OrAnd;

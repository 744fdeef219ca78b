within Saltus.Examples.Papers.Elmqvist1993;
model Sec5_BooleanPropagation "Events of three submodels, joined by a Boolean equation"
  extends Saltus.Icons.Example;
  block Source "True while a wave is above a level"
    parameter Saltus.Units.Angle phase = 0 "Of the wave";
    parameter Saltus.Units.Ratio level = 0 "To compare with";
    output Boolean high "The wave is above the level";
    Saltus.Units.Ratio x "The wave";
  equation
    x = sin(time + phase);
    high = x > level;
    annotation(Documentation(info = "<html><p>Its output is an event of a submodel.</p></html>"),
      Icon(graphics = {Rectangle(extent = {{-100, -100}, {100, 100}}, lineColor = {0, 0, 127})}));
  end Source;
  Source one(phase = 0.1, level = 0) "Tells b"
    annotation(Placement(transformation(extent = {{-60, 40}, {-40, 60}})));
  Source two(phase = 1, level = 0.2) "Tells c"
    annotation(Placement(transformation(extent = {{-60, 0}, {-40, 20}})));
  Source three(phase = 2.5, level = 0.8) "Tells d"
    annotation(Placement(transformation(extent = {{-60, -40}, {-40, -20}})));
  Boolean a "What happens";
  Boolean b "First event";
  Boolean c "Second event";
  Boolean d "Third event";
  Integer n(start = 0, fixed = true) "How often a has become true";
equation
  b = one.high;
  c = two.high;
  d = three.high;
  a = b and c or d;
  when a then
    n = pre(n) + 1;
  end when;
  annotation(
    experiment(StopTime = 20, Tolerance = 1e-8, Interval = 0.02),
    Documentation(info = "<html>
<p>The equation <code>a = b and c or d</code>, with three submodels that provide the events. It is sorted together
with all other equations.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Elmqvist, Cellier, Otter 1993",
      place = "section 5, propagation of events",
      passage = "There is nothing like an event in the language. Boolean equations such as a = b and c or d propagate
what happens from one submodel to another. Continuous, Boolean and when-equations are sorted together; so dependencies
are recognised, loops are found, and everything is up to date when it is needed.",
      look = "Each change of b, c or d is an event; a follows at the same instant, and n counts its rises in the same
instant too.",
      plot = {"b", "c", "d", "a", "n"}, modes = false, log = true)));
end Sec5_BooleanPropagation;

within Saltus.Examples.Papers.Cellier2013;
model Slide_PetriNetsXII_Toggle "To toggle takes two places"
  extends Saltus.Icons.Example;
  parameter Saltus.Units.Frequency f = 1 "Of the signal";
  Saltus.Units.Ratio u "Each time it becomes positive, the token moves";
  Boolean positive "The signal is positive";
  PetriNets.Place off(initial_p = true) "Here it begins"
    annotation(Placement(transformation(extent = {{-60, -10}, {-40, 10}})));
  PetriNets.Place on "And here it is every other time"
    annotation(Placement(transformation(extent = {{40, -10}, {60, 10}})));
  PetriNets.Transition there(c = edge(positive)) "From off to on"
    annotation(Placement(transformation(extent = {{-10, 20}, {10, 40}})));
  PetriNets.Transition back(c = edge(positive)) "From on to off"
    annotation(Placement(transformation(origin = {0, -30}, extent = {{-10, -10}, {10, 10}}, rotation = 180)));
equation
  u = -sin(2*Saltus.Units.pi*f*time);
  positive = u > 0;
  connect(off.leave[1], there.from[1])
    annotation(Line(points = {{-39, 0}, {-30, 0}, {-30, 30}, {-5, 30}}, color = {255, 0, 255}));
  connect(there.to[1], on.enter[1])
    annotation(Line(points = {{5, 30}, {30, 30}, {30, 0}, {39, 0}}, color = {255, 0, 255}));
  connect(on.leave[1], back.from[1])
    annotation(Line(points = {{61, 0}, {70, 0}, {70, -30}, {5, -30}}, color = {255, 0, 255}));
  connect(back.to[1], off.enter[1])
    annotation(Line(points = {{-5, -30}, {-70, -30}, {-70, 0}, {-61, 0}}, color = {255, 0, 255}));
  annotation(
    experiment(StopTime = 5.25, Tolerance = 1e-8, Interval = 0.01),
    Documentation(info = "<html>
<p>A state that changes to its opposite whenever a signal becomes positive. The equation <code>p = not pre(p)</code>
does not say that: at an event it would go on for ever. Two places do, with a transition in each direction.</p>
<p>What to look at: the token moves once at each event.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Cellier 2013",
      place = "slide Petri Nets XII",
      passage = "The iteration of the discrete equations may fail to converge if they contradict themselves: with
p_1 = not pre(p_1) a state oscillates with infinite frequency, the model is illegitimate. To toggle at a state
event, two places are needed with transitions in both directions, fired by zero-crossing functions.",
      look = "on is true from 0.5 s to 1.5 s, from 2.5 s to 3.5 s and from 4.5 s on. The illegitimate equation is
refused: its event does not settle (E404).",
      plot = {"u", "on.p", "off.p"}, modes = false, log = true)));
end Slide_PetriNetsXII_Toggle;

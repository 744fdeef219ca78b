within Saltus.Examples.Papers.Cellier2013;
model Slide_PetriNetsXIV_SimpleConditions "The modified friction machine as a Petri net: each condition is one relation"
  extends Saltus.Icons.Example;
  extends BlockOnTable;
  Saltus.Units.Ratio s_hat "Along the curve of acceleration and force";
  PetriNets.Place start(nIn = 0, nOut = 3, initial_p = true) "Nothing is known yet"
    annotation(Placement(transformation(extent = {{-88, -8}, {-72, 8}})));
  PetriNets.Place sticking(nIn = 5, nOut = 2) "Is at rest"
    annotation(Placement(transformation(extent = {{-8, -8}, {8, 8}})));
  PetriNets.Place startForward(nOut = 2) "Breaks away forward"
    annotation(Placement(transformation(extent = {{32, 42}, {48, 58}})));
  PetriNets.Place forward(nIn = 2) "Slides forward"
    annotation(Placement(transformation(extent = {{72, 42}, {88, 58}})));
  PetriNets.Place startBackward(nOut = 2) "Breaks away backward"
    annotation(Placement(transformation(extent = {{32, -58}, {48, -42}})));
  PetriNets.Place backward(nIn = 2) "Slides backward"
    annotation(Placement(transformation(extent = {{72, -58}, {88, -42}})));
  PetriNets.Transition t1(c = v < 0) "Moves backward at the start"
    annotation(Placement(transformation(extent = {{-28, -98}, {-12, -82}})));
  PetriNets.Transition t2(c = v > 0) "Moves forward at the start"
    annotation(Placement(transformation(extent = {{-28, 82}, {-12, 98}})));
  PetriNets.Transition t3(c = not (v < 0 or v > 0)) "Is at rest at the start"
    annotation(Placement(transformation(extent = {{-48, -8}, {-32, 8}})));
  PetriNets.Transition t4(c = v < 0) "Has begun to move backward"
    annotation(Placement(transformation(extent = {{52, -58}, {68, -42}})));
  PetriNets.Transition t5(c = v > 0) "Has begun to move forward"
    annotation(Placement(transformation(extent = {{52, 42}, {68, 58}})));
  PetriNets.Transition t6(c = s_hat < -1) "Is pushed too hard, backward"
    annotation(Placement(transformation(extent = {{12, -43}, {28, -27}})));
  PetriNets.Transition t7(c = s_hat > 1) "Is pushed too hard, forward"
    annotation(Placement(transformation(extent = {{12, 27}, {28, 43}})));
  PetriNets.Transition t8(c = s_hat >= -1) "Does not begin to move backward after all"
    annotation(Placement(transformation(origin = {40, -15}, extent = {{-8, -8}, {8, 8}}, rotation = 180)));
  PetriNets.Transition t9(c = s_hat <= 1) "Does not begin to move forward after all"
    annotation(Placement(transformation(origin = {40, 15}, extent = {{-8, -8}, {8, 8}}, rotation = 180)));
  PetriNets.Transition t10(c = v >= 0) "Comes to rest"
    annotation(Placement(transformation(origin = {20, -70}, extent = {{-8, -8}, {8, 8}}, rotation = 180)));
  PetriNets.Transition t11(c = v <= 0) "Comes to rest"
    annotation(Placement(transformation(origin = {20, 70}, extent = {{-8, -8}, {8, 8}}, rotation = 180)));
equation
  // continuous equations, chosen by where the token was
  a = if forward.s or startForward.s then (s_hat - 1)*a_1
    elseif backward.s or startBackward.s then (s_hat + 1)*a_1 else 0;
  F = if forward.s then c_f*v + F_d elseif backward.s then c_f*v - F_d
    elseif startForward.s then F_d elseif startBackward.s then -F_d else F_d*s_hat;
  when sticking.p then
    reinit(v, 0);
  end when;
  // discrete equations: the net
  connect(start.leave[1], t1.from[1])
    annotation(Line(points = {{-71, 0}, {-65, 0}, {-65, -90}, {-24, -90}}, color = {255, 0, 255}));
  connect(t1.to[1], backward.enter[1])
    annotation(Line(points = {{-16, -90}, {71, -90}, {71, -50}}, color = {255, 0, 255}));
  connect(start.leave[2], t2.from[1])
    annotation(Line(points = {{-71, 0}, {-65, 0}, {-65, 90}, {-24, 90}}, color = {255, 0, 255}));
  connect(t2.to[1], forward.enter[1]) annotation(Line(points = {{-16, 90}, {71, 90}, {71, 50}}, color = {255, 0, 255}));
  connect(start.leave[3], t3.from[1]) annotation(Line(points = {{-71, 0}, {-44, 0}}, color = {255, 0, 255}));
  connect(t3.to[1], sticking.enter[1]) annotation(Line(points = {{-36, 0}, {-9, 0}}, color = {255, 0, 255}));
  connect(startBackward.leave[1], t4.from[1]) annotation(Line(points = {{49, -50}, {56, -50}}, color = {255, 0, 255}));
  connect(t4.to[1], backward.enter[2]) annotation(Line(points = {{64, -50}, {71, -50}}, color = {255, 0, 255}));
  connect(startForward.leave[1], t5.from[1]) annotation(Line(points = {{49, 50}, {56, 50}}, color = {255, 0, 255}));
  connect(t5.to[1], forward.enter[2]) annotation(Line(points = {{64, 50}, {71, 50}}, color = {255, 0, 255}));
  connect(sticking.leave[1], t6.from[1])
    annotation(Line(points = {{9, 0}, {12, 0}, {12, -35}, {16, -35}}, color = {255, 0, 255}));
  connect(t6.to[1], startBackward.enter[1])
    annotation(Line(points = {{24, -35}, {28, -35}, {28, -50}, {31, -50}}, color = {255, 0, 255}));
  connect(sticking.leave[2], t7.from[1])
    annotation(Line(points = {{9, 0}, {12, 0}, {12, 35}, {16, 35}}, color = {255, 0, 255}));
  connect(t7.to[1], startForward.enter[1])
    annotation(Line(points = {{24, 35}, {28, 35}, {28, 50}, {31, 50}}, color = {255, 0, 255}));
  connect(startBackward.leave[2], t8.from[1])
    annotation(Line(points = {{49, -50}, {52, -50}, {52, -15}, {44, -15}}, color = {255, 0, 255}));
  connect(t8.to[1], sticking.enter[4])
    annotation(Line(points = {{36, -15}, {-15, -15}, {-15, 0}, {-9, 0}}, color = {255, 0, 255}));
  connect(startForward.leave[2], t9.from[1])
    annotation(Line(points = {{49, 50}, {52, 50}, {52, 15}, {44, 15}}, color = {255, 0, 255}));
  connect(t9.to[1], sticking.enter[5])
    annotation(Line(points = {{36, 15}, {-15, 15}, {-15, 0}, {-9, 0}}, color = {255, 0, 255}));
  connect(backward.leave[1], t10.from[1])
    annotation(Line(points = {{89, -50}, {95, -50}, {95, -70}, {24, -70}}, color = {255, 0, 255}));
  connect(t10.to[1], sticking.enter[2])
    annotation(Line(points = {{16, -70}, {-22, -70}, {-22, 0}, {-9, 0}}, color = {255, 0, 255}));
  connect(forward.leave[1], t11.from[1])
    annotation(Line(points = {{89, 50}, {95, 50}, {95, 70}, {24, 70}}, color = {255, 0, 255}));
  connect(t11.to[1], sticking.enter[3])
    annotation(Line(points = {{16, 70}, {-22, 70}, {-22, 0}, {-9, 0}}, color = {255, 0, 255}));
  annotation(
    experiment(StopTime = 12.566370614359172, Tolerance = 1e-8, Interval = 0.01),
    Documentation(info = "<html>
<p>The net of <code>Slide_PetriNetsVIII_Friction</code>, with the conditions of the curve of acceleration and force:
each is a single relation, whose crossing of zero is smooth. The condition that the velocity is zero, which nobody
can test, is written as neither negative nor positive.</p>
<p>What to look at: the same motion as <code>Slide_MechanicalFrictionXI_Declarative</code>.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Cellier 2013",
      place = "slide Petri Nets XIV",
      passage = "The modified friction machine needs no conditions with an and, if StartForward and StartBackward
are states of their own again. The net is the same; eleven conditions are listed, each of one relation: v against 0,
or the curve parameter against 1 or -1. So all zero-crossing functions are smooth.",
      look = "Each break-away passes startForward or startBackward. The times of all events are those of the
declarative model.",
      plot = {"F", "v", "s_hat"}, modes = true, log = true)));
end Slide_PetriNetsXIV_SimpleConditions;

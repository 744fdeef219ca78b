within Saltus.Examples.Papers.Cellier2013;
model Slide_PetriNetsVIII_Friction "The friction machine with six states as a Petri net"
  extends Saltus.Icons.Example;
  extends BlockOnTable;
  parameter Saltus.Units.Force F_s = 1.2 "Largest force at rest";
  Saltus.Units.Force F_c "Force that keeps the block at rest; zero while it slides";
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
  PetriNets.Transition t6(c = F_c < -F_s) "Is pushed too hard, backward"
    annotation(Placement(transformation(extent = {{12, -43}, {28, -27}})));
  PetriNets.Transition t7(c = F_c > F_s) "Is pushed too hard, forward"
    annotation(Placement(transformation(extent = {{12, 27}, {28, 43}})));
  PetriNets.Transition t8(c = a >= 0 and not v < 0) "Does not begin to move backward after all"
    annotation(Placement(transformation(origin = {40, -15}, extent = {{-8, -8}, {8, 8}}, rotation = 180)));
  PetriNets.Transition t9(c = a <= 0 and not v > 0) "Does not begin to move forward after all"
    annotation(Placement(transformation(origin = {40, 15}, extent = {{-8, -8}, {8, 8}}, rotation = 180)));
  PetriNets.Transition t10(c = v >= 0) "Comes to rest"
    annotation(Placement(transformation(origin = {20, -70}, extent = {{-8, -8}, {8, 8}}, rotation = 180)));
  PetriNets.Transition t11(c = v <= 0) "Comes to rest"
    annotation(Placement(transformation(origin = {20, 70}, extent = {{-8, -8}, {8, 8}}, rotation = 180)));
equation
  // continuous equations, chosen by where the token was
  F = if forward.s then c_f*v + F_d elseif backward.s then c_f*v - F_d
    elseif startForward.s then F_d elseif startBackward.s then -F_d else F_c;
  if sticking.s or start.s then
    a = 0;
  else
    F_c = 0;
  end if;
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
<p>Six places, eleven transitions with one place before and one after each, and one token, which begins at
<code>start</code>. The conditions of the transitions are those of the state machine; the continuous equations ask
where the token was.</p>
<p>What to look at: at each event the discrete equations are repeated until the token stays; there are no other
discrete equations.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Cellier 2013",
      place = "slides Petri Nets VIII to XI",
      passage = "A finite state machine is a normal priority Petri net with one token, which begins at the place
Start, and with one place before and after each transition. The original friction model becomes such a net. Its
firing conditions are the zero-crossing functions; all its discrete equations hold at every event. So any
discontinuous model is three sets of equations: the continuous ones, the zero-crossing functions, and the discrete
ones, which are repeated until nothing changes.",
      look = "The token goes round as the states of Slide_MechanicalFrictionVIII_SixStates do, at the same times.
The picture of the net is lost; it is drawn again after the conditions c_1 to c_11 of the slide XIV.",
      plot = {"F", "v", "sticking.p", "forward.p", "backward.p"}, modes = true, log = true)));
end Slide_PetriNetsVIII_Friction;

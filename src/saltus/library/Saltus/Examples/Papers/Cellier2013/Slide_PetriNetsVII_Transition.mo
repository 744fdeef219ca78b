within Saltus.Examples.Papers.Cellier2013;
model Slide_PetriNetsVII_Transition "A transition with two places before it and two after it"
  extends Saltus.Icons.Example;
  Boolean c_1 "Condition from outside";
  Boolean s_1(start = false, fixed = true) "The first place before holds a token";
  Boolean s_2(start = false, fixed = true) "The second place before holds a token";
  Boolean s_3(start = false, fixed = true) "The first place after holds a token";
  Boolean s_4(start = false, fixed = true) "The second place after holds a token";
  Boolean fire "The transition fires";
  Boolean f_1 "It takes the token of the first place";
  Boolean f_2 "It takes the token of the second place";
  Boolean f_3 "It puts one at the third place";
  Boolean f_4 "It puts one at the fourth place";
protected
  Boolean tick[4] "Clocks of producers and consumers";
equation
  // the transition
  c_1 = time >= 1.5;
  fire = c_1 and pre(s_1) and pre(s_2) and not (pre(s_3) or pre(s_4));
  f_1 = fire;
  f_2 = fire;
  f_3 = fire;
  f_4 = fire;
  // four places around it: filled and emptied by clocks, unless the transition does it
  tick = {sample(1, 1), sample(2, 2), sample(2.5, 2), sample(3.5, 3)};
  s_1 = pre(s_1) and not f_1 or edge(tick[1]);
  s_2 = pre(s_2) and not f_2 or edge(tick[2]);
  s_3 = pre(s_3) and not edge(tick[3]) or f_3;
  s_4 = pre(s_4) and not edge(tick[4]) or f_4;
  annotation(
    experiment(StopTime = 20, Interval = 0.1),
    Documentation(info = "<html>
<p>The five equations of the lecture. Two producers fill the places before the transition every 1 s and every 2 s,
two consumers empty the places after it every 2 s and every 3 s.</p>
<p>What to look at: it fires only if both places before hold a token and both places after are empty, and not before
1.5 s, when its condition becomes true.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Cellier 2013",
      place = "slide Petri Nets VII",
      passage = "A transition may fire along all of its connections if the external condition is true, all places
before it hold a token and none of the places after it does: one Boolean equation, whose value is handed to all four
places.",
      look = "The tokens of the first two places vanish at the very instant in which those of the other two
appear.",
      plot = {"s_1", "s_2", "s_3", "s_4"}, modes = false, log = true)));
end Slide_PetriNetsVII_Transition;

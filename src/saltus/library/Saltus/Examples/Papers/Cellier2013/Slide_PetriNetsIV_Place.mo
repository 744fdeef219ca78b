within Saltus.Examples.Papers.Cellier2013;
model Slide_PetriNetsIV_Place "A place with two transitions before it and two after it"
  extends Saltus.Icons.Example;
  Boolean p_1(start = false, fixed = true) "There is a token";
  Boolean s_1 "What the first transition before is told";
  Boolean s_2 "What the second transition before is told";
  Boolean s_3 "What the first transition after is told";
  Boolean s_4 "What the second transition after is told";
  Boolean f_1 "The first transition before fires";
  Boolean f_2 "The second transition before fires";
  Boolean f_3 "The first transition after fires";
  Boolean f_4 "The second transition after fires";
  Integer fired[4](each start = 0, each fixed = true) "How often each of them has fired";
protected
  Boolean want[4] "Times at which the transitions would like to fire";
  Boolean fires[4] "Those that do";
equation
  // the place
  s_1 = pre(p_1);
  s_2 = pre(p_1) or f_1;
  s_3 = pre(p_1);
  s_4 = pre(p_1) and not f_3;
  p_1 = pre(p_1) and not (f_3 or f_4) or f_1 or f_2;
  // four transitions around it, each fired by a clock
  want = {sample(1, 4), sample(1, 2), sample(2, 4), sample(2, 6)};
  f_1 = edge(want[1]) and not s_1;
  f_2 = edge(want[2]) and not s_2;
  f_3 = edge(want[3]) and s_3;
  f_4 = edge(want[4]) and s_4;
  fires = {f_1, f_2, f_3, f_4};
  for k in 1:4 loop
    when fires[k] then
      fired[k] = pre(fired[k]) + 1;
    end when;
  end for;
  annotation(
    experiment(StopTime = 24.5, Interval = 0.1),
    Documentation(info = "<html>
<p>The five equations of the lecture, with four transitions whose conditions are clocks that often tick
together.</p>
<p>What to look at: at time 1 both transitions before the place would like to fire; the first does, the second is
told that the place is taken. At time 2 both transitions after it would like to: the first takes the token.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Cellier 2013",
      place = "slides Petri Nets IV to VI",
      passage = "A place of a normal priority Petri net holds at most one token. It shows its state to its
transitions one after the other: the second transition before it sees a place that the first one is about to fill,
the second after it sees one that the first is about to empty. Then the place updates its own state.",
      look = "p_1 becomes true at odd times and false at even ones, if somebody wants the token. fired counts who
moved the token: where clocks tick together it is the transition of higher priority.",
      plot = {"p_1", "fired[1]", "fired[2]", "fired[3]", "fired[4]"}, modes = false, log = true)));
end Slide_PetriNetsIV_Place;

within Saltus.PetriNets;
model Place "Holds tokens"
  parameter Integer nIn = 1 "Transitions that put tokens here; the first has precedence";
  parameter Integer nOut = 1 "Transitions that take tokens; the first has precedence";
  parameter Integer start = 0 "Tokens at the start";
  parameter Integer capacity = 1000000000 "So many tokens it may hold";
  Interfaces.Entering enter[nIn] "From transitions that put tokens here"
    annotation(Placement(transformation(extent = {{-120, -10}, {-100, 10}})));
  Interfaces.Leaving leave[nOut] "To transitions that take tokens"
    annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
  Integer tokens(start = start, fixed = true) "Tokens it holds"
    annotation(__Saltus(Log = "Place %owner holds %new (%old before)"));
  Integer before "Tokens before the round: what conditions and equations ask for" annotation(__Saltus(Log = ""));
protected
  parameter String place = getInstanceName() "Which place it is";
  Integer held[nIn + 1] "With what the first transitions put here" annotation(__Saltus(Log = ""));
  Integer taken[nIn + 1] "Room that the first transitions take" annotation(__Saltus(Log = ""));
  Integer left[nOut + 1] "Without what the first transitions take" annotation(__Saltus(Log = ""));
equation
  assert(start >= 0, "the tokens at the start of a place cannot be fewer than none");
  assert(start <= capacity, "a place begins with more tokens than its capacity is");
  before = pre(tokens);
  held[1] = before;
  taken[1] = 0;
  for i in 1:nIn loop
    enter[i].place = place;
    enter[i].before = capacity - before;
    enter[i].room = capacity - before - taken[i];
    held[i + 1] = held[i] + enter[i].given;
    taken[i + 1] = taken[i] + enter[i].filled;
  end for;
  left[1] = before;
  for i in 1:nOut loop
    leave[i].place = place;
    leave[i].before = before;
    leave[i].left = left[i];
    left[i + 1] = left[i] - leave[i].taken;
  end for;
  tokens = held[nIn + 1] + left[nOut + 1] - before;
  annotation(
    Documentation(info = "<html>
<p>A transition that comes first in a vector has precedence: those after it find what it leaves. What is put here in a
round can be taken in the next one, and what is taken makes room in the next one. There
is one exception: what a transition itself takes here makes room for what it puts here.</p>
</html>"),
    Icon(graphics = {
      Ellipse(extent = {{-80, 80}, {80, -80}}, lineColor = {0, 0, 0}, fillColor = {255, 255, 255},
        fillPattern = FillPattern.Solid),
      Line(points = {{-100, 0}, {-80, 0}}), Line(points = {{80, 0}, {100, 0}}),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end Place;

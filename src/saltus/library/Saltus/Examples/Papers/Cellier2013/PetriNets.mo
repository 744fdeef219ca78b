within Saltus.Examples.Papers.Cellier2013;
package PetriNets "Places and transitions of normal priority Petri nets"
  extends Saltus.Icons.Package;

  connector PlaceSide "Of a place: tells its state, is told of firing"
    output Boolean s "State that the place shows";
    input Boolean f "The transition fires";
    annotation(Documentation(info = "<html><p>Connect it to a <code>TransitionSide</code>.</p></html>"),
      Icon(graphics = {Ellipse(extent = {{-60, 60}, {60, -60}}, lineColor = {255, 0, 255}, fillColor = {255, 255, 255},
        fillPattern = FillPattern.Solid)}));
  end PlaceSide;

  connector TransitionSide "Of a transition: is told the state of a place, tells whether it fires"
    input Boolean s "State that the place shows";
    output Boolean f "The transition fires";
    annotation(Documentation(info = "<html><p>Connect it to a <code>PlaceSide</code>.</p></html>"),
      Icon(graphics = {Rectangle(extent = {{-60, 60}, {60, -60}}, lineColor = {255, 0, 255}, fillColor = {255, 0, 255},
        fillPattern = FillPattern.Solid)}));
  end TransitionSide;

  model Place "Holds one token or none"
    parameter Integer nIn = 1 "Transitions that put a token here; the first has precedence";
    parameter Integer nOut = 1 "Transitions that take it away; the first has precedence";
    parameter Boolean initial_p = false "There is a token at the start";
    PlaceSide enter[nIn] "From transitions that put a token here"
      annotation(Placement(transformation(extent = {{-120, -10}, {-100, 10}})));
    PlaceSide leave[nOut] "To transitions that take it away"
      annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
    Boolean p(start = initial_p, fixed = true) "There is a token";
    Boolean s "There was one before the instant";
  protected
    Boolean given[nIn + 1] "A token is put here by one of the first transitions";
    Boolean taken[nOut + 1] "The token is taken by one of the first transitions";
  equation
    s = pre(p);
    given[1] = false;
    for i in 1:nIn loop
      enter[i].s = s or given[i];
      given[i + 1] = given[i] or enter[i].f;
    end for;
    taken[1] = false;
    for i in 1:nOut loop
      leave[i].s = s and not taken[i];
      taken[i + 1] = taken[i] or leave[i].f;
    end for;
    p = s and not taken[nOut + 1] or given[nIn + 1];
    annotation(
      Documentation(info = "<html>
<p>The place of the slide &quot;Petri Nets IV&quot; for any number of transitions. A transition that comes first in
a vector has precedence: those after it are told that the place is taken, or empty, if the first one fires.</p>
</html>"),
      Icon(graphics = {
        Ellipse(extent = {{-80, 80}, {80, -80}}, lineColor = {0, 0, 0}, fillColor = {255, 255, 255},
          fillPattern = FillPattern.Solid),
        Line(points = {{-100, 0}, {-80, 0}}), Line(points = {{80, 0}, {100, 0}}),
        Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
  end Place;

  model Transition "Takes a token from each place before it, puts one at each place after it"
    parameter Integer nIn = 1 "Places before";
    parameter Integer nOut = 1 "Places after";
    input Boolean c "Condition from outside";
    TransitionSide from[nIn] "Places before"
      annotation(Placement(transformation(extent = {{-60, -10}, {-40, 10}})));
    TransitionSide to[nOut] "Places after"
      annotation(Placement(transformation(extent = {{40, -10}, {60, 10}})));
    Boolean fire "It fires";
  protected
    Boolean full[nIn + 1] "The first places before have tokens";
    Boolean free[nOut + 1] "The first places after have none";
  equation
    full[1] = true;
    for i in 1:nIn loop
      full[i + 1] = full[i] and from[i].s;
      from[i].f = fire;
    end for;
    free[1] = true;
    for i in 1:nOut loop
      free[i + 1] = free[i] and not to[i].s;
      to[i].f = fire;
    end for;
    fire = c and full[nIn + 1] and free[nOut + 1];
    annotation(
      Documentation(info = "<html>
<p>The transition of the slide &quot;Petri Nets VII&quot; for any number of places: it fires if its condition is
true, all places before it hold a token, and no place after it does.</p>
</html>"),
      Icon(graphics = {
        Rectangle(extent = {{-15, 80}, {15, -80}}, lineColor = {0, 0, 0}, fillColor = {0, 0, 0},
          fillPattern = FillPattern.Solid),
        Line(points = {{-40, 0}, {-15, 0}}), Line(points = {{15, 0}, {40, 0}}),
        Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
  end Transition;

  annotation(Documentation(info = "<html>
<p>Each place shows its state to its transitions and is told which of them fire; every place holds at most one
token, and of several transitions the first has precedence. All equations hold at all times; at an event they are
repeated until no token moves.</p>
</html>"));
end PetriNets;

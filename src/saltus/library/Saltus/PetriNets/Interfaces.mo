within Saltus.PetriNets;
package Interfaces "Connectors between places and transitions"
  extends Saltus.Icons.Package;

  connector Leaving "Of a place, for a transition that takes tokens from it"
    output String place "Which place it is";
    output Integer before "Tokens before the round" annotation(__Saltus(Log = ""));
    output Integer left "Tokens that the transitions before this one leave" annotation(__Saltus(Log = ""));
    input Integer taken "Tokens that are taken in this round" annotation(__Saltus(Log = ""));
    annotation(Documentation(info = "<html><p>Connect it to <code>Taking</code>.</p></html>"),
      Icon(graphics = {Ellipse(extent = {{-60, 60}, {60, -60}}, lineColor = {30, 30, 30}, fillColor = {255, 255, 255},
        fillPattern = FillPattern.Solid)}));
  end Leaving;

  connector Taking "Of a transition, for a place from which it takes tokens"
    input String place "Which place it is";
    input Integer before "Tokens before the round" annotation(__Saltus(Log = ""));
    input Integer left "Tokens that the transitions before this one leave" annotation(__Saltus(Log = ""));
    output Integer taken "Tokens that are taken in this round" annotation(__Saltus(Log = ""));
    annotation(Documentation(info = "<html><p>Connect it to <code>Leaving</code>.</p></html>"),
      Icon(graphics = {Rectangle(extent = {{-60, 60}, {60, -60}}, lineColor = {30, 30, 30}, fillColor = {30, 30, 30},
        fillPattern = FillPattern.Solid)}));
  end Taking;

  connector Entering "Of a place, for a transition that puts tokens there"
    output String place "Which place it is";
    output Integer before "Room before the round" annotation(__Saltus(Log = ""));
    output Integer room "Room that the transitions before this one leave" annotation(__Saltus(Log = ""));
    input Integer given "Tokens that are put here in this round" annotation(__Saltus(Log = ""));
    input Integer filled "Room that is taken by that: what the transition itself takes here makes room"
      annotation(__Saltus(Log = ""));
    annotation(Documentation(info = "<html><p>Connect it to <code>Putting</code>.</p></html>"),
      Icon(graphics = {Ellipse(extent = {{-60, 60}, {60, -60}}, lineColor = {30, 30, 30}, fillColor = {255, 255, 255},
        fillPattern = FillPattern.Solid)}));
  end Entering;

  connector Putting "Of a transition, for a place where it puts tokens"
    input String place "Which place it is";
    input Integer before "Room before the round" annotation(__Saltus(Log = ""));
    input Integer room "Room that the transitions before this one leave" annotation(__Saltus(Log = ""));
    output Integer given "Tokens that are put there in this round" annotation(__Saltus(Log = ""));
    output Integer filled "Room that is taken by that: what the transition itself takes there makes room"
      annotation(__Saltus(Log = ""));
    annotation(Documentation(info = "<html><p>Connect it to <code>Entering</code>.</p></html>"),
      Icon(graphics = {Rectangle(extent = {{-60, 60}, {60, -60}}, lineColor = {30, 30, 30}, fillColor = {30, 30, 30},
        fillPattern = FillPattern.Solid)}));
  end Putting;

  partial model Rule "What all transitions have: the places around them, weights, inhibitors and a condition"
    parameter Integer nIn = 1 "Places before";
    parameter Integer nOut = 1 "Places after";
    parameter Integer nInhibitors = 0 "Places that hold it back";
    parameter Integer weightIn[nIn] = fill(1, nIn) "Tokens that are taken from each";
    parameter Integer weightOut[nOut] = fill(1, nOut) "Tokens that are put at each";
    parameter Integer threshold[nInhibitors] = fill(1, nInhibitors) "So many tokens hold it back";
    input Boolean condition = true "It has to hold" annotation(__Saltus(Log = ""));
    input Integer inhibitors[nInhibitors] = fill(0, nInhibitors) "Tokens of the places that hold it back, before";
    Taking from[nIn] "Places before"
      annotation(Placement(transformation(extent = {{-60, -10}, {-40, 10}})));
    Putting to[nOut] "Places after"
      annotation(Placement(transformation(extent = {{40, -10}, {60, 10}})));
    Boolean fires "It fires in this round" annotation(__Saltus(Log = "Transition %owner fires at time = %time"));
  protected
    Integer need[nOut] "Room that is needed: of what it puts at a place where it takes some, the rest"
      annotation(__Saltus(Log = ""));
    Boolean able[nIn + 1] "Before the round the first places had tokens" annotation(__Saltus(Log = ""));
    Boolean open[nOut + 1] "Before the round the last places had room" annotation(__Saltus(Log = ""));
    Boolean quiet[nInhibitors + 1] "None of the first inhibitors holds it back" annotation(__Saltus(Log = ""));
    Boolean full[nIn + 1] "The first places still have tokens" annotation(__Saltus(Log = ""));
    Boolean free[nOut + 1] "The first places still have room" annotation(__Saltus(Log = ""));
  equation
    for i in 1:nIn loop
      assert(weightIn[i] >= 1, "the weight of an arc is one or more");
    end for;
    for i in 1:nOut loop
      assert(weightOut[i] >= 1, "the weight of an arc is one or more");
    end for;
    able[1] = not initial() and condition;
    full[1] = true;
    for i in 1:nIn loop
      able[i + 1] = able[i] and from[i].before >= weightIn[i];
      full[i + 1] = full[i] and from[i].left >= weightIn[i];
      from[i].taken = if fires then weightIn[i] else 0;
    end for;
    open[1] = able[nIn + 1];
    free[1] = full[nIn + 1];
    for i in 1:nOut loop
      need[i] = max(0, weightOut[i] - sum(if from[j].place == to[i].place then weightIn[j] else 0 for j in 1:nIn));
      open[i + 1] = open[i] and to[i].before >= need[i];
      free[i + 1] = free[i] and to[i].room >= need[i];
      to[i].given = if fires then weightOut[i] else 0;
      to[i].filled = if fires then need[i] else 0;
    end for;
    quiet[1] = open[nOut + 1];
    for i in 1:nInhibitors loop
      quiet[i + 1] = quiet[i] and inhibitors[i] < threshold[i];
    end for;
    annotation(Documentation(info = "<html>
<p>The last of <code>quiet</code> says that the transition could fire by itself, the last of <code>free</code> that no
other transition has what it needs.</p>
</html>"),
      Icon(graphics = {Line(points = {{-40, 0}, {-15, 0}}), Line(points = {{15, 0}, {40, 0}}),
        Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
  end Rule;

  model Waiting "The clock of a transition that waits"
    input Boolean able "Its places and its condition let it fire" annotation(__Saltus(Log = ""));
    input Boolean free "No other transition takes what it needs in this round" annotation(__Saltus(Log = ""));
    input Saltus.Units.Time delay "Time for which it waits, looked at when the waiting begins";
    Boolean fired "It has waited, and fires in this round" annotation(__Saltus(Log = ""));
    discrete Saltus.Units.Time due(start = never, fixed = true) "When it fires, if nothing happens"
      annotation(__Saltus(Log = ""));
  protected
    constant Saltus.Units.Time never = 1e100 "It does not wait";
    Boolean begins "The waiting begins" annotation(__Saltus(Log = ""));
    Boolean ends "The waiting ends, without firing" annotation(__Saltus(Log = ""));
    Boolean ripe "It has waited" annotation(__Saltus(Log = ""));
  equation
    begins = able and (not pre(able) or pre(fired));
    ends = not able and pre(able);
    when {begins, ends} then
      due = if begins then time + delay else never;
    end when;
    ripe = time >= pre(due);
    fired = able and free and ripe and not begins;
    annotation(Documentation(info = "<html>
<p>The waiting begins when the transition becomes able to fire, or remains so after it has fired; it is given up when
the transition is not able to fire any more, if only for a round.</p>
</html>"),
      Icon(graphics = {Ellipse(extent = {{-60, 60}, {60, -60}}, lineColor = {30, 30, 30}),
        Line(points = {{0, 0}, {0, 45}}), Line(points = {{0, 0}, {30, 0}})}));
  end Waiting;

  model Firing "What is seen of a transition: whether it fires"
    input Boolean fires "It fires in this round" annotation(__Saltus(Log = "Transition %owner fires at time = %time"));
    annotation(
      Documentation(info = "<html>
  <p>One Boolean, to which an equation outside gives its value. It is true in the rounds of an event in which the
  transition fires, and false between events.</p>
  </html>"),
      Icon(graphics = {
        Rectangle(extent = {{-15, 80}, {15, -80}}, lineColor = {0, 0, 0}, fillColor = {0, 0, 0},
          fillPattern = FillPattern.Solid),
        Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
  end Firing;

  model TimedFiring "A transition that waits: it fires when it has been able to for so long"
    extends Waiting;
    Boolean fires "It fires in this round" annotation(__Saltus(Log = "Transition %owner fires at time = %time"));
  equation
    fires = fired;
    annotation(
      Documentation(info = "<html>
<p>From outside come <code>able</code>, <code>free</code> and <code>delay</code>. The waiting begins when the transition
becomes able to fire, or remains so after it has fired; it is given up when the transition is not able to fire any
more, if only for a round.</p>
</html>"),
      Icon(graphics = {
        Rectangle(extent = {{-25, 80}, {25, -80}}, lineColor = {0, 0, 0}, fillColor = {255, 255, 255},
          fillPattern = FillPattern.Solid),
        Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
  end TimedFiring;

  annotation(Documentation(info = "<html>
<p>Each connector has two sides, one for places and one for transitions.</p>
</html>"));
end Interfaces;

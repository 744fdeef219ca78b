within Saltus.StateMachines;
package Interfaces "Connectors between states and transitions, and what parts have in common"
  extends Saltus.Icons.Package;

  connector Leaving "Of a state, for a transition that leaves it"
    output Boolean before "The state was active before the round" annotation(__Saltus(Log = ""));
    output Boolean free "Nothing that goes before this transition leaves the state in this round"
      annotation(__Saltus(Log = ""));
    output Saltus.Units.Time since "Since when the state has been active" annotation(__Saltus(Log = ""));
    input Boolean taken "The transition is taken in this round" annotation(__Saltus(Log = ""));
    annotation(Documentation(info = "<html><p>Connect it to <code>Source</code>.</p></html>"),
      Icon(graphics = {Ellipse(extent = {{-50, 50}, {50, -50}}, lineColor = {30, 30, 30}, fillColor = {255, 255, 255},
        fillPattern = FillPattern.Solid)}));
  end Leaving;

  connector Source "Of a transition, for the state that it leaves"
    input Boolean before "The state was active before the round" annotation(__Saltus(Log = ""));
    input Boolean free "Nothing that goes before this transition leaves the state in this round"
      annotation(__Saltus(Log = ""));
    input Saltus.Units.Time since "Since when the state has been active" annotation(__Saltus(Log = ""));
    output Boolean taken "The transition is taken in this round" annotation(__Saltus(Log = ""));
    annotation(Documentation(info = "<html><p>Connect it to <code>Leaving</code>.</p></html>"),
      Icon(graphics = {Rectangle(extent = {{-50, 50}, {50, -50}}, lineColor = {30, 30, 30}, fillColor = {30, 30, 30},
        fillPattern = FillPattern.Solid)}));
  end Source;

  connector Entering "Of a state, for a transition that enters it"
    output Boolean before "The state was active before the round" annotation(__Saltus(Log = ""));
    input Boolean taken "The transition is taken in this round" annotation(__Saltus(Log = ""));
    annotation(Documentation(info = "<html><p>Connect it to <code>Target</code>.</p></html>"),
      Icon(graphics = {Ellipse(extent = {{-50, 50}, {50, -50}}, lineColor = {30, 30, 30}, fillColor = {255, 255, 255},
        fillPattern = FillPattern.Solid)}));
  end Entering;

  connector Target "Of a transition, for the state that it enters"
    input Boolean before "The state was active before the round" annotation(__Saltus(Log = ""));
    output Boolean taken "The transition is taken in this round" annotation(__Saltus(Log = ""));
    annotation(Documentation(info = "<html><p>Connect it to <code>Entering</code>.</p></html>"),
      Icon(graphics = {Polygon(points = {{-50, 50}, {50, 0}, {-50, -50}, {-50, 50}}, lineColor = {30, 30, 30},
        fillColor = {30, 30, 30}, fillPattern = FillPattern.Solid)}));
  end Target;

  partial model Region "What states know of the state or machine that they stand in"
    parameter Boolean first = true "It is active at the start";
    parameter Boolean parallel = false "All states in it are active together";
    parameter Boolean history = false "It enters the state in it that was active last";
    input Boolean begun "The first round is over" annotation(__Saltus(Log = ""));
    input Boolean entered "It is entered in this round" annotation(__Saltus(Log = ""));
    input Boolean left "It is left in this round" annotation(__Saltus(Log = ""));
    input Boolean active "It is active after this round" annotation(__Saltus(Log = ""));
    annotation(
      missingInnerMessage = "a state stands in no machine: let the model around it extend Saltus.StateMachines.Machine",
      Documentation(info = "<html>
<p>Each machine, and each state with states in it, has one for those; they find it by its name <code>around</code>.</p>
</html>"),
      Icon(graphics = {
        Rectangle(extent = {{-90, 90}, {90, -90}}, lineColor = {120, 120, 120}, pattern = LinePattern.Dash,
          radius = 20)}));
  end Region;

  model Inside "What a machine, or a state with states in it, lets these know of it"
    extends Region;
    annotation(Documentation(info = "<html>
<p>What <code>Region</code> says, given by the machine or state around.</p>
</html>"));
  end Inside;

  partial model Node "What all states have: transitions around them, and whether they are active"
    parameter Integer nIn = 1 "Transitions that enter it";
    parameter Integer nOut = 1 "Transitions that leave it; the first has precedence";
    parameter Boolean start = false "Of the states beside it, it is entered first";
    Entering enter[nIn] "From transitions that enter it"
      annotation(Placement(transformation(extent = {{-120, -10}, {-100, 10}})));
    Leaving leave[nOut] "To transitions that leave it"
      annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
    Saltus.Blocks.Interfaces.BooleanOutput active(start = first, fixed = true) "It is active"
      annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, rotation = 90, origin = {0, 70})),
        __Saltus(Log = "State %owner is entered at time = %time"));
    Boolean before "It was active before the round: what conditions and equations ask for"
      annotation(__Saltus(Log = ""));
    Boolean entered "It is entered in this round" annotation(__Saltus(Log = ""));
    Boolean left "It is left in this round" annotation(__Saltus(Log = ""));
  protected
    parameter Boolean outerFirst "The state around it is active at the start";
    parameter Boolean outerParallel "All states beside it are active together";
    parameter Boolean outerHistory "The state around it enters the one in it that was active last";
    input Boolean outerBegun "The first round is over" annotation(__Saltus(Log = ""));
    input Boolean outerEntered "The state around it is entered in this round" annotation(__Saltus(Log = ""));
    input Boolean outerLeft "The state around it is left in this round" annotation(__Saltus(Log = ""));
    input Boolean outerActive "The state around it is active after this round" annotation(__Saltus(Log = ""));
    final parameter Boolean first = outerFirst and (outerParallel or start) "It is active at the start";
    Boolean last(start = start, fixed = true) "Of the states beside it, it was active last"
      annotation(__Saltus(Log = ""));
    discrete Saltus.Units.Time since(start = 0, fixed = true) "When it was entered" annotation(__Saltus(Log = ""));
    Boolean comes[nIn + 1] "One of the first transitions enters it" annotation(__Saltus(Log = ""));
    Boolean goes[nOut + 1] "One of the first transitions leaves it" annotation(__Saltus(Log = ""));
  equation
    before = pre(active);
    last = if outerActive then active else pre(last);
    comes[1] = outerEntered and (outerParallel or (if outerHistory then pre(last) else start));
    for i in 1:nIn loop
      enter[i].before = before;
      comes[i + 1] = comes[i] or enter[i].taken;
    end for;
    goes[1] = outerLeft;
    for i in 1:nOut loop
      leave[i].before = before;
      leave[i].free = outerBegun and not goes[i];
      leave[i].since = pre(since);
      goes[i + 1] = goes[i] or leave[i].taken;
    end for;
    entered = comes[nIn + 1];
    left = before and goes[nOut + 1];
    active = entered or before and not left;
    when {initial(), entered} then
      since = time;
    end when;
    annotation(Documentation(info = "<html>
<p>A round is an iteration of an event. In the first round of a run the states that are active at the start are entered,
and nothing else happens.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-100, 0}, {-80, 0}}), Line(points = {{80, 0}, {100, 0}}),
        Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
  end Node;

  partial model Rule "What all transitions have: the states around them, and a condition"
    parameter Boolean atEdge = false "It is taken at the instant at which its condition becomes true, or not at all";
    input Boolean condition = true "It has to hold" annotation(__Saltus(Log = ""));
    Source from "The state that it leaves"
      annotation(Placement(transformation(extent = {{-60, -10}, {-40, 10}})));
    Target to "The state that it enters"
      annotation(Placement(transformation(extent = {{40, -10}, {60, 10}})));
    Boolean taken "It is taken in this round"
      annotation(__Saltus(Log = "Transition %owner is taken at time = %time"));
  protected
    Boolean holds "The condition" annotation(__Saltus(Log = ""));
    Boolean able "The state was active and is not left in another way, and the condition counts"
      annotation(__Saltus(Log = ""));
  equation
    holds = condition;
    able = from.before and from.free and (if atEdge then edge(holds) else holds);
    from.taken = taken;
    to.taken = taken;
    annotation(Documentation(info = "<html>
<p>Extend it and say when it is taken, if it is able to.</p>
</html>"),
      Icon(graphics = {Line(points = {{-40, 0}, {40, 0}}, color = {30, 30, 30}),
        Text(extent = {{-150, 60}, {150, 20}}, textString = "%name", textColor = {0, 0, 255})}));
  end Rule;

  model Taking "What is seen of a transition: whether it is taken"
    input Boolean taken "It is taken in this round"
      annotation(__Saltus(Log = "Transition %owner is taken at time = %time"));
    annotation(
      Documentation(info = "<html>
  <p>One Boolean, to which an equation outside gives its value. It is true in the rounds of an event in which the
  transition is taken, and false between events.</p>
  </html>"),
      Icon(graphics = {
        Line(points = {{-80, 0}, {80, 0}, {50, 20}}, color = {30, 30, 30}),
        Text(extent = {{-150, 60}, {150, 20}}, textString = "%name", textColor = {0, 0, 255})}));
  end Taking;

  annotation(Documentation(info = "<html>
<p>Each connector has two sides, one for states and one for transitions. Transitions of machines in files that end with
<code>.sm</code> are components of the class <code>Taking</code>.</p>
</html>"));
end Interfaces;

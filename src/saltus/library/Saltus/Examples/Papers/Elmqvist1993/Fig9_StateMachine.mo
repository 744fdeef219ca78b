within Saltus.Examples.Papers.Elmqvist1993;
model Fig9_StateMachine "All transitions of the friction element"
  extends Saltus.Icons.Example;
  Parts.Inertial i "The environment"
    annotation(Placement(transformation(extent = {{-70, -10}, {-50, 10}})));
  Parts.Friction f1(R0 = 1.2, Rm = 1, Rv = 0, p(start = 0, fixed = true), v(start = 0.5, fixed = true)) "Slides at the
start"
    annotation(Placement(transformation(extent = {{-20, -10}, {0, 10}})));
  Parts.TransBody m1(m = 1) "A block"
    annotation(Placement(transformation(extent = {{40, -10}, {60, 10}})));
  Parts.ExtForce fe1 "Pushes in steps"
    annotation(Placement(transformation(extent = {{-20, -50}, {0, -30}})));
  Saltus.Units.Force u1 "The push";
  Integer state "0 start, 1 forward, 2 start forward, 3 stuck, 4 start backward, 5 backward";
equation
  u1 = if time < 1 then 0 elseif time < 2 then 1.3 elseif time < 3 then -2 elseif time < 4 then 2 else 0;
  fe1.f = u1;
  state = if f1.Start then 0 elseif f1.Forward then 1 elseif f1.StartForward then 2 elseif f1.StartBackward then 4
    elseif f1.Backward then 5 else 3;
  connect(i.c, f1.c1) annotation(Line(points = {{-60, 0}, {-20, 0}}, color = {0, 127, 0}));
  connect(f1.c2, m1.c) annotation(Line(points = {{0, 0}, {40, 0}}, color = {0, 127, 0}));
  connect(fe1.c, m1.c) annotation(Line(points = {{0, -40}, {20, -40}, {20, 0}, {40, 0}}, color = {0, 127, 0}));
  annotation(
    experiment(StopTime = 6, Tolerance = 1e-9, Interval = 0.02),
    Documentation(info = "<html>
<p>A block that slides at the start is pushed in steps: it comes to rest, breaks away forward, is pulled back so hard
that it turns without resting, and turns again.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Elmqvist, Cellier, Otter 1993",
      place = "section 8, figure 9, and the rule for state machines",
      passage = "The five regions and a start are the states of a machine with exclusive conditions, none of which
asks whether something equals zero. StartForward and StartBackward wait until the velocity really has the sign that it
should have. Each state is a Boolean: it is true if an earlier state and the condition to enter were, or if it was and
no condition to leave is. To go from backward to forward takes three iterations at least.",
      look = "Forward, stuck at 0.5 s, forward from 1 s on, backward from 2.1 s, forward from 3.3 s. The turn at 2.1 s
is one event with three iterations, as the paper says: forward, stuck, start backward, backward. The waiting states
last no time: look for them in the log.",
      plot = {"f1.v", "u1", "state"}, modes = false, log = true)));
end Fig9_StateMachine;

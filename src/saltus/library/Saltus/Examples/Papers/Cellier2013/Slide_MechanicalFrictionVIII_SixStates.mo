within Saltus.Examples.Papers.Cellier2013;
model Slide_MechanicalFrictionVIII_SixStates "Friction as a state machine with six states"
  extends Saltus.Icons.Example;
  extends BlockOnTable;
  parameter Saltus.Units.Force F_s = 1.2 "Largest force at rest";
  Saltus.Units.Force F_c "Force that keeps the block at rest; zero while it slides";
  Boolean Start(start = true, fixed = true) "Nothing is known yet";
  Boolean Forward(start = false, fixed = true) "Slides forward";
  Boolean Backward(start = false, fixed = true) "Slides backward";
  Boolean StartForward(start = false, fixed = true) "Breaks away forward";
  Boolean StartBackward(start = false, fixed = true) "Breaks away backward";
  Boolean Sticking(start = false, fixed = true) "Is at rest";
equation
  Forward = pre(Start) and v > 0 or pre(StartForward) and v > 0 or pre(Forward) and not v <= 0;
  Backward = pre(Start) and v < 0 or pre(StartBackward) and v < 0 or pre(Backward) and not v >= 0;
  StartForward = pre(Sticking) and F_c > F_s or pre(StartForward) and not (v > 0 or a <= 0 and not v > 0);
  StartBackward = pre(Sticking) and F_c < -F_s or pre(StartBackward) and not (v < 0 or a >= 0 and not v < 0);
  Start = false;
  Sticking = not (Start or Forward or StartForward or Backward or StartBackward);
  F = if pre(Forward) then c_f*v + F_d elseif pre(Backward) then c_f*v - F_d
    elseif pre(StartForward) then F_d elseif pre(StartBackward) then -F_d else F_c;
  if pre(Sticking) or pre(Start) then
    a = 0;
  else
    F_c = 0;
  end if;
  when Sticking and not Start then
    reinit(v, 0);
  end when;
  annotation(
    experiment(StopTime = 12.566370614359172, Tolerance = 1e-8, Interval = 0.01),
    Documentation(info = "<html>
<p>The complete model: five regions of the friction law and a state for the start, with transitions between them,
and the switch equation for the acceleration.</p>
<p>Two things differ from the slide. There <code>Start</code> is never left; here it is false from the first event
on. And force and switch are chosen by <code>pre</code> of the states: otherwise the force that leads from
<code>Sticking</code> to <code>StartForward</code> vanishes by that very transition, and no values fit.</p>
<p>What to look at: the states in the log, one after the other, as in the diagram of the slide VII.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Cellier 2013",
      place = "slides Mechanical Friction VI to IX",
      passage = "The law is split into five regions, which cannot be coded directly because an equality of
computed numbers cannot be tested. A finite state machine with the states Start, Forward, Backward, StartForward,
StartBackward and Sticking switches between them. It can be simulated, but its switching conditions are not smooth,
so that golden section is needed for the iteration.",
      look = "Sticking, StartForward, Forward, Sticking, StartBackward, Backward, in turn. Read as printed, the
listing has no solution at break-away and never leaves Start; pre() and Start = false mend it. The motion is that of
the declarative model.",
      plot = {"F", "v", "F_c"}, modes = true, log = true)));
end Slide_MechanicalFrictionVIII_SixStates;

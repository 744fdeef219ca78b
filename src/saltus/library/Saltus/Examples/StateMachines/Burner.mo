within Saltus.Examples.StateMachines;
model Burner "A burner that is started in steps by a clocked state machine"
  extends Saltus.Icons.Example;
  parameter Saltus.Units.Time air = 10 "Until then there is air in the pipe";
  parameter Saltus.Units.Time tau = 1.5 "How slowly the sensor of the flame follows";
  inner Saltus.Units.Ratio fan(start = 0) "How fast the fan turns: 1 is full speed";
  inner Boolean gas(start = false) "The valve is open";
  inner Boolean spark(start = false) "The igniter is on";
  inner Integer attempts(start = 0) "How often it has been tried to light the flame";
  Saltus.Units.Temperature T(start = 300, fixed = true) "What the sensor of the flame measures";
  Boolean supply = time >= air and not (time >= 25 and time < 26) "Gas comes out of the pipe";
  Boolean lit(start = false, fixed = true) "The flame burns";
  Boolean flame "It is seen, at a tick";

  block Purge "The fan blows out what has not burnt"
    extends Saltus.Icons.Block;
    outer output Saltus.Units.Ratio fan "Full speed";
    outer output Boolean gas "Closed";
    outer output Boolean spark "Off";
    outer output Integer attempts "As before";
  equation
    fan = 1;
    gas = false;
    spark = false;
    attempts = previous(attempts);
  end Purge;

  block Ignite "Gas and sparks"
    extends Saltus.Icons.Block;
    outer output Saltus.Units.Ratio fan "Slow";
    outer output Boolean gas "Open";
    outer output Boolean spark "On";
    outer output Integer attempts "One more";
  equation
    fan = 0.3;
    gas = true;
    spark = true;
    attempts = if ticksInState() == 1 then previous(attempts) + 1 else previous(attempts);
  end Ignite;

  block Heat "The flame burns by itself"
    extends Saltus.Icons.Block;
    outer output Saltus.Units.Ratio fan "As the flame needs it";
    outer output Boolean gas "Open";
    outer output Boolean spark "Off";
    outer output Integer attempts "Forgotten";
  equation
    fan = 0.6;
    gas = true;
    spark = false;
    attempts = 0;
  end Heat;

  block Locked "Somebody has to look at it"
    extends Saltus.Icons.Block;
    outer output Saltus.Units.Ratio fan "Off";
    outer output Boolean gas "Closed";
    outer output Boolean spark "Off";
    outer output Integer attempts "As before";
  equation
    fan = 0;
    gas = false;
    spark = false;
    attempts = previous(attempts);
  end Locked;

  Purge purge annotation(Placement(transformation(extent = {{-80, 20}, {-40, 60}})));
  Ignite ignite annotation(Placement(transformation(extent = {{-10, 20}, {30, 60}})));
  Heat heat annotation(Placement(transformation(extent = {{60, 20}, {100, 60}})));
  Locked locked annotation(Placement(transformation(extent = {{-10, -60}, {30, -20}})));
equation
  initialState(purge);
  transition(purge, ignite, timeInState() > 4.95, immediate = false);
  transition(ignite, heat, flame, immediate = false, priority = 1);
  transition(ignite, locked, timeInState() > 2.95 and attempts >= 3, immediate = false, priority = 2);
  transition(ignite, purge, timeInState() > 2.95, immediate = false, priority = 3);
  transition(heat, purge, not flame, immediate = false);
  flame = sample(T, Clock(1, 10)) > 600;
  lit = hold(gas) and supply and (hold(spark) or pre(lit));
  tau*der(T) = (if lit then 1200 else 300) - T;
  annotation(Documentation(info = "<html>
<p>The machine ticks ten times a second. It blows for five seconds, opens the gas and sparks for three; if no flame is
seen by then it begins anew, and after three attempts it is locked. A flame that goes out closes the gas. Each state
says what fan, valve and igniter do while it is active. Transitions are delayed: each looks at its condition at the tick
before.</p>
<p><b>What to look at:</b> the first attempt fails, since there is air in the pipe until 10 s. The second one succeeds,
and the gas fails for a second at 25 s. <code>--plot-modes</code> draws which state was active when. With
<code>air = 100</code> three attempts fail, and the burner is locked.</p>
</html>"),
    experiment(StopTime = 40, Tolerance = 1e-8, Interval = 0.1));
end Burner;

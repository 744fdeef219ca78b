within Saltus.Examples.Papers.Mosterman1998;
model Fig4_FiniteStateMachine "A brake that a state machine with two signals switches"
  extends Saltus.Icons.Example;
  type State = enumeration(on "The junction turns freely", off "The junction is held") "Of the controlled junction";
  parameter Saltus.Units.Inertia I_1 = 1 "Of the body";
  parameter Saltus.Units.Torque drive = 2 "On the body";
  parameter Saltus.Units.Time opening = 2.5 "Threshold of the clock for off to on";
  parameter Saltus.Units.Time closing = 1 "Threshold of the clock for on to off";
  parameter Saltus.Units.AngularVelocity fast = 3 "Threshold of the speed for on to off";
  Saltus.Units.AngularVelocity w(start = 0, fixed = true) "Of the body";
  Saltus.Units.Torque tau "Of the brake Sw_1";
  State state(start = State.on, fixed = true) "Of the brake";
  Boolean port[3] "Signals that have crossed their thresholds";
equation
  I_1*der(w) = drive - tau;
  if pre(state) == State.off then
    w = 0;
  else
    tau = 0;
  end if;
  port = {time >= closing, w >= fast, time >= opening};
  when pre(state) == State.on and port[1] and port[2] and not port[3] then
    state = State.off;
  elsewhen pre(state) == State.off and port[3] then
    state = State.on;
  end when;
  annotation(
    experiment(StopTime = 3.5, Tolerance = 1e-8, Interval = 0.01),
    Documentation(info = "<html>
<p>Two states, on and off, and signals that enable the transitions when they cross their thresholds. If several
signals belong to a transition, all of them must be true. The junction looks at its state before the instant: values
a priori, in the words of the paper.</p>
<p>What to look at: the clock would let the brake close at 1 s, but the speed has to be 3 rad/s as well, which is at
1.5 s.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Mosterman, Biswas, Otter 1998",
      place = "Figure 4 and section The Discrete Model Part",
      passage = "A finite state machine says whether a controlled junction is on or off. Signals of the bond graph
that cross thresholds make events which enable transitions; of several signals at a transition the conjunction
counts. The figure shows the machine of the brake Sw_1 of Figure 3, whose signal is the clock; its caption speaks of
a clutch.",
      look = "off from 1.5 s, where both signals are true, to 2.5 s. The log has the jump of w from 3 to 0 and the
impulse of the brake. The thresholds are ours.",
      plot = {"w", "state"}, modes = true, log = true)));
end Fig4_FiniteStateMachine;

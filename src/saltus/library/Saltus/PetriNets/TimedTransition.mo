within Saltus.PetriNets;
model TimedTransition "Fires when it has been able to for so long"
  extends Interfaces.Rule;
  input Saltus.Units.Time delay "Time for which it waits, looked at when the waiting begins";
protected
  Interfaces.Waiting waiting(able = quiet[nInhibitors + 1], free = free[nOut + 1], delay = delay) "The waiting";
equation
  assert(delay >= 0, "the delay of a transition cannot be negative");
  fires = waiting.fired;
  annotation(
    Documentation(info = "<html>
<p>The waiting begins when the transition becomes able to fire, or remains so after it has fired; it is given up when
the transition is not able to fire any more. No tokens are kept meanwhile.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-25, 80}, {25, -80}}, lineColor = {0, 0, 0}, fillColor = {255, 255, 255},
        fillPattern = FillPattern.Solid)}));
end TimedTransition;

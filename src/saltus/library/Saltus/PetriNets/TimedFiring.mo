within Saltus.PetriNets;
model TimedFiring "A transition that waits: it fires when it has been able to for so long"
  Boolean fires "It fires in this round" annotation(__Saltus(Log = "Transition %owner fires at time = %time"));
  input Boolean able "Its places and its condition let it fire" annotation(__Saltus(Log = ""));
  input Boolean free "No other transition takes what it needs in this round" annotation(__Saltus(Log = ""));
  input Saltus.Units.Time delay "Time for which it waits, looked at when the waiting begins";
  discrete Saltus.Units.Time due(start = never, fixed = true) "When it fires, if nothing happens"
    annotation(__Saltus(Log = ""));
protected
  constant Saltus.Units.Time never = 1e100 "It does not wait";
  Boolean begins "The waiting begins" annotation(__Saltus(Log = ""));
  Boolean ends "The waiting ends, without firing" annotation(__Saltus(Log = ""));
  Boolean ripe "It has waited" annotation(__Saltus(Log = ""));
equation
  begins = able and (not pre(able) or pre(fires));
  ends = not able and pre(able);
  when {begins, ends} then
    due = if begins then time + delay else never;
  end when;
  ripe = time >= pre(due);
  fires = able and free and ripe and not begins;
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

within Saltus.Examples.Papers.Beek1998;
model Sec5_GuardOnLevel "The short form of the overflow, with a guard for the level alone"
  extends Saltus.Icons.Example;
  extends Overflowing;
equation
  A*der(h) = Q_i - Q_o - Q_x;
  if h < h_max then
    Q_x = 0;
  else
    Q_x = Q_i - Q_o;
  end if;
  annotation(
    experiment(StopTime = 16, Tolerance = 1e-9, Interval = 0.02),
    Documentation(info = "<html>
<p>Section 5 abbreviates the guards to the level. That is enough to speak of a boundary that is crossed, but not for
a tank whose inflow falls: at the brim the level is kept for ever.</p>
<p>What to look at: from 8 s to 11 s <code>Q_x</code> is negative. Liquid comes back over the brim. Compare with
<code>Sec42_TOV</code>.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Van Beek, Rooda 1998",
      place = "section 5, the guarded equation in the text",
      passage = "As an example of a discontinuity of the continuous phase the text has a guarded equation with Q_x
= 0 for h below h_max and Q_x = Q_i - Q_o from there on: guards change when the level crosses a boundary that is
known before.",
      look = "With the guard for the level alone the tank never gets less full: -0.59 m3/s flow over the brim
while the inflow is weak. The second condition of TOV, Q_i < Q_o, is needed as soon as the inflow varies.",
      plot = {"h", "Q_x"}, modes = true, log = true)));
end Sec5_GuardOnLevel;

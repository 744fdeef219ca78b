within Saltus.Examples.Papers.Beek1998;
model Sec42_TOV "A tank that overflows: guards choose between two pairs of equations"
  extends Saltus.Icons.Example;
  extends Overflowing;
equation
  if h < h_max or Q_i < Q_o then
    A*der(h) = Q_i - Q_o;
    Q_x = 0;
  else
    A*der(h) = 0;
    Q_x = Q_i - Q_o;
  end if;
  annotation(
    experiment(StopTime = 16, Tolerance = 1e-9, Interval = 0.02),
    Documentation(info = "<html>
<p>Below the brim, or if less comes than goes, the level changes and nothing flows over. At the brim, if more comes
than goes, the level stays and the rest flows over.</p>
<p>What to look at: <code>Q_x</code> leaps where the level reaches the brim, and where the inflow changes.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Van Beek, Rooda 1998",
      place = "section 4.2, process TOV, with the equations of section 5.1",
      passage = "A tank with a brim at h_max. If the level is below it or the inflow is less than the outflow, A
h' = Q_i - Q_o and the overflow Q_x is zero; otherwise the level is constant and Q_x = Q_i - Q_o. Q_x is
D-continuous, which the solver DASSL cannot handle in its continuous phase. The page with the process itself is
lost; its equations are printed again in section 5.1.",
      look = "The tank is full at 2.13 s; 0.51 m3/s flow over until the inflow falls at 8 s, and again some time
after 11 s. Leaps are events here, so nothing has to be removed first. The data are ours.",
      plot = {"h", "Q_x", "Q_i"}, modes = true, log = true)));
end Sec42_TOV;

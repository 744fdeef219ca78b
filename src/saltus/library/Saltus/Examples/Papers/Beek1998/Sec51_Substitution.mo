within Saltus.Examples.Papers.Beek1998;
model Sec51_Substitution "The overflow removed by substitution"
  extends Saltus.Icons.Example;
  extends Overflowing;
equation
  A*der(h) = Q_i - Q_o - Q_x;
  Q_x = if h < h_max or Q_i < Q_o then 0 else Q_i - Q_o;
  annotation(
    experiment(StopTime = 16, Tolerance = 1e-9, Interval = 0.02),
    Documentation(info = "<html>
<p>One balance of the volume for both cases, and a conditional expression that stands for the overflow wherever it
is needed. The paper marks such an equation with an arrow; here a tool that sorts equations finds out by itself that
<code>Q_x</code> is assigned first.</p>
<p>What to look at: the same as <code>Sec42_TOV</code>.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Van Beek, Rooda 1998",
      place = "section 5.1",
      passage = "The D-continuous variable Q_x is removed: the balance becomes A h' = Q_i - Q_o - Q_x, and a
substitution equation, written with an arrow, gives 0 or Q_i - Q_o whenever Q_x is needed. Only h and Q_o are left
for the solver. The modeller has to mark such variables; the authors want to find them by symbolic analysis in
future.",
      look = "The sorted equations (saltus explain) compute Q_x before der(h): the substitution is found by
sorting. The curves are those of TOV.",
      plot = {"h", "Q_x", "Q_o"}, modes = true, log = true)));
end Sec51_Substitution;

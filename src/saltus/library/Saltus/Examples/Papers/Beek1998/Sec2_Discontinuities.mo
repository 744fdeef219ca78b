within Saltus.Examples.Papers.Beek1998;
model Sec2_Discontinuities "A D function, a D' function, and a variable that is discrete"
  extends Saltus.Icons.Example;
  parameter Saltus.Units.Time t_d = 0.5 "Where the functions have their discontinuity";
  parameter Saltus.Units.Time T = 1 "Unit of time";
  Saltus.Units.Ratio f "A D function: it leaps";
  Saltus.Units.Ratio g(start = 0, fixed = true) "A D' function: its derivative leaps";
  discrete Saltus.Units.Ratio d(start = 0, fixed = true) "A discrete variable: always a D function";
equation
  f = if time < t_d then 1 else -2;
  T*der(g) = f;
  when time >= t_d then
    d = g;
  end when;
  annotation(
    experiment(StopTime = 1, Tolerance = 1e-8, Interval = 0.01),
    Documentation(info = "<html>
<p>The definitions as curves: <code>f</code> has different limits from the left and from the right, <code>g</code>
is continuous and has a derivative of that kind, <code>d</code> changes at a point of time only.</p>
<p>What to look at: at 0.5 s the result has two rows; <code>f</code> differs in them, <code>g</code> does not.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Van Beek, Rooda 1998",
      place = "section 2, definitions",
      passage = "A function is a D function if its limits from the left and from the right exist and differ
somewhere; a D' function is continuous with a derivative of that kind. A discrete variable is always a D function of
time, unless it is constant. A model has a discontinuity of either kind if one of its continuous variables has.",
      look = "f leaps from 1 to -2 and g has a corner at 0.5 s; d keeps the value that g had there.",
      plot = {"f", "g", "d"}, modes = false, log = false)));
end Sec2_Discontinuities;

within Saltus.Examples.Papers.Elmqvist1993;
model Sec4_LimiterMacro "The limiter as a macro: the integrator steps across the corners"
  extends Saltus.Icons.Example;
  parameter Saltus.Units.Ratio LowLimit = -1 "Smallest value";
  parameter Saltus.Units.Ratio HighLimit = 1 "Largest value";
  Saltus.Units.Ratio x(start = 0, fixed = true) "The wave 2 sin(t), as an oscillation";
  Saltus.Units.Ratio w(start = 2, fixed = true) "Its slope";
  constant Saltus.Units.Time T = 1 "Unit of time";
  Saltus.Units.Ratio y "What is left of it";
  Real area(unit = "s", start = 0, fixed = true) "Integral of y";
equation
  T*der(x) = w;
  T*der(w) = -x;
  y = noEvent(if x > HighLimit then HighLimit elseif x < LowLimit then LowLimit else x);
  der(area) = y;
  annotation(
    experiment(StopTime = 10, Tolerance = 1e-8, Interval = 0.02),
    Documentation(info = "<html>
<p><code>noEvent</code> is what a macro is: nobody watches the relations, and the error control of the integrator has
to notice the corners by itself.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Elmqvist, Cellier, Otter 1993",
      place = "section 4, the macro Limiter",
      passage = "The obvious way in a language like ACSL is a macro with the same branches. It makes the integrator go
across discontinuities, with small steps and poor numerical behaviour.",
      look = "The same curve as figure 2 and no event at all. Compare the steps in the statistics of both runs: here
steps are rejected at the corners.",
      plot = {"x", "y", "area"}, modes = false, log = true)));
end Sec4_LimiterMacro;

within Saltus.Examples.Papers.Elmqvist1993;
model Sec5_Hysteresis "An output that remembers which limit was crossed last"
  extends Saltus.Icons.Example;
  parameter Saltus.Units.Ratio H = 0.4 "Half the width";
  Saltus.Units.Ratio u "Input: a sine wave";
  discrete Saltus.Units.Ratio y(start = -1, fixed = true) "Output: changes only where u goes beyond H or -H";
equation
  u = sin(time);
  when u > H or u < -H then
    y = if u > H then 1 else -1;
  end when;
  annotation(
    experiment(StopTime = 12, Tolerance = 1e-8, Interval = 0.02),
    Documentation(info = "<html>
<p>The three lines of the paper. The equation holds only at the instants at which its condition becomes true; between
them <code>y</code> keeps its value.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Elmqvist, Cellier, Otter 1993",
      place = "section 5, hysteresis",
      passage = "Equations in a when-clause are evaluated only at the instant at which the condition becomes true. A
hysteresis is one of them: the output becomes 1 when u exceeds H, and -1 when u falls below -H, and nothing changes in
between.",
      look = "y changes at asin(H), and then every pi seconds, always at the far limit. The paper gives no values; H =
0.4 and the sine are ours.",
      plot = {"u", "y"}, modes = false, log = true)));
end Sec5_Hysteresis;

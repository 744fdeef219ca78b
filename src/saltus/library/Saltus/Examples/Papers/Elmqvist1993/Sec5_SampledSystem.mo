within Saltus.Examples.Papers.Elmqvist1993;
model Sec5_SampledSystem "A difference equation in a loop with a differential equation"
  extends Saltus.Icons.Example;
  parameter Saltus.Units.Ratio a = -0.6 "Coefficient of the last value";
  parameter Saltus.Units.Ratio b = 0.7 "Coefficient of the input";
  parameter Saltus.Units.Time SamplingRate = 0.1 "Time between two samples";
  discrete Saltus.Units.Time NextTime(start = 0.1, fixed = true) "When the next sample is due";
  discrete Saltus.Units.Ratio x(start = 0, fixed = true) "State of the controller";
  Saltus.Units.Ratio u(start = 1, fixed = true) "State of what is controlled";
  parameter Saltus.Units.Time T = 0.5 "Time constant of what is controlled";
equation
  T*der(u) = 0.5*x - u;
  when time >= pre(NextTime) then
    NextTime = pre(NextTime) + SamplingRate;
    x = b*u - a*pre(x);
  end when;
  annotation(
    experiment(StopTime = 5, Tolerance = 1e-8, Interval = 0.02),
    Documentation(info = "<html>
<p>The when-clause says itself when it is due next. What the paper calls <code>new(x)</code> is <code>x</code>, and
its <code>x</code> is <code>pre(x)</code>. A when-clause of Modelica wants what is new alone on the left.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Elmqvist, Cellier, Otter 1993",
      place = "section 5, difference equations",
      passage = "Difference equations define discrete variables at certain instants. The next value of a discrete
state x is called new(x): at each sample the next time is the last one plus SamplingRate, and new(x) + a x = b u.",
      look = "Stairs of a tenth of a second, one event each. The paper names a, b and SamplingRate without values;
ours are -0.6, 0.7 and 0.1 s.",
      plot = {"x", "u"}, modes = false, log = false)));
end Sec5_SampledSystem;

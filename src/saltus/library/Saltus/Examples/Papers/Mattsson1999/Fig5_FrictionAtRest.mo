within Saltus.Examples.Papers.Mattsson1999;
model Fig5_FrictionAtRest "Force over acceleration at the velocity zero"
  extends Saltus.Icons.Example;
  parameter Saltus.Units.Mass m = 1 "Of the block";
  parameter Saltus.Units.Force f0 = 1 "Largest force at rest";
  parameter Saltus.Units.Force U = 2 "Largest driving force";
  parameter Saltus.Units.AngularFrequency w = 1 "Of the driving force";
  constant Saltus.Units.Acceleration a1 = 1 "Unit of sa as an acceleration";
  Saltus.Units.Acceleration a "Acceleration with which the block would begin to move";
  Saltus.Units.Force u "Driving force";
  Saltus.Units.Force f "Friction";
  Saltus.Units.Ratio sa "Along the curve of acceleration and force";
  Boolean startFor "Begins to slide forward";
  Boolean startBack "Begins to slide backward";
equation
  u = U*sin(w*time);
  m*a = u - f;
  startFor = sa > 1;
  startBack = sa < -1;
  a = (if startFor then sa - 1 elseif startBack then sa + 1 else 0)*a1;
  f = if startFor then f0 elseif startBack then -f0 else f0*sa;
  annotation(
    experiment(StopTime = 6.283185307179586, Tolerance = 1e-8, Interval = 0.02),
    Documentation(info = "<html>
<p>The characteristic at <code>v = 0</code> alone: nothing moves here, the driving force is only led through all its
values, to see with which acceleration the block would begin.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Mattsson, Otter, Elmqvist 1999",
      place = "section 4, figure 5",
      passage = "The way out: at rest and at the beginning of a slide the velocity is zero, but the acceleration is
zero in one case and positive in the other. So at v = 0 the characteristic is one of acceleration and force, with a
curve parameter sa of its own; together with the equation of the block it is a mixed system to be solved at events.",
      look = "f is cut off at 1 and -1, and what is left of u accelerates: a is not zero exactly where |u| > 1.",
      plot = {"u", "f", "a"}, modes = true, log = true)));
end Fig5_FrictionAtRest;

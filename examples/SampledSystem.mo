model SampledSystem "One difference equation, written in two ways (paper 000)"
  parameter Real a = -0.5 "Coefficient of the last value";
  parameter Real b = 0.8 "Coefficient of the input";
  parameter Real period(unit = "s") = 0.25 "Time between two samples";

  Real u "Continuous input of both";

  // First form: the model itself says when the next sample is due.
  discrete Real nextTime(unit = "s", start = period, fixed = true) "Time of the next sample";
  discrete Real x(start = 0, fixed = true) "Discrete state";

  // Second form: a periodic sampler.
  discrete Real xs(start = 0, fixed = true) "The same state, sampled by sample()";
  Integer samples(start = 0, fixed = true) "Number of samples so far";
equation
  u = sin(time);

  // The paper writes new(x) + a*x = b*u. Modelica writes x for the new value and pre(x) for the old one.
  when time >= pre(nextTime) then
    nextTime = pre(nextTime) + period;
    x = -a*pre(x) + b*u;
  end when;

  when sample(period, period) then
    xs = -a*pre(xs) + b*u;
    samples = pre(samples) + 1;
  end when;
  annotation(experiment(StartTime = 0, StopTime = 5, Tolerance = 1e-6, Interval = 0.05));
end SampledSystem;

model Limiter "A sine wave cut off at an upper and a lower limit (paper 000, Fig. 2)"

  block Limit "y follows x, but never leaves the range from lowLimit to highLimit"
    parameter Real lowLimit = -1 "Smallest value of y";
    parameter Real highLimit = 1 "Largest value of y";
    input Real x;
    output Real y;
  equation
    // An if-expression is all it takes. Each of the two relations is watched during the integration; when
    // one changes, the integrator stops at that very time and starts again on the other branch.
    y = if x > highLimit then highLimit elseif x < lowLimit then lowLimit else x;
  end Limit;

  parameter Real amplitude = 2 "Amplitude of the wave";
  Limit limit(lowLimit = -1, highLimit = 1);
  Real x "The wave before it is limited";
  Real y "The wave after it is limited";
  Real area(start = 0, fixed = true) "Integral of y: a D' function, its derivative has corners";
equation
  x = amplitude*sin(time);
  limit.x = x;
  y = limit.y;
  der(area) = y;
  annotation(experiment(StartTime = 0, StopTime = 10, Tolerance = 1e-8, Interval = 0.02));
end Limiter;

model VanDerPol "Van der Pol's oscillator: slow motion along a curve, and sudden leaps off its ends"
  // For mu = 1000 the leaps take about a thousandth of a unit of time and the period is 1614.
  // The equations are then stiff: an explicit method would need millions of steps.
  parameter Real mu = 1000 "Strength of the damping";
  Real x(start = 2, fixed = true) "Position";
  Real v(start = 0, fixed = true, nominal = 1e-3) "Velocity";
equation
  der(x) = v;
  der(v) = mu*(1 - x^2)*v - x;
  annotation(experiment(StartTime = 0, StopTime = 3500, Tolerance = 1e-8, Interval = 1));
end VanDerPol;

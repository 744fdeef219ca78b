model Pendulum "A mass on a rod, in Cartesian coordinates: an equation constrains the states"
  // The rod makes this a model of index 3. Struck at its lowest point with 7 m/s it goes over the top; neither x
  // nor y alone tells where it is all the way round, so the run changes its states from one to the other.
  parameter Real L(unit = "m") = 1 "Length of the rod";
  parameter Real g(unit = "m/s2") = 9.81;
  Real x(unit = "m", start = 0, fixed = true), y(unit = "m", start = -L) "Position";
  Real u(unit = "m/s", start = 7, fixed = true), v(unit = "m/s") "Velocity";
  Real f "Force of the rod over its length, for a mass of 1";
  Real energy "Stays as it is";
equation
  der(x) = u;
  der(y) = v;
  der(u) = -f*x;
  der(v) = -f*y - g;
  x^2 + y^2 = L^2;
  energy = (u^2 + v^2)/2 + g*y;
  annotation(experiment(StartTime = 0, StopTime = 5, Tolerance = 1e-8));
end Pendulum;

model BouncingBall "A ball that falls and bounces: the velocity leaps at every impact (paper 000)"
  parameter Real c = 0.8 "Coefficient of restitution: speed after an impact over speed before it";
  parameter Real g(unit = "m/s2") = 9.81 "Acceleration of gravity";
  parameter Real h0(unit = "m") = 1 "Height at the start";
  Real height(unit = "m", start = h0, fixed = true) "Height above the floor";
  Real velocity(unit = "m/s", start = 0, fixed = true) "Upward velocity";
  Integer bounces(start = 0, fixed = true) "Number of impacts so far";
equation
  der(height) = velocity;
  der(velocity) = -g;
  when height <= 0 then
    // A continuous state gets a new value; the height stays what it is.
    reinit(velocity, -c*pre(velocity));
    bounces = pre(bounces) + 1;
  end when;
  // With these numbers the impacts pile up at 4.06 s; the run ends before that.
  annotation(experiment(StartTime = 0, StopTime = 3, Tolerance = 1e-8, Interval = 0.01));
end BouncingBall;

// TRUTH: 200 crossings, x about 0 at the end
model MissedEvents "A 10 kHz comparator, 10 output points a period; 200 crossings and x = 0 at the end are expected"
  parameter Real w = 62830;
  Boolean u = sin(w*time) > 0.5;
  Real x(start = 0, fixed = true);
equation
  der(x) = if u then 1 else -0.5;
  annotation(experiment(StopTime = 0.01, Interval = 1e-5));
end MissedEvents;

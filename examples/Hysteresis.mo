model Hysteresis "A relay with hysteresis: its output depends on where the input came from (paper 000)"
  parameter Real H = 0.5 "Half width of the hysteresis";
  parameter Real amplitude = 1 "Amplitude of the input";
  parameter Real omega(unit = "rad/s") = 2 "Angular frequency of the input";
  Real u "Input, a sine wave";
  discrete Real y(start = -1, fixed = true) "Output, -1 or 1: kept while u is between -H and H";
equation
  u = amplitude*sin(omega*time);
  // The equation holds only at the instants at which the condition becomes true.
  // Between them y keeps its value: this is the memory of the relay.
  when u > H or u < -H then
    y = if u > H then 1 else -1;
  end when;
  annotation(experiment(StartTime = 0, StopTime = 10, Tolerance = 1e-8, Interval = 0.02));
end Hysteresis;

// TRUTH: half-wave rectifier of docs/modes.md: 50 pulses a second for ever, i peaks at 1.41 A in every period, 201 events up to 2 s
model RectLong "docs/modes.md Ideal, only longer"
  parameter Real L(unit = "H") = 0.02, R(unit = "Ohm") = 5;
  Real i(unit = "A", start = 0, fixed = true), u(unit = "V") "voltage of the diode", s;
  Boolean blocks = s < 0;
equation
  10*sin(2*3.141592653589793*50*time) = L*der(i) + u + R*i;
  u = if blocks then s else 0;
  i = if blocks then 0 else s;
end RectLong;

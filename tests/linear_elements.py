"""The linear elements of circuits as Modelica text, for tests that make circuits of them with others."""

from __future__ import annotations

LINEAR = """
connector Pin
  Real v;
  flow Real i;
end Pin;
model Ground
  Pin p;
equation
  p.v = 0;
end Ground;
partial model TwoPin
  Pin p, n;
  Real v, i;
equation
  v = p.v - n.v;
  i = p.i;
  p.i + n.i = 0;
end TwoPin;
model Resistor
  extends TwoPin;
  parameter Real R = 1;
equation
  v = R*i;
end Resistor;
model Capacitor
  extends TwoPin;
  parameter Real C = 1;
equation
  C*der(v) = i;
end Capacitor;
model Inductor
  extends TwoPin;
  parameter Real L = 1;
equation
  L*der(i) = v;
end Inductor;
"""

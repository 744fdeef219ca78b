"""Parts of circuits for the tests of connections."""

from __future__ import annotations

PINS = """
connector Pin
  Real v;
  flow Real i;
end Pin;
model R
  Pin p;
  Pin n;
  parameter Real R = 1;
equation
  p.v - n.v = R*p.i;
  p.i + n.i = 0;
end R;
model V
  Pin p;
  Pin n;
  parameter Real v = 6;
equation
  p.v - n.v = v;
  p.i + n.i = 0;
end V;
model G
  Pin p;
equation
  p.v = 0;
end G;
"""

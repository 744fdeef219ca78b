"""Limits that keep a divisor away from zero, smaller than the zero band of what they limit: the limit is what
the specification says (section 8.3.4: the relation as it stands), at the start, at rest and after a jump."""

from __future__ import annotations

import pytest

import saltus

_GUARDED = """model Guarded
  parameter Real low = {low};
  discrete Real a, b;
  Real x(start = 0, fixed = true), u = sqrt(a^2 + b^2);
  Real y = if u < low then low else u;
  Real z = 1/y;
  Boolean other = time > 0.3;
  Real w(start = 1, fixed = true);
initial equation
  a = 0;
  b = 0;
equation
  der(x) = time;
  der(w) = -w;
  when w < 0.8 then
    b = 0;
  end when;
  when sample(0.5, 0.5) then
    a = if time < 0.7 then pre(x) else 0;
  end when;
end Guarded;"""


@pytest.mark.parametrize("low", [1e-12, 1e-15, 1e-60])
def test_limit_below_the_band_holds(low: float) -> None:
    text = _GUARDED.format(low=low)
    result = saltus.load(text).simulate(stop_time=1.2)
    for t, u, y, z in zip(*(result[name] for name in ("time", "u", "y", "z")), strict=True):
        assert y == max(u, low) and z == 1 / y, t
    assert result["y"][0] == result["y"][-1] == low and max(result["y"]) == pytest.approx(0.125, rel=1e-4)

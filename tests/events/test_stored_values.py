"""A variable that is compared with what was stored of itself: it is not more than that for being computed
again, by a formula that is the same but for rounding."""

from __future__ import annotations

import pytest

import saltus

_STORED = """model Stored
  function same
    input Real u;
    output Real y = u;
  algorithm
    for i in 1:30 loop
      y := 1.1*y;
    end for;
    for i in 1:30 loop
      y := y/1.1;
    end for;
  end same;
  Real x(start = {size}, fixed = true);
  Real a = if other then same(x) else x;
  discrete Real stored(start = {size}, fixed = true);
  Boolean other(start = false, fixed = true);
  Integer above(start = 0, fixed = true), below(start = 0, fixed = true);
equation
  der(x) = {rate}*x;
  when sample({first}, 0.037) then
    other = not pre(other);
    stored = if pre(other) then same(x) else x;
  end when;
  when a > pre(stored) then
    above = pre(above) + 1;
  end when;
  when a < pre(stored) then
    below = pre(below) + 1;
  end when;
end Stored;"""


@pytest.mark.parametrize("size", [1e-3, 1.0, 24.7, 500.0])
@pytest.mark.parametrize("rate", [-1, 1])
def test_what_only_falls_is_never_above_what_was_stored(size: float, rate: int) -> None:
    text = _STORED.format(size=size, rate=rate, first=0.037)
    result = saltus.load(text).simulate(stop_time=2)
    wrong, right = ("above", "below") if rate < 0 else ("below", "above")
    assert result[wrong][-1] == 0 and result[right][-1] > 0

"""Loops whose start value has no slope: a square law at zero, which has a solution on either side.

The rule is that of modes: the fewest comparisons are turned. What `x > 0` says at zero, it says on one side
only.
Truth: closed forms.
"""

from __future__ import annotations

import pytest

import saltus

LAW = """
model Law "A pressure that falls with the square of the flow, whichever way it goes"
  function drop
    input Real m;
    output Real dp;
  algorithm
    dp := if {condition} then -2*m^2 else -8*m^2;
    annotation(smoothOrder = 1);
  end drop;
  Real m(start = 0), dp = -8*(1 + time);
equation
  dp = drop(m);
end Law;
"""


@pytest.mark.parametrize(
    ("condition", "at_start"),
    [("m > 0", -1.0), ("0 < m", -1.0), ("m <= 0", -2.0), ("m >= 0", 2.0), ("m < 0", 1.0), ("0 <= m", 2.0)],
)
def test_a_square_law_is_left_to_the_side_that_turns_no_comparison(condition: str, at_start: float) -> None:
    result = saltus.load(LAW.format(condition=condition)).simulate(stop_time=3)
    assert result["m"][0] == pytest.approx(at_start, rel=1e-9)
    assert result["m"][-1] == pytest.approx(2 * at_start, rel=1e-9)  # it follows the branch

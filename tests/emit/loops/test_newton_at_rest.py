"""Newton's method begun at a solution: it stays, to the last digit, where only rounding is left."""

from __future__ import annotations

from math import exp

import pytest

import saltus


@pytest.mark.parametrize("start", [2.71, 298.15, 3.77e5, 4.4e-7])
def test_start_that_is_the_solution_up_to_rounding_stays(start: float) -> None:
    """The right side is known to a few of its last digits, as differences of large numbers are."""
    other = start * exp(1 + 12 * 2.0**-52)
    text = f"model Rest Real x(start = {start!r}); equation x*exp(x/{start!r}) = {other!r}; end Rest;"
    assert set(saltus.load(text).simulate(stop_time=1)["x"]) == {start}


@pytest.mark.parametrize("start", [1e-14, 3e-9, 1.0, 4e7])
def test_start_that_is_off_by_little_moves(start: float) -> None:
    """What matters is the size of the unknown, not that of a nominal value which nobody gave."""
    text = "model Off Real x(start = {}); parameter Real p = {}; equation x*abs(x) + p*x = 2*p^2; end Off;"
    result = saltus.load(text.format(start * (1 + 1e-10), start)).simulate(stop_time=1)
    assert result["x"][0] == pytest.approx(start, rel=1e-14)

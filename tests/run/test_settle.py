"""Loops that are singular with the truths that relations had before, but not with those they have now."""

from __future__ import annotations

import numpy as np
import pytest

import saltus
from saltus.core.diagnostics import RunError

TWO_SWITCHES = """
model Divert "A current that flows through one of two switches; the second follows the first"
  Real x(start = {start}, fixed = true);
  Real command, i1, i2, v;
equation
  der(x) = 1;
  command = if x > 0.5 then 1 else -1;
  0 = if x > 0.5 then i1 else v - i1;
  0 = if command > 0 then v - 2*i2 else i2;
  i1 + i2 = {current};
end Divert;
"""


@pytest.mark.parametrize("method", ["bdf", "ida"])
def test_at_an_event_the_second_switch_is_not_yet_closed(method: str) -> None:
    """For a moment both switches seem open, and the current has nowhere to flow."""
    text = TWO_SWITCHES.format(start=0, current=1)
    result = saltus.load(text).simulate(stop_time=1, method=method)
    late = result.time > 0.5 + 1e-9
    np.testing.assert_allclose(result["i2"][late], 1.0)
    np.testing.assert_allclose(result["v"][late], 2.0)
    np.testing.assert_allclose(result["v"][result.time < 0.5 - 1e-9], 1.0)


def test_at_the_start_the_second_switch_is_not_yet_closed() -> None:
    """The start value of `command` is 0, by which its switch is open."""
    result = saltus.load(TWO_SWITCHES.format(start=0.75, current=1)).simulate(stop_time=0.1)
    np.testing.assert_allclose(result["v"], 2.0)


def test_a_loop_that_stays_singular_is_refused_with_the_truths_that_hold() -> None:
    """Here the second switch never closes."""
    text = TWO_SWITCHES.format(start=0, current=1).replace("then 1 else -1", "then -2 else -1")
    with pytest.raises(RunError, match=r"no unique solution at time 0\.5") as caught:
        saltus.load(text).simulate(stop_time=1)
    assert "with `command > 0` false, `x > 0.5` true" in str(caught.value)

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
    with pytest.raises(RunError, match=r"no mode is consistent at time 0\.5") as caught:
        saltus.load(text).simulate(stop_time=1)
    said = str(caught.value)
    assert "with `x > 0.5` true, `command > 0` false: these equations cannot hold together" in said
    assert "`0 = if x > 0.5 then i1 else v - i1`" in said and "$" not in said


FREEWHEEL = """
model Diode "ideal: no voltage when it conducts, no current when it does not"
  Real u, i, s;
equation
  u = if s < 0 then s else 0;
  i = if s < 0 then 0 else s;
end Diode;

model Freewheel "a coil gets its current from the source, or from itself"
  Diode source, back;
  Real v, i(start = 1, fixed = true);
  parameter Real w = 10, R = 1, L = 1;
equation
  source.u = sin(w*time + 0.5) - v;
  back.u = -v;
  source.i + back.i = i;
  L*der(i) = v - R*i;
end Freewheel;
"""


@pytest.mark.parametrize("tolerance", [1e-4, 1e-7, 1e-10])
def test_ideal_diodes_hand_over(tolerance: float) -> None:
    """With both diodes open or both closed there is no solution, so both must change at once. By hand: v is
    the source voltage while that is positive, else 0; L di/dt = v - R i has closed forms for both."""
    result = saltus.load(FREEWHEEL, model="Freewheel").simulate(stop_time=2, tolerance=tolerance)
    w = 10.0
    now, i = 0.0, 1.0
    switches = [t for k in range(1, 10) if (t := (k * np.pi - 0.5) / w) < 2]
    events = np.unique(np.round([e.time for e in result.events][1:], 6))
    np.testing.assert_allclose(events, switches, atol=1e-6)
    for k, until in enumerate([*switches, 2.0]):
        inside = (result.time > now) & (result.time < until)
        t = result.time[inside]

        def steady(at: float) -> float:
            """The periodic solution of di/dt + i = sin(w t + 0.5)."""
            return float((np.sin(w * at + 0.5) - w * np.cos(w * at + 0.5)) / (1 + w * w))

        driven = k % 2 == 0
        offset = i - (steady(now) if driven else 0.0)
        expected = [offset * np.exp(now - at) + (steady(at) if driven else 0.0) for at in t]
        # Every step may be wrong by the tolerance.
        drift = result.statistics["steps"] * tolerance
        np.testing.assert_allclose(result["i"][inside], expected, atol=drift)
        i = offset * np.exp(now - until) + (steady(until) if driven else 0.0)
        now = until
    assert not result.warnings

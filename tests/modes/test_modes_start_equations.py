"""Runs that begin in a mode which the initial system does not find by itself, with initial equations.

A follower that may not move faster than its limit is at its target at the start, and the target runs away:
each mode leads to the other one at that instant, so the mode is chosen as at an event. The model says with
initial equations where it begins. Truth is the motion by hand.
"""

from __future__ import annotations

import numpy as np
import pytest

import saltus
from saltus.core.diagnostics import RunError

FOLLOWER = """
model Follower "Goes after u no faster than 1, with s along the curve of distance and speed"
  Real u, y, s, x, z "what the mode decides";
  discrete Real t0;
{initial}
equation
  u = {target};
  u - y = if s > 1 then s - 1 elseif s < -1 then s + 1 else 0;
  der(y) = if s > 1 then 1 elseif s < -1 then -1 else s;
  der(x) = u - x;
  z = if s > 1 then 5 else 2;
  when time >= pre(t0) + 1 then
    t0 = time;
  end when;
  annotation(experiment(StopTime = 2, Tolerance = 1e-8));
end Follower;
"""


def follower(initial: str, target: str = "3 + 6*time") -> saltus.Model:
    return saltus.load(FOLLOWER.format(initial="initial equation\n" + initial, target=target))


def test_values_before_the_start_and_states() -> None:
    result = follower("y = 3; pre(t0) = time - 0.5; x = 1;").simulate()
    assert np.abs(result["y"] - (3 + result.time)).max() < 1e-7
    x = 3 + 6 * (result.time - 1) + (1 - 3 + 6) * np.exp(-result.time)  # of der(x) = 3 + 6 t - x, x(0) = 1
    assert np.abs(result["x"] - x).max() < 1e-6
    assert [event.time for event in result.events.of("t0")] == [0.5, 1.5]


@pytest.mark.parametrize(("target", "direction"), [("3 + 6*time", 1), ("3 - 6*time", -1)])
def test_states_that_begin_at_an_output(target: str, direction: int) -> None:
    result = follower("y = u; x = u; pre(t0) = 0;", target).simulate()
    assert np.abs(result["y"] - (3 + direction * result.time)).max() < 1e-7
    assert result["x"][0] == pytest.approx(3, abs=1e-9)


@pytest.mark.parametrize("initial", ["y = 3; pre(t0) = 0; x = z;", "y = 3; pre(t0) = z; x = 0;"])
def test_what_only_the_right_mode_knows_is_not_taken_from_another(initial: str) -> None:
    """The attempt has z = 2, the mode in which the run would begin z = 5."""
    with pytest.raises(RunError, match="can start"):
        follower(initial).simulate()

"""Relations that are zero at the same instant change in one event, whichever of them rounding puts first.

What two clutches are decided by may be the same velocity, computed in two ways. Which of them is beyond zero
first, by the last digit, depends on the steps that led there; what happens at the event must not.
"""

from __future__ import annotations

import pytest
from tools.obedience.judge import judged

import saltus
from saltus.run.schedule.stepping import METHODS

#: The same instant in six ways: at time 1 - x0. Residues have other digits, slopes and signs.
SIX_WAYS = """
model SixWays
  parameter Real x0 = 0;
  Real x(start = x0, fixed = true);
  Boolean a = x > 1, b = x >= 1, c = 3*x > 3, d = x*x > 1, e = 0.1*x < 0.1, f = x - 0.7 <= 0.3;
  discrete Integer n(start = 0, fixed = true);
equation
  der(x) = 1;
  when {change(a), change(b), change(c), change(d), change(e), change(f)} then
    n = pre(n) + 1;
  end when;
end SixWays;
"""


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("x0", [0.0, 0.1, 1 / 3, 0.62831853, 0.87])
@pytest.mark.parametrize("max_step", [None, 1e-3])
def test_the_same_instant_is_one_event(method: str, x0: float, max_step: float | None) -> None:
    model = saltus.load(SIX_WAYS)
    result = model.simulate(stop_time=2.0, method=method, max_step=max_step, set={"x0": x0})
    events = [event for event in result.events if event.relations]
    assert [event.time for event in events] == pytest.approx([1.0 - x0], abs=1e-9)
    assert {change.name for change in events[0].changes} == {"a", "b", "c", "d", "e", "f", "n"}
    assert result["n"][-1] == 1
    assert judged(result, 1e-6).violations == []


#: A block that is braked until it rests: where it moves is asked for in four ways, as by a state machine.
BRAKED = """
model Braked
  parameter Real v0 = 1;
  Real v(start = v0, fixed = true);
  Boolean rests(start = false, fixed = true);
  Boolean forwards = v > 0, not_forwards = v <= 0, not_backwards = v >= 0, backwards = v < 0;
equation
  der(v) = if rests then 0 else -1;
  when v <= 0 then
    rests = true;
  end when;
end Braked;
"""


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("v0", [0.25, 0.3, 0.7, 1.0, 1.1, 1.7])
def test_what_comes_to_rest_has_crossed(method: str, v0: float) -> None:
    """Whether the velocity that is left is 0 or -1e-17 depends on the digits of v0. It has moved to the side
    below zero, and all relations say so."""
    result = saltus.load(BRAKED).simulate(stop_time=3.0, method=method, set={"v0": v0})
    events = [event for event in result.events if event.relations]
    assert [event.time for event in events] == pytest.approx([v0], abs=1e-9)
    found = {change.name: change.new for change in events[0].changes}
    expected = {"forwards": 0, "not_forwards": 1, "not_backwards": 0, "backwards": 1, "rests": 1}
    assert found == expected


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("max_step", [None, 1e-3])
def test_lock_and_wheel_stop_slipping_together(method: str, max_step: float | None) -> None:
    """The left wheel sticks to the road, so the lock between the wheels slips as fast as the wheel on ice."""
    model = saltus.load("Saltus.Examples.Rotational.SplitFriction")
    result = model.simulate(method=method, max_step=max_step)
    causes = [{c.text for c in e.causes} for e in result.events if e.time > 2.2]
    assert causes == [{"lock.s < -lock.tau_stick", "ice.s < -ice.tau_stick"}]

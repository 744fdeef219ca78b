"""The explicit integrator: its order, its events, and that stiffness is noticed."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
import pytest
from scipy.optimize import brentq

import saltus

OSCILLATOR = saltus.load(
    "model Oscillator Real x(start = 1, fixed = true), v(start = 0, fixed = true); "
    "equation der(x) = v; der(v) = -x; end Oscillator;"
)


def errors(step: float, interval: float) -> np.ndarray:
    """With steps of this length: at a tolerance so rough, the largest step is the step."""
    result = OSCILLATOR.simulate(stop_time=4, tolerance=0.5, max_step=step, interval=interval, method="rk45")
    assert result.statistics["steps"] == round(4 / step)
    found: np.ndarray = np.abs(result["x"] - np.cos(result.time))
    return found


def test_order_five_at_the_ends_of_steps() -> None:
    at_ends = [errors(step, step).max() for step in (0.25, 0.125, 0.0625)]
    ratios = np.array(at_ends[:-1]) / np.array(at_ends[1:])
    assert np.all((ratios > 26) & (ratios < 40))  # 2^5 = 32


def test_order_four_in_between() -> None:
    """The polynomial's own error is of order five in the step, so it is not what events are off by."""
    inside = [errors(step, step / 8).max() for step in (0.25, 0.125, 0.0625)]
    ratios = np.array(inside[:-1]) / np.array(inside[1:])
    assert np.all((ratios > 20) & (ratios < 40))


def test_steps_end_where_events_are_scheduled() -> None:
    model = saltus.load(
        "model M Real x(start = 0, fixed = true); equation der(x) = if time < 0.7 then 1 else -2; end M;"
    )
    result = model.simulate(stop_time=2, method="rk45")
    np.testing.assert_allclose(
        result["x"], np.where(result.time <= 0.7, result.time, 2.1 - 2 * result.time), atol=1e-14
    )


@pytest.mark.parametrize("tolerance", [1e-6, 1e-9])
def test_crossings_are_where_they_are(tolerance: float) -> None:
    """A ball with friction: v' = -g - k v has a closed form, and so has each flight."""
    model = saltus.load(
        """
model Ball
  Real h(start = 2, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81 - 0.3*v;
  when h < 0 then
    reinit(v, -0.8*pre(v));
  end when;
end Ball;
"""
    )
    result = model.simulate(stop_time=3, tolerance=tolerance, method="rk45")
    impacts = [e.time for e in result.records if e.kind == "state" and e.rounds[0][0][3] == 1]
    time, h, v = 0.0, 2.0, 0.0
    for found in impacts[:4]:

        def height(t: float, h: float = h, v: float = v) -> float:
            return h - 9.81 / 0.3 * t + (v + 9.81 / 0.3) / 0.3 * (1 - np.exp(-0.3 * t))

        flight = brentq(height, 0.05, 3, xtol=1e-15)
        time += flight
        assert abs(found - time) < 20 * tolerance
        h, v = 0.0, -0.8 * ((v + 9.81 / 0.3) * np.exp(-0.3 * flight) - 9.81 / 0.3)


@pytest.mark.parametrize("by_hand", [False, True])
def test_a_step_in_which_nothing_moves_is_none_to_go_on_with(by_hand: bool) -> None:
    """Nothing moves for 100 s, and then x = sqrt(1 + 2 t). Over all that is left of this run, the two
    solutions of a step are the same by chance, and both are wrong by 1e-3."""
    model = saltus.load(
        """
model M
  Real x(start = 1, fixed = true);
  discrete Real passed(start = 0, fixed = true);
equation
  der(x) = if time < 100 then 0 else 1/x;
  when x > 1.5 then
    passed = time;
  end when;
end M;"""
    )
    chance = 0.931032071
    with patch("saltus.run.course.course.Course._is_by_hand", lambda run, engine: by_hand):
        result = model.simulate(stop_time=100 + chance, method="rk45", tolerance=1e-8)
    assert result["passed"][-1] == pytest.approx(100 + (1.5**2 - 1) / 2, abs=1e-6)
    assert result["x"][-1] == pytest.approx(np.sqrt(1 + 2 * chance), abs=1e-7)


def test_few_steps_between_events() -> None:
    """A multistep method has to begin with low order after each of them."""
    text = """
model Thermostat "heats a room and its walls"
  Real T(start = 20, fixed = true), S(start = 18, fixed = true);
  Boolean on(start = true, fixed = true);
equation
  der(T) = (if on then 10 else 0) - 0.5*(T - S);
  der(S) = 0.2*(T - S) - 0.3*(S - 5);
  on = if pre(on) then T < 22 else T < 21;
end Thermostat;
"""
    model = saltus.load(text)
    runs = {m: model.simulate(stop_time=60, tolerance=1e-7, method=m) for m in ("bdf", "rk45")}
    truth = model.simulate(stop_time=60, tolerance=1e-12, method="adams")
    for result in runs.values():
        assert result.statistics["events"] == truth.statistics["events"] > 500
    assert 5 * runs["rk45"].statistics["steps"] < runs["bdf"].statistics["steps"]
    assert abs(runs["rk45"]["T"][-1] - truth["T"][-1]) < 1e-4


STIFF = saltus.load(
    """
model Stiff "a fast part that follows a slow one"
  parameter Real k = 1e6;
  Real x(start = 0, fixed = true), y(start = 1, fixed = true);
equation
  der(x) = -k*(x - y);
  der(y) = -y;
end Stiff;
"""
)


def test_stiffness_is_noticed() -> None:
    result = STIFF.simulate(stop_time=2, method="auto")
    assert result.statistics["jacobians"] > 0  # BDF goes on
    assert result.statistics["steps"] < 1000
    np.testing.assert_allclose(result["y"], np.exp(-result.time), atol=2e-5)
    late = result.time > 1e-4
    np.testing.assert_allclose(result["x"][late], np.exp(-result.time)[late], atol=3e-5)


def test_what_is_not_stiff_stays_explicit() -> None:
    result = OSCILLATOR.simulate(stop_time=50, method="auto")
    assert result.statistics["jacobians"] == 0
    result = STIFF.simulate(stop_time=2, method="auto", set={"k": 3.0})
    assert result.statistics["jacobians"] == 0


def test_who_asks_for_it_gets_it() -> None:
    """With a thousand times the steps."""
    result = STIFF.simulate(stop_time=2, method="rk45", set={"k": 1e4})
    assert result.statistics["jacobians"] == 0
    assert 3000 < result.statistics["steps"] < 40_000
    np.testing.assert_allclose(result["y"], np.exp(-result.time), atol=1e-5)


def test_only_the_mode_that_is_stiff_changes_its_integrator() -> None:
    """The switch is ideal: closed, it joins the fast part to the slow one by a stiff spring."""
    text = """
model Two
  Real x(start = 1, fixed = true), v(start = 0, fixed = true), q(start = 0, fixed = true), i;
  Boolean closed = sin(5*time) > 0.6;
equation
  der(x) = v;
  der(v) = -x;
  der(q) = if closed then -1e7*(q - x) else i;
  0 = if closed then i - 1 else q + i;
end Two;
"""
    model = saltus.load(text)
    result, expected = (model.simulate(stop_time=5, method=m, tolerance=1e-8) for m in ("auto", "bdf"))
    np.testing.assert_allclose(result["x"], np.cos(result.time), atol=1e-5)
    assert result.statistics["events"] == expected.statistics["events"]
    assert result.statistics["jacobians"] > 0


def test_a_right_hand_side_that_fails_makes_steps_shorter_and_is_told() -> None:
    model = saltus.load(
        "model Root Real x(start = 1, fixed = true); equation der(x) = -1/sqrt(x); end Root;"
    )  # x^(3/2) = 1 - 3/2 t: it ends at 2/3
    with pytest.raises(saltus.RunError) as caught:
        model.simulate(stop_time=1, method="rk45")
    partial = caught.value.partial
    assert partial is not None and 0.66 < partial.time[-1] <= 2 / 3 + 1e-6
    np.testing.assert_allclose(partial["x"], (1 - 1.5 * partial.time) ** (2 / 3), atol=1e-4)


def test_a_solution_that_escapes_is_told() -> None:
    model = saltus.load("model Up Real x(start = 1, fixed = true); equation der(x) = x^2; end Up;")
    with pytest.raises(saltus.RunError) as caught:
        model.simulate(stop_time=2, method="rk45")
    assert caught.value.diagnostics[0].code in ("E405", "E407", "E402", "E403")
    assert caught.value.partial is not None and 0.99 < caught.value.partial.time[-1] < 1 + 1e-5

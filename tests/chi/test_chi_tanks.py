"""The tanks of van Beek and Rooda 1998 from their own language, against closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest
from chi_examples import duration, example, level
from scipy.integrate import solve_ivp

import saltus

#: Area and outlet of the controlled tank; sqrt(rho g) belongs to the outlet.
LOW, HIGH = 0.6, 0.8
A, K, Q_SET = 0.1, 1e-4 * math.sqrt(9810), 0.02


def test_a_valve_that_opens_in_proportion() -> None:
    """u = 4 (0.8 - h) is more than 1 below 0.55 m: until then the valve is open, and the level has a closed
    form; from there on a separate integration has it."""
    result = saltus.load(example("TCPC")).simulate()
    corner = duration(0.1, 0.55, Q_SET, A, K)
    (event,) = [e.time for e in result.events if e.kind == "state"]
    assert event == pytest.approx(corner, abs=1e-6)
    t = np.asarray(result.time)
    early, late = t <= event, t > event
    np.testing.assert_allclose(result["h"][early], [level(s, 0.1, Q_SET, A, K) for s in t[early]], atol=1e-6)
    tail = solve_ivp(
        lambda _, h: [(4 * (0.8 - h[0]) * Q_SET - K * math.sqrt(h[0])) / A],
        (corner, 20.0), [0.55], "DOP853", t_eval=t[late], rtol=1e-11, atol=1e-13,
    )  # fmt: skip
    np.testing.assert_allclose(result["h"][late], tail.y[0], atol=1e-6)
    np.testing.assert_allclose(result["Qi"], Q_SET * np.clip(result["u"], 0, 1), rtol=1e-12)


def controlled(h0: float, stop: float) -> list[tuple[float, float, float]]:
    """(time, level, inflow from then on) at the start, and wherever the valve moves: it opens below 0.6 m and
    closes above 0.8 m. The first statement waits for the low level, whatever the level is."""
    found = [(0.0, h0, Q_SET if h0 < LOW else 0.0)]
    while found[-1][0] < stop:
        t, h, inflow = found[-1]
        goal = HIGH if inflow else LOW
        found.append((t + duration(h, goal, inflow, A, K), goal, 0.0 if inflow else Q_SET))
    return found


@pytest.mark.parametrize("name", ["TCD1", "TCD2"])
@pytest.mark.parametrize(("run", "h0"), [("Full", 1.0), ("Leap", 1.0), ("Low", 0.3)])
def test_a_valve_with_hysteresis(name: str, run: str, h0: float) -> None:
    result = saltus.load(example(name), model=run).simulate()
    pieces = controlled(h0, 30.0)
    valve = np.asarray(result["n" if name == "TCD1" else "b"], dtype=float)
    rows = np.flatnonzero(np.diff(valve)) + 1
    inside = [(t, inflow) for t, _, inflow in pieces[0 if h0 < LOW else 1 :] if t < 30]
    assert [valve[row] for row in rows] == [float(inflow > 0) for _, inflow in inside]
    # The level crosses its thresholds with 0.07 m/s and more.
    np.testing.assert_allclose(result.time[rows], [t for t, _ in inside], atol=1e-5)
    starts = np.array([t for t, _, _ in pieces])
    for time, h in zip(result.time[::7], result["h"][::7], strict=True):
        t0, before, inflow = pieces[int(np.searchsorted(starts, time, side="right")) - 1]
        assert h == pytest.approx(level(time - t0, before, inflow, A, K), abs=1e-6)
    if run == "Leap":
        np.testing.assert_array_equal(result["Qi"], Q_SET * valve)


def test_a_state_event_that_holds_already_succeeds_at_once() -> None:
    """Started below its lower limit, the tank opens its valve at t = 0."""
    result = saltus.load(example("TCD1"), model="Low").simulate(stop_time=1)
    assert result.time[0] == 0 and result["n"][-1] == 1
    assert set(np.asarray(result["n"])[np.asarray(result.time) > 0]) == {1.0}


@pytest.mark.parametrize("name", ["Overflow", "Replaced"])
def test_a_tank_that_overflows(name: str) -> None:
    """Full after a time in closed form; then what comes and does not go flows over, as printed and with the
    overflow substituted."""
    area, k, inflow = 2.0, 0.01 * math.sqrt(9810), 1.5
    result = saltus.load(example("TOV"), model=name).simulate()
    full = duration(0.25, 1.0, inflow, area, k)
    (event,) = [e.time for e in result.events if e.kind == "state"]
    assert event == pytest.approx(full, abs=1e-6)
    t = np.asarray(result.time)
    exact = [level(s, 0.25, inflow, area, k) if s < full else 1.0 for s in t]
    np.testing.assert_allclose(result["h"], exact, atol=1e-6)
    # At the rows of the event old and new values meet.
    assert np.all(result["Qx"][t < event] == 0)
    np.testing.assert_allclose(result["Qx"][t > event], inflow - k, rtol=1e-6)

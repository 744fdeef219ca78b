"""The tanks of van Beek and Rooda 1998 from their own language, against closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest
from chi_examples import duration, example, level
from scipy.integrate import solve_ivp

import saltus

#: Area and outlet of the controlled tank; sqrt(rho g) belongs to the outlet.
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

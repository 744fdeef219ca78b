"""The proportionally controlled tank against closed form and a separately written integration.

While the valve is saturated the formulas of the on/off tank hold; in between the equation is integrated
here with DOP853 at 1e-12, started at the exact time and level at which saturation ends.

Tolerance: local errors below 1e-8 m per step, contracting flow: levels to 1e-6 m.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.integrate import solve_ivp

A, HSET, K, KP, QSET = 0.1, 0.8, 1e-4, 4.0, 0.02
C = K * math.sqrt(1000 * 9.81)
LEVEL = 1e-6


def linear_phase(times: np.ndarray, start: float, h: float) -> np.ndarray:
    solution = solve_ivp(
        lambda _, y: [(KP * (HSET - y[0]) * QSET - C * math.sqrt(y[0])) / A],
        (start, times[-1]),
        [h],
        method="DOP853",
        t_eval=times,
        rtol=1e-12,
        atol=1e-14,
    )
    return solution.y[0]


def test_filling_from_below(simulate) -> None:
    run = simulate("TankProportional.mo", "h", "u", "Qi")

    def primitive(s: float) -> float:
        return 2 * A / C**2 * (-C * s - QSET * math.log(QSET - C * s))

    leaving = HSET - 1 / KP
    end = primitive(math.sqrt(leaving)) - primitive(math.sqrt(0.1))
    # The level rises at (QSET - C sqrt(0.55))/A = 0.126 m/s there.
    np.testing.assert_allclose(run.event_times, [end], atol=LEVEL / 0.12)
    saturated = run.time < end - 1e-6
    assert np.all(run["Qi"][saturated] == QSET)
    elapsed = [primitive(math.sqrt(h)) - primitive(math.sqrt(0.1)) for h in run["h"][saturated]]
    np.testing.assert_allclose(elapsed, run.time[saturated], atol=LEVEL / 0.12)
    after = run.time > end + 1e-6
    np.testing.assert_allclose(run["h"][after], linear_phase(run.time[after], end, leaving), atol=LEVEL)
    np.testing.assert_allclose(run["Qi"][after], run["u"][after] * QSET, rtol=1e-12)


def test_draining_from_above(simulate) -> None:
    """Above the set point the valve is closed and sqrt(h) falls linearly."""
    run = simulate("TankProportional.mo", "h", "u", "Qi", set={"h0": 2.0})
    end = 2 * A / C * (math.sqrt(2.0) - math.sqrt(HSET))
    # The level falls at C sqrt(0.8)/A = 0.0886 m/s there.
    np.testing.assert_allclose(run.event_times, [end], atol=LEVEL / 0.088)
    closed = run.time < end - 1e-6
    assert np.all(run["Qi"][closed] == 0)
    np.testing.assert_allclose(
        run["h"][closed], (math.sqrt(2.0) - C / (2 * A) * run.time[closed]) ** 2, atol=LEVEL
    )
    after = run.time > end + 1e-6
    np.testing.assert_allclose(run["h"][after], linear_phase(run.time[after], end, HSET), atol=LEVEL)


def test_equilibrium(simulate) -> None:
    """At rest KP (HSET - s^2) QSET = C s, a quadratic equation for s = sqrt(h)."""
    run = simulate("TankProportional.mo", "h", "u", "Qi", stop_time=60.0)
    p, q = C / (KP * QSET), -HSET
    s = -p / 2 + math.sqrt(p * p / 4 - q)
    assert abs(run["h"][-1] - s * s) < LEVEL

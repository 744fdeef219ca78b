"""The on/off controlled tank against closed form.

With s = sqrt(h) and c = k sqrt(rho g) the level obeys 2 A s s' = n Q - c s. Closed valve: s falls linearly,
s' = -c/(2 A). Open valve: time as a function of s is (2A/c^2) (-c s - Q log(Q - c s)) up to a constant.

Tolerances: local errors below 1e-8 m per step; some hundred steps, contracting flow: levels to 1e-6 m. The
level moves at 0.077 m/s or more at every switch, so times are known to 1e-6/0.07 s.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.optimize import brentq

A, H0, HSET, HHYS, K, QSET = 0.1, 1.0, 0.8, 0.2, 1e-4, 0.02
C = K * math.sqrt(1000 * 9.81)
LEVEL = 1e-6
TIME = LEVEL / 0.07


def draining_time(high: float, low: float) -> float:
    return 2 * A / C * (math.sqrt(high) - math.sqrt(low))


def filling_time(low: float, high: float) -> float:
    def primitive(s: float) -> float:
        return 2 * A / C**2 * (-C * s - QSET * math.log(QSET - C * s))

    return primitive(math.sqrt(high)) - primitive(math.sqrt(low))


def switching_times(stop: float) -> list[float]:
    times = [draining_time(H0, HSET - HHYS)]
    while times[-1] <= stop:
        times.append(times[-1] + filling_time(HSET - HHYS, HSET))
        times.append(times[-1] + draining_time(HSET, HSET - HHYS))
    return [t for t in times if t <= stop]


def level(t: float) -> float:
    times = [0.0, *(s for s in switching_times(40) if s <= t)]
    elapsed, filling = t - times[-1], len(times) % 2 == 0
    if filling:
        return brentq(lambda h: filling_time(HSET - HHYS, h) - elapsed, HSET - HHYS, HSET + 1e-3, xtol=1e-14)
    start = H0 if len(times) == 1 else HSET
    return (math.sqrt(start) - C / (2 * A) * elapsed) ** 2


def test_reference_satisfies_the_equation() -> None:
    """A check of the reference: differences of the filling curve against the tank's equation."""
    t, dt = 5.0, 1e-5
    assert switching_times(40)[0] < t < switching_times(40)[1]
    slope = (level(t + dt) - level(t - dt)) / (2 * dt)
    assert abs(A * slope - (QSET - C * math.sqrt(level(t)))) < 1e-8


def test_valve_moves_at_the_closed_form_times(simulate) -> None:
    run = simulate("TankLevel.mo", "h", "Qo", "n")
    expected = switching_times(30)
    assert len(expected) >= 10
    np.testing.assert_allclose(run.changes("n"), expected, atol=TIME)
    np.testing.assert_array_equal(run["n"][run.change_rows("n")], np.arange(1, len(expected) + 1) % 2)


def test_level_is_the_closed_form(simulate) -> None:
    run = simulate("TankLevel.mo", "h", "Qo", "n")
    sample = slice(None, None, 5)
    np.testing.assert_allclose(run["h"][sample], [level(t) for t in run.time[sample]], atol=2 * LEVEL)
    np.testing.assert_allclose(run["Qo"], C * np.sqrt(run["h"]), rtol=1e-13)


def test_level_stays_in_the_band_once_it_is_there(simulate) -> None:
    run = simulate("TankLevel.mo", "h", "Qo", "n")
    settled = run.time >= draining_time(H0, HSET)
    assert run["h"][settled].max() < HSET + LEVEL
    assert run["h"][settled].min() > HSET - HHYS - LEVEL

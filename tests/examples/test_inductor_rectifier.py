"""The rectifier with an inductor in series with an ideal diode, in closed form.

The diode conducts from the beginning of each period: L i' + R i = V sin(w t) from i = 0, until i is zero
again, later than half a period. Then it blocks to the period's end: no current, no voltage at the inductor.

Tolerance: local errors below 1e-8 of about 2 A, some hundred steps; the current falls with about 300 A/s.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.optimize import brentq

V, L, R, OMEGA = 10.0, 0.02, 5.0, 100 * math.pi
PERIOD = 0.02
IMPEDANCE, PHASE = math.hypot(R, OMEGA * L), math.atan2(OMEGA * L, R)
TOLERANCE = 1e-6
NAMES = ("inductor.i", "inductor.u", "diode.u", "diode.i", "diode.blocks", "load.u", "source.u")


def current(t: float) -> float:
    """While the diode conducts, at a time t after the beginning of a period."""
    return V / IMPEDANCE * (math.sin(OMEGA * t - PHASE) + math.sin(PHASE) * math.exp(-R / L * t))


ENDS = brentq(current, 0.5 * PERIOD, PERIOD, xtol=1e-16)


def test_reference_satisfies_the_circuit_equation() -> None:
    t, dt = 0.004, 1e-8
    slope = (current(t + dt) - current(t - dt)) / (2 * dt)
    assert abs(L * slope + R * current(t) - V * math.sin(OMEGA * t)) < 1e-6


def test_diode_blocks_and_conducts_on_time(simulate) -> None:
    run = simulate("InductorRectifier.mo", *NAMES)
    np.testing.assert_array_equal(run["diode.blocks"][run.change_rows("diode.blocks")], [1, 0, 1, 0, 1, 0, 1])
    expected = [t for k in range(4) for t in (k * PERIOD + ENDS, (k + 1) * PERIOD)][:7]
    np.testing.assert_allclose(run.changes("diode.blocks"), expected, atol=1e-8)


def test_current(simulate) -> None:
    run = simulate("InductorRectifier.mo", *NAMES)
    since = run.time % PERIOD
    expected = [current(t) if t < ENDS else 0.0 for t in since]
    np.testing.assert_allclose(run["inductor.i"], expected, atol=TOLERANCE)


def test_ideal_diode(simulate) -> None:
    run = simulate("InductorRectifier.mo", *NAMES)
    blocks = run["diode.blocks"] == 1
    assert np.count_nonzero(blocks) > 100
    assert np.abs(run["diode.i"][blocks]).max() < 1e-12
    assert np.abs(run["inductor.u"][blocks]).max() < 1e-12
    np.testing.assert_allclose(run["diode.u"][blocks], run["source.u"][blocks], rtol=0, atol=1e-12)
    assert np.abs(run["diode.u"][~blocks]).max() < 1e-12
    assert np.max(run["diode.u"][blocks]) < 1e-6

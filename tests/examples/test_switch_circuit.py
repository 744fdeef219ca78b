"""The switch circuit against the piecewise exponential response, with the paper's values.

Closed: the source, R1, R2 and C are in parallel; time constant C R1 R2/(R1 + R2), final voltage
I R1 R2/(R1 + R2). Open: C discharges over R2.

Tolerance: local errors below 1e-8 of the voltage (about 1 V) per step, about a hundred steps in each of the
five pieces, and both modes are contracting: below 1e-6 V.
"""

from __future__ import annotations

import math

import numpy as np

R1, R2, C = 100.0, 20.0, 0.1e-6
CURRENT = 0.1
MOVES = np.array([1.0e-6, 2.5e-6, 5.0e-6, 9.0e-6])  # closes, opens, closes, opens
PARALLEL = R1 * R2 / (R1 + R2)
TOLERANCE = 1e-6


def voltage(t: float) -> float:
    """Voltage of the capacitor at time t."""
    u, left, closed = 0.0, 0.0, False
    for right in (*MOVES[t > MOVES], t):
        final, tau = (CURRENT * PARALLEL, C * PARALLEL) if closed else (0.0, C * R2)
        u = final + (u - final) * math.exp(-(right - left) / tau)
        left, closed = right, not closed
    return u


def test_reference_satisfies_the_circuit_equation() -> None:
    """A check of the reference: C u' from differences equals the currents while the switch is closed."""
    t, dt = 2e-6, 1e-11
    slope = (voltage(t + dt) - voltage(t - dt)) / (2 * dt)
    assert abs(C * slope - (CURRENT - voltage(t) / R1 - voltage(t) / R2)) < 1e-6 * CURRENT


def test_capacitor_voltage(simulate) -> None:
    run = simulate("SwitchCircuit.mo", "y", "C.u", "Sw.u", "Sw.i", "Sw.openSw", "R1.u")
    np.testing.assert_allclose(run["y"], [voltage(t) for t in run.time], atol=TOLERANCE)
    np.testing.assert_array_equal(run["y"], run["C.u"])


def test_switch_moves_exactly_on_time(simulate) -> None:
    run = simulate("SwitchCircuit.mo", "y", "C.u", "Sw.u", "Sw.i", "Sw.openSw", "R1.u")
    np.testing.assert_array_equal(run.event_times, MOVES)
    np.testing.assert_array_equal(run["Sw.openSw"][run.right_rows], [0, 1, 0, 1])


def test_ideal_switch(simulate) -> None:
    """Open: no current, and all of the source's current in R1. Closed: no voltage."""
    run = simulate("SwitchCircuit.mo", "y", "C.u", "Sw.u", "Sw.i", "Sw.openSw", "R1.u")
    is_open = run["Sw.openSw"] == 1
    np.testing.assert_allclose(run["Sw.i"][is_open], 0, atol=1e-15)
    np.testing.assert_allclose(run["R1.u"][is_open], CURRENT * R1, rtol=1e-12)
    np.testing.assert_allclose(run["Sw.u"][~is_open], 0, atol=1e-14)
    np.testing.assert_allclose(run["Sw.i"][~is_open], CURRENT - run["y"][~is_open] / R1, rtol=1e-12)


def test_voltage_leaps_at_the_switch_not_at_the_capacitor(simulate) -> None:
    run = simulate("SwitchCircuit.mo", "y", "C.u", "Sw.u", "Sw.i", "Sw.openSw", "R1.u")
    right = run.right_rows
    np.testing.assert_array_equal(run["y"][right], run["y"][right - 1])
    leap = run["Sw.u"][right] - run["Sw.u"][right - 1]
    direction = np.array([-1, 1, -1, 1])
    expected = direction * (CURRENT * R1 - np.array([voltage(t) for t in MOVES]))
    np.testing.assert_allclose(leap, expected, atol=TOLERANCE)

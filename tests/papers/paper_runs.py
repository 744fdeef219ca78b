"""What the tests of the papers and of their gallery share: events of a run, and a circuit by hand."""

from __future__ import annotations

import math

import numpy as np

import saltus

#: When the switch of the circuit in Fig. 3 of paper 000 closes and opens.
SWITCH_MOVES = [1e-6, 2.5e-6, 5e-6, 9e-6]


def moments(result: saltus.Result) -> list[float]:
    """When events happened, that of the start left out."""
    return [e.time for e in result.events if e.causes[0].kind != "initial"]


def changes(result: saltus.Result, name: str) -> list[tuple[float, float]]:
    """(time, new value) wherever a piecewise constant variable changes."""
    values = np.asarray(result[name], dtype=float)
    rows = np.flatnonzero(np.diff(values) != 0) + 1
    return [(float(result.time[row]), float(values[row])) for row in rows]


def switched_voltage(t: float) -> float:
    """The voltage of the capacitor of 0.1 uF in that circuit: a load of 20 Ohm discharges it; while the
    switch is closed, the source of 0.1 A with 100 Ohm beside it is there, too."""
    parallel, c = 100 * 20 / 120, 0.1e-6
    u, left, closed = 0.0, 0.0, False
    for right in (*(m for m in SWITCH_MOVES if m < t), t):
        final, tau = (0.1 * parallel, c * parallel) if closed else (0.0, c * 20)
        u = final + (u - final) * math.exp(-(right - left) / tau)
        left, closed = right, not closed
    return u

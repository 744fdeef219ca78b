"""Voltage doublers: capacitors, ideal diodes and an ideal source, nothing that resists.

While a diode conducts, a capacitor is tied to the source or two of them share one charge; so the number of
states is two, one, two, one. Closed form, phase by phase: a tied capacitor has the source's voltage; two that
are charged in series divide what the source does.
"""

from __future__ import annotations

import numpy as np
import pytest
from electrical_elements import Vector, circuit, conserved, nodes, run

V, F = 10.0, 50.0
W, T = 2 * np.pi * F, 1 / F
C1, C2 = 1e-6, 3e-6
STOP = 0.09

VILLARD = circuit(
    f"  SineVoltage V(V = {V}, f = {F});\n  IdealDiode D[2];\n"
    f"  Capacitor C[2](C = {{{C1}, {C2}}}, each v(start = 0, fixed = true));\n",
    nodes("V.p C[1].p", "C[1].n D[1].n D[2].p", "D[2].n C[2].p", "V.n D[1].p C[2].n ground.p"),
)


def villard(times: Vector) -> Vector:
    """The voltages of the two capacitors. The source only moves one way between its peaks, so it is enough to
    go from row to row: what the diodes do depends on the present voltages, not on how they came about, and
    peaks between two rows are taken in between."""
    found = np.zeros((2, len(times)))
    u, v, before = 0.0, 0.0, 0.0
    peaks = (np.arange(40) + 0.5) * T / 2
    for k, t in enumerate(times):
        for moment in [*(p for p in peaks if before < p < t), t]:
            s = V * np.sin(W * moment)
            if s - u > v:  # the second diode: both capacitors in series take the rest
                rest = s - u - v
                u += rest * C2 / (C1 + C2)
                v += rest * C1 / (C1 + C2)
            elif s - u < 0:  # the first diode ties the first capacitor to the source
                u = s
        before = t
        found[:, k] = u, v
    return found


def test_villard_doubler() -> None:
    """Each period brings the output nearer to twice the amplitude."""
    result = run(VILLARD, STOP)
    expected = villard(result.time)
    # Errors of 1e-9 of 10 V, some hundred steps, and nothing resists that would make them fade.
    np.testing.assert_allclose(result["C[1].v"], expected[0], atol=1e-6)
    np.testing.assert_allclose(result["C[2].v"], expected[1], atol=1e-6)
    share = C1 / (C1 + C2)
    peaks = np.searchsorted(result.time, (np.arange(4) + 0.3) * T)
    assert result["C[2].v"][peaks[0]] == pytest.approx(V * share, abs=1e-6)
    missing = 2 * V - result["C[2].v"][peaks]
    np.testing.assert_allclose(missing[2:] / missing[1:-1], 1 - share, rtol=1e-6)
    conserved(result, **{"C[1]_v": C1, "C[2]_v": C2})


def test_delon_doubler() -> None:
    """Two half-wave rectifiers on one source; the capacitors keep the peaks of both polarities."""
    text = circuit(
        f"  SineVoltage V(V = {V}, f = {F});\n  IdealDiode D[2];\n"
        f"  Capacitor C[2](C = {{{C1}, {C2}}}, each v(start = 0, fixed = true));\n",
        nodes("V.p D[1].p D[2].n", "D[1].n C[1].p", "C[1].n C[2].p V.n ground.p", "C[2].n D[2].p"),
    )
    result = run(text, 0.05)
    t = result.time
    highest = np.where(t < T / 4, np.maximum(V * np.sin(W * t), 0), V)
    lowest = np.where(t < 3 * T / 4, np.maximum(-V * np.sin(W * t), 0), V)
    np.testing.assert_allclose(result["C[1].v"], highest, atol=1e-7)
    np.testing.assert_allclose(result["C[2].v"], lowest, atol=1e-7)
    conserved(result, **{"C[1]_v": C1, "C[2]_v": C2})

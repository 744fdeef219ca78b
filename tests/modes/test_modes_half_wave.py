"""Half-wave rectifiers with an ideal diode, against closed forms.

Each has a different change of structure: with a resistor none, with an inductor the current is a state that
vanishes while the diode blocks, with a capacitor the voltage is a state that vanishes while it conducts.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from electrical_elements import Vector, circuit, conserved, far_from, nodes, run
from scipy.optimize import brentq

V, F = 10.0, 50.0
W, T = 2 * np.pi * F, 1 / F
R, L = 5.0, 0.02
RC, C = 100.0, 1e-4
STOP = 0.07


def source(t: Vector) -> Vector:
    return V * np.sin(W * t)


def with_resistor() -> str:
    return circuit(
        f"  SineVoltage V(V = {V}, f = {F});\n  IdealDiode D;\n  Resistor R(R = {R});\n",
        nodes("V.p D.p", "D.n R.p", "R.n V.n ground.p"),
    )


def with_inductor() -> str:
    return circuit(
        f"  SineVoltage V(V = {V}, f = {F});\n  IdealDiode D;\n  Resistor R(R = {R});\n"
        f"  Inductor L(L = {L}, i(start = 0, fixed = true));\n",
        nodes("V.p D.p", "D.n R.p", "R.n L.p", "L.n V.n ground.p"),
    )


def with_capacitor() -> str:
    return circuit(
        f"  SineVoltage V(V = {V}, f = {F});\n  IdealDiode D;\n  Resistor R(R = {RC});\n"
        f"  Capacitor C(C = {C}, v(start = 0, fixed = true));\n",
        nodes("V.p D.p", "D.n R.p C.p", "R.n C.n V.n ground.p"),
    )


@cache
def extinction() -> float:
    """How long after a rising zero of the source the inductor's current ends."""
    return float(brentq(lambda t: float(pulse(np.array(t))), 0.5 * T, 0.99 * T, xtol=1e-16))


def pulse(t: Vector) -> Vector:
    """L i' + R i = V sin W t from i(0) = 0."""
    angle = np.arctan2(W * L, R)
    return V / np.hypot(R, W * L) * (np.sin(W * t - angle) + np.sin(angle) * np.exp(-t * R / L))


def inductor_current(t: Vector) -> Vector:
    since = np.mod(t, T)
    return np.where(since < extinction(), pulse(since), 0.0)


@cache
def capacitor_phases() -> list[tuple[float, float]]:
    """When the diode begins to block, and when it conducts again."""
    found: list[tuple[float, float]] = []
    for k in range(4):
        ends = k * T + (np.pi - np.arctan(W * RC * C)) / W
        begins = brentq(
            lambda t, e=ends: source(t) - source(e) * np.exp(-(t - e) / (RC * C)),
            (k + 1) * T, (k + 1.25) * T, xtol=1e-16,
        )  # fmt: skip
        found.append((ends, begins))
    return found


def capacitor_voltage(t: Vector) -> Vector:
    value = source(t)
    for ends, begins in capacitor_phases():
        value = np.where((t >= ends) & (t < begins), source(ends) * np.exp(-(t - ends) / (RC * C)), value)
    return value


def test_with_a_resistor() -> None:
    result = run(with_resistor(), STOP)
    v = source(result.time)
    np.testing.assert_allclose(result["R.v"], np.maximum(v, 0), atol=1e-8)
    np.testing.assert_allclose(result["D.v"], np.minimum(v, 0), atol=1e-8)


def test_with_an_inductor() -> None:
    result = run(with_inductor(), STOP)
    t = result.time
    expected = inductor_current(t)
    np.testing.assert_allclose(result["L.i"], expected, atol=1e-7)
    moments = [k * T + shift for k in range(5) for shift in (0.0, extinction())]
    rows = far_from(t, moments, 1e-6)
    conducts = np.mod(t, T) < extinction()
    np.testing.assert_allclose(result["D.v"][rows], np.where(conducts, 0, source(t))[rows], atol=1e-6)
    np.testing.assert_allclose(
        result["L.v"][rows], np.where(conducts, source(t) - R * expected, 0)[rows], atol=1e-6
    )
    assert np.all(result["D.i"][~conducts & rows] == 0)  # not small: zero
    switched = sorted(m for m in moments if 0 < m < STOP)
    assert [e.time for e in result.events if 0 < e.time < STOP] == pytest.approx(switched, abs=1e-8)
    conserved(result, L_i=L)
    # The current is a state while the diode conducts; while it blocks there is none, and the equations say
    # what the current is, whose derivative the voltage of the inductor is: index 2.
    assert [stay.start for stay in result.modes] == pytest.approx([0, *switched], abs=1e-8)
    for k, stay in enumerate(result.modes):
        assert (stay.mode.states, stay.mode.index) == (((), 2) if k % 2 else (("L.i",), 0))


def test_with_a_capacitor() -> None:
    result = run(with_capacitor(), STOP)
    t = result.time
    np.testing.assert_allclose(result["C.v"], capacitor_voltage(t), atol=1e-7)
    moments = [moment for phase in capacitor_phases() for moment in phase]
    rows = far_from(t, moments, 1e-6)
    blocks = np.zeros(len(t), dtype=bool)
    for ends, begins in capacitor_phases():
        blocks |= (t >= ends) & (t < begins)
    charging = C * V * W * np.cos(W * t) + source(t) / RC
    np.testing.assert_allclose(result["D.i"][rows], np.where(blocks, 0, charging)[rows], atol=1e-6)
    conserved(result, C_v=C)
    for k, stay in enumerate(result.modes):
        assert (stay.mode.states, stay.mode.index) == ((("C.v",), 0) if k % 2 else ((), 2))

"""Bridges of six ideal diodes behind three phases, with an inductive load.

`D[k]` is from phase k to the load's positive side, `D[k + 3]` back from its negative side. The stars of the
sources are grounded, the load is not.
"""

from __future__ import annotations

import numpy as np
from electrical_elements import Vector, circuit, conserved, far_from, nodes, run
from event_by_event import Walk

V, F = 10.0, 50.0
W, T = 2 * np.pi * F, 1 / F
R, L = 2.0, 0.01
LS = 5e-4
STOP = 0.05
THIRD = 2 * np.pi / 3
#: Where the line voltages cross: another phase has the highest or the lowest voltage from there on.
CROSSINGS = [float(c) for c in T / 12 + np.arange(16) * T / 6 if c < STOP]

DECLARATIONS = (
    f"  SineVoltage V[3](each V = {V}, each f = {F}, phase = {{0, {-THIRD!r}, {-2 * THIRD!r}}});\n"
    f"  IdealDiode D[6];\n  Resistor R(R = {R});\n  Inductor L(L = {L}, i(start = 0, fixed = true));\n"
)
LOAD = ("D[1].n D[2].n D[3].n R.p", "R.n L.p", "L.n D[4].p D[5].p D[6].p", "V[1].n V[2].n V[3].n ground.p")


def phases(t: float | Vector) -> Vector:
    """The voltages of the three phases."""
    return np.array([V * np.sin(W * t - k * THIRD) for k in range(3)])


def six_pulses() -> str:
    return circuit(DECLARATIONS, nodes(*LOAD, *(f"V[{k}].p D[{k}].p D[{k + 3}].n" for k in (1, 2, 3))))


def six_pulse_walk() -> Walk:
    walk = Walk([0.0], T / 200)

    def rate(t: float, y: Vector) -> list[float]:
        line = phases(t)
        return [float(line.max() - line.min() - R * y[0]) / L]

    for until in [*CROSSINGS, STOP]:
        walk.follow(rate, until)
    return walk


def test_six_pulses() -> None:
    result = run(six_pulses(), STOP)
    t = result.time
    i = six_pulse_walk().after(t)[0]
    np.testing.assert_allclose(result["L.i"], i, atol=1e-6)
    line = phases(t)
    rows = far_from(t, CROSSINGS, 1e-6)
    for k in range(3):
        above, below = line.argmax(axis=0) == k, line.argmin(axis=0) == k
        np.testing.assert_allclose(result[f"D[{k + 1}].i"][rows], np.where(above, i, 0)[rows], atol=1e-6)
        np.testing.assert_allclose(result[f"D[{k + 4}].i"][rows], np.where(below, i, 0)[rows], atol=1e-6)
    np.testing.assert_allclose(result["R.p.v"][rows], line.max(axis=0)[rows], atol=1e-6)
    np.testing.assert_allclose(result["L.n.v"][rows], line.min(axis=0)[rows], atol=1e-6)
    switched = [e.time for e in result.events if 0 < e.time < STOP]
    assert len(switched) == len(CROSSINGS)
    np.testing.assert_allclose(switched, CROSSINGS, atol=1e-8)
    assert result.statistics["programs"] < 32  # of 64: those that were visited or tried
    conserved(result, L_i=L)


def commutating() -> str:
    inductors = f"  Inductor S[3](each L = {LS}, each i(start = 0, fixed = true));\n"
    joined = [line for k in (1, 2, 3) for line in (f"V[{k}].p S[{k}].p", f"S[{k}].n D[{k}].p D[{k + 3}].n")]
    return circuit(DECLARATIONS + inductors, nodes(*LOAD, *joined))


def commutation_walk() -> Walk:
    """States: the currents of the three phases and of the load.

    Two diodes conduct, then three while one phase takes over from another, above and below in turn. While
    phase a conducts above and phase c below, (2 LS + L) i' = v_a - v_c - R i. Phase b takes over above as
    soon as its voltage is higher than that behind the inductor of a, v_a - LS i'. Then the currents of a and
    b add up to that of the load and are driven by the same voltage; i' is as if a and b were one phase of the
    mean voltage and half the inductance, until the current of a is used up. `sign` turns it round for those
    below.
    """
    walk = Walk([0.0] * 4, T / 200)
    above, below, sign = 2, 1, 1
    old, new = 2, 0

    def two(t: float, y: Vector) -> list[float]:
        v = phases(t)
        rate = float(v[above] - v[below] - R * y[3]) / (2 * LS + L)
        return [rate * ((k == above) - (k == below)) for k in range(3)] + [rate]

    def higher(t: float, y: Vector) -> float:
        v = phases(t)
        return float(sign * (v[new] - v[old]) + LS * two(t, y)[3])

    def three(t: float, y: Vector) -> list[float]:
        v = phases(t)
        other = below if sign > 0 else above
        rate = float(sign * ((v[old] + v[new]) / 2 - v[other]) - R * y[3]) / (1.5 * LS + L)
        found = [0.0, 0.0, 0.0, rate]
        found[other] = -sign * rate
        found[old] = float(v[old] - v[new]) / LS / 2 + sign * rate / 2
        found[new] = float(v[new] - v[old]) / LS / 2 + sign * rate / 2
        return found

    def used_up(t: float, y: Vector) -> float:
        return float(-sign * y[old])

    while walk.time < STOP:
        old, new = (above if sign > 0 else below), 3 - above - below
        walk.follow(two, STOP, higher)
        walk.follow(three, STOP, used_up)
        if sign > 0:
            above = new
        else:
            below = new
        sign = -sign
    return walk


def test_inductors_in_the_phases() -> None:
    """The current takes its time to go from one phase to the next: two or three diodes conduct."""
    result = run(commutating(), STOP)
    t = result.time
    walk = commutation_walk()
    expected = walk.after(t)
    for k in range(3):
        np.testing.assert_allclose(result[f"S[{k + 1}].i"], expected[k], atol=1e-6)
    np.testing.assert_allclose(result["L.i"], expected[3], atol=1e-6)
    assert len(walk.moments) > 20
    conserved(result, L_i=L, **{f"S[{k}]_i": LS for k in (1, 2, 3)})

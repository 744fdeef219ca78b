"""Bridges of four ideal diodes, against closed forms and event-by-event integration.

The bridge is `D[1]` and `D[2]` from the two ends of the source to the load's positive side, `D[3]` and `D[4]`
back from its negative side, which is grounded. While all four block, where the source floats is open; while
all four conduct, how the current is shared is. Neither matters to the load.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from electrical_elements import Vector, circuit, conserved, far_from, leaps, nodes, run
from event_by_event import Walk
from scipy.optimize import brentq

from translated_models import translated

V, F = 10.0, 50.0
W, T = 2 * np.pi * F, 1 / F
STOP = 0.05

SOURCE = f"  SineVoltage V(V = {V}, f = {F});\n  IdealDiode D[4];\n"
BRIDGE = ("D[1].n D[2].n P.p", "D[3].p D[4].p P.n ground.p")
AT_SOURCE = ("V.p D[1].p D[3].n", "V.n D[2].p D[4].n")
BEHIND_INDUCTOR = ("V.p Ls.p", "Ls.n D[1].p D[3].n", "V.n D[2].p D[4].n")


def source(t: Vector) -> Vector:
    return V * np.sin(W * t)


def bridge(load: str, *joined: str, inductance: float = 0.0) -> str:
    declarations = SOURCE + load
    if inductance:
        declarations += f"  Inductor Ls(L = {inductance}, i(start = 0, fixed = true));\n"
    return circuit(declarations, nodes(*(BEHIND_INDUCTOR if inductance else AT_SOURCE), *joined))


# A resistor.

R = 5.0


def with_resistor() -> str:
    return bridge(f"  Resistor P(R = {R});\n", *BRIDGE)


def test_with_a_resistor() -> None:
    result = run(with_resistor(), STOP)
    v = source(result.time)
    np.testing.assert_allclose(result["P.v"], np.abs(v), atol=1e-8)
    forward = np.maximum(v, 0) / R
    for k, current in (
        (1, forward),
        (4, forward),
        (2, np.abs(v) / R - forward),
        (3, np.abs(v) / R - forward),
    ):
        np.testing.assert_allclose(result[f"D[{k}].i"], current, atol=1e-8)


# A capacitor with a resistor beside it: all four block for most of the time.

RC, C = 200.0, 1e-4


def with_capacitor() -> str:
    return bridge(
        f"  Resistor P(R = {RC});\n  Capacitor C(C = {C}, v(start = 0, fixed = true));\n",
        BRIDGE[0] + " C.p",
        BRIDGE[1] + " C.n",
    )


@cache
def blocked() -> list[tuple[float, float]]:
    """When the diodes begin to block, and when two of them conduct again."""
    found = []
    for k in range(6):
        ends = (k + 1 - np.arctan(W * RC * C) / np.pi) * T / 2
        begins = brentq(
            lambda t, e=ends: abs(source(t)) - abs(source(e)) * np.exp(-(t - e) / (RC * C)),
            (k + 1) * T / 2, (k + 1.5) * T / 2, xtol=1e-16,
        )  # fmt: skip
        found.append((float(ends), float(begins)))
    return found


def smoothed(t: Vector) -> Vector:
    value = np.abs(source(t))
    for ends, begins in blocked():
        decaying = abs(source(ends)) * np.exp(-(t - ends) / (RC * C))
        value = np.where((t >= ends) & (t < begins), decaying, value)
    return value


def test_with_a_capacitor() -> None:
    result = run(with_capacitor(), STOP)
    t = result.time
    np.testing.assert_allclose(result["C.v"], smoothed(t), atol=1e-7)
    rows = far_from(t, [m for phase in blocked() for m in phase], 1e-6)
    idle = np.zeros(len(t), dtype=bool)
    for ends, begins in blocked():
        idle |= (t >= ends) & (t < begins)
    way = np.where(np.floor(2 * t / T) % 2 == 0, 1, -1)
    charging = way * (C * V * W * np.cos(W * t) + source(t) / RC)
    expected = np.where(idle, 0, charging)
    np.testing.assert_allclose((result["D[1].i"] + result["D[2].i"])[rows], expected[rows], atol=1e-6)
    for k in range(1, 5):  # wherever it floats, no diode is driven forward
        assert np.all(result[f"D[{k}].v"][idle & rows] <= 1e-7)
    np.testing.assert_allclose(result["D[1].p.v"] - result["D[2].p.v"], source(t), atol=1e-9)
    conserved(result, C_v=C)


def test_behind_a_transformer() -> None:
    """The secondary side is joined to nothing but the bridge."""
    text = circuit(
        f"  SineVoltage V(V = {2 * V}, f = {F});\n  IdealDiode D[4];\n  IdealTransformer N(n = 2);\n"
        f"  Resistor P(R = {RC});\n  Capacitor C(C = {C}, v(start = 0, fixed = true));\n",
        nodes(
            "V.p N.p1",
            "V.n N.n1 ground.p",
            "N.p2 D[1].p D[3].n",
            "N.n2 D[2].p D[4].n",
            "D[1].n D[2].n P.p C.p",
            "D[3].p D[4].p P.n C.n ground.p",
        ),
    )
    result = run(text, STOP)
    np.testing.assert_allclose(result["C.v"], smoothed(result.time), atol=1e-7)


# An inductor at the source.

LS, RS = 0.02, 5.0
LC, CC, RCC = 5e-3, 1e-3, 20.0


def source_inductor() -> str:
    return bridge(f"  Resistor P(R = {RS});\n", *BRIDGE, inductance=LS)


def test_inductor_at_the_source() -> None:
    """The bridge turns the resistor round with the current: the source sees a plain inductor and resistor."""
    result = run(source_inductor(), STOP)
    t = result.time
    angle = np.arctan2(W * LS, RS)
    i = V / np.hypot(RS, W * LS) * (np.sin(W * t - angle) + np.sin(angle) * np.exp(-t * RS / LS))
    np.testing.assert_allclose(result["Ls.i"], i, atol=1e-7)
    np.testing.assert_allclose(result["P.i"], np.abs(i), atol=1e-7)
    conserved(result, Ls_i=LS)


def source_inductor_and_capacitor() -> str:
    return bridge(
        f"  Resistor P(R = {RCC});\n  Capacitor C(C = {CC}, v(start = 0, fixed = true));\n",
        BRIDGE[0] + " C.p",
        BRIDGE[1] + " C.n",
        inductance=LC,
    )


def charging_walk(stop: float) -> tuple[Walk, list[int]]:
    """States: the size of the source's current and the capacitor's voltage. And which way it flows, for each
    phase."""
    walk, ways, way = Walk([0.0, 0.0], T / 100), [], 1
    while walk.time < stop:
        ways.append(way)
        walk.follow(
            lambda t, y, s=way: [(s * source(t) - y[1]) / LC, (y[0] - y[1] / RCC) / CC],
            stop,
            lambda t, y: -y[0],
        )
        walk.state[0] = 0.0
        if -way * source(walk.time) > walk.state[1]:
            way = -way  # the current goes on the other way at once
            continue
        ways.append(0)
        end = walk.follow(
            lambda t, y: [0.0, -y[1] / RCC / CC],
            stop,
            lambda t, y: source(t) - y[1],
            lambda t, y: -source(t) - y[1],
        )
        way = -1 if end == 1 else 1
    return walk, ways


def test_inductor_at_the_source_and_capacitor() -> None:
    result = run(source_inductor_and_capacitor(), 2 * STOP)
    t = result.time
    walk, ways = charging_walk(2 * STOP)
    size, voltage = walk.after(t)
    way = np.array(ways)[np.minimum(walk.phase(t), len(ways) - 1)]
    np.testing.assert_allclose(result["C.v"], voltage, atol=1e-6)
    np.testing.assert_allclose(result["Ls.i"], way * size, atol=1e-6)
    np.testing.assert_allclose(result["P.v"], voltage, atol=1e-6)
    assert 0 in ways and 1 in ways and -1 in ways
    conserved(result, Ls_i=LC, C_v=CC)


@pytest.mark.parametrize("method", ["bdf", "auto"])
def test_late_in_a_run_events_are_as_at_its_beginning(method: str) -> None:
    """From one number for the time 20000 s to the next the current changes by 1e-8 A. A blocking diode must
    not be left with that much, or the other pair of diodes would take it over, and so on without end."""
    model = translated(source_inductor_and_capacitor())
    late = 1000_000 * T

    def events(start: float) -> Vector:
        result = model.simulate(
            start_time=start, stop_time=start + 4 * STOP, interval=STOP, tolerance=1e-8, method=method
        )
        return np.array([record.time for record in result.records]) - start

    np.testing.assert_allclose(events(late), events(0.0), atol=1e-9)


# An inductive load.

LD, RD = 0.05, 5.0


def inductive_load() -> str:
    return bridge(
        f"  Resistor P(R = {RD});\n  Inductor Ld(L = {LD}, i(start = 0, fixed = true));\n",
        BRIDGE[0],
        "P.n Ld.p",
        "D[3].p D[4].p Ld.n ground.p",
    )


def test_inductive_load() -> None:
    result = run(inductive_load(), STOP)
    t = result.time
    walk = Walk([0.0], T / 100)
    for k in range(1, 7):
        walk.follow(lambda t, y: [(abs(source(t)) - RD * y[0]) / LD], min(k * T / 2, STOP))
    i = walk.after(t)[0]
    np.testing.assert_allclose(result["Ld.i"], i, atol=1e-6)
    rows = far_from(t, [k * T / 2 for k in range(6)], 1e-6)
    np.testing.assert_allclose(result["V.i"][rows], (-np.sign(source(t)) * i)[rows], atol=1e-6)
    conserved(result, Ld_i=LD)


LO = 2e-3


def both_inductors() -> str:
    return bridge(
        f"  Resistor P(R = {RD});\n  Inductor Ld(L = {LD}, i(start = 0, fixed = true));\n",
        BRIDGE[0],
        "P.n Ld.p",
        "D[3].p D[4].p Ld.n ground.p",
        inductance=LO,
    )


def overlap_walk(stop: float) -> Walk:
    """States: the currents of the source and of the load. They are one while two diodes conduct."""
    walk, way = Walk([0.0, 0.0], T / 100), 1

    def together(t: float, y: Vector) -> list[float]:
        rate = (way * source(t) - RD * y[1]) / (LO + LD)
        return [way * rate, rate]

    def shorted(t: float, y: Vector) -> list[float]:
        return [source(t) / LO, -RD / LD * y[1]]

    while walk.time < stop:
        walk.follow(together, stop, lambda t, y, way=way: -(LD * way * source(t) + LO * RD * y[1]))
        way = -way
        walk.follow(
            lambda t, y: [source(t) / LO, -RD / LD * y[1]], stop, lambda t, y, way=way: way * y[0] - y[1]
        )
    return walk


def test_inductors_at_the_source_and_in_the_load() -> None:
    """While the source's current turns round, all four conduct and the load is shorted."""
    result = run(both_inductors(), STOP)
    t = result.time
    walk = overlap_walk(STOP)
    source_current, load_current = walk.after(t)
    np.testing.assert_allclose(result["Ls.i"], source_current, atol=1e-6)
    np.testing.assert_allclose(result["Ld.i"], load_current, atol=1e-6)
    np.testing.assert_allclose(result["D[1].i"] + result["D[2].i"], load_current, atol=1e-6)
    np.testing.assert_allclose(result["D[1].i"] - result["D[3].i"], source_current, atol=1e-6)
    assert min(result[f"D[{k}].i"].min() for k in range(1, 5)) > -1e-7
    overlap = (walk.phase(t) % 2 == 1) & far_from(t, walk.moments, 1e-6)
    assert overlap.sum() > 10
    np.testing.assert_allclose((result["P.v"] + result["Ld.v"])[overlap], 0, atol=1e-9)
    flux = LO * np.abs(result["Ls.i"]) + LD * result["Ld.i"]  # of both: where they are joined, they share it
    for left, right in leaps(result):
        assert abs(flux[right] - flux[left]) <= 1e-10 * flux.max()


@pytest.mark.parametrize("phase", [0.3, np.pi / 2, -2.0])
def test_bridge_that_starts_elsewhere(phase: float) -> None:
    """At the start the source has a voltage already; the load's current begins at zero."""
    text = inductive_load().replace(f"f = {F}", f"f = {F}, phase = {phase!r}")
    result = run(text, STOP)
    t = result.time
    zeros = [float(z) for z in (np.arange(-1, 8) * np.pi - phase) / W if 0 < z < STOP]
    walk = Walk([0.0], T / 100)
    for until in [*zeros, STOP]:
        walk.follow(lambda t, y: [(V * abs(np.sin(W * t + phase)) - RD * y[0]) / LD], until)
    np.testing.assert_allclose(result["Ld.i"], walk.after(t)[0], atol=1e-6)

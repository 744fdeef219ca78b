"""Buck, boost and Cuk converters of ideal elements, in continuous and in discontinuous conduction.

In each period the switch is closed (phase 1), then the diode conducts (2), and in discontinuous conduction
neither does when the diode's current has ended (3): an inductor's current stays zero, or two inductors carry
one current. The equations of the three phases are written by hand.
"""

from __future__ import annotations

import numpy as np
import pytest
from electrical_elements import Vector, circuit, conserved, nodes, run
from event_by_event import Guard, Rate, Walk

PERIOD, DUTY = 1e-4, 0.4
ON = f"IdealSwitch S(closed = mod(time, {PERIOD!r}) < {DUTY * PERIOD!r})"
L, C = 1e-3, 1e-4


def cycles(
    start: list[float], count: int, on: Rate, off: Rate, ended: Guard, idle: Rate, again: Guard | None = None
) -> tuple[Walk, int]:
    """Whole periods, and in how many the diode's current ended. `again`: rises where the diode conducts again
    while the switch is open."""
    walk, discontinuous = Walk(start, PERIOD / 10), 0
    for k in range(count):
        walk.follow(on, (k + DUTY) * PERIOD)
        end = (k + 1) * PERIOD
        first = True
        while walk.follow(off, end, ended) is not None:
            discontinuous += first
            first = False
            if walk.follow(idle, end, *([again] if again else [])) is None:
                break
    return walk, discontinuous


# Buck: from 12 V down.


def buck(resistance: float) -> str:
    return circuit(
        f"  ConstantVoltage V(V = 12);\n  {ON};\n  IdealDiode D;\n  Resistor R(R = {resistance});\n"
        f"  Inductor L(L = {L}, i(start = 0, fixed = true));\n"
        f"  Capacitor C(C = {C}, v(start = 0, fixed = true));\n",
        nodes("V.p S.p", "S.n D.n L.p", "L.n C.p R.p", "V.n D.p C.n R.n ground.p"),
    )


def buck_walk(resistance: float, count: int) -> tuple[Walk, int]:
    return cycles(
        [0.0, 0.0],
        count,
        lambda t, y: [(12 - y[1]) / L, (y[0] - y[1] / resistance) / C],
        lambda t, y: [-y[1] / L, (y[0] - y[1] / resistance) / C],
        lambda t, y: -y[0],
        lambda t, y: [0.0, -y[1] / resistance / C],
    )


@pytest.mark.parametrize(
    ("resistance", "count"), [(2.0, 30), (60.0, 40)], ids=["continuous", "discontinuous"]
)
def test_buck(resistance: float, count: int) -> None:
    result = run(buck(resistance), count * PERIOD, points=10 * count)
    walk, discontinuous = buck_walk(resistance, count)
    i, v = walk.after(result.time)
    np.testing.assert_allclose(result["L.i"], i, atol=1e-6)
    np.testing.assert_allclose(result["C.v"], v, atol=1e-6)
    assert (discontinuous > 10) == (resistance == 60)
    if discontinuous:
        idle = (result["S.closed"] == 0) & (result["D.off"] == 1)
        assert idle.sum() > 50
        assert np.all(result["L.i"][idle] == 0)
    conserved(result, L_i=L, C_v=C)


# Boost: from 5 V up; the capacitor is charged to 5 V before.


def boost(resistance: float) -> str:
    return circuit(
        f"  ConstantVoltage V(V = 5);\n  {ON};\n  IdealDiode D;\n  Resistor R(R = {resistance});\n"
        f"  Inductor L(L = {L}, i(start = 0, fixed = true));\n"
        f"  Capacitor C(C = {C}, v(start = 5, fixed = true));\n",
        nodes("V.p L.p", "L.n S.p D.p", "D.n C.p R.p", "V.n S.n C.n R.n ground.p"),
    )


def boost_walk(resistance: float, count: int) -> tuple[Walk, int]:
    return cycles(
        [0.0, 5.0],
        count,
        lambda t, y: [5 / L, -y[1] / resistance / C],
        lambda t, y: [(5 - y[1]) / L, (y[0] - y[1] / resistance) / C],
        lambda t, y: -y[0],
        lambda t, y: [0.0, -y[1] / resistance / C],
        lambda t, y: 5 - y[1],
    )


@pytest.mark.parametrize(
    ("resistance", "count"), [(10.0, 30), (500.0, 40)], ids=["continuous", "discontinuous"]
)
def test_boost(resistance: float, count: int) -> None:
    result = run(boost(resistance), count * PERIOD, points=10 * count)
    walk, discontinuous = boost_walk(resistance, count)
    i, v = walk.after(result.time)
    np.testing.assert_allclose(result["L.i"], i, atol=1e-6)
    np.testing.assert_allclose(result["C.v"], v, atol=1e-6)
    assert (discontinuous > 10) == (resistance == 500)
    conserved(result, L_i=L, C_v=C)


# Cuk: 12 V in, a negative voltage out; energy goes through C1.


def cuk(resistance: float) -> str:
    return circuit(
        f"  ConstantVoltage V(V = 12);\n  {ON};\n  IdealDiode D;\n  Resistor R(R = {resistance});\n"
        f"  Inductor L1(L = {L}, i(start = 0, fixed = true)), L2(L = {L / 2}, i(start = 0, fixed = true));\n"
        f"  Capacitor C1(C = {C / 4}, v(start = 12, fixed = true));\n"
        f"  Capacitor C2(C = {C}, v(start = 0, fixed = true));\n",
        nodes("V.p L1.p", "L1.n S.p C1.p", "C1.n D.p L2.p", "L2.n C2.p R.p", "V.n S.n D.n C2.n R.n ground.p"),
    )


def cuk_walk(resistance: float, count: int) -> tuple[Walk, int]:
    """States: the currents of L1 (to the right) and L2 (to the right), the voltages of C1 and C2."""
    l1, l2, c1, c2 = L, L / 2, C / 4, C

    def on(t: float, y: Vector) -> list[float]:
        return [12 / l1, (-y[2] - y[3]) / l2, y[1] / c1, (y[1] - y[3] / resistance) / c2]

    def off(t: float, y: Vector) -> list[float]:
        return [(12 - y[2]) / l1, -y[3] / l2, y[0] / c1, (y[1] - y[3] / resistance) / c2]

    def idle(t: float, y: Vector) -> list[float]:
        rate = (12 - y[2] - y[3]) / (l1 + l2)
        return [rate, rate, y[0] / c1, (y[1] - y[3] / resistance) / c2]

    return cycles(
        [0.0, 0.0, 12.0, 0.0],
        count,
        on,
        off,
        lambda t, y: y[1] - y[0],
        idle,
        lambda t, y: float(y[3] + l2 * idle(t, y)[1]),  # the voltage at the diode
    )


@pytest.mark.parametrize(
    ("resistance", "count"), [(5.0, 30), (200.0, 40)], ids=["continuous", "discontinuous"]
)
def test_cuk(resistance: float, count: int) -> None:
    result = run(cuk(resistance), count * PERIOD, points=10 * count)
    walk, discontinuous = cuk_walk(resistance, count)
    expected = walk.after(result.time)
    for name, values in zip(("L1.i", "L2.i", "C1.v", "C2.v"), expected, strict=True):
        np.testing.assert_allclose(result[name], values, atol=2e-6)
    assert (discontinuous > 10) == (resistance == 200)
    if discontinuous:
        idle = (result["S.closed"] == 0) & (result["D.off"] == 1)
        assert idle.sum() > 50
        np.testing.assert_allclose(result["L1.i"][idle], result["L2.i"][idle], atol=1e-12)
    conserved(result, L1_i=L, L2_i=L / 2, C1_v=C / 4, C2_v=C)


# Flyback: the energy of a magnetising inductor goes to the other side of an ideal transformer.

TURNS = 2.0


def flyback(resistance: float) -> str:
    return circuit(
        f"  ConstantVoltage V(V = 12);\n  {ON};\n  IdealDiode D;\n  Resistor R(R = {resistance});\n"
        f"  IdealTransformer N(n = {TURNS});\n  Inductor L(L = {L}, i(start = 0, fixed = true));\n"
        f"  Capacitor C(C = {C}, v(start = 2, fixed = true));\n",
        nodes(
            "V.p L.p N.p1",
            "L.n N.n1 S.p",
            "N.n2 D.p",
            "D.n C.p R.p",
            "V.n S.n N.p2 C.n R.n ground.p",
        ),
    )


def flyback_walk(resistance: float, count: int) -> tuple[Walk, int]:
    return cycles(
        [0.0, 2.0],
        count,
        lambda t, y: [12 / L, -y[1] / resistance / C],
        lambda t, y: [-TURNS * y[1] / L, (TURNS * y[0] - y[1] / resistance) / C],
        lambda t, y: -y[0],
        lambda t, y: [0.0, -y[1] / resistance / C],
    )


@pytest.mark.parametrize(
    ("resistance", "count"), [(2.0, 30), (100.0, 40)], ids=["continuous", "discontinuous"]
)
def test_flyback(resistance: float, count: int) -> None:
    result = run(flyback(resistance), count * PERIOD, points=10 * count)
    walk, discontinuous = flyback_walk(resistance, count)
    i, v = walk.after(result.time)
    np.testing.assert_allclose(result["L.i"], i, atol=1e-6)
    np.testing.assert_allclose(result["C.v"], v, atol=1e-6)
    assert (discontinuous > 10) == (resistance == 100)
    conserved(result, L_i=L, C_v=C)

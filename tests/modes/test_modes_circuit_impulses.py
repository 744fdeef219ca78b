"""Switches that force states to jump: charge and flux are conserved, their impulses are results.

What one capacitor or inductor gives, the others take; the energy that is missing afterwards is what the
closed form says.
"""

from __future__ import annotations

import numpy as np
import pytest
from electrical_elements import circuit, leaps, nodes, run

from saltus.result.result import Result


def weight(result: Result, name: str) -> float:
    """The impulse of a variable in a run in which it has one at most; 0 if it has none."""
    found = [impulse.weight for impulse in result.impulses[name]]
    assert len(found) <= 1
    return sum(found)


def sides(result: Result, name: str, time: float) -> tuple[float, float]:
    """The left and the right limit."""
    left, right = next(
        rows for rows in leaps(result) if result.time[rows[0]] == pytest.approx(time, abs=1e-12)
    )
    return float(result[name][left]), float(result[name][right])


def joined_capacitors(first: float, second: float, u: float, v: float) -> str:
    """Joined at time 1; the resistor is across the second one."""
    return circuit(
        f"  Capacitor C1(C = {first}, v(start = {u}, fixed = true));\n"
        f"  Capacitor C2(C = {second}, v(start = {v}, fixed = true));\n"
        "  Resistor R(R = 10);\n  IdealSwitch S(closed = time >= 1);\n",
        nodes("C1.p S.p", "S.n C2.p R.p", "C1.n C2.n R.n ground.p"),
    )


def test_two_capacitors_share_their_charge() -> None:
    """1 F at 3 V and 2 F at 0 V: both at 1 V, 2 C through the switch, none through the resistor."""
    result = run(joined_capacitors(1, 2, 3, 0), 4)
    t = result.time
    assert sides(result, "C1.v", 1) == pytest.approx((3, 1), rel=1e-10)
    assert sides(result, "C2.v", 1) == pytest.approx((0, 1), rel=1e-10)
    assert weight(result, "S.i") == pytest.approx(2, rel=1e-10)
    assert weight(result, "C1.i") == pytest.approx(-2, rel=1e-10)
    assert weight(result, "C2.i") == pytest.approx(2, rel=1e-10)
    assert weight(result, "R.i") == 0
    after = t > 1
    np.testing.assert_allclose(result["C1.v"][after], np.exp(-(t[after] - 1) / 30), atol=1e-7)
    np.testing.assert_allclose(result["C2.v"], np.where(after | (result["S.closed"] == 1), result["C1.v"], 0))


@pytest.mark.parametrize(
    ("first", "second", "u", "v"), [(1, 2, 3, 0), (2e-6, 5e-6, 400, -12), (3, 1e-3, 1, 90)]
)
def test_books_of_joined_capacitors(first: float, second: float, u: float, v: float) -> None:
    """Charge is conserved, energy falls by c1 c2 / (c1 + c2) (u - v)^2 / 2."""
    result = run(joined_capacitors(first, second, u, v), 1.5)
    (u0, u1), (v0, v1) = sides(result, "C1.v", 1), sides(result, "C2.v", 1)
    assert first * u1 + second * v1 == pytest.approx(first * u0 + second * v0, rel=1e-10)
    energy = [first * a * a / 2 + second * b * b / 2 for a, b in ((u0, v0), (u1, v1))]
    lost = first * second / (first + second) * (u0 - v0) ** 2 / 2
    assert energy[0] - energy[1] == pytest.approx(lost, rel=1e-10)
    assert weight(result, "S.i") == pytest.approx(first * (u0 - u1), rel=1e-10)
    assert u1 == pytest.approx(v1, rel=1e-12)


def test_capacitor_put_to_a_battery() -> None:
    """The battery gives what is missing; before and after, a resistor discharges nothing."""
    text = circuit(
        "  ConstantVoltage V(V = 5);\n  Capacitor C(C = 0.2, v(start = 1, fixed = true));\n"
        "  IdealSwitch S(closed = time >= 1);\n",
        nodes("V.p S.p", "S.n C.p", "V.n C.n ground.p"),
    )
    result = run(text, 2)
    assert sides(result, "C.v", 1) == pytest.approx((1, 5), rel=1e-10)
    assert weight(result, "C.i") == pytest.approx(0.8, rel=1e-10)
    assert weight(result, "V.i") == pytest.approx(-0.8, rel=1e-10)


@pytest.mark.parametrize(("start", "conducts"), [(1, True), (8, False)])
def test_impulse_through_a_diode(start: float, conducts: bool) -> None:
    """A battery of 5 V is put to a diode before a capacitor: it conducts if the impulse is positive in it; if
    it would be negative, the diode blocks and nothing happens."""
    text = circuit(
        f"  ConstantVoltage V(V = 5);\n  Capacitor C(C = 0.2, v(start = {start}, fixed = true));\n"
        "  IdealDiode D;\n  IdealSwitch S(closed = time >= 1);\n  Resistor R(R = 1), Q(R = 50);\n",
        nodes("V.p S.p", "S.n D.p R.p", "D.n C.p Q.p", "V.n C.n R.n Q.n ground.p"),
    )
    result = run(text, 2)
    decayed = start * np.exp(-1 / 10)
    assert sides(result, "C.v", 1) == pytest.approx((decayed, max(decayed, 5)), rel=1e-7)
    before, after = sides(result, "C.v", 1)
    assert weight(result, "D.i") == pytest.approx(0.2 * (after - before), rel=1e-10)
    assert conducts == (list(result.impulses) != [])
    assert result["D.off"][-1] == (not conducts)


def test_three_capacitors_one_after_the_other() -> None:
    """Two switches at two times: 1 F at 6 V, 1 F and 2 F empty; 3 V, then 1.5 V."""
    text = circuit(
        "  Capacitor A(C = 1, v(start = 6, fixed = true)), B(C = 1, v(start = 0, fixed = true));\n"
        "  Capacitor C(C = 2, v(start = 0, fixed = true));\n"
        "  IdealSwitch S(closed = time >= 1), T(closed = time >= 2);\n",
        nodes("A.p S.p", "S.n B.p T.p", "T.n C.p", "A.n B.n C.n ground.p"),
    )
    result = run(text, 3)
    assert sides(result, "A.v", 1) == pytest.approx((6, 3), rel=1e-10)
    assert sides(result, "C.v", 1) == (0, 0)
    for name, before in (("A.v", 3), ("B.v", 3), ("C.v", 0)):
        assert sides(result, name, 2) == pytest.approx((before, 1.5), rel=1e-10)
    found = [(i.time, i.weight) for i in result.impulses["S.i"]]
    assert found == [pytest.approx((1, 3), rel=1e-9), pytest.approx((2, 1.5), rel=1e-9)]
    assert [i.weight for i in result.impulses["T.i"]] == [pytest.approx(3, rel=1e-10)]


def test_both_switches_at_once() -> None:
    """The same three, joined at one instant: 6 C on 4 F."""
    text = circuit(
        "  Capacitor A(C = 1, v(start = 6, fixed = true)), B(C = 1, v(start = 0, fixed = true));\n"
        "  Capacitor C(C = 2, v(start = 0, fixed = true));\n"
        "  IdealSwitch S(closed = time >= 1), T(closed = time >= 1);\n",
        nodes("A.p S.p", "S.n B.p T.p", "T.n C.p", "A.n B.n C.n ground.p"),
    )
    result = run(text, 2)
    for name, before in (("A.v", 6), ("B.v", 0), ("C.v", 0)):
        assert sides(result, name, 1) == pytest.approx((before, 1.5), rel=1e-10)
    assert weight(result, "S.i") == pytest.approx(4.5, rel=1e-10)
    assert weight(result, "T.i") == pytest.approx(3, rel=1e-10)


V, R, L1, L2, I2 = 6.0, 3.0, 0.5, 1.5, 4.0


def inductors_in_series(diode: str = "", *across: str) -> str:
    """While the switch is closed, L1 is charged through it and L2 discharged; it opens at time 1."""
    return circuit(
        f"  ConstantVoltage V(V = {V});\n  Resistor R(R = {R});\n"
        f"  Inductor L1(L = {L1}, i(start = 0, fixed = true)), L2(L = {L2}, i(start = {I2}, fixed = true));\n"
        "  IdealSwitch S(closed = time < 1);\n" + diode,
        nodes("V.p L1.p", "L1.n S.p L2.p", "L2.n R.p", "V.n S.n R.n ground.p", *across),
    )


def test_inductors_in_series_share_their_flux() -> None:
    result = run(inductors_in_series(), 3)
    t = result.time
    first, second = V / L1, I2 * np.exp(-R / L2)
    common = (L1 * first + L2 * second) / (L1 + L2)
    assert sides(result, "L1.i", 1) == pytest.approx((first, common), rel=1e-8)
    assert sides(result, "L2.i", 1) == pytest.approx((second, common), rel=1e-8)
    (a0, a1), (b0, b1) = sides(result, "L1.i", 1), sides(result, "L2.i", 1)
    assert L1 * a1 + L2 * b1 == pytest.approx(L1 * a0 + L2 * b0, rel=1e-10)
    energy = [L1 * a * a / 2 + L2 * b * b / 2 for a, b in ((a0, b0), (a1, b1))]
    assert energy[0] - energy[1] == pytest.approx(L1 * L2 / (L1 + L2) * (a0 - b0) ** 2 / 2, rel=1e-10)
    assert weight(result, "L1.v") == pytest.approx(L1 * (a1 - a0), rel=1e-10)
    assert weight(result, "L2.v") == pytest.approx(L2 * (b1 - b0), rel=1e-10)
    assert weight(result, "S.v") == pytest.approx(-L1 * (a1 - a0), rel=1e-10)
    assert weight(result, "R.v") == weight(result, "V.v") == 0
    before, after = t < 1, t > 1
    np.testing.assert_allclose(result["L1.i"][before], first * t[before], atol=1e-7)
    np.testing.assert_allclose(result["L2.i"][before], I2 * np.exp(-R / L2 * t[before]), atol=1e-7)
    settling = V / R + (common - V / R) * np.exp(-R / (L1 + L2) * (t[after] - 1))
    np.testing.assert_allclose(result["L1.i"][after], settling, atol=1e-6)
    np.testing.assert_allclose(result["L2.i"][after], settling, atol=1e-6)


def test_current_that_a_diode_catches_makes_no_impulse() -> None:
    """The same inductors with a diode across the switch: more flows in than out, so the difference goes on in
    the diode, and nothing jumps."""
    text = inductors_in_series().replace("  IdealSwitch S(", "  IdealDiode D;\n  IdealSwitch S(")
    text = text.replace(
        "  connect(V.p, L1.p);", "  connect(D.p, S.p);\n  connect(D.n, S.n);\n  connect(V.p, L1.p);"
    )
    result = run(text, 1.05)
    assert list(result.impulses) == []
    first = V / L1
    assert sides(result, "L1.i", 1) == pytest.approx((first, first), rel=1e-8)
    assert sides(result, "D.i", 1) == pytest.approx((0, first - I2 * np.exp(-R / L2)), rel=1e-8)


def test_impulse_decides_about_a_diode() -> None:
    """The diode across the switch points the other way: what it sees is an impulse of negative voltage."""
    text = inductors_in_series().replace("  IdealSwitch S(", "  IdealDiode D;\n  IdealSwitch S(")
    text = text.replace(
        "  connect(V.p, L1.p);", "  connect(D.n, S.p);\n  connect(D.p, S.n);\n  connect(V.p, L1.p);"
    )
    result = run(text, 1.05)
    a0, a1 = sides(result, "L1.i", 1)
    b0, b1 = sides(result, "L2.i", 1)
    assert a1 == pytest.approx((L1 * a0 + L2 * b0) / (L1 + L2), rel=1e-10)
    assert b1 == pytest.approx(a1, rel=1e-12)
    assert sides(result, "D.off", 1)[1] == 1
    assert weight(result, "D.v") == pytest.approx(L1 * (a1 - a0), rel=1e-10)


def test_impulses_are_in_the_event_log() -> None:
    """The event at which the capacitors are joined says what flowed."""
    result = run(joined_capacitors(1, 2, 3, 0), 2)
    event = next(e for e in result.events if e.time == 1)
    assert sorted(abs(i.weight) for i in event.impulses) == pytest.approx(
        [2] * len(event.impulses), rel=1e-10
    )
    assert "impulse of" in str(event)
    assert all(not e.impulses for e in result.events if e.time != 1)


def test_contact_that_bounces() -> None:
    """A capacitor of 1 F is put to one of 1 F and off again, time after time; that one is emptied between by
    another switch. Each contact halves the charge."""
    text = circuit(
        "  Capacitor A(C = 1, v(start = 8, fixed = true)), B(C = 1, v(start = 0, fixed = true));\n"
        "  IdealSwitch S(closed = mod(time, 1) < 0.25 and time > 0.5);\n"
        "  IdealSwitch E(closed = mod(time, 1) > 0.5);\n",
        nodes("A.p S.p", "S.n B.p E.p", "A.n B.n E.n ground.p"),
    )
    result = run(text, 4.75)
    rows = np.searchsorted(result.time, [0.75, 1.1, 1.6, 2.1, 3.1, 4.1, 4.6])
    np.testing.assert_allclose(result["A.v"][rows], [8, 4, 4, 2, 1, 0.5, 0.5], rtol=1e-9)
    np.testing.assert_allclose(result["B.v"][rows], [0, 4, 0, 2, 1, 0.5, 0], rtol=1e-9, atol=1e-12)
    given = [i.weight for i in result.impulses["S.i"]]
    assert given == pytest.approx([4, 2, 1, 0.5], rel=1e-9)
    emptied = [i.weight for i in result.impulses["E.i"]]
    assert emptied == pytest.approx([4, 2, 1, 0.5], rel=1e-9)

"""Switch, diode, thyristor, GTO, transistor and changeover switch against closed forms, ideal and leaky."""

from __future__ import annotations

import numpy as np
import pytest
from linear_phases import Vector, far_from
from scipy.optimize import brentq

import saltus
from saltus.result.result import Result
from translated_models import translated

COVERS = (
    "Saltus.Electrical.Switch",
    "Saltus.Electrical.Diode",
    "Saltus.Electrical.Thyristor",
    "Saltus.Electrical.GTO",
    "Saltus.Electrical.Transistor",
    "Saltus.Electrical.TwoWaySwitch",
)

W = 100 * np.pi


def example(name: str, tolerance: float = 1e-9, **options: object) -> Result:
    model = translated(f"Saltus.Examples.Electrical.{name}")
    return model.simulate(tolerance=tolerance, **options)  # type: ignore[arg-type]


def run(declarations: str, equations: str, stop: float, points: int = 400) -> Result:
    """A model with these parts, `E.` being short for `Saltus.Electrical.`, and a ground."""
    text = (
        f"model M\n  import E = Saltus.Electrical;\n  E.Ground ground;\n{declarations}\n"
        f"equation\n{equations}\nend M;\n"
    )
    return saltus.load(text).simulate(stop_time=stop, interval=stop / points, tolerance=1e-10)


def series(valve: str, amplitude: float = 10.0, resistance: float = 5.0) -> tuple[str, str]:
    """An alternating source of 50 Hz, a valve `X` and a resistor, without any state."""
    return (
        f"  E.Sources.SineVoltage V(V = {amplitude});\n  {valve};\n  E.Resistor R(R = {resistance});",
        "  connect(V.p, X.p); connect(X.n, R.p); connect(R.n, V.n); connect(V.n, ground.p);",
    )


LEAKS = "Ron = 0.5, Goff = 0.01"
RON, GOFF, KNEE = 0.5, 0.01, 0.7


def knee_line(u: Vector, r: float = 5.0) -> Vector:
    """The current if the source `u` drives a valve on its conducting line through `r`. The line begins at the
    knee, with what leaks there: v = KNEE + RON (i - GOFF KNEE)."""
    return (u - KNEE + RON * GOFF * KNEE) / (RON + r)


def leak_line(u: Vector, r: float = 5.0) -> Vector:
    """The same on the blocking line, i = GOFF v."""
    return u * GOFF / (1 + GOFF * r)


# ---------------------------------------------------------------- switch


def test_closing_switch_shares_charge() -> None:
    """12 V on 10 uF and nothing on 20 uF: 4 V on both, 80 uC in no time, and one state less."""
    result = example("ChargeSharing")
    t = result.time
    joined = t > 0.005
    common = 4 * np.exp(-(t - 0.005) / 0.03)
    np.testing.assert_allclose(result["C1.v"][joined], common[joined], rtol=1e-7)
    np.testing.assert_allclose(result["C2.v"][joined], common[joined], rtol=1e-7)
    assert np.all(result["C1.v"][t < 0.005] == 12)
    assert [one.weight for one in result.impulses["S.i"]] == pytest.approx([8e-5], rel=1e-12)
    assert len(result.impulses["R.i"]) == 0
    assert [len(mode.states) for mode in result.modes.visited] == [2, 1]


def test_opening_switch_ends_a_current() -> None:
    """The flux of the coil without a diode is an impulse of voltage; the other coil's current fades."""
    result = example("RelayCoil")
    t, tau = result.time, 0.6 / 120
    rising = 0.2 * (1 - np.exp(-t / tau))
    peak = 0.2 * (1 - np.exp(-0.05 / tau))
    before, after = t < 0.05, t > 0.05
    for coil in ("L1.i", "L2.i"):
        np.testing.assert_allclose(result[coil][before], rising[before], atol=1e-9)
    np.testing.assert_allclose(result["L1.i"][after], (peak * np.exp(-(t - 0.05) / tau))[after], atol=2e-8)
    assert np.all(result["L2.i"][after] == 0)
    assert [one.weight for one in result.impulses["L2.v"]] == pytest.approx([-0.6 * peak], rel=1e-7)
    assert [one.weight for one in result.impulses["S2.v"]] == pytest.approx([0.6 * peak], rel=1e-7)
    assert len(result.impulses["L1.v"]) == 0


def test_switch_with_leaks() -> None:
    """Two capacitors meet exponentially, slowly while it is open, fast once it is closed; no impulse."""
    result = run(
        "  E.Capacitor C1(C = 1e-3, v(start = 10, fixed = true)), C2(C = 1e-3, v(start = 0, fixed = true));\n"
        "  E.Switch S(Ron = 2, Goff = 0.01, closed = time >= 0.02);",
        "  connect(C1.p, S.p); connect(S.n, C2.p); connect(C1.n, C2.n); connect(C1.n, ground.p);",
        0.04,
    )
    t = result.time
    open_rate, closed_rate = 2 * 0.01 / 1e-3, 2 / (2 * 1e-3)
    v = 10 * np.exp(-open_rate * np.minimum(t, 0.02) - closed_rate * np.maximum(t - 0.02, 0))
    np.testing.assert_allclose(result["S.v"], v, atol=1e-7)
    np.testing.assert_allclose(result["C1.v"] + result["C2.v"], 10, atol=1e-9)  # charge
    assert len(result.impulses) == 0


# ---------------------------------------------------------------- diode


def test_diode_before_an_inductor() -> None:
    """L i' + R i = V sin(W t) from the beginning of each period until the current ends."""
    result = example("HalfWaveRectifier")
    r, x = 5.0, W * 0.02

    def current(t: Vector | float) -> Vector:
        forced = r * np.sin(W * np.asarray(t)) - x * np.cos(W * np.asarray(t))
        return 34 / (r**2 + x**2) * (forced + x * np.exp(-r / 0.02 * np.asarray(t)))

    end = brentq(lambda t: float(current(t)), 0.011, 0.015, xtol=1e-16)
    assert end == pytest.approx(0.01296, abs=5e-6)  # as the example says
    since = np.mod(result.time, 0.02)
    np.testing.assert_allclose(result["L.i"], np.where(since < end, current(since), 0), atol=2e-6)
    away = far_from(since, [0, end, 0.02], 1e-6)
    blocking = np.where(since < end, 0, 34 * np.sin(W * since))
    np.testing.assert_allclose(result["D.v"][away], blocking[away], atol=1e-6)
    assert [(len(m.states), m.index) for m in result.modes.visited] == [(1, 0), (0, 2)]


def test_diode_with_knee_and_leaks() -> None:
    """Two straight lines that meet at the knee: the current of either, whichever is larger."""
    result = run(*series(f"E.Diode X({LEAKS}, Vknee = {KNEE})"), 0.04)
    u = 10 * np.sin(W * result.time)
    np.testing.assert_allclose(result["X.i"], np.maximum(knee_line(u), leak_line(u)), atol=1e-9)
    np.testing.assert_allclose(result["X.v"] + 5 * result["X.i"], u, atol=1e-9)
    assert result.statistics["programs"] == 1  # no mode needs equations of its own


def test_diode_charges_a_capacitor_at_once() -> None:
    """A switch applies 5 V through a diode: one instant of conduction, then it blocks. From below the diode
    would not conduct, and the capacitor keeps what it has."""
    result = run(
        "  E.Sources.ConstantVoltage V(V = 5);\n  E.Diode D;\n"
        "  E.TwoWaySwitch S(control = time >= 0.5);\n  E.Sources.ConstantVoltage V0(V = -3);\n"
        "  E.Capacitor C(C = 2, v(start = 1, fixed = true));",
        "  connect(V0.p, S.n1); connect(V.p, S.n2); connect(S.p, D.p); connect(D.n, C.p);\n"
        "  connect(C.n, V.n); connect(V0.n, V.n); connect(V.n, ground.p);",
        1.0,
    )
    early, late = result.time < 0.5, result.time > 0.5
    assert np.all(result["C.v"][early] == 1) and np.all(result["C.v"][late] == 5)
    np.testing.assert_allclose(result["D.v"][early], -4, atol=1e-12)
    assert [one.weight for one in result.impulses["D.i"]] == pytest.approx([8], rel=1e-12)


# ---------------------------------------------------------------- thyristor


def fired_current(angle: float, t: Vector | float) -> Vector:
    """20 ohm and 80 mH at 325 V, fired at an angle of a half-wave: from there on, without an end."""
    r, inductance = 20.0, 0.08
    phi = np.arctan2(W * inductance, r)
    decay = np.exp(-(np.asarray(t) - angle / W) * r / inductance)
    amplitude = 325 / np.hypot(r, W * inductance)
    return amplitude * (np.sin(W * np.asarray(t) - phi) - np.sin(angle - phi) * decay)


@pytest.mark.parametrize("degrees", [60, 100, 150])
def test_thyristors_conduct_from_the_angle_until_the_current_ends(degrees: int) -> None:
    result = example("PhaseAngleControl", set={"angle": float(degrees)})
    t, angle = result.time, np.radians(degrees)
    begin = angle / W
    end = brentq(lambda x: float(fired_current(angle, x)), begin + 1e-4, 0.0199, xtol=1e-16)
    half = np.mod(t - begin, 0.01)  # since the last firing
    sign = np.where(np.floor((t - begin) / 0.01) % 2 == 0, 1, -1)
    conducting = (half < end - begin) & (t >= begin)
    expected = np.where(conducting, sign * fired_current(angle, half + begin), 0)
    np.testing.assert_allclose(result["R.i"], expected, atol=2e-6)
    away = far_from(half, [0, end - begin, 0.01], 1e-6)
    assert np.all(result["R.i"][away & ~conducting] == 0)
    kept = np.where(conducting, 0, 325 * np.sin(W * t))
    np.testing.assert_allclose(result["T1.v"][away], kept[away], atol=1e-4)
    np.testing.assert_allclose(result["T1.i"][away & (sign < 0)], 0, atol=1e-12)


def test_thyristor_that_is_fired_too_early_stays_off() -> None:
    """The pulse ends before the voltage is positive. A pulse that lasts until then fires it at the zero."""
    early = run(*series("E.Thyristor X(fire = time > 0.015 and time < 0.019)"), 0.03)
    assert np.all(early["R.i"] == 0) and np.all(early["X.off"] == 1)
    long = run(*series("E.Thyristor X(fire = time > 0.015 and time < 0.021)"), 0.04)
    u = 10 * np.sin(W * long.time)
    np.testing.assert_allclose(
        long["R.v"], np.where((long.time > 0.02) & (long.time < 0.03), u, 0), atol=1e-8
    )


def test_thyristor_with_knee_and_leaks() -> None:
    """Fired at 5 ms and 25 ms; on the conducting line from then until the current is down at the corner."""
    valve = (
        f"E.Thyristor X({LEAKS}, Vknee = {KNEE}, fire = mod(time, 0.02) > 0.005 and mod(time, 0.02) < 0.006)"
    )
    result = run(*series(valve), 0.04)
    since = np.mod(result.time, 0.02)
    u = 10 * np.sin(W * result.time)
    end = 0.01 - np.arcsin((KNEE + 5 * GOFF * KNEE) / 10) / W  # where the lines meet
    away = far_from(since, [0.005, end, 0.02], 1e-7)
    on = (since > 0.005) & (since < end)
    expected = np.where(on, knee_line(u), leak_line(u))
    np.testing.assert_allclose(result["X.i"][away], expected[away], atol=1e-9)


# ---------------------------------------------------------------- GTO


def test_gto_holds_a_current_between_limits() -> None:
    """Rises towards 24 A, falls towards zero, both with L/R of 10 ms."""
    result = example("GTOChopper")
    tau = 0.02 / 2
    t, expected = tau * np.log(24 / (24 - 10.5)), []
    rise, fall = tau * np.log((24 - 9.5) / (24 - 10.5)), tau * np.log(10.5 / 9.5)
    while t < 0.04:
        expected.append(t)
        t += fall if len(expected) % 2 else rise
    changes = [stay.start for stay in result.modes][1:]
    assert len(changes) > 20
    assert changes == pytest.approx(expected, abs=1e-8)
    later = result.time > 0.006
    assert result["L.i"][later].max() == pytest.approx(10.5, abs=1e-7)
    assert result["L.i"][later].min() == pytest.approx(9.5, abs=1e-7)
    np.testing.assert_allclose(result["T.i"] + result["D.i"], result["L.i"], atol=1e-12)


@pytest.mark.parametrize("leaks", [False, True])
def test_gto_blocks_both_ways(leaks: bool) -> None:
    """On only where it is fired and the source is positive."""
    parameters = f"{LEAKS}, Vknee = {KNEE}, " if leaks else ""
    result = run(*series(f"E.GTO X({parameters}fire = mod(time, 0.004) < 0.0015)"), 0.04)
    t = result.time
    u = 10 * np.sin(W * t)
    fired = np.mod(t, 0.004) < 0.0015
    if leaks:
        expected = np.where(fired, np.maximum(knee_line(u), leak_line(u)), leak_line(u))
    else:
        expected = np.where(fired, np.maximum(u / 5, 0), 0)
    away = far_from(np.mod(t, 0.004), [0, 0.0015, 0.004], 1e-9)
    np.testing.assert_allclose(result["X.i"][away], expected[away], atol=1e-9)
    np.testing.assert_allclose(result["X.v"][away], (u - 5 * expected)[away], atol=1e-9)


# ---------------------------------------------------------------- transistor


@pytest.mark.parametrize("leaks", [False, True])
def test_transistor_forward_by_its_gate_backward_always(leaks: bool) -> None:
    """With the gate on the channel conducts both ways, without the knee; with the gate off the diode does."""
    parameters = f"{LEAKS}, Vknee = {KNEE}, " if leaks else ""
    result = run(*series(f"E.Transistor X({parameters}gate = mod(time, 0.004) < 0.0015)"), 0.04)
    t = result.time
    u = 10 * np.sin(W * t)
    gate = np.mod(t, 0.004) < 0.0015
    if leaks:
        diode = -np.maximum(knee_line(-u), leak_line(-u))
        expected = np.where(gate, u / (RON + 5), diode)
    else:
        expected = np.where(gate, u / 5, np.minimum(u / 5, 0))
    away = far_from(np.mod(t, 0.004), [0, 0.0015, 0.004], 1e-9)
    np.testing.assert_allclose(result["X.i"][away], expected[away], atol=1e-9)
    np.testing.assert_allclose(result["X.v"][away], (u - 5 * expected)[away], atol=1e-9)


# ---------------------------------------------------------------- changeover switch


def test_changeover_switch_carries_charge() -> None:
    """1 uF takes 10 V from the battery and shares it with 10 uF, a thousand times a second: by recursion."""
    result = example("SwitchedCapacitor")
    small, large, load, half = 1e-6, 1e-5, 1000.0, 5e-4
    output, t, given, taken = 0.0, half, [], []
    rows = np.zeros(len(result.time))
    v2 = [(0.0, half, 0.0, load * large)]  # from, to, value at first, time constant
    while t < 0.04:
        joined = (small * 10 + large * output) / (small + large)
        given.append(large * (joined - output))
        v2.append((t, t + half, joined, load * (small + large)))
        left = joined * np.exp(-half / (load * (small + large)))
        taken.append(small * (10 - left))
        v2.append((t + half, t + 2 * half, left, load * large))
        output, t = left * np.exp(-half / (load * large)), t + 2 * half
    for start, stop, value, tau in v2:
        part = (result.time >= start) & (result.time < stop)
        rows[part] = value * np.exp(-(result.time[part] - start) / tau)
    away = far_from(result.time, [part[0] for part in v2], 1e-9) & (result.time < 0.04)
    np.testing.assert_allclose(result["C2.v"][away], rows[away], atol=1e-7)
    to_output = [one.weight for one in result.impulses["C2.i"]]
    from_battery = [-one.weight for one in result.impulses["V.i"]]
    assert len(to_output) == 40
    assert to_output == pytest.approx(given, rel=1e-6)
    assert from_battery == pytest.approx(taken[: len(from_battery)], rel=1e-6)
    # When it has settled, what C1 brings in a period goes through the load, as if a resistor of
    # period/C1 = 1000 ohm were there, with the output's voltage at the end of each visit.
    late = result.time >= 0.039 - 1e-9
    mean = np.trapezoid(result["C2.v"][late], result.time[late]) / 1e-3
    assert mean == pytest.approx(load * small / 1e-3 * (10 - left), abs=0.01)


def test_changeover_switch_with_leaks() -> None:
    """A source behind 5 ohm, 2 ohm behind each contact: the closed side has 0.5 ohm, the open one 0.01 S."""
    result = run(
        "  E.Sources.ConstantVoltage V(V = 10);\n  E.Resistor R(R = 5), R1(R = 2), R2(R = 2);\n"
        f"  E.TwoWaySwitch S({LEAKS}, control = time >= 0.5);",
        "  connect(V.p, R.p); connect(R.n, S.p); connect(S.n1, R1.p); connect(S.n2, R2.p);\n"
        "  connect(R1.n, V.n); connect(R2.n, V.n); connect(V.n, ground.p);",
        1.0,
    )
    closed, opened = 1 / (RON + 2), 1 / (1 / GOFF + 2)
    common = 10 / (1 + 5 * (closed + opened))
    first, second = result.time < 0.5, result.time > 0.5
    for one, other, when in (("S.i1", "S.i2", first), ("S.i2", "S.i1", second)):
        np.testing.assert_allclose(result[one][when], common * closed, rtol=1e-12)
        np.testing.assert_allclose(result[other][when], common * opened, rtol=1e-12)

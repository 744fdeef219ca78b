"""Friction, grips, brakes, couplings and pawls of Saltus.Translational.

Truth: closed forms between events, whose times are found by bisection in the test; for blocks on top of each
other and for the bowed string an integration of its own, which tries the modes at every event.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.optimize import brentq
from stacked_blocks import motion

import saltus
from translated_models import translated

COVERS = (
    "Saltus.Translational.Friction",
    "Saltus.Translational.PeakFriction",
    "Saltus.Translational.StribeckFriction",
    "Saltus.Translational.Grip",
    "Saltus.Translational.Brake",
    "Saltus.Translational.Coupling",
    "Saltus.Translational.OneWay",
    "Saltus.Translational.Sources.SignalAcceleration",
)

Vector = NDArray[np.float64]
EXAMPLES = "Saltus.Examples.Translational."
G = 9.81


def turning_points(result: saltus.Result, *names: str) -> list[float]:
    """When any of these Booleans changes."""
    rows = [np.flatnonzero(np.diff(np.asarray(result[name], dtype=int))) + 1 for name in names]
    return [float(t) for t in np.unique(np.asarray(result.time)[np.concatenate(rows)])]


# ---------------------------------------------------------------- dry friction


def test_box_on_a_truck() -> None:
    """The box keeps up with 2 m/s2, slides on at -0.4*g while the truck brakes with 5 m/s2, and stops."""
    result = translated(EXAMPLES + "LoadingPlatform").simulate(tolerance=1e-10)
    t, a = np.asarray(result.time), 0.4 * G
    stop = 4 + 8 / a
    assert turning_points(result, "platform.forward") == pytest.approx([4, stop], abs=1e-6)
    speed = np.where(t < 4, 2 * t, np.maximum(0, 8 - a * (t - 4)))
    np.testing.assert_allclose(result["box.v"], speed, atol=1e-6)
    truck = np.where(t < 4, 2 * t, np.maximum(0, 8 - 5 * (t - 4)))
    np.testing.assert_allclose(result["truck.v"], truck, atol=1e-6)
    assert result["platform.s_rel"][-1] == pytest.approx(32 / a - 32 / 5, abs=1e-6)
    # What holds the box while it keeps up is friction below its limit.
    early = (t > 0) & (t < 4)
    np.testing.assert_allclose(result["platform.f"][early], -50 * 2, atol=1e-6)
    assert len(result.impulses) == 0


@pytest.mark.parametrize("d", [0.0, 4.0])
def test_slide_to_rest(d: float) -> None:
    """m v' = -(f_c + d v): v = (v0 + f_c/d)*exp(-d t/m) - f_c/d, or a straight line."""
    result = saltus.load(
        f"""model Slide
          Saltus.Translational.Fixed table;
          Saltus.Translational.Friction friction(f_c = 6, d = {d});
          Saltus.Translational.Mass body(m = 2, s(fixed = true), v(start = 5, fixed = true));
        equation
          connect(table.flange, friction.flange_a);
          connect(friction.flange_b, body.flange_a);
        end Slide;"""
    ).simulate(stop_time=2.5, tolerance=1e-10)
    t = np.asarray(result.time)
    v = 5 - 3 * t if d == 0 else (5 + 6 / d) * np.exp(-d * t / 2) - 6 / d
    np.testing.assert_allclose(result["body.v"], np.maximum(v, 0), atol=1e-7)
    end = 5 / 3 if d == 0 else math.log(1 + 5 * d / 6) * 2 / d
    assert turning_points(result, "friction.forward") == pytest.approx([end], abs=1e-7)
    np.testing.assert_allclose(result["friction.f"][t > end + 1e-6], 0, atol=1e-12)


def test_stacked_blocks() -> None:
    result = translated(EXAMPLES + "StackedBlocks").simulate(tolerance=1e-10)
    t = np.asarray(result.time)
    expected = motion(20.0)
    assert len({part.modes for part in expected}) >= 6
    names = ("below.forward", "below.backward", "between.forward", "between.backward")
    assert turning_points(result, *names) == pytest.approx([part.start for part in expected[1:]], abs=1e-6)
    for part in expected:
        rows = np.flatnonzero((t > part.start + 1e-6) & (t < part.end - 1e-6))
        if not len(rows):
            continue
        for name, values in zip(("lower.s", "upper.s", "lower.v", "upper.v"), part.at(t[rows]), strict=True):
            np.testing.assert_allclose(result[name][rows], values, atol=2e-6)
        for name, mode in zip(("below", "between"), part.modes, strict=True):
            found = np.asarray(result[name + ".forward"], int) - np.asarray(result[name + ".backward"], int)
            assert (found[rows] == mode).all()


def test_stick_and_slip_with_a_peak() -> None:
    """It is dragged up to the speed of the belt; then it sticks until the spring pulls with 1.5 N, slips for
    3/4 of a turn, sticks for 2 s, and so on."""
    result = translated(EXAMPLES + "JerkyBelt").simulate(tolerance=1e-10)
    slip = 1.5 * math.pi
    first = math.pi / 6  # s = 1 - cos(t), v = sin(t)
    expected = [first, first + (0.5 + math.cos(first)) / 0.5]
    while expected[-1] < 30:
        expected += [expected[-1] + slip, expected[-1] + slip + 2]
    expected = [x for x in expected if x < 30]
    assert turning_points(result, "friction.backward") == pytest.approx(expected, abs=1e-6)
    t = np.asarray(result.time)
    rows = np.flatnonzero(t < first - 1e-5)
    np.testing.assert_allclose(result["body.v"][rows], np.sin(t[rows]), atol=2e-6)
    for k, start in enumerate(expected[1:]):
        end = expected[k + 2] if k + 2 < len(expected) else 30.0
        rows = np.flatnonzero((t > start + 1e-5) & (t < end - 1e-5))
        since = t[rows] - start
        if k % 2:
            position, force = 0.5 + 0.5 * since, -(0.5 + 0.5 * since)
        else:
            position, force = 1 + 0.5 * (np.cos(since) + np.sin(since)), -np.ones(len(rows))
        np.testing.assert_allclose(result["body.s"][rows], position, atol=2e-6)
        np.testing.assert_allclose(result["friction.f"][rows], force, atol=2e-6)
    assert len(result.impulses) == 0


def test_bowed_string() -> None:
    """Sticks to the bow until c*s = f_s, slips with the falling curve until it is as fast again."""
    result = translated(EXAMPLES + "BowedString").simulate(tolerance=1e-10)
    m, c, d, f_c, f_s, v_s, bow = 1e-3, 7.6e3, 0.02, 0.3, 1.0, 0.15, 0.2

    def slip(_: float, y: Vector) -> list[float]:
        v_rel = y[1] - bow
        friction = f_c + (f_s - f_c) * math.exp(-((v_rel / v_s) ** 2))
        return [y[1], (friction - c * y[0] - d * y[1]) / m]

    def caught(t: float, y: Vector) -> float:
        return -1.0 if t < 1e-6 else float(y[1] - bow)

    caught.terminal = True  # type: ignore[attr-defined]
    caught.direction = 1  # type: ignore[attr-defined]
    t = np.asarray(result.time)
    rest = (f_s - d * bow) / c  # where it breaks away
    # At the beginning the string stands and the bow passes: it slides and is caught.
    begin, y, times = 0.0, [0.0, 0.0], []
    while begin < 0.03:
        run = solve_ivp(
            slip, (0.0, 0.03), y, events=caught, rtol=1e-11, atol=1e-14, max_step=1e-5, dense_output=True
        )
        rows = np.flatnonzero((t > begin + 1e-8) & (t < begin + run.t[-1] - 1e-8))
        np.testing.assert_allclose(result["string.v"][rows], run.sol(t[rows] - begin)[1], atol=1e-5)
        times.append(begin + run.t[-1])
        begin = times[-1] + (rest - run.y[0, -1]) / bow
        times.append(begin)
        y = [rest, bow]
    times = [x for x in times if x < 0.03]
    assert len(times) > 15
    assert turning_points(result, "rosin.backward") == pytest.approx(times, abs=1e-8)


# ---------------------------------------------------------------- what is pressed and locked


def test_cable_car() -> None:
    result = translated(EXAMPLES + "CableCar").simulate(tolerance=1e-10)
    t = np.asarray(result.time)
    pull, down, brake = 0.4 * 2 * 20e3 / 8000, G * math.sin(0.05), 0.35 * 2 * 15e3 / 8000

    def slipping(t: float) -> float:
        """Speed while the grip slips: it is closed from 1 s to 6 s."""
        ramp = min(max(t - 1, 0), 5)
        return pull * (ramp**2 / 10 + max(t - 6, 0)) - down * t

    same = float(brentq(lambda t: slipping(t) - 4, 2, 20))
    rest = 22 + (4 - 2 * down) / (brake + down)
    assert slipping(1.0) < 0 < 4 - 2 * down
    speed = np.where(t < same, [slipping(x) for x in t], 4.0)
    speed = np.where(t > 20, 4 - down * (t - 20), speed)
    speed = np.where(t > 22, np.maximum(0, 4 - 2 * down - (brake + down) * (t - 22)), speed)
    np.testing.assert_allclose(result["car.v"], speed, atol=1e-6)
    held = (t > same + 1e-4) & (t < 20)
    np.testing.assert_allclose(result["grip.f"][held], -8000 * down, rtol=1e-8)
    parked = t > rest + 1e-4
    np.testing.assert_allclose(result["brake.pads.f"][parked], -8000 * down, rtol=1e-8)
    np.testing.assert_allclose(result["grip.f"][parked], 0, atol=1e-9)
    assert len(result.impulses) == 0


def test_brake_that_holds_more_than_it_brakes() -> None:
    """Pulled harder and harder it breaks away at `peak` times the force with which it then brakes."""
    result = saltus.load(
        """model Pull
          Saltus.Translational.Sources.SignalForce pull(f = 10*time);
          Saltus.Translational.Mass body(m = 2, s(fixed = true), v(fixed = true));
          Saltus.Translational.Brake brake(mu = 0.5, cgeo = 2, fn_max = 10, peak = 1.5, d = 0, press = 1);
        equation
          connect(pull.flange, body.flange_a);
          connect(body.flange_b, brake.flange_a);
        end Pull;"""
    ).simulate(stop_time=2, tolerance=1e-10)
    t = np.asarray(result.time)
    since = np.maximum(t - 1.5, 0)
    np.testing.assert_allclose(result["body.v"], (5 * since + 5 * since**2) / 2, atol=1e-6)
    assert turning_points(result, "brake.pads.forward") == pytest.approx([1.5], abs=1e-8)


def test_coupling_keeps_momentum_and_distance() -> None:
    result = saltus.load(
        """model Wagons
          Saltus.Translational.Mass a(m = 2, s(start = 0, fixed = true), v(start = 3, fixed = true));
          Saltus.Translational.Mass b(m = 4, s(start = 10, fixed = true), v(start = -1, fixed = true));
          Saltus.Translational.Coupling hook(closed = time > 1 and time < 2);
          Saltus.Translational.Sources.ConstantForce push(f = 6);
        equation
          connect(a.flange_b, hook.flange_a);
          connect(hook.flange_b, b.flange_a);
          connect(push.flange, b.flange_b);
        end Wagons;"""
    ).simulate(stop_time=3, tolerance=1e-10)
    t = np.asarray(result.time)
    # Before: 3, and -1 + 1.5 t. Together: (6 + 4*0.5)/6 and 1 m/s2; then a keeps its speed.
    both = (2 * 3 + 4 * 0.5) / 6
    a = np.where(t <= 1, 3, np.where(t < 2, both + (t - 1), both + 1))
    b = np.where(t <= 1, -1 + 1.5 * t, np.where(t < 2, both + (t - 1), both + 1 + 1.5 * (t - 2)))
    away = (np.abs(t - 1) > 1e-9) & (np.abs(t - 2) > 1e-9)
    np.testing.assert_allclose(result["a.v"][away], a[away], atol=1e-7)
    np.testing.assert_allclose(result["b.v"][away], b[away], atol=1e-7)
    (impulse,) = result.impulses["hook.f"]
    assert impulse.weight == pytest.approx(-4 * (both - 0.5))  # it pushes them apart
    held = (t > 1) & (t < 2)
    np.testing.assert_allclose(np.ptp(result["hook.s_rel"][held]), 0, atol=1e-12)
    np.testing.assert_allclose(result["hook.f"][held], 2, atol=1e-9)  # drags 2 kg along with 1 m/s2


def test_pawl_under_a_jack() -> None:
    """While it rises m v' = 9000 sin(3t) - m g - d v; at v = 0 the pawl holds it until the arm is strong."""
    result = translated(EXAMPLES + "CarJack").simulate(tolerance=1e-10)
    m, d, f, w = 600.0, 20e3, 9000.0, 3.0
    t = np.asarray(result.time)
    rise, lost = m * G, d / m
    size = f / math.hypot(d, m * w)
    phase = math.atan2(m * w, d)

    def steady(t: float) -> float:
        return size * math.sin(w * t - phase) - rise / d

    expected: list[tuple[float, float]] = []
    first = math.asin(rise / f) / w
    while first < 8:
        start = first

        def speed(t: float, start: float = start) -> float:
            return steady(t) - steady(start) * math.exp(-lost * (t - start))

        end = float(brentq(speed, start + 0.1, start + 1.0, xtol=1e-13))
        expected.append((start, end))
        rows = np.flatnonzero((t > start + 1e-6) & (t < end - 1e-6))
        np.testing.assert_allclose(result["car.v"][rows], [speed(x) for x in t[rows]], atol=1e-7)
        first += 2 * math.pi / w
    times = [x for pair in expected for x in pair if x < 8]
    assert turning_points(result, "pawl.free") == pytest.approx(times, abs=1e-6)
    locked = np.asarray(result["pawl.free"]) == 0
    np.testing.assert_allclose(result["car.v"][locked], 0, atol=1e-9)
    load = f * np.sin(w * t[locked]) - rise
    np.testing.assert_allclose(result["pawl.f"][locked], load, atol=1e-3)


def test_pawl_is_struck() -> None:
    """Drawn ahead it opens without an impulse; thrown back it locks with one."""
    text = """model Struck
      Saltus.Translational.Mass a(m = 2, s(fixed = true), v(start = 1, fixed = true));
      Saltus.Translational.OneWay pawl;
      Saltus.Translational.Mass b(m = 3, s(fixed = true), v(start = 1, fixed = true));
      Saltus.Translational.Mass c(m = 5, s(fixed = true), v(start = {speed}, fixed = true));
      Saltus.Translational.Coupling hook(closed = time > 0.5);
    equation
      connect(a.flange_b, pawl.flange_a);
      connect(pawl.flange_b, b.flange_a);
      connect(c.flange_a, hook.flange_b);
      connect(b.flange_b, hook.flange_a);
    end Struck;"""
    ahead = saltus.load(text.format(speed=9)).simulate()
    assert not ahead.impulses["pawl.f"]
    assert (ahead["a.v"][-1], ahead["b.v"][-1]) == pytest.approx((1, (3 + 45) / 8))
    back = saltus.load(text.format(speed=-9)).simulate()
    together = (2 + 3 - 45) / 10
    assert (back["a.v"][-1], back["b.v"][-1]) == pytest.approx((together, together))
    (impulse,) = back.impulses["pawl.f"]
    assert impulse.weight == pytest.approx(2 * (together - 1))

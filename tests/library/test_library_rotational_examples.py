"""What the documentation of the rotational and powertrain examples promises, in numbers found by hand."""

from __future__ import annotations

import numpy as np
import pytest
from rotational_rigs import gearbox_speeds, leaps, limits

import saltus
from translated_models import translated


def example(name: str, tolerance: float = 1e-9, **options: object) -> saltus.Result:
    model = translated(f"Saltus.Examples.{name}")
    return model.simulate(tolerance=tolerance, **options)  # type: ignore[arg-type]


def test_coupled_clutches_share_the_momentum_of_the_drive() -> None:
    """All inertias are 1: the sum of speeds is the 10 of the start and the integral of the torque."""
    result = example("Rotational.CoupledClutches")
    t = result.time
    total = result["J1.w"] + result["J2.w"] + result["J3.w"]
    drive = 10 / (2 * np.pi * 0.25) * (1 - np.cos(2 * np.pi * 0.25 * t))
    np.testing.assert_allclose(total, 10 + drive, atol=1e-6)
    for name in ("clutch1", "clutch2"):
        slips = (result[f"{name}.forward"] == 1) | (result[f"{name}.backward"] == 1)
        assert np.all(np.abs(result[f"{name}.w_rel"][~slips]) < 1e-9) and slips.any() and not slips.all()
        assert np.all(np.abs(result[f"{name}.tau"]) <= result[f"{name}.tau_stick"] + 1e-6)
    assert len(result.impulses) == 0
    # Speeds are states while clutches slip: three of them, two, one.
    counts = {len(mode.states) for mode in result.modes.visited}
    assert max(counts) - min(counts) == 2


def test_planetary_gear_shifts_to_three_to_one() -> None:
    """Free ring: by Lagrange. Held ring: J_sun + J_load/9 as seen from the sun."""
    result = example("Rotational.PlanetaryShift")
    t = result.time
    g = np.array([1.0, -3.0, 2.0])
    matrix = np.block([[np.diag([0.05, 2.0, 0.1]), g[:, None]], [g[None, :], np.zeros((1, 1))]])
    free = np.linalg.solve(matrix, [5.0, 0.0, 0.0, 0.0])[:3]
    for name, a in zip(("sunShaft", "load", "ringShaft"), free, strict=True):
        np.testing.assert_allclose(result[f"{name}.w"][t <= 1], a * t[t <= 1], rtol=1e-6, atol=1e-7)
    assert free[2] < 0  # backwards
    held = t > leaps(result)[-1]
    assert held.sum() > 100
    np.testing.assert_allclose(result["ringShaft.w"][held], 0, atol=1e-12)
    np.testing.assert_allclose(result["sunShaft.w"][held], 3 * result["load.w"][held], rtol=1e-9)
    np.testing.assert_allclose(result["sunShaft.a"][held], 5 / (0.05 + 2 / 9), rtol=1e-7)


def test_differential_gives_each_wheel_what_the_ice_can_hold() -> None:
    """120 N.m at each wheel. Open: the wheel on ice accelerates with (120 - 60)/2, the other one and the drag
    of the ice, 60, pull the car. Locked: both wheels do."""
    result = example("Rotational.SplitFriction")
    t = result.time
    early, late = t <= 2, t > leaps(result)[-1]
    np.testing.assert_allclose(result["right.a"][early], (120 - 60) / 2, rtol=1e-9)
    slow = (120 + 60) / (100 + 2)
    np.testing.assert_allclose(result["car.a"][early], slow, rtol=1e-9)
    np.testing.assert_allclose(result["left.w"], result["car.w"], atol=1e-8)  # on asphalt it sticks
    # Locked, the wheel on ice has come down to the speed of the car and sticks as well.
    np.testing.assert_allclose(result["car.a"][late], 240 / (100 + 4), rtol=1e-7)


def test_starter_is_overrun() -> None:
    """Locked: one inertia as seen from the engine, J + 100 J_rotor; free: two shafts, one state more."""
    result = example("Rotational.Starter")
    t = result.time
    locked = t <= 0.6
    together = 0.2 + 0.002 * 100
    drag = 0.1 + 0.05 * 100
    final = (12 * 10 - 20) / drag
    np.testing.assert_allclose(
        result["engine.w"][locked], final * (1 - np.exp(-drag / together * t[locked])), rtol=1e-6, atol=1e-6
    )
    late = t > 0.6
    assert np.all(result["freewheel.free"][late][1:] == 1)
    before = limits(result, 0.6, "engine.w")[0][0]
    top = (60 - 20) / 0.1
    expected = top + (before - top) * np.exp(-0.1 / 0.2 * (t[late] - 0.6))
    np.testing.assert_allclose(result["engine.w"][late], expected, rtol=1e-6)
    assert len(result.modes.at(0.8).states) == len(result.modes.at(0.3).states) + 1


def test_engine_brakes_when_its_clutch_is_pressed() -> None:
    """Driving with 40 - 10 on 4.3; coasting; engine alone down by 10/0.3; braking with 10 on 4.3 at last."""
    result = example("Rotational.EngineBraking")
    t = result.time
    np.testing.assert_allclose(result["vehicle.w"][t <= 2], 100 + 30 / 4.3 * t[t <= 2], rtol=1e-8)
    coasts = (t > 2) & (t <= 4)
    top = 100 + 60 / 4.3
    np.testing.assert_allclose(result["vehicle.w"][coasts], top, rtol=1e-8)
    np.testing.assert_allclose(result["engine.w"][coasts], top - 10 / 0.3 * (t[coasts] - 2), rtol=1e-7)
    braked = t > leaps(result)[-1]
    np.testing.assert_allclose(result["vehicle.a"][braked], -10 / 4.3, rtol=1e-8)
    np.testing.assert_allclose(result["engine.w"][braked], result["vehicle.w"][braked], rtol=1e-9)


def test_given_motions_take_the_same_torque() -> None:
    result = example("Rotational.GivenMotions")
    for k in (1, 2, 3):
        np.testing.assert_allclose(
            result[f"torque{k}.tau"], 2 * np.pi**2 * np.cos(np.pi * result.time), atol=1e-6
        )


def test_cranks_at_three_kinds_of_stops() -> None:
    """J phi'' = 3 sin(w t) from rest: all three reach the stop at the same moment, with the same speed."""
    result = example("Rotational.CrankAtStops")
    rate = 2 * np.pi * 0.08
    t = result.time

    def angle(x: np.ndarray) -> np.ndarray:
        return 1.5 / rate * (x - np.sin(rate * x) / rate)

    first = min(leaps(result))
    assert angle(np.array(first)) == pytest.approx(1, abs=1e-6)
    speed = 1.5 / rate * (1 - np.cos(rate * first))
    for k in (1, 2, 3):
        np.testing.assert_allclose(result[f"crank{k}.phi"][t <= first], angle(t[t <= first]), atol=1e-7)
    impulses = {n: result.impulses[f"{n}.tau"][0].weight for n in ("plastic", "newton")}
    assert impulses == pytest.approx({"plastic": 2 * speed, "newton": 3.2 * speed}, rel=1e-6)
    stands = (t > first) & (t < 6.25)
    np.testing.assert_allclose(result["crank2.phi"][stands], 1, atol=1e-9)
    assert result["crank1.phi"].max() > 1.01 and result["crank3.phi"].max() < 1 + 1e-9
    assert result["newton.upper"][np.searchsorted(t, 6.0)] == 1  # it has come to rest
    # Both leave where the torque changes its sign.
    assert min(abs(x - 6.25) for x in leaps(result)) < 1e-6


def test_gearbox_on_its_bench_has_its_ratios() -> None:
    result = example("Powertrain.GearboxOnBench", tolerance=1e-8)
    gear = np.asarray(result["logic.gear"])
    ends = [*np.flatnonzero(np.diff(gear)), len(gear) - 1]
    found = [result["load.w"][row - 1] for row in ends]
    np.testing.assert_allclose(found, [100 * gearbox_speeds(k)[3] for k in (1, 2, 3, 4)], rtol=1e-6)
    # A load of 0.5 w at the output is seen at the input by the ratio, when everything is locked.
    torques = [result["torque.tau"][row - 1] for row in ends]
    np.testing.assert_allclose(
        torques, [0.5 * 100 * gearbox_speeds(k)[3] ** 2 for k in (1, 2, 3, 4)], rtol=1e-4
    )


def test_hill_start_rolls_back_first() -> None:
    """Held until the brakes are let go at 1 s; then the converter alone is too weak, and at last it pulls."""
    result = example("Powertrain.HillStart")
    t, v = result.time, result["vehicle.v"]
    np.testing.assert_allclose(v[t <= 1], 0, atol=1e-12)
    assert v.min() < -0.1 and v[-1] > 5
    assert np.all(result["converter.w_turbine"][v < -1e-3] < 0)
    slow = result["converter.coupled"] == 0
    factor = result["converter.tau_turbine"][slow] / result["converter.tau_pump"][slow]
    ratio = result["converter.w_turbine"][slow] / result["converter.w_pump"][slow]
    np.testing.assert_allclose(factor, 2 - ratio / 0.85, rtol=1e-9)
    # As soon as it rolls back: m a r^2 with the turbine geared to it.
    row = int(np.searchsorted(t, 1.0, side="right")) + 1
    weight, dry = 1500 * 9.81 * np.sin(0.15), 0.012 * 1500 * 9.81 * np.cos(0.15)
    pull = result["converter.tau_turbine"][row] * 11 / 0.3
    moved = 1500 + 0.02 * 11**2 / 0.3**2
    assert result["vehicle.a"][row] == pytest.approx((pull - weight + dry) / moved, rel=1e-3)


def test_engine_idles_by_a_clock_on_its_crank() -> None:
    """The torque is the same from stroke to stroke, so the crank moves by parabolas, one bent by the load."""
    result = example("Rotational.IdleSpeed")

    def passed(w: float, a: float, angle: float) -> float:
        """How long it takes."""
        return float(2 * angle / (w + np.sqrt(w**2 + 2 * a * angle)))

    t, w, torque, integral, times = 0.0, 84.0, 10.0, 0.0, []
    while True:
        angle, start, load = np.pi, t, -10.0 if t < 2 else -25.0
        lasts = passed(w, (torque + load) / 0.15, angle)
        if start < 2 < start + lasts:
            before, a = 2 - start, (torque + load) / 0.15
            angle -= w * before + a * before**2 / 2
            t, w, load = 2.0, w + a * before, -25.0
            lasts = passed(w, (torque + load) / 0.15, angle)
        t, w = t + lasts, w + (torque + load) / 0.15 * lasts
        if t > 5:
            break
        interval = t - start if times else 0.0374
        error = 84 - np.pi / interval
        integral += interval * error
        torque = 10 + error + integral / 0.4
        times.append(t)
        row = np.searchsorted(result.time, t + 1e-5, side="right") - 1
        assert result["burnt"][row] == pytest.approx(torque, abs=1e-4)
        assert result["crank.w"][row] == pytest.approx(w, abs=1e-3)
    ticks = [event.time for event in result.events.of("angle.phi >= next") if event.time > 0]
    assert ticks == pytest.approx(times, abs=1e-7) and len(times) > 125
    assert torque == pytest.approx(25, abs=0.01) and w == pytest.approx(84, abs=0.01)

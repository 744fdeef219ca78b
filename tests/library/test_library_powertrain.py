"""The parts of `Saltus.Powertrain` against closed forms, SciPy and the kinematics of planetary gears."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from rotational_rigs import GEARS, RATIO1, RATIO2, gearbox_speeds, leaps, run, start
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from translated_models import translated

COVERS = (
    "Saltus.Powertrain.Engine",
    "Saltus.Powertrain.TorqueConverter",
    "Saltus.Powertrain.AutomaticGearbox",
    "Saltus.Powertrain.ShiftTable",
    "Saltus.Powertrain.ShiftLogic",
    "Saltus.Powertrain.Driver",
    "Saltus.Powertrain.Vehicle",
)


def gas(w: float, opening: float) -> float:
    """The torque of the engine with its standard parameters."""
    return opening * 200 * (1 - ((w - 350) / (750 - 350)) ** 2)


def test_engine_runs_up_idles_and_brakes() -> None:
    """At full throttle for 3 s, then with a closed one: its drag slows it down to idling."""
    result = run(
        f"""
  Saltus.Powertrain.Engine engine(throttle = if time < 3 then 1 else 0, {start(w=200)});
  R.Inertia load(J = 1.3);
equation
  connect(engine.flange, load.flange_a);
""",
        stop=90.0,
    )

    def opening(t: float, w: float) -> float:
        return min(1.0, max(1.0 if t < 3 else 0.0, (90 - w) / 20))

    # 0.2 + 1.3 to be moved; solved piece by piece at the step of the throttle.
    w, found = 200.0, []
    for a, b in ((0.0, 3.0), (3.0, 90.0)):
        middle = (a + b) / 2
        piece = solve_ivp(
            lambda t, y, at=middle: [(gas(y[0], opening(at, y[0])) - 0.08 * y[0]) / 1.5],
            (a, b),
            [w],
            rtol=1e-10,
            atol=1e-10,
            max_step=0.05,
            dense_output=True,
        )
        rows = result.time[(result.time > a) & (result.time < b)]
        found.append((rows, piece.sol(rows)[0]))
        w = float(piece.y[0, -1])
    for rows, expected in found:
        np.testing.assert_allclose(
            result["engine.w"][np.isin(result.time, rows)], expected, rtol=1e-6, atol=1e-5
        )
    idle = brentq(lambda x: gas(x, (90 - x) / 20) - 0.08 * x, 70, 90)
    assert result["engine.w"][-1] == pytest.approx(idle, rel=1e-4)


@pytest.mark.parametrize("turbine", [-50.0, 0.0, 100.0, 169.0, 171.0, 200.0, 260.0])
def test_converter_between_two_given_speeds(turbine: float) -> None:
    """Pump at 200 rad/s: a square law and twice the torque while the turbine stands, equal ones above 170."""
    result = run(
        f"""
  R.Sources.ConstantSpeed pump(w = 200, phi(fixed = true)), turbine(w = {turbine}, phi(fixed = true));
  Saltus.Powertrain.TorqueConverter converter;
equation
  connect(pump.flange, converter.flange_a);
  connect(converter.flange_b, turbine.flange);
""",
        stop=1.0,
    )
    ratio = turbine / 200
    taken = 2.5e-3 * 200**2 * (1 - ratio)
    factor = 1.0 if ratio > 0.85 else 2 - ratio / 0.85
    np.testing.assert_allclose(result["converter.flange_a.tau"], taken, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(-result["converter.flange_b.tau"], factor * taken, rtol=1e-12, atol=1e-12)
    assert bool(result["converter.coupled"][-1]) == (ratio > 0.85)
    assert 200 * taken - turbine * factor * taken >= 0  # it never gives more than it takes


def test_vehicle_coasts_to_a_stop() -> None:
    """m v' = -F - q v^2: v = sqrt(F/q) tan(arctan(v0 sqrt(q/F)) - t sqrt(F q)/m), until it stands."""
    result = run(
        """
  Saltus.Powertrain.Vehicle car(brake = 0, x(fixed = true), v(start = 25, fixed = true));
equation
""",
        stop=250.0,
    )
    dry, air, m = 0.012 * 1500 * 9.81, 1.2 / 2 * 0.7, 1500.0
    phase = math.atan(25 * math.sqrt(air / dry))
    rate = math.sqrt(dry * air) / m
    stops = phase / rate
    t = result.time
    exact = np.where(t < stops, math.sqrt(dry / air) * np.tan(phase - rate * np.minimum(t, stops)), 0)
    np.testing.assert_allclose(result["car.v"], exact, atol=1e-6)
    assert leaps(result) == pytest.approx([stops], abs=1e-5)
    way = m / air * math.log(1 / math.cos(phase))
    assert result["car.x"][-1] == pytest.approx(way, rel=1e-7)


@pytest.mark.parametrize(("slope", "brake"), [(0.01, 0.0), (0.2, 0.3), (0.2, 0.0), (-0.2, 0.1)])
def test_vehicle_on_a_slope_stands_or_rolls(slope: float, brake: float) -> None:
    """It stands if rolling resistance and brakes are stronger than the weight along the road."""
    result = run(
        f"""
  Saltus.Powertrain.Vehicle car(slope = {slope}, brake = {brake}, c_drag = 0,
    x(fixed = true), v(fixed = true));
equation
""",
        stop=3.0,
    )
    along, dry = 1500 * 9.81 * math.sin(slope), 0.012 * 1500 * 9.81 * math.cos(slope) + 12000 * brake
    excess = max(0.0, abs(along) - dry) / 1500
    np.testing.assert_allclose(result["car.x"], -math.copysign(excess, slope) * result.time**2 / 2, atol=1e-6)
    if not excess:
        np.testing.assert_allclose(result["car.f_rub"], -along, rtol=1e-9)


def test_ratios_that_the_documentation_tells() -> None:
    expected = {1: 1 + RATIO1, 2: 1 + RATIO1 / (1 + RATIO2), 3: 1, 4: RATIO2 / (1 + RATIO2), -1: -RATIO2}
    assert {g: 1 / gearbox_speeds(g)[3] for g in GEARS} == pytest.approx(expected)


@pytest.mark.parametrize("gear", [1, 2, 3, 4, -1])
def test_gearbox_locks_into_each_gear(gear: int) -> None:
    """A motor with 60 N.m drives an inertia of 5: clutches slip and lock, and then all shafts have the speeds
    of the kinematics and the acceleration of the inertias as seen from the input."""
    result = run(
        f"""
  R.Sources.ConstantTorque motor(tau = 60);
  Saltus.Powertrain.AutomaticGearbox gearbox(gear = {gear}, shaft({start(w=20)}));
  R.Inertia load(J = 5, {start()});
equation
  connect(motor.flange, gearbox.flange_a);
  connect(gearbox.flange_b, load.flange_a);
""",
        stop=2.0,
        tolerance=1e-8,
    )
    names = ["gearbox.sun1", "gearbox.carrier2", "gearbox.sun2", "load"]
    ratios = gearbox_speeds(gear)
    w = result["gearbox.shaft.w"]
    for name, ratio in zip(names, ratios, strict=True):
        assert result[f"{name}.w"][-1] == pytest.approx(ratio * w[-1], abs=1e-6)
    seen = 0.01 * (1 + np.sum(ratios**2)) + 5 * ratios[3] ** 2
    assert result["gearbox.shaft.a"][-1] == pytest.approx(60 / seen, rel=1e-6)
    # At the output: the torque of the input times the ratio, but for what accelerates the shafts inside.
    inside = 0.01 * (1 + np.sum(ratios**2)) * 60 / seen
    assert -result["gearbox.flange_b.tau"][-1] == pytest.approx((60 - inside) / ratios[3], rel=1e-6)
    assert len(result.impulses) == 0  # clutches lock without jolts


def test_gearbox_in_neutral_hands_on_nothing() -> None:
    result = run(
        f"""
  R.Sources.ConstantTorque motor(tau = 1);
  Saltus.Powertrain.AutomaticGearbox gearbox(gear = 0, shaft({start()}));
  R.Inertia load(J = 5, {start()});
equation
  connect(motor.flange, gearbox.flange_a);
  connect(gearbox.flange_b, load.flange_a);
""",
        stop=1.0,
    )
    np.testing.assert_allclose(result["gearbox.shaft.w"], result.time / 0.01, rtol=1e-7, atol=1e-7)
    np.testing.assert_allclose(result["load.w"], 0, atol=1e-9)


def test_pressures_follow_the_shift_table() -> None:
    """From gear 1 into gear 2 at 1 s: c1 stays, b1 rises with 1 - exp(-t/T), the others are never pressed."""
    result = run(
        """
  Saltus.Powertrain.ShiftTable table(T = 0.2, gear = if time < 1 then 1 else 2);
equation
""",
        stop=2.0,
    )
    t = result.time
    np.testing.assert_allclose(result["table.c1"], 1 - np.exp(-t / 0.2), atol=1e-7)
    np.testing.assert_allclose(result["table.b1"], np.where(t < 1, 0, 1 - np.exp(-(t - 1) / 0.2)), atol=1e-7)
    for name in ("c2", "c3", "b2"):
        np.testing.assert_allclose(result[f"table.{name}"], 0, atol=1e-12)
    pressed = {1: "c1", 2: "c1 b1", 3: "c1 c2", 4: "c2 b1", 0: "", -1: "c3 b2"}
    for gear, names in pressed.items():
        late = run(f"Saltus.Powertrain.ShiftTable table(gear = {gear});\nequation\n", stop=10.0)
        found = {n for n in ("c1", "c2", "c3", "b1", "b2") if late[f"table.{n}"][-1] > 0.5}
        assert found == set(names.split())


@pytest.mark.parametrize("throttle", [1.0, 0.0])
def test_gears_are_changed_with_hysteresis(throttle: float) -> None:
    """4 t up to 40 and down again: up at v_up, down at 0.7 of it; without throttle at 0.6 of both."""
    result = run(
        f"""
  Saltus.Powertrain.ShiftLogic logic(v = if time < 10 then 4*time else 80 - 4*time, throttle = {throttle});
equation
""",
        stop=20.0,
    )
    scale = 0.6 + 0.4 * throttle
    up = [scale * v / 4 for v in (12, 22, 33)]
    down = [20 - 0.7 * scale * v / 4 for v in (33, 22, 12)]
    gear = np.asarray(result["logic.gear"])
    changes = np.flatnonzero(np.diff(gear)) + 1
    np.testing.assert_allclose(result.time[changes], up + down, atol=1e-7)
    assert gear[changes].tolist() == [2, 3, 4, 3, 2, 1]


def test_driver_presses_one_pedal_at_a_time() -> None:
    result = run(
        """
  Saltus.Powertrain.Driver driver(v_set = 10, v = 20*time);
equation
""",
        stop=1.0,
    )
    v = 20 * result.time
    np.testing.assert_allclose(result["driver.throttle"], np.clip(0.3 * (10 - v), 0, 1), atol=1e-12)
    np.testing.assert_allclose(result["driver.brake"], np.clip(0.15 * (v - 10), 0, 1), atol=1e-12)


def test_car_goes_through_its_gears_and_stops() -> None:
    """The example: 1 2 3 4 3 2 1; well after a shift the gearbox has the ratio of its gear; it stops."""
    result = translated("Saltus.Examples.Powertrain.AutomaticCar").simulate()
    gear = np.asarray(result["logic.gear"])
    changes = np.flatnonzero(np.diff(gear)) + 1
    assert gear[[0, *changes]].tolist() == [1, 2, 3, 4, 3, 2, 1]
    bounds = [0.0, *result.time[changes[:3]].tolist(), 35.0]
    for k, (begin, end) in enumerate(pairwise(bounds), 1):
        row = int(np.searchsorted(result.time, end)) - 2
        assert end - begin > 3
        ratio = result["gearbox.shaft.w"][row] / result["gearbox.carrier1.w"][row]
        assert ratio == pytest.approx(1 / gearbox_speeds(k)[3], rel=1e-6)
    assert result["vehicle.v"].max() > 33
    assert result["vehicle.v"][-1] == 0.0 and not result["vehicle.forward"][-1]
    assert len(result.impulses) == 0
    assert result.statistics["programs"] <= 30

"""Tanks, valves, pipes, pumps and vessels of Saltus.Fluid.

Truth: Torricelli's law in closed form, exponentials of linear tanks, and where a law has no closed form SciPy
with the equations written down again. What is lost at rims and valves is checked by volumes.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import saltus
from translated_models import translated

COVERS = (
    "Saltus.Fluid.Tank",
    "Saltus.Fluid.OverflowTank",
    "Saltus.Fluid.Accumulator",
    "Saltus.Fluid.Orifice",
    "Saltus.Fluid.Valve",
    "Saltus.Fluid.OnOffValve",
    "Saltus.Fluid.LinearValve",
    "Saltus.Fluid.CheckValve",
    "Saltus.Fluid.Pipe",
    "Saltus.Fluid.LongPipe",
    "Saltus.Fluid.Pump",
    "Saltus.Fluid.DisplacementPump",
    "Saltus.Fluid.Ambient",
    "Saltus.Fluid.Sources.ConstantFlow",
    "Saltus.Fluid.Sources.SignalFlow",
    "Saltus.Fluid.Sources.ConstantPressure",
    "Saltus.Fluid.Sources.SignalPressure",
    "Saltus.Fluid.Sensors.PressureSensor",
    "Saltus.Fluid.Sensors.LevelSensor",
    "Saltus.Fluid.Sensors.FlowSensor",
)

Vector = NDArray[np.float64]
EXAMPLES = "Saltus.Examples.Fluid."
WEIGHT = 1000 * 9.81


def root(x: float) -> float:
    """With the sign of x."""
    return math.copysign(math.sqrt(abs(x)), x)


def turning_points(result: saltus.Result, name: str) -> list[float]:
    """When a Boolean changes."""
    rows = np.flatnonzero(np.diff(np.asarray(result[name], dtype=int))) + 1
    return [float(t) for t in np.asarray(result.time)[rows]]


# ---------------------------------------------------------------- Torricelli


def test_levelling_tanks() -> None:
    """With areas 0.5 and 1 the difference d has d' = -(1/0.5 + 1/1)*q, q = k*sqrt(d): sqrt(d) falls along a
    line until it is zero."""
    result = translated(EXAMPLES + "LevellingTanks").simulate(tolerance=1e-10)
    t = np.asarray(result.time)
    k = 5e-3 * math.sqrt(WEIGHT / 1e4)
    difference = np.maximum(math.sqrt(1.8) - 3 * k / 2 * t, 0) ** 2
    end = math.sqrt(1.8) / (1.5 * k)
    assert 150 < end < 200 < t[-1]
    np.testing.assert_allclose(result["left.h"], 0.8 + difference * 2 / 3, atol=1e-7)
    np.testing.assert_allclose(result["right.h"], 0.8 - difference / 3, atol=1e-7)
    np.testing.assert_allclose(
        result["meter.y"][t < end - 1], k * np.sqrt(difference[t < end - 1]), rtol=1e-5
    )
    # The root of a level that is wrong by 1e-8: a ten thousandth of what flowed at the beginning.
    np.testing.assert_allclose(result["meter.y"][t > end + 1], 0, atol=1e-6)


def test_valve_throttles_shuts_and_opens() -> None:
    """A tank drains through a valve: sqrt(h) falls along lines whose slope is the opening."""
    result = saltus.load(
        """model Drain
          Saltus.Fluid.Tank tank(A = 0.2, h(start = 1.44, fixed = true));
          Saltus.Fluid.Valve valve(q_nom = 4e-3, dp_nom = 2e4,
            opening = if time < 20 then 1 elseif time < 30 then 0 else 0.25);
          Saltus.Fluid.Ambient drain;
        equation
          connect(tank.port_b, valve.port_a);
          connect(valve.port_b, drain.port);
        end Drain;"""
    ).simulate(stop_time=200, tolerance=1e-10)
    t = np.asarray(result.time)
    slope = 4e-3 * math.sqrt(WEIGHT / 2e4) / 0.2 / 2
    open_for = np.where(t < 20, t, np.where(t < 30, 20, 20 + 0.25 * (t - 30)))
    np.testing.assert_allclose(result["tank.h"], (1.2 - slope * open_for) ** 2, atol=1e-7)
    shut = (t > 20) & (t < 30)
    np.testing.assert_allclose(result["valve.q"][shut], 0, atol=1e-15)
    np.testing.assert_allclose(result["valve.dp"][shut], WEIGHT * (1.2 - 20 * slope) ** 2, rtol=1e-6)


def test_two_valves_share_the_pressure() -> None:
    """In series the square of the flow shares the pressure; the node between them stores nothing. One of them
    is given the flow backwards."""
    result = saltus.load(
        """model Series
          Saltus.Fluid.Sources.SignalPressure source(p = 3e4*sin(time));
          Saltus.Fluid.Orifice first(q_nom = 1e-3, dp_nom = 1e4);
          Saltus.Fluid.OnOffValve second(q_nom = 1e-3, dp_nom = 2e4, open = time < 8);
          Saltus.Fluid.Ambient drain;
          Saltus.Fluid.Sensors.PressureSensor between;
        equation
          connect(source.port, first.port_a);
          connect(first.port_b, second.port_b);
          connect(second.port_a, drain.port);
          connect(between.port, first.port_b);
        end Series;"""
    ).simulate(stop_time=10, tolerance=1e-10)
    t = np.asarray(result.time)
    flows, shut = t < 8, t > 8
    expected = [1e-3 * root(math.sin(x)) for x in t[flows]]
    np.testing.assert_allclose(result["first.q"][flows], expected, atol=1e-8)
    np.testing.assert_allclose(result["second.q"][flows], [-q for q in expected], atol=1e-8)
    np.testing.assert_allclose(result["between.p"][flows], 2e4 * np.sin(t[flows]), atol=1e-2)
    np.testing.assert_allclose(result["first.q"][shut], 0, atol=1e-12)
    np.testing.assert_allclose(result["between.p"][shut], 3e4 * np.sin(t[shut]), atol=1e-6)


def test_an_ideal_valve_joins_two_tanks() -> None:
    """With no resistance at all the levels jump: volume is conserved in the instant."""
    result = saltus.load(
        """model Join
          Saltus.Fluid.Tank a(A = 1, h(start = 3, fixed = true)), b(A = 2, h(start = 0.6, fixed = true));
          Saltus.Fluid.OnOffValve valve(dp_nom = 0, open = time > 1);
          Saltus.Fluid.Sources.ConstantFlow tap(q = 0.3);
        equation
          connect(a.port_b, valve.port_a);
          connect(valve.port_b, b.port_a);
          connect(tap.port, b.inlet);
        end Join;"""
    ).simulate(stop_time=2, tolerance=1e-10)
    t = np.asarray(result.time)
    early, late = t < 1, t > 1
    np.testing.assert_allclose(result["b.h"][early], 0.6 + 0.15 * t[early], atol=1e-8)
    np.testing.assert_allclose(result["a.h"][late], (3 + 1.2 + 0.3 * t[late]) / 3, atol=1e-8)
    np.testing.assert_allclose(result["b.h"][late], result["a.h"][late], atol=1e-12)
    (impulse,) = result.impulses["valve.q"]
    assert impulse.weight == pytest.approx(3 - (3 + 1.2 + 0.3) / 3)
    np.testing.assert_allclose(result["valve.q"][late], -0.1, atol=1e-9)


# ---------------------------------------------------------------- control, overflow


def test_level_control() -> None:
    """h' = (2e-3*on - h/(R/rho/g))/A: exponentials between 0.5 m and 0.8 m."""
    result = translated(EXAMPLES + "LevelControl").simulate(tolerance=1e-10)
    t = np.asarray(result.time)
    decay = WEIGHT / 8e6 / 0.1
    full = 2e-3 / 0.1 / decay
    begin, h, target, goal, times = 0.0, 0.3, full, 0.8, []
    while begin < 600:
        end = begin + math.log((h - target) / (goal - target)) / decay
        rows = np.flatnonzero((t > begin + 1e-6) & (t < end - 1e-6))
        expected = target + (h - target) * np.exp(-decay * (t[rows] - begin))
        np.testing.assert_allclose(result["tank.h"][rows], expected, atol=1e-6)
        np.testing.assert_allclose(result["level.h"][rows], expected, atol=1e-6)
        times.append(end)
        begin, h = end, goal
        target, goal = (0.0, 0.5) if target else (full, 0.8)
    assert turning_points(result, "switch.y") == pytest.approx(times[:-1], abs=1e-5)


def test_overflow_cascade() -> None:
    """What comes in is in the basins, has left through the outlets or has flowed over; levels by SciPy."""
    result = translated(EXAMPLES + "OverflowCascade").simulate(tolerance=1e-10)
    t = np.asarray(result.time)
    k = 1e-3 * math.sqrt(WEIGHT / 1e4)

    def until(
        slope: Callable[[float, Vector], list[float]],
        start: float,
        stop: float,
        y: list[float],
        event: Callable[[float, Vector], float] | None = None,
    ) -> tuple[float, Vector]:
        """Compares the levels on the way, and gives back the end."""
        if event is not None:
            event.terminal = True  # type: ignore[attr-defined]
        run = solve_ivp(
            slope, (start, stop), y, events=event, rtol=1e-11, atol=1e-12, dense_output=True, max_step=1.0
        )
        rows = np.flatnonzero((t > start + 1e-6) & (t < run.t[-1] - 1e-6))
        np.testing.assert_allclose(result["upper.h"][rows], run.sol(t[rows])[0], atol=1e-7)
        np.testing.assert_allclose(result["lower.h"][rows], run.sol(t[rows])[1], atol=1e-7)
        return float(run.t[-1]), np.asarray(run.y[:, -1])

    def draining(h: float) -> float:
        return k * math.sqrt(max(h, 0.0))

    # The upper basin fills; nothing comes to the lower one, which drains.
    full, y = until(
        lambda _, y: [(3e-3 - draining(y[0])) / 0.2, -draining(y[1]) / 0.1],
        0.0,
        150.0,
        [0.2, 0.1],
        lambda _, y: y[0] - 1,
    )
    over = 3e-3 - draining(1.0)
    rows = np.flatnonzero((t > full + 1e-6) & (t < 150))
    np.testing.assert_allclose(result["upper.q_over"][rows], over, rtol=1e-8)
    np.testing.assert_allclose(result["upper.h"][rows], 1, atol=1e-12)
    # The upper one is full: the lower one fills, and is full as well.
    both, y = until(
        lambda _, y: [0.0, (over - draining(y[1])) / 0.1], full, 150.0, [1.0, y[1]], lambda _, y: y[1] - 0.8
    )
    assert full < both < 150
    rows = np.flatnonzero((t > both + 1e-6) & (t < 150))
    np.testing.assert_allclose(result["lower.q_over"][rows], over - draining(0.8), rtol=1e-8)
    # The spring weakens: both levels fall from the rim.
    until(
        lambda _, y: [(0.5e-3 - draining(y[0])) / 0.2, -draining(y[1]) / 0.1],
        150.0,
        600.0,
        [1.0, 0.8],
        lambda _, y: y[1] - 1e-4,
    )
    assert turning_points(result, "upper.over") == pytest.approx([full, 150], abs=1e-6)
    assert turning_points(result, "lower.over") == pytest.approx([both, 150], abs=1e-6)


# ---------------------------------------------------------------- pumps, check valves, vessels


def test_household_water() -> None:
    """Volume of the vessel by SciPy; the check valve is closed whenever the pump stands."""
    result = translated(EXAMPLES + "HouseholdWater").simulate(tolerance=1e-10)
    t = np.asarray(result.time)
    p_air, v0 = 1.013e5, 0.05

    def pressure(v: float) -> float:
        return p_air * v / (v0 - v)

    def slope(on: bool, tap: bool, v: float) -> float:
        inflow = 1.2e-3 * math.sqrt(1 - pressure(v) / 6e5) if on else 0.0
        return inflow - (0.3e-3 * math.sqrt(pressure(v) / 3e5) if tap else 0.0)

    begin, v, on, found = 0.0, 0.02, not pressure(0.02) > 4e5, []
    taps = [k * math.pi / 0.1 for k in range(1, 11)]
    np.testing.assert_allclose(result["vessel.p"], [pressure(x) for x in result["vessel.V"]], rtol=1e-9)
    while begin < 300:
        tap = math.sin(0.1 * (begin + 1e-6)) > 0
        end = min([x for x in taps if x > begin + 1e-6] + [300.0])
        limit = 4e5 if on else 2e5
        level = v0 * limit / (limit + p_air)

        def margin(_: float, y: Vector, level: float = level) -> float:
            return float(y[0] - level)

        margin.terminal = True  # type: ignore[attr-defined]
        margin.direction = 1 if on else -1  # type: ignore[attr-defined]
        run = solve_ivp(
            lambda _, y, on=on, tap=tap: [slope(on, tap, y[0])],
            (begin, end),
            [v],
            events=margin,
            rtol=1e-11,
            atol=1e-13,
            dense_output=True,
        )
        rows = np.flatnonzero((t > begin + 1e-5) & (t < run.t[-1] - 1e-5))
        if len(rows):
            np.testing.assert_allclose(result["vessel.V"][rows], run.sol(t[rows])[0], atol=1e-8)
            assert (np.asarray(result["check.closed"])[rows] == (not on)).all()
        begin, v = float(run.t[-1]), float(run.y[0, -1])
        if run.status == 1:
            found.append(begin)
            on = not on
    assert len(found) >= 4
    assert turning_points(result, "switch.y") == pytest.approx(found, abs=1e-4)
    standing = np.asarray(result["check.closed"]) == 1
    np.testing.assert_allclose(result["check.q"][standing], 0, atol=1e-15)
    np.testing.assert_allclose(result["pump.port_b.p"][standing], 0, atol=1e-9)


def test_check_valve_with_a_spring() -> None:
    result = saltus.load(
        """model Sprung
          Saltus.Fluid.Sources.SignalFlow source(q = 2e-3*cos(time));
          Saltus.Fluid.Accumulator vessel(V0 = 0.05, V(start = 0.01, fixed = true));
          Saltus.Fluid.CheckValve check(p_open = 0.5e5);
          Saltus.Fluid.Sources.ConstantPressure network(p = 0.4e5);
        equation
          connect(source.port, vessel.port);
          connect(vessel.port, check.port_a);
          connect(check.port_b, network.port);
        end Sprung;"""
    ).simulate(stop_time=10, tolerance=1e-10)
    t = np.asarray(result.time)
    # V = 0.01 + 2e-3 sin(t) would be exceeded: it opens at 0.9 bar, where V is 0.0235. It never does, so:
    np.testing.assert_allclose(result["vessel.V"], 0.01 + 2e-3 * np.sin(t), atol=1e-9)
    assert (np.asarray(result["check.closed"]) == 1).all()
    # With a spring of 0.1 bar it opens at 0.5 bar; the valve then passes all that comes.
    loose = saltus.load(
        """model Loose
          Saltus.Fluid.Sources.SignalFlow source(q = 2e-2*cos(time));
          Saltus.Fluid.Accumulator vessel(V0 = 0.05, V(start = 0.01, fixed = true));
          Saltus.Fluid.CheckValve check(p_open = 0.1e5);
          Saltus.Fluid.Sources.ConstantPressure network(p = 0.4e5);
        equation
          connect(source.port, vessel.port);
          connect(vessel.port, check.port_a);
          connect(check.port_b, network.port);
        end Loose;"""
    ).simulate(stop_time=6, tolerance=1e-10)
    t = np.asarray(loose.time)
    limit = 0.05 * 0.5e5 / (0.5e5 + 1.013e5)
    opens = math.asin((limit - 0.01) / 2e-2)
    assert turning_points(loose, "check.closed") == pytest.approx([opens, math.pi / 2], abs=1e-6)
    flows = (t > opens + 1e-6) & (t < math.pi / 2 - 1e-6)
    np.testing.assert_allclose(loose["check.q"][flows], 2e-2 * np.cos(t[flows]), atol=1e-9)
    late = t > math.pi / 2
    np.testing.assert_allclose(loose["vessel.V"][late], limit - 2e-2 * (1 - np.sin(t[late])), atol=1e-8)


def test_water_hammer() -> None:
    """Until 5 s: I q' = p - R q - z q^2, a hyperbolic tangent. Then the flow stops at once, or swings."""
    result = translated(EXAMPLES + "WaterHammer").simulate(tolerance=1e-10)
    t = np.asarray(result.time)
    inertance, r, z, p = 2e7, 1e7, 3e5 / 5e-3**2, 4e5
    size = math.sqrt(p / z + (r / (2 * z)) ** 2)  # q + r/2z runs to it
    phase = math.atanh(r / (2 * z) / size)
    flows = t < 5
    exact = size * np.tanh(size * z / inertance * t[flows] + phase) - r / (2 * z)
    np.testing.assert_allclose(result["pipe1.q"][flows], exact, atol=1e-9)
    arrived = size * math.tanh(size * z / inertance * 5 + phase) - r / (2 * z)
    np.testing.assert_allclose(result["pipe1.q"][t > 5], 0, atol=1e-15)
    (impulse,) = result.impulses["valve1.dp"]
    assert impulse.weight == pytest.approx(inertance * arrived, rel=1e-7)

    # The other pipe has the vessel beside the valve.
    def before(_: float, y: Vector) -> list[float]:
        pressure = 1.013e5 * y[1] / (0.02 - y[1])
        out = 5e-3 * root(pressure / 3e5)
        return [(p - r * y[0] - pressure) / inertance, y[0] - out]

    def after(_: float, y: Vector) -> list[float]:
        pressure = 1.013e5 * y[1] / (0.02 - y[1])
        return [(p - r * y[0] - pressure) / inertance, y[0]]

    first = solve_ivp(before, (0, 5), [0, 0.015], rtol=1e-11, atol=1e-14, dense_output=True, method="LSODA")
    np.testing.assert_allclose(result["vessel.V"][flows], first.sol(t[flows])[1], atol=1e-7)
    then = solve_ivp(after, (5, 12), first.y[:, -1], rtol=1e-11, atol=1e-14, dense_output=True)
    swings = t > 5
    np.testing.assert_allclose(result["vessel.V"][swings], then.sol(t[swings])[1], atol=1e-7)
    np.testing.assert_allclose(result["pipe2.q"][swings], then.sol(t[swings])[0], atol=1e-7)
    assert np.max(result["vessel.p"]) > 1.5 * p


def test_tidal_pond() -> None:
    """Fills through the flaps while the sea is higher, else only drains; levels by SciPy."""
    result = translated(EXAMPLES + "TidalPond").simulate(tolerance=1e-10)
    t = np.asarray(result.time)

    def sea(t: float) -> float:
        return 2 + 1.5 * math.sin(2 * math.pi * t / 44700)

    def slope(t: float, y: Vector) -> list[float]:
        filling = 2 * math.sqrt(max(0.0, sea(t) - y[0]) * WEIGHT / 1e4)
        out = 0.0 if t % 44700 < 22350 else 0.8 * 0.6 * root(y[0] * WEIGHT / 1e4)
        return [(filling - out) / 5000]

    h = 2.0
    for k in range(6):
        span = (22350.0 * k, 22350.0 * (k + 1) - 1e-6)
        run = solve_ivp(slope, span, [h], rtol=1e-10, atol=1e-11, max_step=20, dense_output=True)
        rows = np.flatnonzero((t >= span[0]) & (t < span[1]))
        np.testing.assert_allclose(result["pond.h"][rows], run.sol(t[rows])[0], atol=1e-5)
        higher = np.array([sea(x) - y for x, y in zip(t[rows], result["pond.h"][rows], strict=True)])
        closed = np.asarray(result["flaps.closed"])[rows]
        assert (closed[higher < -1e-5] == 1).all() and (closed[higher > 1e-5] == 0).all()
        h = float(run.y[0, -1])


def test_water_tower() -> None:
    """The flow of the pump from its curve and that of the pipe, as a quadratic equation."""
    result = translated(EXAMPLES + "WaterTower").simulate(tolerance=1e-10)
    t = np.asarray(result.time)

    def pumped(h: float) -> float:
        speed = min(1.0, max(0.0, 0.7 + 0.8 * (2 - h)))

        def lacking(q: float) -> float:
            return 3e5 * (speed**2 - q * abs(q) / 0.02**2) - 2e6 * q - WEIGHT * (15 + h)

        return float(brentq(lacking, -0.05, 0.05, xtol=1e-15))

    def slope(opening: float, h: float) -> float:
        return (pumped(h) + 1e-4 - opening * 0.01 * root(h * WEIGHT / 1e5)) / 2

    h, begin = 1.0, 0.0
    while begin < 5000:
        end = min(5000.0, begin + 200 * math.pi)
        opening = 1.0 if math.sin((begin + 1) / 200) > 0 else 0.3
        run = solve_ivp(
            lambda _, y, opening=opening: [slope(opening, y[0])],
            (begin, end),
            [h],
            rtol=1e-9,
            atol=1e-10,
            dense_output=True,
        )
        rows = np.flatnonzero((t > begin + 1e-3) & (t < end - 1e-3))
        np.testing.assert_allclose(result["tower.h"][rows], run.sol(t[rows])[0], atol=1e-6)
        np.testing.assert_allclose(
            result["pump.q"][rows], [pumped(x) for x in result["tower.h"][rows]], atol=1e-9
        )
        begin, h = end, float(run.y[0, -1])


@pytest.mark.parametrize("speed", [1.0, 0.5, 0.0])
def test_pump_runs_back(speed: float) -> None:
    """Against a pressure that grows past what it can give; standing it is an orifice."""
    result = saltus.load(
        f"""model Back
          Saltus.Fluid.Ambient well;
          Saltus.Fluid.Pump pump(p_max = 2e5, q_max = 1e-3, speed = {speed});
          Saltus.Fluid.Sources.SignalPressure against(p = 1e5*time);
        equation
          connect(well.port, pump.port_a);
          connect(pump.port_b, against.port);
        end Back;"""
    ).simulate(stop_time=4, tolerance=1e-10)
    t = np.asarray(result.time)
    expected = [1e-3 * root(speed**2 - x / 2) for x in t]
    np.testing.assert_allclose(result["pump.q"], expected, atol=1e-8)


def test_a_tank_that_is_pumped_empty_ends_the_run() -> None:
    model = saltus.load(
        """model Dry
          Saltus.Fluid.Tank tank(A = 0.1, h(start = 0.2, fixed = true));
          Saltus.Fluid.DisplacementPump pump(q_nom = 1e-3, speed = 1);
          Saltus.Fluid.Ambient drain;
        equation
          connect(tank.port_b, pump.port_a);
          connect(pump.port_b, drain.port);
        end Dry;"""
    )
    assert model.simulate(stop_time=19)["tank.h"][-1] == pytest.approx(0.01, abs=1e-6)
    with pytest.raises(saltus.RunError, match="more is drawn from the tank"):
        model.simulate(stop_time=25)

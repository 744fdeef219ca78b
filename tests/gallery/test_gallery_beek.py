"""The processes of van Beek and Rooda 1998 in the gallery.

Truth is in closed form: with y = sqrt(h), a constant inflow Q and an outlet K y the level satisfies

    t = -2A/K (y - y0) - 2A Q/K^2 ln((Q - K y)/(Q - K y0));

a body that slides under a sine has a velocity and a position that can be written down. Only the proportional
controller is integrated by SciPy, from corner to corner. The paper has numbers for friction alone; its page
with TOV is lost, the equations are those of its section 5.1.
"""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from gallery_reading import gallery_classes, limits, load, numbers, presentable, run
from paper_runs import changes
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

PAPER = "Beek1998"
#: Area, outlet, levels of the controlled tank.
A, K = 0.1, 1e-4 * math.sqrt(9810)
LOW, HIGH, FULL, Q_SET = 0.6, 0.8, 1.0, 0.02


@pytest.mark.parametrize("name", gallery_classes(PAPER))
def test_presentable_and_tested_here(name: str) -> None:
    presentable(PAPER, name)
    assert f'"{name}"' in Path(__file__).read_text()


def duration(h0: float, h1: float, inflow: float, area: float, k: float) -> float:
    """How long the level takes from h0 to h1 without overflow."""
    y0, y1 = math.sqrt(h0), math.sqrt(h1)
    if inflow == 0:
        return 2 * area / k * (y0 - y1)
    logarithm = math.log((inflow - k * y1) / (inflow - k * y0))
    return -2 * area / k * (y1 - y0) - 2 * area * inflow / k**2 * logarithm


def level(t: float, h0: float, inflow: float, area: float, k: float) -> float:
    """The level a time t after h0, without overflow."""
    if t <= 0:
        return h0
    rest = (inflow / k) ** 2
    margin = abs(rest - h0) * 1e-13
    ends = (h0, rest - margin) if rest > h0 else (rest + margin, h0)
    return float(brentq(lambda h: duration(h0, h, inflow, area, k) - t, *ends, xtol=1e-15))


def test_definitions() -> None:
    result = run(PAPER, "Sec2_Discontinuities")
    before, after = limits(result, 0.5, ["f", "g", "d"])
    np.testing.assert_allclose(before, [1, 0.5, 0], atol=1e-9)
    np.testing.assert_allclose(after, [-2, 0.5, 0.5], atol=1e-9)
    t = numbers(result.time)
    np.testing.assert_allclose(result["g"], np.where(t < 0.5, t, 0.5 - 2 * (t - 0.5)), atol=1e-8)


def controlled(stop: float) -> list[tuple[float, float, float]]:
    """(time, level, inflow from then on) wherever the valve moves, and at the start."""
    found = [(0.0, FULL, 0.0)]
    while found[-1][0] < stop:
        t, h, inflow = found[-1]
        goal = HIGH if inflow else LOW
        found.append((t + duration(h, goal, inflow, A, K), goal, 0.0 if inflow else Q_SET))
    return found


@pytest.mark.parametrize("name", ["Sec41_TCD1", "Sec41_TCD2", "Sec41_TCD1_Inflow", "Sec41_TCD2_Inflow"])
def test_on_off_valve(name: str) -> None:
    result = run(PAPER, name)
    pieces = controlled(30.0)
    valve = "n" if "TCD1" in name else "b"
    moved = changes(result, valve)
    inside = [(t, inflow) for t, _, inflow in pieces[1:] if t < 30]
    assert len(moved) == len(inside) == 13
    assert [value for _, value in moved] == [float(inflow > 0) for _, inflow in inside]
    # The level crosses its thresholds with 0.07 m/s and more.
    np.testing.assert_allclose([t for t, _ in moved], [t for t, _ in inside], atol=1e-5)
    starts = np.array([t for t, _, _ in pieces])
    for time, h in zip(result.time[::7], result["h"][::7], strict=True):
        t0, h0, inflow = pieces[int(np.searchsorted(starts, time, side="right")) - 1]
        assert h == pytest.approx(level(time - t0, h0, inflow, A, K), abs=1e-6)
    np.testing.assert_allclose(result["Q_o"], K * np.sqrt(result["h"]), rtol=1e-12)
    if name.endswith("Inflow"):
        before, after = limits(result, inside[0][0], ["Q_i", "h"])
        assert (before[0], after[0]) == (0, Q_SET) and before[1] == after[1]  # D, and not D
        assert set(numbers(result["Q_i"])) == {0, Q_SET}


@pytest.mark.parametrize("name", ["Sec41_TCD1", "Sec41_TCD2", "Sec41_TCD1_Inflow", "Sec41_TCD2_Inflow"])
def test_a_level_that_begins_too_low_opens_the_valve_at_once(name: str) -> None:
    """A state event that holds already succeeds at t = 0; between the limits nothing happens."""
    valve = "n" if "TCD1" in name else "b"
    result = load(PAPER, name).simulate(set={"h_0": 0.3}, stop_time=3)
    assert set(numbers(result[valve])) == {1}
    assert result["h"][-1] == pytest.approx(level(3.0, 0.3, Q_SET, A, K), abs=1e-6)
    between = load(PAPER, name).simulate(set={"h_0": 0.7}, stop_time=0.5)
    assert set(numbers(between[valve])) == {0}


def test_proportional_valve() -> None:
    result = run(PAPER, "Sec42_TCPC")
    corner = duration(0.1, 0.55, Q_SET, A, K)  # u = 4 (0.8 - h) = 1
    (event,) = [e.time for e in result.events if e.kind == "state"]
    assert event == pytest.approx(corner, abs=1e-6)
    t = numbers(result.time)
    early, late = t <= event, t > event
    exact = [level(s, 0.1, Q_SET, A, K) for s in t[early]]
    np.testing.assert_allclose(result["h"][early], exact, atol=1e-6)
    tail = solve_ivp(
        lambda _, h: [(4 * (0.8 - h[0]) * Q_SET - K * math.sqrt(h[0])) / A],
        (corner, 20.0), [0.55], "DOP853", t_eval=t[late], rtol=1e-11, atol=1e-13,
    )  # fmt: skip
    np.testing.assert_allclose(result["h"][late], tail.y[0], atol=1e-6)
    np.testing.assert_allclose(result["Q_i"], Q_SET * np.clip(numbers(result["u"]), 0, 1), rtol=1e-12)


# The tank that overflows: area 2, brim 1, inflow 1.5, between 8 s and 11 s 0.4.
AREA, OUTLET, BRIM, STRONG, WEAK, OFF, ON = 2.0, 0.01 * math.sqrt(9810), 1.0, 1.5, 0.4, 8.0, 11.0
REACHED = duration(0.25, BRIM, STRONG, AREA, OUTLET)
LOWEST = level(ON - OFF, BRIM, WEAK, AREA, OUTLET)
AGAIN = ON + duration(LOWEST, BRIM, STRONG, AREA, OUTLET)
SPILLS = STRONG - OUTLET * math.sqrt(BRIM)


def overflowing(t: float) -> float:
    if t < REACHED:
        return level(t, 0.25, STRONG, AREA, OUTLET)
    if t <= OFF or t >= AGAIN:
        return BRIM
    if t <= ON:
        return level(t - OFF, BRIM, WEAK, AREA, OUTLET)
    return level(t - ON, LOWEST, STRONG, AREA, OUTLET)


@pytest.mark.parametrize("name", ["Sec42_TOV", "Sec51_Substitution"])
def test_overflow(name: str) -> None:
    result = run(PAPER, name)
    assert 2.13 < REACHED < 2.14 < OFF < ON < AGAIN < 16
    t = numbers(result.time)
    np.testing.assert_allclose(result["h"], [overflowing(s) for s in t], atol=1e-6)
    flows = [(time, value > 0) for time, value in changes(result, "Q_x") if value in (0,) or value > 0.1]
    begins = [time for time, over in flows if over]
    assert begins[0] == pytest.approx(REACHED, abs=1e-6) and begins[-1] == pytest.approx(AGAIN, abs=1e-6)
    over = ((t > REACHED + 1e-5) & (t < OFF - 1e-5)) | (t > AGAIN + 1e-5)
    np.testing.assert_allclose(result["Q_x"][over], SPILLS, rtol=1e-6)
    under = (t < REACHED - 1e-5) | ((t > OFF + 1e-5) & (t < AGAIN - 1e-5))
    assert np.all(result["Q_x"][under] == 0)
    assert result["spilt"][-1] == pytest.approx(SPILLS * (OFF - REACHED + 16 - AGAIN), rel=1e-6)


def test_guard_on_the_level_alone_lets_the_liquid_come_back() -> None:
    result = run(PAPER, "Sec5_GuardOnLevel")
    t = numbers(result.time)
    np.testing.assert_allclose(result["h"], [overflowing(s) if s < REACHED else BRIM for s in t], atol=1e-6)
    weak = (t > OFF + 1e-6) & (t < ON - 1e-6)
    np.testing.assert_allclose(result["Q_x"][weak], WEAK - OUTLET, rtol=1e-6)
    assert -0.6 < WEAK - OUTLET < -0.58  # as its annotation says


# Friction: the printed data, and a drive of 2.
MU, MU0, M, EPS, GRAVITY, OMEGA = 0.1, 0.18, 1.0, 1e-5, 10.0, 0.25 * math.pi


def velocity(t: float, t0: float, v0: float, friction: float) -> float:
    return v0 - 2 / OMEGA * (math.cos(OMEGA * t) - math.cos(OMEGA * t0)) / M - friction * (t - t0) / M


def distance(t: float, t0: float, v0: float, friction: float) -> float:
    d = t - t0
    drive = 2 / OMEGA * math.cos(OMEGA * t0) * d - 2 / OMEGA**2 * (math.sin(OMEGA * t) - math.sin(OMEGA * t0))
    return v0 * d + (drive - friction * d * d / 2) / M


def slides(process: int) -> list[tuple[float, float, float, float]]:
    """(start, velocity then, friction, position then) of each piece of constant friction; the friction is nan
    at rest. Friction_1 begins a slide with the velocity eps, Friction_2 with a piece of the largest friction
    until the body has reached it."""
    pieces = [(0.0, 0.0, math.nan, -2.0)]
    for half in range(3):
        sign = 1 - 2 * (half % 2)
        start = (math.asin(MU0 * M * GRAVITY / 2) + half * math.pi) / OMEGA
        x = pieces[-1][3]
        if process == 2:
            largest = sign * MU0 * M * GRAVITY
            pieces.append((start, 0.0, largest, x))
            tried = brentq(
                lambda t, s=start, f=largest, e=sign * EPS: velocity(t, s, 0.0, f) - e,
                start + 1e-4, start + 0.1, xtol=1e-15,
            )  # fmt: skip
            x += distance(tried, start, 0.0, largest)
            start = tried
        friction = sign * MU * M * GRAVITY
        pieces.append((start, sign * EPS, friction, x))
        fastest = (math.pi - math.asin(MU * M * GRAVITY / 2) + half * math.pi) / OMEGA
        end = brentq(
            lambda t, s=start, e=sign * EPS, f=friction: velocity(t, s, e, f),
            fastest, fastest + math.pi / OMEGA, xtol=1e-15,
        )  # fmt: skip
        pieces.append((end, 0.0, math.nan, x + distance(end, start, sign * EPS, friction)))
    assert all(a[0] < b[0] for a, b in pairwise(pieces))
    return pieces


def motion(process: int, t: float) -> tuple[float, float]:
    """Position and velocity."""
    t0, v0, friction, x0 = [p for p in slides(process) if p[0] <= t][-1]
    if math.isnan(friction):
        return x0, 0.0
    return x0 + distance(t, t0, v0, friction), velocity(t, t0, v0, friction)


@pytest.mark.parametrize(("process", "states"), [(1, [3, 2, 1, 2, 3]), (2, [3, 4, 2, 3, 1, 2, 3, 4])])
def test_friction(process: int, states: list[int]) -> None:
    """Friction_1: NEG, STOP, POS are 1, 2, 3. Friction_2: NEG, STOP, TRY, POS are 1 to 4."""
    result = run(PAPER, f"Sec44_Friction{process}")
    found = changes(result, "s")
    assert [value for _, value in found] == states
    expected = [p[0] for p in slides(process)[1:] if p[0] < 10]
    np.testing.assert_allclose([t for t, _ in found], expected, atol=2e-6)
    assert expected[0] == pytest.approx(math.asin(0.9) / OMEGA)
    exact = np.array([motion(process, t) for t in result.time])
    np.testing.assert_allclose(result["x"], exact[:, 0], atol=5e-6)
    leaps = np.abs(numbers(result.time)[:, None] - np.array(expected)).min(axis=1) < 1e-5
    np.testing.assert_allclose(result["v"][~leaps], exact[~leaps, 1], atol=2e-6)


@pytest.mark.parametrize("name", ["Sec44_Friction1", "Sec44_Friction2"])
def test_printed_drive_moves_nothing(name: str) -> None:
    result = load(PAPER, name).simulate(set={"drive": 1.0})
    assert set(numbers(result["x"])) == {-2.0} and changes(result, "s") == []


def test_difference_of_both_frictions_is_too_small_to_be_shown() -> None:
    result = run(PAPER, "Fig4_FrictionSimulation")
    t = result.time
    for process in (1, 2):
        exact = [motion(process, s)[0] for s in t]
        np.testing.assert_allclose(result[f"friction_{process}.x"], exact, atol=5e-6)
    assert t[-1] == 10
    shown = np.ptp(numbers(result["friction_1.x"]))
    assert 0 < np.abs(numbers(result["difference"])).max() < 0.005 * shown  # less than a line is wide

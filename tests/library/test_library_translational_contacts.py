"""Impacts of Saltus.Translational: contacts, stops, backlash, elastic buffers and ropes.

Velocities after an impact follow from momentum and the coefficient of restitution alone; between impacts
everything is in closed form. Times of impacts are found in the tests, not taken from the runs.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import brentq

import saltus
from translated_models import translated

COVERS = (
    "Saltus.Translational.Contact",
    "Saltus.Translational.Stop",
    "Saltus.Translational.Backlash",
    "Saltus.Translational.ElasticStop",
    "Saltus.Translational.Rope",
)

EXAMPLES = "Saltus.Examples.Translational."
G = 9.81


def jumps(result: saltus.Result, name: str) -> list[tuple[float, float, float]]:
    """Time, value before and value after, wherever a variable has two values at one time."""
    t, x = np.asarray(result.time), np.asarray(result[name])
    times = np.unique(t[np.flatnonzero(np.diff(t) == 0)])
    ends = [(s, float(x[t == s][0]), float(x[t == s][-1])) for s in times]
    return [(s, a, b) for s, a, b in ends if abs(a - b) > 1e-9]


def test_bouncing_ball_comes_to_rest() -> None:
    result = translated(EXAMPLES + "BouncingBall").simulate(tolerance=1e-10)
    t, fall = np.asarray(result.time), math.sqrt(2 / G)
    times, speeds = [fall], [G * fall]
    while speeds[-1] > 1e-3:
        speeds.append(0.8 * speeds[-1])
        times.append(times[-1] + 2 * speeds[-1] / G)
    found = jumps(result, "ball.v")
    assert len(found) == len(times) == 39
    weights = [i.weight for i in result.impulses["impact.f"]]
    after = [*speeds[1:], 0.0]
    # An impact is found where the height is wrong by some 1e-10: the slower, the later and the less exact.
    for n, ((time, v, out), impulse) in enumerate(zip(found, weights, strict=True)):
        slack = 2e-9 / speeds[n] + 1e-8
        assert time == pytest.approx(times[n], abs=slack)
        assert (v, out) == pytest.approx((-speeds[n], after[n]), abs=slack)
        assert impulse == pytest.approx(-0.2 * (speeds[n] + after[n]), abs=slack)
    lies = t > times[-1] + 1e-5
    assert lies.sum() > 50
    np.testing.assert_allclose(result["ball.s"][lies], 0, atol=1e-8)
    np.testing.assert_allclose(result["impact.f"][lies], -0.2 * G, atol=1e-9)
    assert result.modes.at(4.9).states == ()


def test_three_kinds_of_buffers() -> None:
    result = translated(EXAMPLES + "Buffers").simulate(tolerance=1e-10)
    t, m, slope = np.asarray(result.time), 1000.0, 0.2
    arrive = (-1 + math.sqrt(1 + 4 * slope)) / slope
    speed = math.sqrt(1 + 4 * slope)
    fly = t < arrive - 1e-6
    for k in (1, 2, 3):
        np.testing.assert_allclose(
            result[f"wagon{k}.s"][fly], 2 - t[fly] - slope * t[fly] ** 2 / 2, atol=1e-7
        )
    stands = t > arrive + 1e-6
    np.testing.assert_allclose(result["wagon1.s"][stands], 0, atol=1e-8)
    np.testing.assert_allclose(result["plastic.lower.f"][stands], -200, atol=1e-7)
    np.testing.assert_allclose(result["plastic.upper.f"], 0, atol=1e-12)
    # The second wagon flies for ever shorter times.
    begin, out = arrive, speed / 2
    while begin < 20 and 2 * out > 1e-3:
        rows = np.flatnonzero((t > begin + 1e-6) & (t < begin + 2 * out / slope - 1e-6))
        since = t[rows] - begin
        np.testing.assert_allclose(result["wagon2.s"][rows], out * since - slope * since**2 / 2, atol=2e-7)
        begin, out = begin + 2 * out / slope, out / 2
    # The third one is in the buffer until that would have to pull.
    c, d = 40e3, 3e3
    rate, w = d / (2 * m), math.sqrt(c / m - (d / (2 * m)) ** 2)
    deep = -200 / c
    b = (-speed - rate * deep) / w

    def pressed(since: float) -> tuple[float, float]:
        """Position and velocity: s = deep + exp(-rate*t)*(-deep*cos(w*t) + b*sin(w*t))."""
        fade, cosine, sine = math.exp(-rate * since), math.cos(w * since), math.sin(w * since)
        s = deep + fade * (-deep * cosine + b * sine)
        v = fade * (rate * deep * cosine - rate * b * sine + w * deep * sine + w * b * cosine)
        return s, v

    assert pressed(0.0) == pytest.approx((0, -speed))
    leave = float(brentq(lambda x: c * pressed(x)[0] + d * pressed(x)[1], 0.2, math.pi / w))
    rows = np.flatnonzero((t > arrive + 1e-6) & (t < arrive + leave - 1e-6))
    exact = np.array([pressed(x - arrive) for x in t[rows]])
    np.testing.assert_allclose(result["wagon3.s"][rows], exact[:, 0], atol=1e-7)
    np.testing.assert_allclose(result["elastic.f"][rows], c * exact[:, 0] + d * exact[:, 1], atol=1e-2)
    s, v = pressed(leave)
    assert s < -1e-3 and v > 0
    rows = np.flatnonzero((t > arrive + leave + 1e-6) & (t < arrive + leave + 2))
    since = t[rows] - arrive - leave
    np.testing.assert_allclose(result["wagon3.s"][rows], s + v * since - slope * since**2 / 2, atol=1e-6)
    np.testing.assert_allclose(result["elastic.f"][rows], 0, atol=1e-12)


def test_elastic_buffers_lose_nothing() -> None:
    """Between two springs: half a turn of an oscillation at each end, and free flight between."""
    model = saltus.load(
        """model Shuttle
          Saltus.Translational.Fixed frame(s0 = 1);
          Saltus.Translational.ElasticStop ends(s_min = -2, s_max = 3, c = 400);
          Saltus.Translational.Mass body(m = 4, s(start = 1, fixed = true), v(start = 5, fixed = true));
        equation
          connect(frame.flange, ends.flange_a);
          connect(ends.flange_b, body.flange_a);
        end Shuttle;"""
    )
    half = math.pi / 10
    # From 1 to 4 and half a metre further, back to -1, and to 1 again.
    turned = model.simulate(stop_time=3 / 5 + half / 2, tolerance=1e-11)
    assert (turned["body.s"][-1], turned["body.v"][-1]) == pytest.approx((4.5, 0), abs=1e-7)
    result = model.simulate(stop_time=10 / 5 + 2 * half, tolerance=1e-11)
    assert (result["body.s"][-1], result["body.v"][-1]) == pytest.approx((1, 5), abs=1e-7)
    energy = 2 * np.asarray(result["body.v"]) ** 2 + 200 * np.asarray(result["ends.x"]) ** 2
    np.testing.assert_allclose(energy, 50, rtol=1e-7)


def test_shunting() -> None:
    result = translated(EXAMPLES + "Shunting").simulate(tolerance=1e-10)
    first, second = jumps(result, "first.v"), jumps(result, "second.v")
    # At 2 s: total momentum 40 000, relative velocity -2 becomes 0.6. At 4 s both have the mean.
    mean = 40e3 / 50e3
    assert [x for jump in first for x in jump] == pytest.approx(
        [2, 2, mean - 0.36, 4, mean - 0.36, mean], abs=1e-9
    )
    assert [x for jump in second for x in jump] == pytest.approx(
        [2, 0, mean + 0.24, 4, mean + 0.24, mean], abs=1e-9
    )
    assert [i.weight for i in result.impulses["buffer.f"]] == pytest.approx([-30e3 * 1.04])
    assert [i.weight for i in result.impulses["hook.f"]] == pytest.approx([20e3 * 0.36])


CHAIN = """
model Chain "Balls in a row, and the last one comes from the right"
  parameter Real e = 1;
  parameter Integer n = 4;
  Saltus.Translational.Mass ball[n](m = {2, 1, 1, 3}, s(start = {0, 1, 2.5, 5}, each fixed = true),
    v(start = {3, 0, 0, -1}, each fixed = true));
  Saltus.Translational.Contact contact[n - 1](each s_min = 0.5, each e = e);
equation
  for k in 1:n - 1 loop
    connect(ball[k].flange_b, contact[k].flange_a);
    connect(contact[k].flange_b, ball[k + 1].flange_a);
  end for;
end Chain;
"""


def collided(e: float, stop: float) -> tuple[np.ndarray, np.ndarray, int]:
    """Positions and velocities of the balls at the end, and how many impacts there were."""
    m, t = np.array([2.0, 1, 1, 3]), 0.0
    s, v = np.array([0.0, 1, 2.5, 5]), np.array([3.0, 0, 0, -1])
    hits = 0
    while True:
        gap, closing = np.diff(s) - 0.5, -np.diff(v)
        with np.errstate(divide="ignore"):
            left = np.where(closing > 1e-12, gap / closing, math.inf)
        k = int(np.argmin(left))
        if t + left[k] > stop:
            return s + v * (stop - t), v, hits
        t, s, hits = t + left[k], s + v * left[k], hits + 1
        impulse = (1 + e) * closing[k] / (1 / m[k] + 1 / m[k + 1])
        v[k] -= impulse / m[k]
        v[k + 1] += impulse / m[k + 1]


@pytest.mark.parametrize("e", [1.0, 0.6])
def test_chain_of_balls(e: float) -> None:
    result = saltus.load(CHAIN).simulate(stop_time=6, set={"e": e}, tolerance=1e-10)
    s, v, hits = collided(e, 6.0)
    assert hits >= 4
    assert (
        len(result.impulses["contact[1].f"])
        + len(result.impulses["contact[2].f"])
        + len(result.impulses["contact[3].f"])
        == hits
    )
    assert [result[f"ball[{k}].s"][-1] for k in range(1, 5)] == pytest.approx(s, abs=1e-6)
    assert [result[f"ball[{k}].v"][-1] for k in range(1, 5)] == pytest.approx(v, abs=1e-9)
    m, speeds = np.array([2, 1, 1, 3]), np.array([result[f"ball[{k}].v"] for k in range(1, 5)])
    np.testing.assert_allclose(m @ speeds, 3, atol=1e-9)
    if e == 1:
        np.testing.assert_allclose(m @ speeds**2, 21, atol=1e-8)


def test_plastic_balls_stay_together_until_they_are_drawn_apart() -> None:
    result = saltus.load(
        """model Pushed
          Saltus.Translational.Mass a(m = 1, s(start = 0, fixed = true), v(start = 2, fixed = true));
          Saltus.Translational.Mass b(m = 3, s(start = 1, fixed = true), v(start = 0, fixed = true));
          Saltus.Translational.Contact contact;
          Saltus.Translational.Sources.SignalForce pull(f = 8*(time - 1.5));
        equation
          connect(a.flange_b, contact.flange_a);
          connect(contact.flange_b, b.flange_a);
          connect(pull.flange, b.flange_b);
        end Pushed;"""
    ).simulate(stop_time=3, tolerance=1e-11)
    t = np.asarray(result.time)
    # b moves back at first: -12 t + 4 t^2 over 3.
    meet = float(brentq(lambda x: 2 * x - 1 - (4 * x**3 / 3 - 6 * x**2) / 3, 0, 1))
    both = (2 + (4 * meet**2 - 12 * meet)) / 4
    speed = both + ((4 * t**2 - 12 * t) - (4 * meet**2 - 12 * meet)) / 4
    rows = np.flatnonzero((t > meet + 1e-6) & (t < 1.5 - 1e-6))
    np.testing.assert_allclose(result["a.v"][rows], speed[rows], atol=1e-7)
    np.testing.assert_allclose(result["b.v"][rows], speed[rows], atol=1e-7)
    np.testing.assert_allclose(result["contact.f"][rows], (8 * (t[rows] - 1.5)) / 4, atol=1e-6)
    touching = np.asarray(result["contact.touching"])
    assert t[np.flatnonzero(touching)[-1]] == pytest.approx(1.5, abs=1e-6)
    late = t > 1.5 + 1e-6
    assert np.ptp(result["a.v"][late]) == pytest.approx(0, abs=1e-9)


def test_impact_through_rigid_links() -> None:
    """The impulse is shared by all that hangs on the flanges: 2 kg on a rod, and a lever with 1 kg at twice
    the distance, which is 4 kg at this end."""
    result = saltus.load(
        """model Linked
          Saltus.Translational.Mass hammer(m = 6, s(start = -1, fixed = true), v(start = 4, fixed = true));
          Saltus.Translational.Contact contact(e = 0.5);
          Saltus.Translational.Mass anvil(m = 2);
          Saltus.Translational.Rod rod(L = 3);
          Saltus.Translational.Mass plate(m = 2, s(start = 3, fixed = true), v(start = 0, fixed = true));
          Saltus.Translational.Lever lever(ratio = 2);
          Saltus.Translational.Mass arm(m = 1);
        equation
          connect(hammer.flange_b, contact.flange_a);
          connect(contact.flange_b, anvil.flange_a);
          connect(anvil.flange_b, rod.flange_a);
          connect(rod.flange_b, plate.flange_a);
          connect(anvil.flange_b, lever.flange_a);
          connect(lever.flange_b, arm.flange_a);
        end Linked;"""
    ).simulate(stop_time=1, tolerance=1e-10)
    other = 2 + 2 + 4
    impulse = 1.5 * 4 / (1 / 6 + 1 / other)
    assert result.impulses["contact.f"][0].weight == pytest.approx(-impulse)
    assert result["hammer.v"][-1] == pytest.approx(4 - impulse / 6)
    assert result["plate.v"][-1] == pytest.approx(impulse / other)
    assert result["arm.v"][-1] == pytest.approx(-2 * impulse / other)


@pytest.mark.parametrize("e", [0.0, 0.5])
def test_stop_between_two_bodies(e: float) -> None:
    """A box in a wagon strikes its walls in turn: relative velocities alternate, momentum is kept."""
    result = saltus.load(
        """model Rattle
          parameter Real e = 0.5;
          Saltus.Translational.Mass wagon(m = 10, s(start = 0, fixed = true), v(start = 0, fixed = true));
          Saltus.Translational.Stop walls(s_min = -1, s_max = 2, e = e);
          Saltus.Translational.Mass box(m = 5, s(start = 0, fixed = true), v(start = 3, fixed = true));
        equation
          connect(wagon.flange_b, walls.flange_a);
          connect(walls.flange_b, box.flange_a);
        end Rattle;"""
    ).simulate(stop_time=10, set={"e": e}, tolerance=1e-10)
    found = jumps(result, "box.v")
    v_rel, t, expected = 3.0, 2 / 3, []
    while t < 10:
        v_rel *= -e
        expected.append((t, 1 + v_rel * 10 / 15))
        if not v_rel:
            break
        t += 3 / abs(v_rel)
    assert [(x[0], x[2]) for x in found] == [pytest.approx(x, abs=1e-7) for x in expected]
    momentum = 10 * np.asarray(result["wagon.v"]) + 5 * np.asarray(result["box.v"])
    np.testing.assert_allclose(momentum, 15, atol=1e-9)
    s_rel = np.asarray(result["box.s"]) - np.asarray(result["wagon.s"])
    assert s_rel.min() > -1 - 1e-7 and s_rel.max() < 2 + 1e-7


def test_backlash() -> None:
    """Driven with s = 0.05*(1 - cos(2t)) through a play of 20 mm, slowed by oil: m v' = -d v in the play."""
    result = translated(EXAMPLES + "LooseLink").simulate(tolerance=1e-10)
    m, d, half = 2.0, 10.0, 0.01
    t = np.asarray(result.time)

    def crank(t: float) -> tuple[float, float, float]:
        return 0.05 * (1 - math.cos(2 * t)), 0.1 * math.sin(2 * t), 0.2 * math.cos(2 * t)

    def push(t: float) -> float:
        """The force of the pin on the slider while they touch."""
        return m * crank(t)[2] + d * crank(t)[1]

    begin, s0, v0, side = 0.0, 0.0, 0.0, 0
    sides: list[int] = []
    while begin < 10:

        def free(x: float, begin: float = begin, s0: float = s0, v0: float = v0) -> tuple[float, float]:
            fade = math.exp(-d / m * (x - begin))
            return s0 + v0 * m / d * (1 - fade), v0 * fade

        # While it is free, until it is at one end of the play; then driven, until the pin would have to pull.
        x = begin + 1e-3
        while abs(free(x)[0] - crank(x)[0]) < half and x < 10:
            x += 1e-3
        rows = np.flatnonzero((t > begin + 1e-6) & (t < x - 1e-3))
        np.testing.assert_allclose(result["slider.s"][rows], [free(y)[0] for y in t[rows]], atol=1e-6)
        if x >= 10:
            break
        side = 1 if free(x)[0] > crank(x)[0] else -1
        hit = float(
            brentq(lambda y, side=side, free=free: side * (free(y)[0] - crank(y)[0]) - half, x - 1e-3, x)
        )
        sides.append(side)
        leave = hit + 1e-4
        while side * push(leave) < 0 and leave < 10:
            leave += 1e-4
        rows = np.flatnonzero((t > hit + 1e-6) & (t < leave - 2e-4))
        expected = [crank(y)[0] + side * half for y in t[rows]]
        np.testing.assert_allclose(result["slider.s"][rows], expected, atol=1e-6)
        force = np.asarray(result["play.lower.f"]) - np.asarray(result["play.upper.f"])
        np.testing.assert_allclose(force[rows], [-push(y) for y in t[rows]], atol=1e-6)
        if leave >= 10:
            break
        begin = float(brentq(push, leave - 1e-4, leave))
        s0, v0 = crank(begin)[0] + side * half, crank(begin)[1]
    assert len(sides) >= 6 and sides[:4] == [-1, 1, -1, 1]


def test_rope_goes_taut_and_slack() -> None:
    result = translated(EXAMPLES + "ShockTow").simulate(tolerance=1e-10)
    t, a = np.asarray(result.time), 1500 / 1800
    taut = math.sqrt(2 / a)
    (jump,) = jumps(result, "tug.v")
    both = 1800 * a * taut / 3000
    assert jump == pytest.approx((taut, a * taut, both), abs=1e-7)
    assert result.impulses["rope.f"][0].weight == pytest.approx(1200 * both)
    pulled = (t > taut + 1e-6) & (t < 4)
    np.testing.assert_allclose(result["broken.v"][pulled], both + 0.4 * (t[pulled] - taut), atol=1e-6)
    np.testing.assert_allclose(result["rope.f"][pulled], 1200 * 0.4 + 300, atol=1e-6)
    # The tug brakes with 1000/1800 m/s2, and the broken car rolls on with less.
    top, late = both + 0.4 * (4 - taut), t > 4
    np.testing.assert_allclose(result["tug.v"][late], top - 1000 / 1800 * (t[late] - 4), atol=1e-6)
    np.testing.assert_allclose(result["broken.v"][late], top - 0.25 * (t[late] - 4), atol=1e-6)
    assert (np.asarray(result["rope.slack"])[late]).all()


def test_hoist() -> None:
    """The rotor runs up by itself: w = 30*(1 - exp(-2t)). When 0.2 m of rope are wound up it has to take the
    load along, which is 50 kg at 0.1 m; then J*w' = 60 - 5*g - 2*w with the inertia of both."""
    result = translated(EXAMPLES + "Hoist").simulate(tolerance=1e-10)
    t = np.asarray(result.time)
    taut = float(brentq(lambda x: 30 * x - 15 * (1 - math.exp(-2 * x)) - 2, 0.1, 1))
    before = 30 * (1 - math.exp(-2 * taut))
    after = before / (1 + 50 * 0.1**2)
    (jump,) = jumps(result, "rotor.w")
    assert jump == pytest.approx((taut, before, after), abs=1e-7)
    assert result.impulses["rope.f"][0].weight == pytest.approx(50 * 0.1 * after)
    lifted = t > taut + 1e-6
    final = (60 - 50 * G * 0.1) / 2
    w = final + (after - final) * np.exp(-2 / 1.5 * (t[lifted] - taut))
    np.testing.assert_allclose(result["rotor.w"][lifted], w, atol=1e-6)
    np.testing.assert_allclose(result["load.v"][lifted], 0.1 * w, atol=1e-7)
    lies = (t > 1e-3) & (t < taut - 1e-6)
    np.testing.assert_allclose(result["floor.f"][lies], -50 * G, rtol=1e-9)
    np.testing.assert_allclose(result["load.s"][lies], -9.8, atol=1e-9)

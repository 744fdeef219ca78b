"""Several one-sided contacts at once: which of them take a part of an impulse is found together.

Plastic contacts: an impulse of a closed contact is positive, or the contact opens and keeps a velocity that
parts. For a chain of masses the answer is known by reasoning (see the tests).
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from leap_readings import event_times, impulse, impulses_at, limits
from numpy.typing import NDArray
from scipy.optimize import brentq

import saltus

Vector = NDArray[np.float64]

G = 9.81

CONTACT = """
model Contact "Between the top of what is below and what is above"
  Real h "gap", N "force", s;
  Boolean lifted = s > 0;
equation
  h = if lifted then s else 0;
  N = if lifted then 0 else -s;
end Contact;
model Mass
  parameter Real m = 1;
  Real y, v, F "from all sides";
equation
  der(y) = v;
  m*der(v) = F;
end Mass;
"""

STACK = (
    CONTACT
    + """
model Stack "Two blocks, one upon the other, fall upon a table that is taken away later"
  parameter Real g = 9.81;
  Mass low(m = 2, y(start = 1, fixed = true), v(start = 0, fixed = true));
  Mass high(m = 3, y(start = 1, fixed = true), v(start = 0, fixed = true));
  Contact table, between;
  Real z(start = 0, fixed = true), vz(start = 0, fixed = true);
equation
  der(z) = vz;
  der(vz) = if time < 1 then 0 else -2*g;
  table.h = low.y - z;
  between.h = high.y - low.y;
  low.F = table.N - between.N - low.m*g;
  high.F = between.N - high.m*g;
  annotation(experiment(StopTime = 1.5, Tolerance = 1e-10));
end Stack;
"""
)


def test_stack_lands_and_the_table_is_taken_away() -> None:
    """Both blocks fall together, the force between them is zero; when they land, the upper one gives its
    momentum through the lower one. The table falls with 2 g: the lower contact opens, the upper one stays at
    zero force."""
    result = saltus.load(STACK).simulate()
    land = math.sqrt(2 / G)
    assert event_times(result) == pytest.approx([land, 1.0], abs=1e-7)
    speed = G * land
    assert impulse(result, land, "table.N") == pytest.approx(5 * speed, rel=1e-7)
    assert impulse(result, land, "between.N") == pytest.approx(3 * speed, rel=1e-7)
    before, after = limits(result, land, ["low.v", "high.v"])
    np.testing.assert_allclose(before, -speed, rtol=1e-7)
    np.testing.assert_allclose(after, 0, atol=1e-12)
    standing = (result.time > land + 1e-6) & (result.time < 1)
    np.testing.assert_allclose(result["table.N"][standing], 5 * G, rtol=1e-9)
    np.testing.assert_allclose(result["between.N"][standing], 3 * G, rtol=1e-9)
    falling = result.time > 1
    np.testing.assert_allclose(result["low.y"][falling], -G / 2 * (result.time[falling] - 1) ** 2, atol=1e-8)
    np.testing.assert_allclose(result["high.y"][falling], result["low.y"][falling], atol=1e-8)
    np.testing.assert_allclose(result["between.N"][falling], 0, atol=1e-8)
    assert impulses_at(result, 1.0) == {}


TRUCKS = (
    CONTACT
    + """
model Trucks "On one track, without couplings: each pushes the next one when it touches it"
  Mass a(m = 2, y(start = 0, fixed = true), v(start = 3, fixed = true));
  Mass b(m = 1, y(start = 1, fixed = true), v(start = 0, fixed = true));
  Mass c(m = 4, y(start = GAP, fixed = true), v(start = 0, fixed = true));
  Contact ab, bc;
equation
  ab.h = b.y - a.y;
  bc.h = c.y - b.y;
  a.F = -ab.N;
  b.F = ab.N - bc.N;
  c.F = bc.N;
  annotation(experiment(StopTime = 2, Tolerance = 1e-10));
end Trucks;
"""
)


def test_trucks_collide_one_by_one() -> None:
    """At 1/3 s the first two go on with 2; they reach the third at 1/3 + 0.5 s: 6/7 for all."""
    result = saltus.load(TRUCKS.replace("GAP", "2")).simulate()
    assert event_times(result) == pytest.approx([1 / 3, 1 / 3 + 1 / 2], abs=1e-7)
    _, after = limits(result, 1 / 3, ["a.v", "b.v", "c.v"])
    np.testing.assert_allclose(after, [2, 2, 0], atol=1e-9)
    before, after = limits(result, 5 / 6, ["a.v", "b.v", "c.v"])
    np.testing.assert_allclose(after, 6 / 7, rtol=1e-9)
    assert impulse(result, 5 / 6, "bc.N") == pytest.approx(4 * 6 / 7, rel=1e-9)
    assert impulse(result, 5 / 6, "ab.N") == pytest.approx(2 * (before[0] - after[0]), rel=1e-9)
    assert result.statistics["programs"] == 3


def test_truck_hits_two_that_touch() -> None:
    """The third truck touches the second one: it is pushed in the same instant."""
    result = saltus.load(TRUCKS.replace("GAP", "1")).simulate()
    _, after = limits(result, 1 / 3, ["a.v", "b.v", "c.v"])
    np.testing.assert_allclose(after, 6 / 7, rtol=1e-9)
    assert impulse(result, 1 / 3, "ab.N") == pytest.approx(2 * (3 - 6 / 7), rel=1e-9)
    assert impulse(result, 1 / 3, "bc.N") == pytest.approx(4 * 6 / 7, rel=1e-9)


TOW = """
model Tow "A car pulls another one by a rope"
  parameter Real L = 5;
  Real x1(start = 0, fixed = true), v1(start = 0, fixed = true);
  Real x2(start = 2, fixed = true), v2(start = 0, fixed = true);
  Real F "tension", s;
  Real drive = if time < 6 then 3000 else -4000 "the first car brakes at last";
  Real brake = 200;
  Boolean slack = s > 0;
equation
  der(x1) = v1;
  der(x2) = v2;
  1500*der(v1) = F - brake;
  1000*der(v2) = drive - F;
  L - (x2 - x1) = if slack then s else 0;
  F = if slack then 0 else -s;
  annotation(experiment(StopTime = 8, Tolerance = 1e-10));
end Tow;
"""


def test_tow_rope() -> None:
    """3 m of slack are taken up with 3 m/s2 against -2/15; the jerk makes one speed of two. When the first
    car brakes harder than the second one, the rope is slack again."""
    result = saltus.load(TOW).simulate()
    taut = math.sqrt(2 * 3 / (3 + 200 / 1500))
    v1, v2 = -200 / 1500 * taut, 3 * taut
    common = (1500 * v1 + 1000 * v2) / 2500
    assert event_times(result)[:2] == pytest.approx([taut, 6.0], abs=1e-7)
    before, after = limits(result, taut, ["v1", "v2"])
    np.testing.assert_allclose(before, [v1, v2], rtol=1e-7)
    np.testing.assert_allclose(after, common, rtol=1e-7)
    assert impulse(result, taut, "F") == pytest.approx(1500 * (common - v1), rel=1e-7)
    assert 1500 * before[0] + 1000 * before[1] == pytest.approx(1500 * after[0] + 1000 * after[1], rel=1e-10)
    pulling = (result.time > taut + 1e-6) & (result.time < 6)
    np.testing.assert_allclose(result["F"][pulling], 200 + 1500 * 2800 / 2500, rtol=1e-8)
    apart = result.time > 6
    speed = common + 2800 / 2500 * (6 - taut)
    np.testing.assert_allclose(result["v1"][apart], speed - 200 / 1500 * (result.time[apart] - 6), rtol=1e-7)
    np.testing.assert_allclose(
        result["v2"][apart], speed - 4 * (result.time[apart] - 6), rtol=1e-7, atol=1e-6
    )
    assert np.all(result["slack"][apart] == 1)


def row_of_trucks(masses: Vector, places: Vector, speeds: Vector) -> str:
    count = len(masses)

    def listed(values: Vector) -> str:
        return "{" + ", ".join(map(repr, map(float, values))) + "}"

    return f"""{CONTACT}
model Row
  Mass a[{count}](
    m = {listed(masses)},
    y(start = {listed(places)}, each fixed = true),
    v(start = {listed(speeds)}, each fixed = true));
  Contact k[{count - 1}];
equation
  for i in 1:{count - 1} loop
    k[i].h = a[i + 1].y - a[i].y;
  end for;
  a[1].F = -k[1].N;
  for i in 2:{count - 1} loop
    a[i].F = k[i - 1].N - k[i].N;
  end for;
  a[{count}].F = k[{count - 1}].N;
  annotation(experiment(StopTime = 4));
end Row;
"""


def collisions(masses: Vector, places: Vector, speeds: Vector, stop: float) -> tuple[list[float], Vector]:
    """When trucks collide, and their speeds in the end: those that have met stay together."""
    t, y, v = 0.0, places.copy(), speeds.copy()
    groups = [[i] for i in range(len(masses))]
    when: list[float] = []
    while True:
        due = [
            ((y[b[0]] - y[a[0]]) / (v[a[0]] - v[b[0]]), k)
            for k, (a, b) in enumerate(pairwise(groups))
            if v[a[0]] > v[b[0]]
        ]
        if not due or t + min(due)[0] > stop:
            return when, v
        wait, k = min(due)
        t, y = t + wait, y + wait * v
        when.append(t)
        joined = groups[k] + groups[k + 1]
        groups[k : k + 2] = [joined]
        v[joined] = masses[joined] @ v[joined] / masses[joined].sum()


@pytest.mark.parametrize("seed", range(4))
def test_row_of_trucks(seed: int) -> None:
    """Forces between trucks that go on together are zero, and so are the gaps: nothing may let go of them."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(3, 6))
    masses, places = rng.uniform(0.5, 4, count), np.cumsum(rng.uniform(0.2, 1, count))
    speeds = np.sort(rng.uniform(-3, 3, count))[::-1].copy()
    rng.shuffle(speeds[1:3])
    when, last = collisions(masses, places, speeds, 4.0)
    assert len(when) >= 2
    result = saltus.load(row_of_trucks(masses, places, speeds)).simulate(tolerance=1e-9)
    assert event_times(result) == pytest.approx(when, abs=1e-6)
    found = np.array([result[f"a[{i + 1}].v"][-1] for i in range(count)])
    np.testing.assert_allclose(found, last, atol=1e-6)
    momentum = sum(m * result[f"a[{i + 1}].v"] for i, m in enumerate(masses))
    np.testing.assert_allclose(momentum, momentum[0], atol=1e-10 * np.abs(masses * speeds).sum())
    assert result.statistics["programs"] == len(when) + 1
    assert not result.warnings


SHAKEN = (
    CONTACT
    + """
model Shaken "Two blocks upon a table that swings"
  parameter Real g = 9.81, A = 0.01, w = 40;
  Mass low(m = 2), high(m = 3);
  Contact table, between;
  Real z = A*sin(w*time);
equation
  table.h = low.y - z;
  between.h = high.y - low.y;
  low.F = table.N - between.N - low.m*g;
  high.F = between.N - high.m*g;
  annotation(experiment(StopTime = 0.15));
end Shaken;
"""
)


@pytest.mark.parametrize("tolerance", [1e-4, 1e-6, 1e-8])
def test_stack_on_a_swinging_table(tolerance: float) -> None:
    """Both contacts lose their forces at the same moment, and both blocks fly and land as one."""
    result = saltus.load(SHAKEN).simulate(tolerance=tolerance)
    up = math.asin(G / 16) / 40

    def height(t: float) -> float:
        start, speed, since = 0.01 * math.sin(40 * up), 0.4 * math.cos(40 * up), t - up
        return start + speed * since - G * since**2 / 2

    down = brentq(lambda t: height(t) - 0.01 * math.sin(40 * t), up + 0.01, 0.13)
    speed = 0.4 * math.cos(40 * up) - G * (down - up)
    jolt = 0.4 * math.cos(40 * down) - speed
    # Some ten steps, each with an error of a tolerance in the heights that close at 0.59 m/s.
    late = 10 * tolerance / jolt
    assert event_times(result) == pytest.approx([up, down], abs=late)
    harder = late * (G + 16)  # by the accelerations of block and table
    assert impulse(result, down, "between.N") == pytest.approx(3 * jolt, abs=3 * harder)
    assert impulse(result, down, "table.N") == pytest.approx(5 * jolt, abs=5 * harder)
    np.testing.assert_allclose(result["high.y"], result["low.y"], atol=2 * tolerance)
    flying = (result.time > up) & (result.time < down)
    exact = [height(t) for t in result.time[flying]]
    np.testing.assert_allclose(result["low.y"][flying], exact, atol=10 * tolerance)

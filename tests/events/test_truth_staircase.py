"""A ball bounces down a staircase: every bounce and every edge of a stair in closed form, event by event.

The ball flies in parabolas; its horizontal speed decays by the drag of the air, so that it passes the edges
of the stairs at logarithms. First it jumps over stairs, later it bounces more than once on each, but it
always falls on before bounces pile up.

An error of the height at an impact is an error of its time (over the speed of the impact) and so of the speed
after it. Bounces with a restitution below one do not let it grow; it adds up over the bounces.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pytest
from event_runs import steps
from truth_cases import STEPS, every_case

import saltus

G, E, WIDTH, DROP, SPEED, DRAG, STOP = 9.81, 0.6, 0.4, 0.18, 1.0, 0.05, 6.0

STAIRCASE = """
model Staircase
  parameter Real g = 9.81;
  parameter Real e = 0.6 "restitution";
  parameter Real width = 0.4 "of a stair";
  parameter Real drop = 0.18 "from one stair to the next";
  parameter Real drag = 0.05;
  Real x(start = 0, fixed = true);
  Real u(start = 1, fixed = true);
  Real h(start = 1.5, fixed = true);
  Real v(start = 0, fixed = true);
  Integer stair(start = 0, fixed = true);
  Integer bounces(start = 0, fixed = true);
  Real floor = -stair*drop;
equation
  der(x) = u;
  der(u) = -drag*u;
  der(h) = v;
  der(v) = -g;
  when x >= (pre(stair) + 1)*width then
    stair = pre(stair) + 1;
  end when;
  when h <= floor then
    reinit(v, -e*pre(v));
    bounces = pre(bounces) + 1;
  end when;
end Staircase;
"""


@dataclass
class Flight:
    """From `start` on: height and speed at the start, on which stair, after how many bounces."""

    start: float
    h: float
    v: float
    stair: int
    bounces: int

    def height(self, t: float) -> float:
        return self.h + self.v * (t - self.start) - G / 2 * (t - self.start) ** 2

    def impact(self) -> float:
        """When it reaches the floor of its stair, falling."""
        above = self.h + self.stair * DROP
        return self.start + (self.v + math.sqrt(self.v**2 + 2 * G * above)) / G


def edge(stair: int) -> float:
    """When it passes the end of a stair: x = speed (1 - exp(-drag t))/drag."""
    remaining = 1 - DRAG * (stair + 1) * WIDTH / SPEED
    return -math.log(remaining) / DRAG if remaining > 0 else math.inf


def flights() -> list[Flight]:
    found = [Flight(0.0, 1.5, 0.0, 0, 0)]
    while True:
        last = found[-1]
        hit, passed = last.impact(), edge(last.stair)
        now = min(hit, passed)
        if now > STOP:
            return found
        v = last.v - G * (now - last.start)
        if hit < passed:
            found.append(Flight(now, -last.stair * DROP, -E * v, last.stair, last.bounces + 1))
        else:
            found.append(Flight(now, last.height(now), v, last.stair + 1, last.bounces))


@pytest.fixture(scope="module")
def model() -> saltus.Model:
    return saltus.load(STAIRCASE)


def test_the_truth_has_bounces_of_all_kinds() -> None:
    found = flights()
    assert found[-1].bounces >= 10 and found[-1].stair >= 9
    hits = [after.stair for before, after in pairwise(found) if after.bounces > before.bounces]
    on_stairs = [hits.count(k) for k in range(found[-1].stair)]
    assert max(on_stairs) >= 2 and min(on_stairs) == 0, "stairs with several bounces, and stairs jumped over"


@every_case
def test_bounces_and_edges(model: saltus.Model, method: str, tolerance: float) -> None:
    result = model.simulate(stop_time=STOP, tolerance=tolerance, method=method)
    found = flights()
    hits = [f for before, f in pairwise(found) if f.bounces > before.bounces]
    edges = [f for before, f in pairwise(found) if f.stair > before.stair]
    error = STEPS * tolerance  # of a flight

    changes = steps(result, "stair")[1:]
    assert [int(v) for _, v in changes] == [f.stair for f in edges]
    # Horizontally nothing happens, but after every bounce all states start anew: as many phases of errors. x
    # moves with at least exp(-drag*stop) of its speed.
    bound = (len(hits) + 1) * error / math.exp(-DRAG * STOP)
    np.testing.assert_allclose([t for t, _ in changes], [f.start for f in edges], rtol=0, atol=bound)

    changes = steps(result, "bounces")[1:]
    assert [int(v) for _, v in changes] == [f.bounces for f in hits]
    for k, ((t, _), f) in enumerate(zip(changes, hits, strict=True)):
        # The speed after the impact is E times that before it; errors of all flights until here add up.
        assert abs(t - f.start) <= (k + 1) * error / (f.v / E), f"bounce {k + 1}"


@every_case
def test_heights_and_energy(model: saltus.Model, method: str, tolerance: float) -> None:
    result = model.simulate(stop_time=STOP, tolerance=tolerance, method=method)
    found = flights()
    n = found[-1].bounces
    starts = np.array([f.start for f in found])
    expected = [found[int(np.searchsorted(starts, t, side="right")) - 1].height(t) for t in result.time]
    # A bounce that is late by dt leaves the ball wrong by (1 + E) v dt until it is back.
    np.testing.assert_allclose(result["h"], expected, rtol=0, atol=3 * n * STEPS * tolerance)
    # It never falls through a floor by more than the event's location.
    assert np.min(result["h"] - result["floor"]) > -1e-9
    # Between bounces v^2/2 + g h does not change.
    energy = result["v"] ** 2 / 2 + G * result["h"]
    bounces = result["bounces"]
    for k in range(n + 1):
        flight = energy[bounces == k]
        assert np.ptp(flight) <= 2 * G * STEPS * tolerance

"""Rows of one-way clutches, driven to and fro, against complementarity by enumeration.

Inertia k + 1 is driven by inertia k through a one-way clutch with torque tau_k >= 0 and slip s_k >= 0, of
which one is zero. Drags are constant, the drive is A cos(t): between events the speed of every group of
inertias that are locked together is known in closed form. At an event each clutch without slip hands on a
torque or gains slip: a linear complementarity problem in torques and relative accelerations, solved here by
trying all combinations.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pytest
from leap_readings import event_times
from mechanical_elements import SPEED_ELEMENTS
from numpy.typing import NDArray
from scipy.optimize import brentq

import saltus

Vector = NDArray[np.float64]
STOP = 12.0


@dataclass
class Row:
    """A row of inertias, the first of which is driven."""

    inertias: Vector
    drags: Vector
    amplitude: float
    speeds: Vector

    def text(self) -> str:
        def listed(values: Vector) -> str:
            return "{" + ", ".join(map(repr, map(float, values))) + "}"

        n = len(self.inertias)
        return f"""{SPEED_ELEMENTS}
model Row
  Inertia j[{n}](J = {listed(self.inertias)}, w(start = {listed(self.speeds)}, each fixed = true));
  Freewheel f[{n - 1}];
  Torque drag[{n}](tau = {listed(-self.drags)});
  Torque drive(tau = {self.amplitude}*cos(time));
equation
  connect(drive.flange, j[1].flange);
  for k in 1:{n} loop
    connect(drag[k].flange, j[k].flange);
  end for;
  for k in 1:{n - 1} loop
    connect(j[k].flange, f[k].a);
    connect(f[k].b, j[k + 1].flange);
  end for;
  annotation(experiment(StopTime = {STOP}, Tolerance = 1e-9));
end Row;
"""

    @property
    def rows(self) -> Vector:
        """The slips as rows of speeds."""
        return np.diff(np.eye(len(self.inertias)), axis=0)

    def response(self, free: Vector, locked: tuple[int, ...]) -> tuple[Vector, Vector]:
        """Accelerations (or speeds) with these locks, from what they were without; and the locks' torques."""
        torques = np.zeros(len(self.inertias) - 1)
        if locked:
            g = self.rows[list(locked)]
            torques[list(locked)] = -np.linalg.solve(g / self.inertias @ g.T, g @ free)
        return free + self.rows.T @ torques / self.inertias, torques

    def complementary(self, free: Vector, candidates: list[int]) -> tuple[int, ...]:
        """Of the clutches without slip, those that lock."""
        for count in range(len(candidates) + 1):
            for locked in combinations(candidates, count):
                found, torques = self.response(free, locked)
                if (
                    torques.min(initial=0) > -1e-12
                    and (self.rows @ found)[candidates].min(initial=0) > -1e-12
                ):
                    return locked
        raise AssertionError("such a problem has a solution")

    def accelerations(self, t: float) -> Vector:
        """Without clutches."""
        drive = np.zeros(len(self.inertias))
        drive[0] = self.amplitude * math.cos(t)
        return (drive - self.drags) / self.inertias

    def gained(self, t0: float, t: float) -> Vector:
        """Speed without clutches since a time."""
        drive = np.zeros(len(self.inertias))
        drive[0] = self.amplitude * (math.sin(t) - math.sin(t0))
        return (drive - self.drags * (t - t0)) / self.inertias

    def motion(self) -> list[tuple[float, tuple[int, ...], Vector]]:
        """The start of each stretch, what is locked in it, and the speeds then."""
        t, w = 0.0, self.speeds.copy()
        found: list[tuple[float, tuple[int, ...], Vector]] = []
        everyone = range(len(self.inertias) - 1)
        while True:
            still = [k for k in everyone if abs((self.rows @ w)[k]) < 1e-9]
            # A moment later, so that a torque that is just zero has its sign.
            locked = self.complementary(self.accelerations(t + 1e-7), still)
            found.append((t, locked, w))

            def margins(x: float, t: float = t, w: Vector = w, locked: tuple[int, ...] = locked) -> Vector:
                speeds = w + self.response(self.gained(t, x), locked)[0]
                torques = self.response(self.accelerations(x), locked)[1]
                return np.array([torques[k] if k in locked else (self.rows @ speeds)[k] for k in everyone])

            x, step = t + 1e-4, 4e-3
            while x < STOP and margins(x).min() > 0:
                x += step
            if x >= STOP:
                return found
            ends = [
                float(brentq(lambda y, k=k: margins(y)[k], max(x - step, t + 1e-6), x, xtol=1e-14))
                for k in everyone
                if margins(x)[k] <= 0
            ]
            end = min(ends)
            w = w + self.response(self.gained(t, end), locked)[0]
            t = end

    def at(self, motion: list[tuple[float, tuple[int, ...], Vector]], times: Vector) -> Vector:
        """All speeds."""
        starts = np.array([m[0] for m in motion])
        columns = []
        for t in times:
            start, locked, w = motion[int(np.searchsorted(starts, t, side="right")) - 1]
            columns.append(w + self.response(self.gained(start, float(t)), locked)[0])
        return np.array(columns).T


@pytest.mark.parametrize("seed", range(4))
def test_row_of_freewheels(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 3 + seed % 2
    row = Row(
        np.round(rng.uniform(0.5, 2, n), 2),
        np.round(rng.uniform(0.1, 0.8, n), 2),
        float(np.round(rng.uniform(3, 6), 1)),
        np.sort(np.round(rng.uniform(-1, 1, n), 2)),
    )
    motion = row.motion()
    assert len({m[1] for m in motion}) >= 3
    result = saltus.load(row.text()).simulate()
    assert event_times(result) == pytest.approx([m[0] for m in motion[1:]], abs=1e-5)
    found = np.array([result[f"j[{k + 1}].w"] for k in range(n)])
    np.testing.assert_allclose(found, row.at(motion, result.time), atol=2e-5)
    for k in range(1, n):
        assert result[f"f[{k}].tau"].min() > -1e-7 and result[f"f[{k}].w_rel"].min() > -1e-7
    assert list(result.impulses) == []  # speeds are equal where clutches lock
    assert result.statistics["conservation error"] < 1e-10

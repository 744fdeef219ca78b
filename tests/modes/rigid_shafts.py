"""Shafts that are joined rigidly for a while: their motion in closed form, for comparison.

A lock is a row G of speeds that vanish while it holds. Between leaps all torques are constant, and so are all
accelerations, from J w' = Q + G' mu and G w' = 0. Where locks close, momentum goes only through them:

    J (w+ - w-) = G' mu,   G w+ = 0   =>   mu = -(G J^-1 G')^-1 G w-

mu are the impulses of the locks; the energy lost is mu' (G J^-1 G') mu / 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Phase:
    """From `start` on these locks hold, by name, and these torques act."""

    start: float
    locks: dict[str, Vector]
    torques: Vector


@dataclass(frozen=True)
class Leap:
    """What happened when locks closed; `weights` are the impulses of the locks that are closed then."""

    time: float
    before: Vector
    after: Vector
    weights: dict[str, float]
    loss: float


class RigidShafts:
    """The motion of shafts with these inertias and speeds through phases, up to any time."""

    def __init__(self, inertias: Sequence[float], speeds: Sequence[float], phases: Sequence[Phase]) -> None:
        self.inertias = np.array(inertias, dtype=float)
        self.phases = list(phases)
        self.leaps: list[Leap] = []
        self._starts: list[Vector] = []
        self._rates: list[Vector] = []
        self._angles: list[Vector] = []
        phi = np.zeros(len(self.inertias))
        w = np.array(speeds, dtype=float)
        for k, phase in enumerate(self.phases):
            if k:
                span = phase.start - self.phases[k - 1].start
                phi = phi + w * span + self._rates[-1] * span**2 / 2
                w = w + self._rates[-1] * span
            after = w + self._response(phase, -w)
            if k:
                weights = self._weights(phase, -w)
                loss = 0.5 * self.inertias @ w**2 - 0.5 * self.inertias @ after**2
                self.leaps.append(Leap(phase.start, w, after, weights, float(loss)))
            w = after
            free = phase.torques / self.inertias
            self._angles.append(phi)
            self._starts.append(w)
            self._rates.append(free + self._response(phase, -free))

    def _multipliers(self, phase: Phase, wanted: Vector) -> Vector:
        """Of the locks, so that they bring about what is wanted of them."""
        rows = np.array(list(phase.locks.values())).reshape(-1, len(self.inertias))
        return np.asarray(np.linalg.solve(rows / self.inertias @ rows.T, rows @ wanted))

    def _response(self, phase: Phase, wanted: Vector) -> Vector:
        rows = np.array(list(phase.locks.values())).reshape(-1, len(self.inertias))
        return np.asarray(rows.T @ self._multipliers(phase, wanted) / self.inertias)

    def _weights(self, phase: Phase, wanted: Vector) -> dict[str, float]:
        return dict(zip(phase.locks, self._multipliers(phase, wanted).tolist(), strict=True))

    def torques(self, k: int) -> dict[str, float]:
        """What the locks hand on during a phase."""
        phase = self.phases[k]
        return self._weights(phase, -phase.torques / self.inertias)

    def _since(self, times: Vector) -> tuple[Vector, Vector]:
        """The number of the phase, and the time since its start."""
        starts = np.array([p.start for p in self.phases])
        k = np.searchsorted(starts, times, side="right") - 1
        return k, times - starts[k]

    def speeds(self, times: Vector) -> Vector:
        """Of all shafts, a column for each time; at a leap those after it."""
        k, since = self._since(times)
        return (np.array(self._starts)[k] + np.array(self._rates)[k] * since[:, None]).T

    def angles(self, times: Vector) -> Vector:
        """Of all shafts, a column for each time, if all are zero at the start."""
        k, since = self._since(times)
        turned = (
            np.array(self._starts)[k] * since[:, None] + np.array(self._rates)[k] * since[:, None] ** 2 / 2
        )
        return (np.array(self._angles)[k] + turned).T

"""The two blocks of Saltus.Examples.Translational.StackedBlocks, integrated without Saltus.

At each event all nine modes are tried, and the one is taken whose forces and velocities agree with it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

Vector = NDArray[np.float64]
Modes = tuple[int, ...]

MASS = np.array([1.0, 0.5])
LIMIT = np.array([1.0, 0.6])
VISCOUS = np.array([0.3, 0.1])
BETWEEN = np.array([[1.0, 0.0], [-1.0, 1.0]])  # relative velocities from velocities
LATER = 1e-7  # a mode is judged by what it does within this time
DEAF = 1e-6  # and nothing ends it for so long


@dataclass(frozen=True)
class Stretch:
    """One mode, from start to end; `at` has positions and velocities as rows."""

    start: float
    end: float
    modes: Modes
    at: Callable[[Vector], Vector]


def respond(t: float, v: Vector, modes: Modes) -> tuple[Vector, Vector]:
    """Accelerations of the blocks and forces in the contacts, which slide (1, -1) or stick (0)."""
    push = np.array([2.2 * math.sin(t), 1.3 * math.sin(2.3 * t)])
    mode = np.array(modes)
    force = np.where(mode != 0, mode * LIMIT + VISCOUS * (BETWEEN @ v), 0.0)
    stuck = np.flatnonzero(mode == 0)
    if len(stuck):
        w = BETWEEN[stuck]
        force[stuck] = np.linalg.solve(w @ np.diag(1 / MASS) @ w.T, w @ ((push - BETWEEN.T @ force) / MASS))
    return (push - BETWEEN.T @ force) / MASS, force


def agrees(t: float, v: Vector, modes: Modes) -> bool:
    """Whether forces and velocities are those of the mode, a moment later."""
    relative = BETWEEN @ v
    relative[np.abs(relative) < 1e-10] = 0.0
    a, force = respond(t + LATER, v, modes)
    soon = relative + LATER * (BETWEEN @ a)
    return all(
        relative[k] == 0 and abs(force[k]) <= LIMIT[k] if mode == 0 else mode * soon[k] > 0
        for k, mode in enumerate(modes)
    )


class Margin:
    """Positive as long as a contact keeps its mode, for `solve_ivp`."""

    terminal = True
    direction = -1

    def __init__(self, begun: float, modes: Modes, contact: int, side: int) -> None:
        self._begun, self._modes, self._contact, self._side = begun, modes, contact, side

    def __call__(self, t: float, y: Vector) -> float:
        if t < self._begun + DEAF:
            return 1.0
        k, mode = self._contact, self._modes[self._contact]
        if mode == 0:
            return float(LIMIT[k] - self._side * respond(t, y[2:], self._modes)[1][k])
        return float(mode * (BETWEEN @ y[2:])[k])


def stretch(t: float, y: Vector, modes: Modes, stop: float) -> tuple[Stretch, Vector]:
    """The motion in one mode, and where it ends."""

    def slope(t: float, y: Vector) -> Vector:
        return np.concatenate([y[2:], respond(t, y[2:], modes)[0]])

    events = [Margin(t, modes, k, side) for k in range(2) for side in (1, -1)]
    run = solve_ivp(
        slope, (t, stop), y, events=events, rtol=1e-11, atol=1e-12, max_step=0.01, dense_output=True
    )
    return Stretch(t, float(run.t[-1]), modes, run.sol), np.asarray(run.y[:, -1])


def motion(stop: float) -> list[Stretch]:
    """From rest."""
    found: list[Stretch] = []
    t, y = 0.0, np.zeros(4)
    while t < stop:
        (modes,) = (m for m in product((0, 1, -1), repeat=2) if agrees(t, y[2:], m))
        part, y = stretch(t, y, modes, stop)
        found.append(part)
        t = part.end
    return found

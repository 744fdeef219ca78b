"""Truth for relays in linear systems: each phase is a matrix exponential, each event a root of one.

In a mode z' = A z + b. Some functionals c.z + d are negative; the first that becomes positive ends the phase
and leads to another mode, possibly with a jump of z. Nothing here steps: z(t) is the exponential of the
augmented matrix [[A, b], [0, 0]] at any t. A scan brackets the first root, Brent's method finds it to
rounding. The scan must be finer than the time that a functional stays positive.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import expm
from scipy.optimize import brentq

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Affine:
    """A mode: z' = A z + b, until one of the rows of `guards` (c, d) makes c.z + d positive."""

    a: NDArray[np.float64]
    b: Vector
    guards: NDArray[np.float64]

    def augmented(self) -> NDArray[np.float64]:
        n = len(self.b)
        matrix = np.zeros((n + 1, n + 1))
        matrix[:n, :n], matrix[:n, n] = self.a, self.b
        return matrix

    def after(self, z: Vector, duration: float) -> Vector:
        """The solution some time after it was z."""
        return (expm(self.augmented() * duration) @ np.append(z, 1.0))[:-1]


@dataclass(frozen=True)
class Phase:
    """From `start` on the solution begins at `z` in this mode."""

    start: float
    mode: Hashable
    affine: Affine
    z: Vector


def phases(
    affine: Callable[[Hashable], Affine],
    switch: Callable[[Hashable, int, Vector], tuple[Hashable, Vector]],
    mode: Hashable,
    z: Sequence[float] | Vector,
    stop: float,
    scan: float,
    most: int = 10_000,
) -> list[Phase]:
    """All phases of a run from time 0, or the first so many. `switch(mode, guard, z)` gives the next mode and
    what z becomes."""
    now, found = 0.0, []
    z = np.asarray(z, dtype=float)
    while len(found) < most:
        current = affine(mode)
        found.append(Phase(now, mode, current, z))
        ahead = _first_root(current, z, stop - now, scan)
        if ahead is None:
            break
        duration, guard = ahead
        now += duration
        mode, z = switch(mode, guard, current.after(z, duration))
    return found


def _first_root(current: Affine, z: Vector, horizon: float, scan: float) -> tuple[float, int] | None:
    step = expm(current.augmented() * scan)
    here, passed = np.append(z, 1.0), 0.0
    while passed < horizon:
        ahead = step @ here
        crossed = np.flatnonzero(current.guards @ ahead > 0.0)
        if crossed.size:
            begin = here[:-1].copy()
            roots = [(_root(current, begin, current.guards[g], scan), int(g)) for g in crossed]
            offset, guard = min(roots)
            return (passed + offset, guard) if passed + offset <= horizon else None
        here, passed = ahead, passed + scan
    return None


def _root(current: Affine, z: Vector, guard: Vector, scan: float) -> float:
    def value(duration: float) -> float:
        return float(guard @ np.append(current.after(z, duration), 1.0))

    return 0.0 if value(0.0) >= 0.0 else float(brentq(value, 0.0, scan, xtol=1e-16, rtol=1e-15))


def at(found: Sequence[Phase], times: Sequence[float] | Vector) -> NDArray[np.float64]:
    """The solution at these times, one row each; at an event, what is after it."""
    starts = np.array([p.start for p in found])
    rows = []
    for t in times:
        phase = found[int(np.searchsorted(starts, t, side="right")) - 1]
        rows.append(phase.affine.after(phase.z, t - phase.start))
    return np.array(rows)

"""Piecewise linear circuits by hand, without Saltus: exact to rounding.

Between two events a circuit of ideal switches is `y' = A y + b`, solved by matrix exponentials. A `Phases`
walks from phase to phase, each until a linear function of `y` falls through zero or a given time is reached.
Sources that alternate are two more states, sine and cosine. What is on and off, and the matrices, are written
by the test.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import expm
from scipy.optimize import brentq

Vector = NDArray[np.float64]


class Phases:
    """Where the walk is (`time`, `state`) and where it has been."""

    def __init__(self, state: ArrayLike, step: float, time: float = 0.0) -> None:
        """`step`: in no interval of this length does anything fall through zero and come back."""
        self.time, self.state, self._step = time, np.array(state, dtype=float), step
        self.moments: list[float] = []  # where phases ended
        self._starts: list[float] = []
        self._pieces: list[tuple[Vector, Vector]] = []

    def follow(
        self, a: ArrayLike, b: ArrayLike, until: float, *ends: tuple[Sequence[float] | Vector, float]
    ) -> int | None:
        """Goes on with `y' = a y + b` until the first of the functions `c y + d` falls through zero (its
        number is returned) or until a time (None)."""
        if until <= self.time:
            return None
        matrix = np.zeros((len(self.state) + 1,) * 2)
        matrix[:-1, :-1], matrix[:-1, -1] = a, b
        begin, start = self.time, np.append(self.state, 1.0)
        rows = [np.append(c, d) for c, d in ends]
        self._starts.append(begin)
        self._pieces.append((matrix, start))
        found, which = until, None
        stride = expm(matrix * self._step)
        left, t = start, begin
        while rows and t < until:
            length = min(self._step, until - t)
            right = stride @ left if length == self._step else expm(matrix * length) @ left
            for k, row in enumerate(rows):
                if row @ right < 0 and row @ right < row @ left:
                    moment = self._root(matrix, left, row, length)
                    if t + moment < found:
                        found, which = t + moment, k
            if which is not None:
                break
            left, t = right, t + length
        self.time, self.state = found, (expm(matrix * (found - begin)) @ start)[:-1]
        self.moments.append(found)
        return which

    @staticmethod
    def _root(matrix: Vector, left: Vector, row: Vector, length: float) -> float:
        """Where it falls through zero; at once, if it begins at zero or below."""

        def value(t: float) -> float:
            return float(row @ (expm(matrix * t) @ left))

        return float(brentq(value, 0, length, xtol=1e-17)) if value(0) > 0 else 0.0

    def at(self, times: Vector) -> Vector:
        """The states at these times, right limits where phases change: one row for each state."""
        phases = np.array([max(bisect_right(self._starts, float(t)) - 1, 0) for t in times])
        found = np.empty((len(self.state), len(times)))
        for k in np.unique(phases):
            rows = np.flatnonzero(phases == k)
            matrix, start = self._pieces[k]
            since = times[rows] - self._starts[k]
            found[:, rows] = (expm(matrix * since[:, None, None]) @ start)[:, :-1].T
        return found


def far_from(time: Vector, moments: Sequence[float], margin: float) -> NDArray[np.bool_]:
    """Which of the times are not within `margin` of any of the moments: where what jumps may be compared."""
    far = np.ones(len(time), dtype=bool)
    for t in moments:
        far &= np.abs(time - t) > margin
    return far

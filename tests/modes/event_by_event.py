"""Event-by-event integration without Saltus: the equations of each phase, and what ends it, are by hand.

A `Walk` integrates one phase after the other with SciPy's eighth-order method to relative 1e-11, each until a
function of its own rises through zero or a given time is reached. What follows is the business of the test.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

Vector = NDArray[np.float64]
Rate = Callable[[float, Vector], Sequence[float]]
Guard = Callable[[float, Vector], float]


class Walk:
    """Where the walk is (`time`, `state`) and where it has been."""

    def __init__(self, state: Sequence[float], step: float, time: float = 0.0) -> None:
        self.time, self.state, self._step = time, np.array(state, dtype=float), step
        self.moments: list[float] = []  # where phases ended
        self._starts: list[float] = []
        self._pieces: list[Any] = []

    def follow(self, rate: Rate, until: float, *guards: Guard) -> int | None:
        """Integrates until the first of the guards rises through zero (its number is returned) or until a
        time (None). Steps are not longer than the walk's, in which no guard crosses zero twice."""
        if until <= self.time:
            return None
        terminal = [_terminal(g) for g in guards]
        done = solve_ivp(
            rate, (self.time, until), self.state, method="DOP853", dense_output=True, events=terminal,
            rtol=1e-11, atol=1e-13, max_step=self._step,
        )  # fmt: skip
        assert done.success, done.message
        self._starts.append(self.time)
        self._pieces.append(done.sol)
        self.time, self.state = float(done.t[-1]), done.y[:, -1].copy()
        self.moments.append(self.time)
        if done.status == 0:
            return None
        return next(k for k, found in enumerate(done.t_events) if len(found))

    def before(self, times: Vector) -> Vector:
        """The states at these times, left limits where phases change: one row for each state."""
        return self._at(times, bisect_left)

    def after(self, times: Vector) -> Vector:
        """The states at these times, right limits where phases change."""
        return self._at(times, bisect_right)

    def _at(self, times: Vector, side: Callable[[list[float], float], int]) -> Vector:
        phases = [max(side(self._starts, float(t)) - 1, 0) for t in times]
        return np.array([self._pieces[k](t) for k, t in zip(phases, times, strict=True)]).T

    def phase(self, times: Vector) -> NDArray[np.int64]:
        """The numbers of the phases at these times, the later one where phases change."""
        return np.array([max(bisect_right(self._starts, float(t)) - 1, 0) for t in times])


def _terminal(guard: Guard) -> Guard:
    def event(t: float, y: Vector) -> float:
        return guard(t, y)

    event.terminal, event.direction = True, 1.0  # type: ignore[attr-defined]
    return event

"""A position at which derivatives are zero: Newton's method, for matrices that may be singular.

Where the matrix is singular, states can change without changing any derivative: they are free, and are moved
as little as possible (the step of least norm, in sizes of the states). What drifts at rest, as the angle of
a shaft that turns, is a motion along free states: f(x) = V*c with A*V = 0. It is part of the same linear
system, so that shafts that are tied to each other by springs turn together, or not at all.

Steps are damped by the natural monotonicity test (Deuflhard, Newton Methods for Nonlinear Problems, 2004,
section 3.3), which does not depend on units.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Vector: TypeAlias = NDArray[np.float64]

#: Singular values below this, relative to the largest, are zero. Matrices are known to about 1e-12.
_DEPENDENT = 1e-11

#: A step so small, in sizes of the states, is the last one; where rounding allows no better, this is enough.
_LAST, _CLOSE = 1e-9, 1e-6

#: A derivative that is smaller is zero: relative to its terms, or to what it would be if a state on which it
#: depends were changed by its size.
_LEFT_OVER = 1e-9

_NEWTON_STEPS, _SMALLEST_PART = 50, 1e-4

#: A component of a direction that is smaller, relative to the largest, is none.
_TAKES_PART = 1e-6


@dataclass(frozen=True)
class AtRest:
    """A position. `free` are groups of states, by number: those of a group can be changed together without
    anything coming out of it. `drifts` are the derivatives that are not zero."""

    x: Vector
    free: tuple[tuple[int, ...], ...]
    drifts: Vector


class NoRest(Exception):
    """There is no position at rest, or none was found. `stuck` has, for each combination of derivatives that
    no step can change, its weights; empty where Newton's method has failed in another way. `x` and `rates`
    are where it came to."""

    def __init__(self, x: Vector, rates: Vector, stuck: tuple[Vector, ...] = ()) -> None:
        super().__init__()
        self.x, self.rates, self.stuck = x, rates, stuck


def at_rest(
    rates: Callable[[Vector], Vector | None],
    matrix: Callable[[Vector], Vector],
    x: Vector,
    sizes: Vector,
    may_drift: NDArray[np.bool_],
) -> AtRest:
    """A position near x. `rates` gives the derivatives (None where there are none), `matrix` their own by the
    states, of the `sizes`; `may_drift` says which states may keep changing."""
    now = rates(x)
    if now is None:
        raise NoRest(x, np.full(len(x), np.nan))
    for _ in range(_NEWTON_STEPS):
        near = _Linear(matrix(x), now, np.maximum(np.abs(x), sizes), may_drift)
        step = near.step(now)
        length = _length(step.states)
        if length <= _LAST:
            if near.left_over(now, step):
                raise NoRest(x, now, near.stuck(now))
            there = x + step.states * near.sizes
            return AtRest(x if rates(there) is None else there, near.free(), near.drifts(step))
        part = 1.0
        while (found := rates(there := x + part * step.states * near.sizes)) is None or _norm(
            near.step(found).states
        ) > max((1 - part / 2) * _norm(step.states), _LAST):
            part /= 2
            if part < _SMALLEST_PART:
                if near.left_over(now, step):
                    raise NoRest(x, now, near.stuck(now))
                if length <= _CLOSE:
                    return AtRest(x, near.free(), near.drifts(step))
                raise NoRest(x, now)
        x, now = there, found
    raise NoRest(x, now)


@dataclass(frozen=True)
class _Step:
    """In sizes of the states, and how fast they drift along each free direction that may."""

    states: Vector
    drift: Vector


class _Linear:
    """The model near one position: rows in units of their largest term, columns in sizes of the states."""

    def __init__(self, matrix: Vector, rates: Vector, sizes: Vector, may_drift: NDArray[np.bool_]) -> None:
        self.sizes = sizes
        terms = matrix * sizes
        largest = np.abs(terms).max(axis=1, initial=0.0)
        self.rows = np.where(largest > 0, largest, np.where(rates != 0, np.abs(rates), 1.0))
        self._scaled = terms / self.rows[:, np.newaxis]
        self.left, values, right = np.linalg.svd(self._scaled)
        self._rank = int((values > _DEPENDENT * values.max(initial=0.0)).sum())
        self._kernel = right[self._rank :].T
        self._along = _supported(self._kernel, may_drift)
        #: What drifts is taken out of the equations; the states are moved for the rest of them.
        self._drifting = (self._along * sizes[:, np.newaxis]) / self.rows[:, np.newaxis]
        self._rates_of = np.linalg.pinv(self._drifting)
        without = self._scaled - self._drifting @ (self._rates_of @ self._scaled)
        least = _DEPENDENT * values.max(initial=0.0)
        most = np.linalg.norm(without, 2) if without.size else 0.0
        self._inverse = np.linalg.pinv(without, rcond=min(least / most, 1.0) if most > least else 1.0)

    def step(self, rates: Vector) -> _Step:
        """By which all derivatives would become zero, if the model were linear."""
        scaled = rates / self.rows
        states = -self._inverse @ (scaled - self._drifting @ (self._rates_of @ scaled))
        return _Step(states, self._rates_of @ (scaled + self._scaled @ states))

    def left_over(self, rates: Vector, step: _Step) -> bool:
        """Whether a derivative stays away from zero whatever the states are."""
        scaled = rates / self.rows
        terms = np.abs(self._scaled) @ np.abs(step.states) + np.abs(scaled)
        left = scaled + self._scaled @ step.states - self._drifting @ step.drift
        return bool((np.abs(left) > _LEFT_OVER * terms.max(initial=1.0)).any())

    def stuck(self, rates: Vector) -> tuple[Vector, ...]:
        """Weights of the derivatives whose sum no step changes."""
        kernel = _sparse(self.left[:, self._rank :]) / self.rows[:, np.newaxis]
        return tuple(w for w in kernel.T if abs(w @ rates) > _LEFT_OVER * (np.abs(w) @ np.abs(rates)))

    def free(self) -> tuple[tuple[int, ...], ...]:
        """The states of each free direction."""
        return tuple(tuple(np.flatnonzero(c).tolist()) for c in _sparse(self._kernel).T)

    def drifts(self, step: _Step) -> Vector:
        """The derivatives that stay."""
        found: Vector = (self._along @ step.drift) * self.sizes
        return np.where(np.abs(found) > _LEFT_OVER * self.rows, found, 0.0)


def _length(x: Vector) -> float:
    return float(np.abs(x).max(initial=0.0))


def _norm(x: Vector) -> float:
    return float(np.linalg.norm(x))


def _supported(kernel: Vector, allowed: NDArray[np.bool_]) -> Vector:
    """The directions of a kernel in which only these states take part."""
    if not kernel.size or not allowed.any():
        return kernel[:, :0]
    if allowed.all():
        return _sparse(kernel)
    _, values, right = np.linalg.svd(kernel[~allowed])
    rank = int((values > _TAKES_PART).sum())
    return _sparse(kernel @ right[rank:].T)


def _sparse(kernel: Vector) -> Vector:
    """The directions with few states in each: the reduced echelon form of the columns."""
    rows = kernel.T.copy()
    done = 0
    for column in range(rows.shape[1]):
        if done == len(rows):
            break
        pivot = done + int(np.argmax(np.abs(rows[done:, column])))
        if abs(rows[pivot, column]) <= _TAKES_PART:
            continue
        rows[[done, pivot]] = rows[[pivot, done]]
        rows[done] /= rows[done, column]
        others = np.arange(len(rows)) != done
        rows[others] -= np.outer(rows[others, column], rows[done])
        done += 1
    largest = np.abs(rows).max(axis=1, initial=0.0)[:, np.newaxis]
    return np.where(np.abs(rows) > _TAKES_PART * largest, rows, 0.0).T

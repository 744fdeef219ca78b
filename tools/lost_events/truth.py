"""Where a formula is surely positive and surely negative: dense samples, refined extrema, bisection.

Between neighbouring samples a formula has at most one extremum. Those near a level are refined by the
golden section and become samples, too. After that the formula is monotone from sample to sample as far as
levels are concerned, so that signs at the samples show all crossings, which are then bisected.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

Vector = NDArray[np.float64]
Formula = Callable[[Vector], Vector]

#: Samples in the shortest period. A sine bends by 0.2 % of its amplitude from one to the next.
SAMPLES = 48

#: More would take longer than the runs that are judged.
MOST_SAMPLES = 2_000_000

_GOLDEN = (math.sqrt(5) - 1) / 2
_GOLDEN_STEPS = 36  # to 3e-8 of a cell; the value at an extremum is then right to the last digits
_HALVINGS = 40


@dataclass(frozen=True)
class Grid:
    """Times that are dense enough for a formula, with its shortest time scale (a period) at each of them."""

    times: Vector
    scales: Vector

    @property
    def stop(self) -> float:
        return float(self.times[-1])

    def with_kinks(self, *kinks: float) -> Grid:
        """The grid with times at which the formula is not smooth, or is known to have an extremum."""
        inside = [k for k in kinks if 0.0 < k < self.stop]
        times = np.union1d(self.times, np.asarray(inside, dtype=np.float64))
        return Grid(times, np.interp(times, self.times, self.scales))


def even(stop: float, period: float, samples: int = SAMPLES) -> Grid:
    """The grid for a formula whose shortest period is the same all the time."""
    cells = max(math.ceil(stop / period * samples), samples)
    if cells > MOST_SAMPLES:
        raise ValueError(f"{cells} samples are too many")
    times = np.linspace(0.0, stop, cells + 1)
    return Grid(times, np.full(cells + 1, period))


def graded(stop: float, period: Formula) -> Grid:
    """The grid for a formula whose shortest period varies, slowly compared with itself."""
    # The number of cells up to a time is the integral of the density; its inverse gives the times.
    coarse = np.linspace(0.0, stop, 4001)
    density = SAMPLES / np.minimum(period(coarse), stop)
    cells = np.concatenate([[0.0], np.cumsum((density[1:] + density[:-1]) / 2 * np.diff(coarse))])
    if cells[-1] > MOST_SAMPLES:
        raise ValueError(f"{cells[-1]:.0f} samples are too many")
    times = np.interp(np.linspace(0.0, cells[-1], math.ceil(cells[-1]) + 1), cells, coarse)
    times[0], times[-1] = 0.0, stop
    return Grid(times, np.asarray(period(times)))


def focused(stop: float, places: Vector, widths: Vector, period: float) -> Grid:
    """The grid for a formula of the given period with narrow features, of some width around some places."""
    parts = [even(stop, period).times]
    for place, width in zip(places, widths, strict=True):
        near = place + width * np.linspace(-12, 12, 24 * SAMPLES + 1)
        parts.append(near[(near > 0) & (near < stop)])
    times = np.unique(np.concatenate(parts))
    scales = np.full(times.shape, period)
    for place, width in zip(places, widths, strict=True):
        scales = np.where(np.abs(times - place) <= 12 * width, np.minimum(scales, width), scales)
    return Grid(times, scales)


@dataclass(frozen=True)
class Timeline:
    """Intervals in which the sign of a residue is certain, in order, and the excursion each belongs to.

    `signs` are 1 and -1. `began` and `ended` are the zeros around it, or the ends of the run; `scales` are
    the residue's time scales there. Nothing is known between the intervals.
    """

    starts: Vector
    ends: Vector
    signs: NDArray[np.int64]
    began: Vector
    ended: Vector
    scales: Vector

    def __len__(self) -> int:
        return len(self.starts)

    def until(self, end: float) -> Timeline:
        """What is known of a run that ends earlier."""
        kept = self.starts < end
        ends, ended = np.minimum(self.ends[kept], end), np.minimum(self.ended[kept], end)
        return Timeline(self.starts[kept], ends, self.signs[kept], self.began[kept], ended, self.scales[kept])

    def resolved(self, of_scale: float, shortest: float) -> Timeline:
        """Without the excursions that are too short to count."""
        kept = self.ended - self.began >= np.maximum(of_scale * self.scales, shortest)
        return Timeline(
            self.starts[kept],
            self.ends[kept],
            self.signs[kept],
            self.began[kept],
            self.ended[kept],
            self.scales[kept],
        )


def timeline(residue: Formula, grid: Grid, margin: float) -> Timeline:
    """Where the residue is surely above or below zero if it is known up to `margin`."""
    times, values = _with_extrema(residue, grid, margin)
    signs = np.where(values > margin, 1, np.where(values < -margin, -1, 0))
    first = np.flatnonzero(np.concatenate([[True], signs[1:] != signs[:-1]]))  # of each stretch of one sign
    last = np.concatenate([first[1:], [len(signs)]]) - 1
    certain = signs[first] != 0
    first, last = first[certain], last[certain]
    found = signs[first]

    starts, ends = times[first].copy(), times[last].copy()
    inner = first > 0
    starts[inner] = _bisected(
        residue, times[first[inner] - 1], times[first[inner]], found[inner] * margin, found[inner]
    )
    inner = last < len(times) - 1
    ends[inner] = _bisected(
        residue, times[last[inner] + 1], times[last[inner]], found[inner] * margin, found[inner]
    )

    zeros = _zeros(residue, times, values)
    walls = np.concatenate([[times[0]], zeros, [times[-1]]])
    began = walls[np.maximum(np.searchsorted(walls, starts, side="right") - 1, 0)]
    ended = walls[np.minimum(np.searchsorted(walls, ends, side="left"), len(walls) - 1)]
    scales = np.interp((starts + ends) / 2, grid.times, grid.scales)
    return Timeline(starts, ends, found, began, ended, scales)


def crossings(residue: Formula, grid: Grid) -> Vector:
    """All zeros at which the residue changes its sign, to the last digits of the golden section."""
    return _zeros(residue, *_with_extrema(residue, grid, 0.0))


def next_fall(residue: Formula, start: float, stop: float, period: float) -> float | None:
    """The first time after `start` at which the residue becomes negative; at `start` it is zero or positive.

    It is looked for in stretches of three periods, since it is mostly near."""
    while start < stop:
        end = min(start + 3 * period, stop)
        times = np.linspace(start, end, 3 * SAMPLES + 1)
        times, values = _with_extrema(residue, Grid(times, np.full(times.shape, period)), 0.0)
        above = values > 0
        cell = np.flatnonzero(above[:-1] & ~above[1:])[:1]
        if len(cell):
            left, right = float(times[cell[0]]), float(times[cell[0] + 1])
            # One at a time, so that what needs the fewest evaluations is the quickest.
            return float(
                brentq(lambda t: float(residue(np.array([t]))[0]), left, right, xtol=1e-300, rtol=1e-14)
            )
        start = end
    return None


def _zeros(residue: Formula, times: Vector, values: Vector) -> Vector:
    above = values > 0
    cell = np.flatnonzero(above[1:] != above[:-1])
    side = np.where(above[cell + 1], 1, -1)
    return _bisected(residue, times[cell], times[cell + 1], np.zeros(len(cell)), side)


def _with_extrema(residue: Formula, grid: Grid, margin: float) -> tuple[Vector, Vector]:
    """Samples, with those extrema among them that may lie on another side of a level than their cell."""
    times, values = grid.times, residue(grid.times)
    before, here, after = values[:-2], values[1:-1], values[2:]
    turns = (here - before) * (after - here) <= 0
    bend = np.abs(before - here) + np.abs(after - here)  # the extremum is not further from `here` than this
    near = np.minimum(np.abs(here - margin), np.abs(here + margin))
    near = np.minimum(near, np.abs(here)) <= 2 * bend
    chosen = np.flatnonzero(turns & near)
    tops = here[chosen] - (before[chosen] + after[chosen]) / 2 >= 0
    # The first and the last cell have a neighbour on one side only, which may hide an extremum in them.
    left = np.concatenate([times[chosen], times[[0, 0, -2, -2]]])
    right = np.concatenate([times[chosen + 2], times[[1, 1, -1, -1]]])
    side = np.concatenate([np.where(tops, 1.0, -1.0), [1.0, -1.0, 1.0, -1.0]])
    merged = np.union1d(times, _extrema(residue, left, right, side))
    return merged, residue(merged)


def _extrema(residue: Formula, left: Vector, right: Vector, side: Vector) -> Vector:
    """The places of the largest (side 1) or smallest (side -1) values between left and right."""
    a, b = left.copy(), right.copy()
    c, d = b - _GOLDEN * (b - a), a + _GOLDEN * (b - a)
    at_c, at_d = side * residue(c), side * residue(d)
    for _ in range(_GOLDEN_STEPS):
        lower = at_c > at_d
        a, b = np.where(lower, a, c), np.where(lower, d, b)
        fresh = np.where(lower, b - _GOLDEN * (b - a), a + _GOLDEN * (b - a))
        value = side * residue(fresh)
        c, d = np.where(lower, fresh, d), np.where(lower, c, fresh)
        at_c, at_d = np.where(lower, value, at_d), np.where(lower, at_c, value)
    return np.where(at_c > at_d, c, d)


def _bisected(
    residue: Formula, out: Vector, inside: Vector, level: Vector, side: NDArray[np.int64]
) -> Vector:
    """Where the residue passes `level`, beyond which it is at `inside` and not at `out`."""
    a, b = out.copy(), inside.copy()
    for _ in range(_HALVINGS):
        middle = (a + b) / 2
        beyond = (residue(middle) - level) * side > 0
        a, b = np.where(beyond, a, middle), np.where(beyond, middle, b)
    return b

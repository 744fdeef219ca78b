"""Two runs side by side: by how much their variables differ.

Differences are measured against the size of a variable: half of the range that it goes through in the first
run, or its largest value if it does not vary. Without a tube they are taken at the same times. Where events
are a little earlier in one of the runs, that says more about the events than about the curves; a tube around
the first run allows for it: its walls are the highest and the lowest value within a stretch of time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from saltus.core.option import positive, usage_error
from saltus.result.exchange.curves import Array, Curves, chosen_names
from saltus.result.exchange.formats import Given, curves_from

#: What counts as equal, in sizes of a variable.
TOLERANCE = 1e-3

#: The width that a tube has, if nothing else is said, as a part of the whole time.
WIDTH = 2e-3

#: A variable that never comes further than this from zero, against the largest of all, is rounding.
_ROUNDING = 1e-12


@dataclass(frozen=True)
class Difference:
    """The largest difference of one variable, in its own unit and relative to its size, and its time."""

    name: str
    largest: float
    relative: float
    time: float
    size: float


@dataclass(frozen=True, eq=False)
class Comparison:
    """What was found out about two runs. It is true if they are the same within the tolerance.

    `differences` has all variables that both have, the worst first; `only_first` and `only_second` are the
    names that one of them does not have.
    """

    first: Curves
    second: Curves
    tolerance: float
    tube: float | None
    differences: tuple[Difference, ...]
    only_first: tuple[str, ...]
    only_second: tuple[str, ...]

    @property
    def same(self) -> bool:
        """Whether all variables agree within the tolerance."""
        return all(d.relative <= self.tolerance for d in self.differences)

    def __bool__(self) -> bool:
        return self.same

    @property
    def different(self) -> tuple[Difference, ...]:
        """The variables that do not agree."""
        return tuple(d for d in self.differences if not d.relative <= self.tolerance)

    def text(self, most: int = 10) -> str:
        """The worst variables in a table, and what it comes to."""
        within = f"within {self.tolerance:g} of their size"
        within += f", in a tube of {self.tube:g} of the time" if self.tube is not None else ""
        agreeing = len(self.differences) - len(self.different)
        lines = [f"{agreeing} of {len(self.differences)} variables agree {within}"]
        if self.differences:
            shown = (self.different or self.differences)[:most]
            rows = [("variable", "difference", "of its size", "at time")]
            rows += [(d.name, f"{d.largest:.3g}", f"{d.relative:.3g}", f"{d.time:.9g}") for d in shown]
            widths = [max(len(row[k]) for row in rows) for k in range(4)]
            lines += [
                "  " + "  ".join(f"{c:<{w}}" for c, w in zip(row, widths, strict=True)).rstrip()
                for row in rows
            ]
            if len(self.different) > most:
                lines.append(f"  ... and {len(self.different) - most} more")
        for which, names in (("first", self.only_first), ("second", self.only_second)):
            if names:
                more = f" and {len(names) - 5} more" if len(names) > 5 else ""
                lines.append(f"only in the {which}: {', '.join(names[:5])}{more}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return self.text()


def compare(
    first: Given,
    second: Given,
    *,
    tolerance: float = TOLERANCE,
    tube: float | bool | None = None,
    names: Sequence[str] | None = None,
) -> Comparison:
    """Compares two runs, or files of results, in the stretch of time that both have.

    `tolerance` is in sizes of each variable, `tube` the half width of a tube in time, as a part of the whole
    (True: a usual one); `names` may be patterns.

        saltus.compare(model.simulate(), "reference.mat", tube=True)
    """
    first, second = _varying(curves_from(first)), _varying(curves_from(second))
    tube = (WIDTH if tube else None) if isinstance(tube, bool) else tube
    positive("tolerance", tolerance)
    if tube is not None:
        positive("tube", tube)
    for curves in (first, second):
        if not len(curves.time):
            raise usage_error(f"{curves.model} has no rows to compare")
    begin = max(first.time[0], second.time[0])
    end = min(first.time[-1], second.time[-1])
    if begin > end:
        raise usage_error("the two runs have no time in common")
    both = [name for name in first.names if name in second.arrays]
    if names is not None:
        chosen = chosen_names(both, names)
        both = [name for name in both if name in chosen]
    if not both:
        raise usage_error("the two runs have no variable in common")
    measure = (
        _Pointwise(first, second, begin, end) if tube is None else _Tube(first, second, begin, end, tube)
    )
    found = sorted(_differences(first, both, measure), key=lambda d: -d.relative)
    return Comparison(
        first,
        second,
        tolerance,
        tube,
        tuple(found),
        tuple(name for name in first.names if name not in second.arrays),
        tuple(name for name in second.names if name not in first.arrays),
    )


def _varying(curves: Curves) -> Curves:
    """With parameters as variables: a table that was read does not know which of its columns are some."""
    constant = {name: curves[name] for name in curves.parameters}
    return replace(curves, arrays={**curves.arrays, **constant}, parameters={})


def _differences(first: Curves, names: Sequence[str], measure: _Pointwise | _Tube) -> Iterator[Difference]:
    largest = max((_largest(first[name]) for name in names), default=0.0)
    for name in names:
        times, gaps = measure.gaps(name)
        values = first[name]
        known = values[np.isfinite(values)]
        size = float(np.ptp(known)) / 2 if len(known) else 0.0
        size = size if size > 1e-9 * _largest(known) else _largest(known)
        size = max(size, _ROUNDING * largest)
        worst = int(np.argmax(gaps)) if len(gaps) else 0
        gap = float(gaps[worst]) if len(gaps) else 0.0
        relative = gap / size if size > 0 else (0.0 if gap == 0 else float("inf"))
        yield Difference(name, gap, relative, float(times[worst]) if len(times) else 0.0, size)


def _largest(values: Array) -> float:
    finite = values[np.isfinite(values)]
    return float(np.abs(finite).max()) if len(finite) else 0.0


class _Pointwise:
    """Differences at the times of the rows of both, on both sides of events."""

    def __init__(self, first: Curves, second: Curves, begin: float, end: float) -> None:
        times = np.union1d(first.time, second.time)
        self.times = times[(times >= begin) & (times <= end)]
        self.sides = [
            (first.resample(self.times, left=left), second.resample(self.times, left=left))
            for left in (True, False)
        ]

    def gaps(self, name: str) -> tuple[Array, Array]:
        """Times, and the larger of the differences on both sides there."""
        found = [_gap(a[name], b[name]) for a, b in self.sides]
        return self.times, np.maximum(*found)


def _gap(a: Array, b: Array) -> Array:
    """A value that one of them does not have is a difference without end."""
    with np.errstate(invalid="ignore"):
        gap = np.abs(a - b)
    gap[np.isnan(a) & np.isnan(b)] = 0.0
    gap[np.isnan(a) != np.isnan(b)] = np.inf
    return gap


class _Tube:
    """How far the second run is outside of the walls around the first."""

    def __init__(self, first: Curves, second: Curves, begin: float, end: float, width: float) -> None:
        self.first, self.second = first, second
        inside = (second.time >= begin) & (second.time <= end)
        self.rows = np.flatnonzero(inside)
        self.times = second.time[self.rows]
        reach = width * (end - begin)
        # The rows of the first run within reach, and the values between rows at the ends of it.
        self.low = np.searchsorted(first.time, self.times - reach, "left")
        self.past = np.searchsorted(first.time, self.times + reach, "right")
        self.edges = [np.clip(self.times + side, first.time[0], first.time[-1]) for side in (-reach, reach)]

    def gaps(self, name: str) -> tuple[Array, Array]:
        """Times of the second run, and how far it is outside."""
        values, other = self.first[name], self.second[name][self.rows]
        highest, lowest = _extremes(values, self.low, self.past)
        at_edges = Curves("", self.first.time, {name: values}, self.first.columns)
        for times in self.edges:
            for left in (True, False):
                sampled = at_edges.resample(times, left=left)[name]
                highest, lowest = np.fmax(highest, sampled), np.fmin(lowest, sampled)
        gap = np.maximum(np.maximum(other - highest, lowest - other), 0.0)
        gap[np.isnan(gap)] = 0.0
        return self.times, gap


def _extremes(values: Array, first: NDArray[np.intp], past: NDArray[np.intp]) -> tuple[Array, Array]:
    """The highest and the lowest of the values from `first` to before `past`, for many such stretches: by
    tables of stretches whose lengths are powers of two. An empty stretch has neither (NaN)."""
    length = np.maximum(past - first, 0)
    highest, lowest = np.full(len(first), np.nan), np.full(len(first), np.nan)
    level, high, low = 0, values, values
    while (length >> level).any():
        chosen = (length >> level) == 1
        begin, end = first[chosen], past[chosen] - (1 << level)
        highest[chosen] = np.fmax(high[begin], high[end])
        lowest[chosen] = np.fmin(low[begin], low[end])
        step = 1 << level
        if len(high) > step:
            high, low = np.fmax(high[:-step], high[step:]), np.fmin(low[:-step], low[step:])
        level += 1
    return highest, lowest

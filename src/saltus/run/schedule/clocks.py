"""Periodic time events at exact rational times.

`start + k * interval` in doubles drifts, and two clocks that should tick together come apart. So each number
is taken for the fraction that was meant (0.1 is one tenth), everything is put over one common denominator,
and ticks are whole numbers; the division at the end is correctly rounded.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from saltus.expr.nodes import LARGEST_INTEGER

_Reals: TypeAlias = Sequence[float] | NDArray[np.float64]
_Wholes: TypeAlias = Sequence[int] | NDArray[np.int64]

NEVER = math.inf

#: Ticks that a table holds.
TABLE = 256

#: In a table of one clock each tick is of that clock.
_FIRST, _ALONE = np.arange(TABLE + 1, dtype=np.int64), np.zeros(TABLE, dtype=np.int64)

#: The largest denominator of a simple fraction.
SIMPLE = 1000


def exact(number: float | Fraction) -> Fraction:
    """The rational number that a double stands for: a simple fraction that rounds to it (a third, when a
    model divides 1 by 3), or what its shortest decimal text says. A fraction stands for itself."""
    if isinstance(number, Fraction):
        return number
    simple = Fraction(number).limit_denominator(SIMPLE)
    return simple if float(simple) == number else Fraction(repr(float(number)))


class TickTable:
    """Ticks to come, for native code: when, and which clocks. Those of tick i are in `clocks` from `first[i]`
    up to `first[i + 1]`."""

    def __init__(self, times: _Reals, first: _Wholes, clocks: _Wholes) -> None:
        self.times = np.asarray(times, dtype=np.float64)
        self.first, self.clocks = np.asarray(first, dtype=np.int64), np.asarray(clocks, dtype=np.int64)
        #: Of these three.
        self.addresses = tuple(int(a.ctypes.data) for a in (self.times, self.first, self.clocks))

    def __len__(self) -> int:
        return len(self.times)


_NO_TICKS = TickTable((), (0,), ())


class Clocks:
    """When each clock ticks next. `next_time` is the earliest of them."""

    def __init__(
        self, starts: Sequence[float | Fraction], intervals: Sequence[float | Fraction], now: float
    ) -> None:
        first = [exact(s) for s in starts]
        steps = [exact(i) for i in intervals]
        self._denominator = math.lcm(*(f.denominator for f in (*first, *steps))) if first else 1
        scale = self._denominator
        self._steps = [int(s * scale) for s in steps]
        begin = exact(now) if first else Fraction(0)
        self._ticks = [
            int((f + max(0, math.ceil((begin - f) / s)) * s) * scale)
            for f, s in zip(first, steps, strict=True)
        ]
        self.next_time = NEVER
        self._look_ahead()
        self._made, self._used = _NO_TICKS, 0  # of the ticks in the table

    def table(self) -> tuple[TickTable, int]:
        """Ticks from the next one on, and how many at its beginning are over; empty if there are no
        clocks."""
        if self._ticks and self._used >= len(self._made):
            self._made, self._used = TickTable(*self._following()), 0
        return self._made, self._used

    def _following(self) -> tuple[_Reals, _Wholes, _Wholes]:
        """The times of ticks to come, where those who tick then are in the list of all, and that list."""
        scale, steps = self._denominator, self._steps
        if len(self._ticks) == 1:
            begin, step = self._ticks[0], steps[0]
            if max(-begin, begin + TABLE * step, scale) <= LARGEST_INTEGER:  # exact numbers, rounded once
                return (begin + step * _FIRST[:-1]) / float(scale), _FIRST, _ALONE
            return [tick / scale for tick in range(begin, begin + TABLE * step, step)], _FIRST, _ALONE
        found = self._merged()
        if found is not None:
            return found
        ticks, times, first = list(self._ticks), [], [0]
        members: list[int] = []
        for _ in range(TABLE):
            tick = min(ticks)
            for i, t in enumerate(ticks):
                if t == tick:
                    ticks[i] += steps[i]
                    members.append(i)
            times.append(tick / scale)
            first.append(len(members))
        return times, first, members

    def _merged(self) -> tuple[_Reals, _Wholes, _Wholes] | None:
        """The merged ticks of several clocks, without going through them tick by tick; None where the numbers
        are too large to be exact."""
        scale = self._denominator
        if max(*map(abs, self._ticks), *self._steps, scale) > LARGEST_INTEGER // (2 * TABLE):
            return None
        begin, step = (np.array(own, dtype=np.int64) for own in (self._ticks, self._steps))
        length = TABLE / (1.0 / step).sum()
        while True:  # longer, if many of the ticks coincide
            end = int(begin.min() + math.ceil(length))
            counts = np.maximum(0, -((begin - end) // step))  # of the ticks of each clock before the end
            clocks = np.repeat(np.arange(len(begin)), counts)
            numbers = np.arange(len(clocks)) - np.repeat(np.cumsum(counts) - counts, counts)
            ticks = begin[clocks] + numbers * step[clocks]
            order = np.lexsort((clocks, ticks))
            ticks, clocks = ticks[order], clocks[order]
            first = np.append(np.flatnonzero(np.diff(ticks, prepend=ticks[0] - 1)), len(ticks))
            if len(first) > TABLE:
                first = first[: TABLE + 1]
                break
            length *= 2
        return ticks[first[:-1]] / float(scale), first, clocks[: first[-1]]

    def skip_to(self, used: int) -> None:
        """Records that a number of ticks of the table are over."""
        if used <= self._used:
            return
        first = self._made.first
        gone = self._made.clocks[first[self._used] : first[used]]
        for clock in np.flatnonzero(counts := np.bincount(gone, minlength=len(self._ticks))).tolist():
            self._ticks[clock] += int(counts[clock]) * self._steps[clock]
        self._used = used
        self._look_ahead()

    @property
    def ticks(self) -> list[int]:
        """The next tick of each clock, as a whole number."""
        return list(self._ticks)

    @property
    def intervals(self) -> list[int]:
        """How far the ticks of each clock are apart, as whole numbers."""
        return list(self._steps)

    @property
    def scale(self) -> int:
        """How many of these whole numbers are a second."""
        return self._denominator

    def begin_anew(self, ticks: Sequence[int]) -> None:
        """Continues with these ticks, and with a new table."""
        self._ticks = list(ticks)
        self._made, self._used = _NO_TICKS, 0
        self._look_ahead()

    def _look_ahead(self) -> None:
        if self._ticks:
            self._next = min(self._ticks)
            self.next_time = self._next / self._denominator

    def due(self, now: float) -> list[int]:
        """The clocks that tick now; they move on to their next ticks."""
        if self.next_time > now:
            return []
        next_tick = self._next
        found = []
        for i, tick in enumerate(self._ticks):
            if tick == next_tick:
                found.append(i)
                self._ticks[i] = tick + self._steps[i]
        self._used += 1
        self._look_ahead()
        return found

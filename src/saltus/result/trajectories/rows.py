"""Recorded rows: copies of parts of the memory, appended to a block that doubles when it is full."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from functools import lru_cache
from math import inf, isfinite

import numpy as np
from numpy.typing import NDArray

from saltus.expr.nodes import Expr
from saltus.ir.program import ROW_SECTIONS, Layout

_FIRST_ROWS = 512

#: Bytes from which on a block is large.
LARGE = 2**28

#: Numbers that are summed one by one rather than handed to NumPy.
_FEW = 64


@lru_cache(maxsize=16)
def _columns(layout: Layout) -> tuple[tuple[tuple[int, int], ...], Mapping[Expr, int]]:
    """The parts of the memory that a row is made of, each with its first slot and the one behind it; and
    which leaf is where in a row."""
    runs: list[tuple[int, int]] = []
    for name in ROW_SECTIONS:
        first, length = layout.sections.get(name, (0, 0))
        if length and runs and runs[-1][1] == first:
            runs[-1] = (runs[-1][0], first + length)
        elif length:
            runs.append((first, first + length))
    places = {slot: leaf for leaf, slot in layout.slots.items()}
    slots = (slot for first, past in runs for slot in range(first, past))
    return tuple(runs), {places[slot]: k for k, slot in enumerate(slots) if slot in places}


class Rows:
    """Time and values, one row per recorded instant. `columns` says which leaf is where in a row."""

    def __init__(self, memory: NDArray[np.float64], layout: Layout) -> None:
        runs, self.columns = _columns(layout)
        self._pieces: list[tuple[slice, NDArray[np.float64]]] = []
        self._runs = runs
        width = 0
        for first, past in runs:
            self._pieces.append((slice(width, width + past - first), memory[first:past]))
            width += past - first
        # The usual layout has the sections side by side: one copy per row.
        self._whole = self._pieces[0][1] if len(self._pieces) == 1 else None
        self.width = width
        self.first = runs[0][0] if runs else 0
        self.count = 0
        self._times = np.empty(_FIRST_ROWS)
        self._block = np.empty((_FIRST_ROWS, width))
        self._addresses: tuple[int, int] | None = None  # of both
        #: So many rows have left; and how large each variable was in them.
        self.gone = 0
        self._largest: NDArray[np.float64] | None = None

    def append(self, time: float) -> None:
        """Records the memory as it is."""
        n = self.count
        if n == len(self._times):
            self._grow(self.count + 1)
        if self._whole is not None:
            self._block[n] = self._whole
        else:
            row = self._block[n]
            for place, view in self._pieces:
                row[place] = view
        self._times[n] = time
        self.count = n + 1

    def of(self, memory: NDArray[np.float64]) -> NDArray[np.float64]:
        """The row that the memory would make with these numbers."""
        return np.concatenate([memory[first:past] for first, past in self._runs] or [memory[:0]])

    def room(self, count: int) -> tuple[int, int]:
        """Makes room for a number of rows; returns the addresses where they and their times may be written.
        `take` then counts them."""
        if self.count + count > len(self._times):
            self._grow(self.count + count)
        if self._addresses is None:
            self._addresses = int(self._block.ctypes.data), int(self._times.ctypes.data)
        values, times = self._addresses
        return values + self.count * 8 * self.width, times + 8 * self.count

    def take(self, count: int) -> None:
        """Counts rows that were written into the room."""
        self.count += count

    def _grow(self, least: int) -> None:
        # Pages that were never written to take no memory, and a copy of a large block takes seconds. Where so
        # much is not to be had, blocks grow by half.
        n = len(self._times)
        more = max(least, n * 2 if self._block.nbytes < LARGE else n * 4)
        try:
            block = np.empty((more, self.width))
        except MemoryError:
            more = max(least, n + n // 2)
            block = np.empty((more, self.width))
        times = np.empty(more)
        times[: self.count], block[: self.count] = self._times[: self.count], self._block[: self.count]
        self._times, self._block = times, block
        self._addresses = None

    def first_not_finite(self, since: int) -> int | None:
        """The first row, from the one numbered `since` on, that holds a number that is not finite."""
        if (self.count - since) * self.width <= _FEW and isfinite(
            sum(map(sum, self._block[since : self.count].tolist()))
        ):
            return None  # a finite sum has finite terms; for few numbers nothing is faster
        wrong = ~np.isfinite(self._block[since : self.count]).all(axis=1)
        return since + int(wrong.argmax()) if wrong.any() else None

    def others(self, times: NDArray[np.float64], values: NDArray[np.float64]) -> Rows:
        """Rows of the same kind with other values."""
        made = copy(self)
        made._times, made._block = np.empty(0), np.empty((0, self.width))
        made._addresses = None
        made.load(times, values)
        return made

    def load(self, times: NDArray[np.float64], values: NDArray[np.float64]) -> None:
        """In place of all rows, those that were recorded earlier."""
        self.count = 0
        self.room(len(times))
        self.count = len(times)
        self._times[: self.count], self._block[: self.count] = times, values

    def before(self, count: int) -> Rows:
        """The first rows (a view)."""
        made = copy(self)
        made._times, made._block, made.count = self._times[:count], self._block[:count], count
        made._addresses = None
        return made

    def leave(self, count: int) -> None:
        """Removes the first rows and renumbers the others. The largest values of the variables in removed
        rows are kept."""
        if not count:
            return
        block, rest = self._block[:count], self.count - count
        largest = np.maximum(block.max(axis=0), -block.min(axis=0))
        self._largest = largest if self._largest is None else np.maximum(self._largest, largest)
        self._times[:rest] = self._times[count : self.count]
        self._block[:rest] = self._block[count : self.count]
        self.count, self.gone = rest, self.gone + count

    def recall(self, row: int) -> None:
        """Writes a row back into the memory."""
        for place, view in self._pieces:
            view[:] = self._block[row, place]

    def restore(self, row: int) -> None:
        """Writes a row back into the memory, and forgets it and all later ones."""
        self.recall(row)
        self.count = row

    def drop_last(self) -> None:
        """Takes the last row back."""
        self.count -= 1

    def take_back(self, row: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Forgets a row and all later ones; their times and values, for `put_back`."""
        times, values = self._times[row : self.count].copy(), self._block[row : self.count].copy()
        self.count = min(row, self.count)
        return times, values

    def put_back(self, taken: tuple[NDArray[np.float64], NDArray[np.float64]]) -> None:
        """Records once more what has been taken back."""
        times, values = taken
        self.room(len(times))
        n = self.count
        self._times[n : n + len(times)], self._block[n : n + len(times)] = times, values
        self.take(len(times))

    def last_two_equal(self) -> bool:
        """Whether the last two rows hold the same values."""
        n = self.count
        return bool(np.array_equal(self._block[n - 1], self._block[n - 2]))

    @property
    def times(self) -> NDArray[np.float64]:
        """Times of all rows (a view)."""
        return self._times[: self.count]

    @property
    def values(self) -> NDArray[np.float64]:
        """All rows (a view)."""
        return self._block[: self.count]

    def largest(self, index: int, enough: float) -> float:
        """The largest finite magnitude of one variable, or one that is `enough`; also in rows that left."""
        before = 0.0 if self._largest is None else float(self._largest[index])
        if not self.count or enough <= before:
            return before
        last = abs(float(self._block[self.count - 1, index]))
        if enough <= last < inf:
            return last
        sizes = np.abs(self._block[: self.count, index])
        return float(sizes.max(where=np.isfinite(sizes), initial=before))

    def column(self, index: int) -> NDArray[np.float64]:
        """One variable over all rows."""
        return self._block[: self.count, index].copy()

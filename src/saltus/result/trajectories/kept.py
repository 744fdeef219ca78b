"""Rows that stay when a run gives all others away: by the numbers that they have had in the run.

A long run need not hold all of its rows: those that are done with are written to a file, or a few of their
columns are. What events have to be decoded from stays, whole: the rows of their two limits, and the first row
of each turn of another program.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from saltus.result.trajectories.rows import Rows

Indices = NDArray[np.intp]


class Kept:
    """The rows that have stayed so far, in order."""

    def __init__(self) -> None:
        #: Of each lot: the numbers of its rows in the run, the numbers of their parts, and rows of each part.
        self._lots: list[tuple[Indices, Indices, Mapping[int, tuple[NDArray[np.float64], ...]]]] = []

    def add(self, first: int, whose: Indices, wanted: Indices, parts: Sequence[Rows]) -> None:
        """Keeps of rows that follow each other in the run, the first of which has the number `first`, those
        whose numbers are `wanted`. `whose` says of each in which of the parts it is."""
        if not len(wanted):
            return
        chosen = np.zeros(len(whose), dtype=bool)
        chosen[wanted - first] = True
        rows = {}
        for k, part in enumerate(parts):
            own = np.flatnonzero(chosen[whose == k])
            if len(own):
                rows[k] = part.times[own], part.values[own]
        self._lots.append((wanted, whose[chosen], rows))

    def find(self, number: int) -> tuple[int, NDArray[np.float64]]:
        """The number of the part that a row is in, and its values."""
        for numbers, whose, rows in reversed(self._lots):
            if number >= numbers[0]:
                at = int(np.searchsorted(numbers, number))
                if at == len(numbers) or numbers[at] != number:
                    break
                part = int(whose[at])
                return part, rows[part][1][np.count_nonzero(whose[:at] == part)]
        raise LookupError(f"row {number} has not been kept")

    @property
    def numbers(self) -> Indices:
        """The numbers of all of them."""
        return np.concatenate([np.zeros(0, dtype=np.intp), *(numbers for numbers, _, _ in self._lots)])

    @property
    def whose(self) -> Indices:
        """The numbers of their parts."""
        return np.concatenate([np.zeros(0, dtype=np.intp), *(whose for _, whose, _ in self._lots)])

    def of(self, part: int, like: Rows) -> Rows:
        """The kept rows of one part, as rows of their own."""
        found = [rows[part] for _, _, rows in self._lots if part in rows]
        times = np.concatenate([np.zeros(0), *(times for times, _ in found)])
        return like.others(times, np.concatenate([np.zeros((0, like.width)), *(each for _, each in found)]))

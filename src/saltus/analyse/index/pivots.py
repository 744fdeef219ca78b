"""Choosing columns of a matrix so that they are independent, the most wanted first (numbers only).

Gaussian elimination in which the pivot is sought group by group: all columns of a group are exhausted, the
largest pivot first, before the next group is looked at. Rows are scaled, so that the size of an equation does
not decide. Inside a group a weight makes a column less wanted: its pivots count as that much smaller.

Rows are sparse and the pivots come from a heap (entries that changed since are skipped when they turn up), so
that a long chain of couplings costs little more than its length.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import heapify, heappop, heappush

#: A pivot smaller than this, relative to its scaled row, counts as zero.
SMALLEST = 1e-9


def choose_columns(
    matrix: Sequence[Mapping[int, float]],
    groups: Sequence[int],
    weights: Sequence[float] | None = None,
    least: Sequence[float] | None = None,
) -> list[int] | None:
    """Chooses as many independent columns as there are rows; `groups[j]` is the group of column j, lower ones
    are taken first. A pivot below `least[j]` is taken only when nothing better is left in any group. None if
    the rows are dependent."""
    elimination = _Elimination(matrix, weights if weights is not None else [1.0] * len(groups))
    passes = [[SMALLEST] * len(groups)] if least is None else [list(least), [SMALLEST] * len(groups)]
    for smallest in passes:
        for group in sorted(set(groups)):
            elimination.exhaust({j for j, g in enumerate(groups) if g == group}, smallest)
    return elimination.chosen if len(elimination.chosen) == len(matrix) else None


class _Elimination:
    def __init__(self, matrix: Sequence[Mapping[int, float]], weights: Sequence[float]) -> None:
        self.weights = weights
        self.rows: dict[int, dict[int, float]] = {}  # those without a pivot yet
        self.users: dict[int, set[int]] = {}  # of each column, among them
        self.chosen: list[int] = []
        for i, row in enumerate(matrix):
            scale = max(map(abs, row.values()), default=0.0)
            self.rows[i] = {j: v / scale for j, v in row.items() if v} if scale else {}
            for j in self.rows[i]:
                self.users.setdefault(j, set()).add(i)

    def exhaust(self, columns: set[int], least: Sequence[float]) -> None:
        """Takes pivots in these columns while there are any."""
        heap = [self._entry(i, j) for j in sorted(columns) for i in sorted(self.users.get(j, ()))]
        heapify(heap)
        while heap:
            entry = heappop(heap)
            _, _, i, j, value = entry
            if i not in self.rows or self.rows[i].get(j) != value or abs(value) <= least[j]:
                continue
            for k, changed in self._eliminate(i, j):
                if changed in columns:
                    heappush(heap, self._entry(k, changed))

    def _entry(self, i: int, j: int) -> tuple[float, int, int, int, float]:
        """The largest pivot comes first, in short rows first: they fill the others least."""
        value = self.rows[i][j]
        return -abs(value) * self.weights[j], len(self.rows[i]), i, j, value

    def _eliminate(self, i: int, j: int) -> list[tuple[int, int]]:
        """Takes the pivot (i, j); gives the entries that changed."""
        self.chosen.append(j)
        row = self.rows.pop(i)
        for column in row:
            self.users[column].discard(i)
        pivot = row.pop(j)
        changed: list[tuple[int, int]] = []
        for k in sorted(self.users.pop(j)):
            other = self.rows[k]
            factor = other.pop(j) / pivot
            for column, value in row.items():
                new = other.get(column, 0.0) - factor * value
                if abs(new) <= SMALLEST:  # rounding: what cancels is gone
                    if other.pop(column, None) is not None:
                        self.users[column].discard(k)
                    continue
                other[column] = new
                self.users[column].add(k)
                changed.append((k, column))
        return changed

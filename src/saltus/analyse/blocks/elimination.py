"""A fixed order of pivots for the tearing variables of a loop (numbers only).

What remains of a torn loop is a square system S t = r, often sparse. If the order of its pivots is fixed
before the run, Gaussian elimination is straight-line code without a search for pivots, with no more
operations than the sparse factors need; and what depends on parameters only can be computed once. The order
is found for the values of a typical position: among pivots that are not small in their column, those that
fill the matrix least (Markowitz, "The elimination form of the inverse", Management Science 3, 1957; here
columns with few entries first, then the shortest row). The generated code checks its pivots, and pivots anew
where one is too small.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import heapify, heappop, heappush
from math import isfinite

from saltus.ir.sorted.blocks import Tearing

#: A pivot is at least this part of the largest entry in its column.
THRESHOLD = 0.1

#: The number of operations up to which straight-line code pays: in all, and per unknown.
FIXED_COST, COST_PER_UNKNOWN = 500, 60


def elimination_order(
    tearing: Tearing, rows: Sequence[Sequence[int]], values: Mapping[tuple[int, int], float]
) -> tuple[tuple[int, int], ...] | None:
    """Pivots (row, column), as positions among the residual rows and the tearing variables; None where the
    matrix is better solved as a full one, or is singular at these values."""
    size = len(tearing.columns)
    matrix = _residual_matrix(tearing, rows, values)
    users: list[set[int]] = [set() for _ in range(size)]
    for i, row in enumerate(matrix):
        for j in row:
            users[j].add(i)
    heap = [(len(users[j]), j) for j in range(size)]
    heapify(heap)
    order: list[tuple[int, int]] = []
    budget = FIXED_COST + COST_PER_UNKNOWN * size
    done: set[int] = set()
    while heap:
        count, j = heappop(heap)
        if j in done or count != len(users[j]):
            continue
        candidates = sorted(users[j])
        largest = max((abs(matrix[i][j]) for i in candidates), default=0.0)
        if not largest > 0.0 or not isfinite(largest):
            return None
        good = [i for i in candidates if abs(matrix[i][j]) >= THRESHOLD * largest]
        pivot_row = min(good, key=lambda i: (len(matrix[i]), i))
        order.append((pivot_row, j))
        done.add(j)
        row = matrix[pivot_row]
        budget -= (len(candidates) - 1) * len(row)
        if budget < 0:
            return None
        for k in row:
            users[k].discard(pivot_row)
        pivot = row[j]
        others = [(k, v) for k, v in row.items() if k != j]
        for i in users[j]:
            other = matrix[i]
            factor = other.pop(j) / pivot
            for k, v in others:
                # An entry that is zero here may not be so elsewhere: it stays.
                other[k] = other.get(k, 0.0) - factor * v
                users[k].add(i)
        for k, _ in others:
            heappush(heap, (len(users[k]), k))
    return tuple(order)


def _residual_matrix(
    tearing: Tearing, rows: Sequence[Sequence[int]], values: Mapping[tuple[int, int], float]
) -> list[dict[int, float]]:
    """S at the given values: the inner unknowns are inserted into the residual rows."""
    follows: dict[int, dict[int, float]] = {j: {k: 1.0} for k, j in enumerate(tearing.columns)}
    for i, j in tearing.inner:
        pivot = values[i, j]
        follows[j] = {k: -v / pivot if pivot else 0.0 for k, v in _inserted(i, j, rows, values, follows)}
    return [dict(_inserted(i, -1, rows, values, follows)) for i in tearing.rows]


def _inserted(
    row: int,
    without: int,
    rows: Sequence[Sequence[int]],
    values: Mapping[tuple[int, int], float],
    follows: Mapping[int, Mapping[int, float]],
) -> list[tuple[int, float]]:
    """A row in terms of the tearing variables."""
    total: dict[int, float] = {}
    for j in rows[row]:
        if j != without:
            for k, v in follows[j].items():
                total[k] = total.get(k, 0.0) + values[row, j] * v
    return list(total.items())

"""The order in which a sparse matrix is eliminated, and what fills up.

When an unknown is eliminated, all its neighbours become neighbours of each other. To keep the matrix sparse,
the unknown with the fewest neighbours goes first, again and again (minimum degree; Tinney and Walker, Direct
solutions of sparse network equations, 1967). A chain or a tree fills nothing in.

The pattern is taken to be symmetric (an entry at either side of the diagonal counts for both) and pivots are
taken on the diagonal, so that all of this is done once, before the run. For the matrices of an integrator,
I - gamma J, that is sound: the smaller its step, the nearer they are to I.

Integers only: a matrix is, for each column, the list of its rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush

from saltus.ir.sorted.jacobian import Elimination

#: The largest number of steps in the search for an order, some ten seconds; a matrix with more fill-in counts
#: as dense.
MOST_STEPS = 300_000_000

#: Below this size a system is solved so quickly that the choice does not matter.
SPARSE_FROM = 20

#: What one multiplication of a sparse factorisation costs, in multiplications of a dense one, and what is
#: done for each row beside them. Measured: random matrices with 50 to 200 rows take the same time both ways
#: where the sparse one has a quarter of the multiplications, with 500 rows where it has a tenth.
SPARSE_COST = 8
SPARSE_COST_PER_ROW = 100


def sparse_is_quicker(elimination: Elimination) -> bool:
    """Whether a sparse factorisation takes less time than a dense one (n^3/3 multiplications)."""
    n = len(elimination.order)
    return n >= SPARSE_FROM and SPARSE_COST * elimination.work + SPARSE_COST_PER_ROW * n < n**3 / 3


def eliminate(columns: Sequence[Sequence[int]], most: int = MOST_STEPS) -> Elimination | None:
    """Order and fill of a square matrix; None if it takes more than `most` steps to find them."""
    neighbours: list[set[int]] = [set() for _ in columns]
    for j, column in enumerate(columns):
        for i in column:
            if i != j:
                neighbours[i].add(j)
                neighbours[j].add(i)
    heap = [(len(near), j) for j, near in enumerate(neighbours)]
    heapify(heap)
    order: list[int] = []
    place = [-1] * len(columns)
    filled: list[set[int]] = []
    steps = 0
    while heap:
        degree, j = heappop(heap)
        near = neighbours[j]
        if place[j] >= 0 or degree != len(near):
            continue  # its degree has changed since: it is in the heap once more
        if degree == len(columns) - len(order) - 1:
            break  # all that are left are neighbours of each other: any order will do
        steps += degree**2
        if steps > most:
            return None
        place[j] = len(order)
        order.append(j)
        filled.append(near)
        for i in near:
            others = neighbours[i]
            before = len(others)
            others |= near
            others.discard(i)
            others.discard(j)
            if len(others) != before:
                heappush(heap, (len(others), i))
    first_left = len(order)
    order += [j for j, at in enumerate(place) if at < 0]
    for p, j in enumerate(order):
        place[j] = p
    below = [tuple(sorted(place[i] for i in near)) for near in filled]
    below += [tuple(range(p + 1, len(order))) for p in range(first_left, len(order))]
    return Elimination(tuple(order), tuple(below))

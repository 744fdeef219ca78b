"""Which rows of a matrix depend on others, and which columns are open, exactly (numbers only).

A column is open when the homogeneous equations have a solution in which it is not zero. That is a question of
zero or not, which rounded numbers answer badly where a circuit has capacitances of 1e-12 next to coefficients
of 1. Floating point numbers are rationals, and a rational has a residue modulo a prime: elimination in the
field of residues modulo 2^61 - 1 is exact, and its numbers do not grow as fractions do. What is zero stays
zero; what is not becomes zero with a probability of about 4e-19.

Pivots are taken in the shortest row, in the column with the fewest entries (Markowitz, Management Science 3,
1957): a long chain of couplings costs little more than its length.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from heapq import heapify, heappop, heappush
from math import isqrt

#: The field: a Mersenne prime.
PRIME = 2**61 - 1

Row = Mapping[int, int]


@lru_cache(maxsize=4096)
def residue(value: float) -> int:
    """A finite number in the field."""
    fraction = Fraction(value)
    return fraction.numerator * pow(fraction.denominator, -1, PRIME) % PRIME


def rational(value: int) -> Fraction | None:
    """The rational number with this residue whose numerator and denominator are below 2^30, if there is one:
    Euclid's algorithm, ended half way (Wang, "A p-adic algorithm for univariate partial fractions", 1981)."""
    bound = isqrt(PRIME // 2)
    (above, left), (factor, own) = (PRIME, value), (0, 1)
    while left > bound:
        quotient = above // left
        above, left = left, above - quotient * left
        factor, own = own, factor - quotient * own
    return Fraction(left, own) if 0 < abs(own) <= bound else None


def null_space(rows: Iterable[Row], columns: Iterable[int]) -> dict[int, dict[int, int]]:
    """A basis of the solutions of the homogeneous equations, by free column: each is 1 in its own free column
    and 0 in the others."""
    pivots, free = _eliminate([{j: v for j, v in row.items() if v} for row in rows], columns)
    basis = {f: {f: 1} for f in free}
    users: dict[int, dict[int, int]] = {f: {f: 1} for f in free}  # of each column the values in the basis
    for pivot, rest in reversed(pivots):
        own: dict[int, int] = {}
        for j, v in rest.items():
            _subtract(own, users.get(j, {}), v)
        users[pivot] = own
        for f, value in own.items():
            basis[f][pivot] = value
    return basis


def dependent_rows(rows: Sequence[Row]) -> dict[int, tuple[int, ...]]:
    """Rows that follow from rows before them, each with all the rows that the combination takes, itself
    included."""
    transposed: dict[int, dict[int, int]] = {}
    for i, row in enumerate(rows):
        for j, v in row.items():
            transposed.setdefault(j, {})[i] = v
    found: dict[int, dict[int, int]] = {}  # combinations that vanish, by their last row
    for vector in null_space(transposed.values(), range(len(rows))).values():
        left = dict(vector)
        for last in [k for k in left if k in found]:
            _subtract(left, found[last], left[last])
        last = max(left)
        scale = pow(left[last], -1, PRIME)
        left = {k: v * scale % PRIME for k, v in left.items()}
        for other in found.values():
            if last in other:
                _subtract(other, left, other[last])
        found[last] = left
    return {last: tuple(sorted(found[last])) for last in sorted(found)}


def _eliminate(
    rows: list[dict[int, int]], columns: Iterable[int]
) -> tuple[list[tuple[int, dict[int, int]]], list[int]]:
    """Pivot columns in order, each with its row divided by the pivot, without it and those before it; and the
    columns without a pivot."""
    users: dict[int, set[int]] = {j: set() for j in columns}
    for i, row in enumerate(rows):
        for j in row:
            users[j].add(i)
    pivots: list[tuple[int, dict[int, int]]] = []
    heap = [(len(row), i) for i, row in enumerate(rows)]
    heapify(heap)
    while heap:
        length, i = heappop(heap)
        row = rows[i]
        if length != len(row) or not row:  # another entry determines its length now
            continue
        pivot = min(row, key=lambda j: (len(users[j]), j))
        scale = pow(row.pop(pivot), -1, PRIME)
        rest = {j: v * scale % PRIME for j, v in row.items()}
        for j in rest:
            users[j].discard(i)
        for k in users.pop(pivot) - {i}:
            other = rows[k]
            before = set(other)
            _subtract(other, rest, other.pop(pivot))
            for j in rest:
                if j in other:
                    users[j].add(k)
                elif j in before:
                    users[j].discard(k)
            heappush(heap, (len(other), k))
        rows[i] = {}
        pivots.append((pivot, rest))
    return pivots, list(users)


def _subtract(of: dict[int, int], row: Row, factor: int) -> None:
    for j, v in row.items():
        new = (of.get(j, 0) - factor * v) % PRIME
        if new:
            of[j] = new
        else:
            of.pop(j, None)

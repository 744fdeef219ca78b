"""Dependent rows and open columns of a matrix, exactly (numbers only).

A row is dependent when others combine to it; a column is open when the homogeneous equations have a solution
in which it is not zero. Both are questions of zero or not, which rounded numbers answer badly where a circuit
has capacitances of 1e-12 next to coefficients of 1. Floating point numbers are rationals, and a rational has
a residue modulo a prime: Gauss-Jordan elimination in the field of residues modulo 2^61 - 1 is exact, and its
numbers do not grow as fractions do. What is zero stays zero; what is not becomes zero with a probability of
about 4e-19.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

#: The field: a Mersenne prime.
PRIME = 2**61 - 1


@dataclass(frozen=True)
class Echelon:
    """The reduced row echelon form of a matrix.

    `pivots`: for each pivot column the row in which it is the only pivot, without the pivot itself, which
    is 1. `dependent`: rows that follow from rows before them, with all the rows that the combination takes.
    """

    pivots: Mapping[int, Mapping[int, int]]
    dependent: Mapping[int, tuple[int, ...]]

    def free(self, columns: Sequence[int]) -> list[int]:
        """Columns without a pivot: with values for them the others are determined."""
        return [j for j in columns if j not in self.pivots]

    def open(self, columns: Sequence[int]) -> list[int]:
        """Columns that are not zero in some solution of the homogeneous equations."""
        return [j for j in columns if j not in self.pivots or self.pivots[j]]


def residue(value: float) -> int:
    """A finite number in the field."""
    fraction = Fraction(value)
    return fraction.numerator * pow(fraction.denominator, -1, PRIME) % PRIME


def echelon(rows: Sequence[Mapping[int, int]]) -> Echelon:
    """Takes the rows in their order, so that of dependent ones the first are kept."""
    users = Counter(j for row in rows for j in row)
    reduced: dict[int, dict[int, int]] = {}
    made: dict[int, dict[int, int]] = {}  # of which rows each of them is made
    dependent: dict[int, tuple[int, ...]] = {}
    for i, row in enumerate(rows):
        left = {j: v for j, v in row.items() if v}
        own = {i: 1}
        for j in [j for j in left if j in reduced]:
            factor = left[j]
            _subtract(left, reduced[j], factor)
            _subtract(own, made[j], factor)
        if not left:
            dependent[i] = tuple(sorted(own))
            continue
        pivot = min(left, key=lambda j: (users[j], j))  # what few rows use fills few rows
        scale = pow(left[pivot], -1, PRIME)
        left = {j: v * scale % PRIME for j, v in left.items()}
        own = {k: v * scale % PRIME for k, v in own.items()}
        for j, other in reduced.items():
            if pivot in other:
                factor = other[pivot]
                _subtract(other, left, factor)
                _subtract(made[j], own, factor)
        reduced[pivot], made[pivot] = left, own
    pivots = {p: {j: v for j, v in row.items() if j != p} for p, row in reduced.items()}
    return Echelon(pivots, dependent)


def _subtract(of: dict[int, int], row: Mapping[int, int], factor: int) -> None:
    for j, v in row.items():
        new = (of.get(j, 0) - factor * v) % PRIME
        if new:
            of[j] = new
        else:
            of.pop(j, None)

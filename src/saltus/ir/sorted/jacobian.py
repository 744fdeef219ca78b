"""The derivatives of the state derivatives, and how their matrix is eliminated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from saltus.expr.nodes import Expr
from saltus.ir.sorted.blocks import Block


@dataclass(frozen=True, eq=False)
class Tangents:
    """How everything that the state derivatives need changes along a direction of the states.

    `seeds`: the direction, one leaf per state. `of`: the tangent of each unknown that varies with the states.
    `blocks`: what computes the tangents, in order, each with the block of the run it is the tangent of; the
    unknowns of the run are known in them.
    """

    seeds: tuple[Expr, ...]
    of: Mapping[Expr, Expr]
    blocks: tuple[tuple[Block, Block], ...]


@dataclass(frozen=True, eq=False)
class Elimination:
    """The order in which a sparse matrix is eliminated, and its fill: `below[p]` are the positions after
    `p` that the `p`-th pivot has entries in, row and column alike, ascending."""

    order: tuple[int, ...]
    below: tuple[tuple[int, ...], ...]

    @property
    def work(self) -> int:
        """Multiplications of one factorisation."""
        return sum(len(b) * (len(b) + 1) for b in self.below)


@dataclass(frozen=True, eq=False)
class Jacobian:
    """The matrix of the derivatives of the state derivatives by the states.

    `rows`: for each column the rows that may be other than zero, ascending. `colours`: for each column a
    number from 0 up; columns of one colour share no row. `tangents` is None where an equation has no symbolic
    derivative: then differences are taken. `elimination` is None where the matrix fills up too much; `sparse`
    says that it is quicker than dense linear algebra.
    """

    rows: tuple[tuple[int, ...], ...]
    colours: tuple[int, ...]
    tangents: Tangents | None
    elimination: Elimination | None
    sparse: bool

    @property
    def size(self) -> int:
        """Rows and columns."""
        return len(self.rows)

    @property
    def entries(self) -> int:
        """Entries that may be other than zero."""
        return sum(map(len, self.rows))

    @property
    def colour_count(self) -> int:
        """Directions in which all entries are found."""
        return max(self.colours, default=-1) + 1

    def verify(self) -> None:
        """Columns of one colour share no row; each state is eliminated once."""
        if self.colour_count < self.size:
            seen: set[tuple[int, int]] = set()
            for colour, rows in zip(self.colours, self.rows, strict=True):
                for row in rows:
                    assert (row, colour) not in seen, f"two columns of colour {colour} have row {row}"
                    seen.add((row, colour))
        if self.elimination is not None:
            assert sorted(self.elimination.order) == list(range(self.size)), "not an order of the states"

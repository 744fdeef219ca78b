"""A system of equations and unknowns, and which equation may determine which unknown.

This is the border between names and numbers: equations are rows, unknowns are columns, and what follows
(matching, sorting, diagnosis) sees integers only.

A continuous unknown may be matched to any equation of Reals in which it occurs. Discrete unknowns are
causal, as Modelica demands: an equation `d = ...` determines `d` and nothing else. The exceptions are few:
`... = d` and `not b = ...` are turned round, a connection `d = y` of a discrete Real and a continuous one,
or of two discrete variables, may determine either, and a discrete Real may be solved for in an equation
without continuous unknowns. So the discrete unknowns choose their equations first, the best candidate first,
and the continuous ones share what is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from saltus.analyse.order.matching import Matching, maximum_matching
from saltus.analyse.trivial.cancel import is_real
from saltus.expr.nodes import Expr, Op, Type
from saltus.ir.flat import Equation


@dataclass(frozen=True, eq=False)
class System:
    """`unknowns` are leaves, the discrete ones last, from column `continuous` on."""

    equations: tuple[Equation, ...]
    unknowns: tuple[Expr, ...]
    continuous: int

    @cached_property
    def column(self) -> dict[Expr, int]:
        return {leaf: i for i, leaf in enumerate(self.unknowns)}

    @cached_property
    def uses(self) -> list[list[int]]:
        """Columns that occur in each equation, in order of appearance."""
        column = self.column
        found = []
        for q in self.equations:
            found.append([column[leaf] for leaf in q.leaves if leaf in column])
        return found

    @cached_property
    def claims(self) -> list[int]:
        """The discrete column that each equation determines, -1 for the others."""
        candidates: list[list[tuple[int, int]]] = [[] for _ in self.unknowns[self.continuous :]]
        for row in range(len(self.equations)):
            for column, rank in self._causal[row]:
                candidates[column - self.continuous].append((rank, row))
        choices = [[row for _, row in sorted(c)] for c in candidates]
        matching = Matching(choices, len(self.equations))
        for discrete in range(len(choices)):
            matching.augment(discrete)
        return [d + self.continuous if d >= 0 else -1 for d in matching.row_of]

    @cached_property
    def solvable(self) -> list[list[int]]:
        """Columns that each equation may be matched to."""
        rows = []
        for row, q in enumerate(self.equations):
            columns = [column for column, _ in self._causal[row]]
            if self.claims[row] < 0:
                columns += self._continuous_in(row) if is_real(q) else self._computed(q)
            rows.append(columns)
        return rows

    def _continuous_in(self, row: int) -> list[int]:
        """The Reals that an equation of Reals may determine."""
        unknowns = self.unknowns
        return [c for c in self.uses[row] if c < self.continuous and unknowns[c].type is Type.REAL]

    def _computed(self, q: Equation) -> list[int]:
        """The Integer, or the truth, that is computed between events, too: a result of a function."""
        column = self.column.get(q.lhs, self.continuous)
        return [column] if column < self.continuous else []

    def match(self, solvable: Sequence[Sequence[int]] | None = None) -> list[int]:
        """The column of each row, -1 where there is none: a matching of greatest size in which the
        discrete unknowns have their own equations. `solvable` stands in for what the rows may determine."""
        matched = list(self.claims)
        free = [row for row, column in enumerate(matched) if column < 0]
        solvable = self.solvable if solvable is None else solvable
        rows = [[c for c in solvable[row] if c < self.continuous] for row in free]
        for row, column in zip(free, maximum_matching(rows, self.continuous), strict=True):
            matched[row] = column
        return matched

    def is_discrete(self, column: int) -> bool:
        return column >= self.continuous

    @cached_property
    def _causal(self) -> list[list[tuple[int, int]]]:
        """Discrete columns that each equation may determine, with a rank: the lowest is the best."""
        if self.continuous == len(self.unknowns):
            return [[] for _ in self.equations]
        return [self._causal_in(row) for row in range(len(self.equations))]

    def _causal_in(self, row: int) -> list[tuple[int, int]]:
        q = self.equations[row]
        found: list[tuple[int, int]] = []
        copies = False  # d = y with a continuous y, a connection: it may as well determine y
        equal = q.lhs.op is q.rhs.op is Op.REF and None not in map(self._discrete, (q.lhs, q.rhs))
        for side, other in ((q.lhs, q.rhs), (q.rhs, q.lhs)):
            bare = unsigned(other)
            column = self._discrete(side)
            if column is None:
                continue
            copies = bare.op is Op.REF and self.column.get(bare, self.continuous) < self.continuous
            if side is q.lhs:
                found.append((column, 3 if copies else 0))
            elif not found or copies or equal or side.op is Op.PRE:  # y = pre(y), at rest, determines either
                found.append((column, 3 if copies or equal or not self._is_closed(row) else 1))
        if not found and is_real(q) and self._is_closed(row):
            found = [(c, 2) for c in self.uses[row] if self.unknowns[c].type is Type.REAL]
        return found

    def _discrete(self, side: Expr) -> int | None:
        """The column of a side that is a discrete unknown, or its negation."""
        if side.op is Op.NOT:
            side = side.args[0]
        column = self.column.get(side)
        return column if column is not None and column >= self.continuous else None

    def _is_closed(self, row: int) -> bool:
        """No continuous unknown occurs."""
        return all(c >= self.continuous for c in self.uses[row])


def unsigned(side: Expr) -> Expr:
    """The expression under a minus sign."""
    return side.args[0] if side.op is Op.NEG else side


def dependencies(system: System, matched: Sequence[int]) -> list[list[int]]:
    """For a perfect matching: the equations that each equation needs, itself left out."""
    row_of = [-1] * len(system.unknowns)
    for row, column in enumerate(matched):
        row_of[column] = row
    return [[row_of[c] for c in uses if c != matched[row]] for row, uses in enumerate(system.uses)]

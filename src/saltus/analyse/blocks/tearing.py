"""Tearing: which unknowns of a loop are guessed, so that the others follow one by one.

    [ L  B ] [z]   [c]       z  inner unknowns: row k is solved for z_k when the tearing variables and
    [ C  D ] [t] = [d]          z_1 .. z_(k-1) are known, so L is lower triangular
                             t  tearing variables, determined by the residual rows

Only pivots that are known not to be zero, whatever the values, are divided by (paper 001, section 5, and
paper 003): constants, mostly the ones and minus ones of connections. The choice of the tearing variables
with the fewest members is NP-complete; this is the usual greedy one. Whenever a row has a single open
unknown with a good pivot, that unknown is inner; when there is no such row, the unknown is torn that makes
the most rows such. Rows that end without an open unknown are the residuals.

In a nonlinear loop, inner unknowns come from linear equations only, and every unknown that stands in a
nonlinear term is torn. Then Newton's method takes the same steps as on the whole system, for which linear
equations hold exactly after the first of them; and the start values of exactly those unknowns count that
matter to it: an exponential is never begun with at what happens to follow from a guess of something else.

An inner unknown depends on some tearing variables. Where those become many, sparse equations would end in a
full matrix for t, and where the chain of inner unknowns becomes long, errors grow along it; then the unknown
is torn as well. `elimination` finds out whether the matrix for t can be solved in a fixed order.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from heapq import heappop, heappush
from math import inf

from saltus.analyse.blocks.elimination import elimination_order
from saltus.expr.nodes import Expr, Op
from saltus.ir.sorted.blocks import Tearing

#: Tearing variables on which an inner unknown may depend.
MOST_TEARS = 6

#: Sums that may follow from one another: a difference in the last digit grows along such a chain, as in a
#: ladder of resistors computed from one end to the other.
LONGEST_CHAIN = 12

#: A pivot that is, or in one of its cases becomes, this much smaller than another entry of its row is no good
#: one: what is solved for would be a small difference of large numbers, divided by a small one.
SMALL_PIVOT = 0.01

_POSITIVE_FUNCTIONS = frozenset({"exp", "cosh"})


def known_non_zero(e: Expr) -> bool:
    """Whether an expression cannot be zero, whatever its variables."""
    match e.op:
        case Op.CONST:
            return not isinstance(e.data, str) and e.data != 0
        case Op.NEG | Op.NOEVENT | Op.SMOOTH:
            return known_non_zero(e.args[0])
        case Op.MUL | Op.DIV:
            return all(map(known_non_zero, e.args))
        case Op.IF:
            return all(map(known_non_zero, e.args[1:]))
        case Op.CALL:
            return e.data in _POSITIVE_FUNCTIONS
        case _:
            return False


def _sizes(e: Expr) -> tuple[float, ...]:
    """The absolute values that an entry may have: of a constant, and of a distinction between constants."""
    match e.op:
        case Op.CONST:
            return (abs(e.data),)
        case Op.NEG | Op.NOEVENT | Op.SMOOTH:
            return _sizes(e.args[0])
        case Op.IF:
            return tuple(size for case in e.args[1:] for size in _sizes(case))
        case _:
            return ()


def tear(
    size: int,
    matrix: Sequence[tuple[int, int, Expr]],
    values: Mapping[tuple[int, int], float],
    wanted: Collection[int] = (),
    bends: Collection[tuple[int, int]] = (),
) -> Tearing:
    """Tears a square system with these entries that are not zero; `values` are numbers for them in a typical
    position. Columns that are `wanted` as tearing variables (a user gave a start value) are preferred.
    `bends` are entries of a nonlinear system where the row is not linear in the unknown."""
    rows: list[list[int]] = [[] for _ in range(size)]
    good: list[set[int]] = [set() for _ in range(size)]
    largest = [0.0] * size
    for i, j, e in matrix:
        rows[i].append(j)
        largest[i] = max(largest[i], *_sizes(e), 0.0)
    curved = {i for i, _ in bends}
    for i, j, e in matrix:
        if i in curved:
            continue
        if known_non_zero(e) and min(_sizes(e), default=inf) >= SMALL_PIVOT * largest[i]:
            good[i].add(j)
    torn = _Greedy(size, rows, good, frozenset(wanted)).run(sorted({j for _, j in bends}))
    return replace(torn, order=elimination_order(torn, rows, values))


class _Greedy:
    """The state of the greedy choice. `open` counts the unknowns of a row that are not determined yet."""

    def __init__(
        self, size: int, rows: Sequence[Sequence[int]], good: Sequence[set[int]], wanted: frozenset[int]
    ) -> None:
        self.rows = rows
        self.good = good
        self.wanted = wanted
        self.users: list[list[int]] = [[] for _ in range(size)]
        for i, columns in enumerate(rows):
            for j in columns:
                self.users[j].append(i)
        self.reserved = self._reserve()
        self.solvable = [sum(j in good[i] for i in self.users[j]) for j in range(size)]
        self.open = [len(columns) for columns in rows]
        self.depends: dict[int, frozenset[int]] = {}  # determined unknowns: the tearing variables in them
        self.depth: dict[int, int] = {}  # sums that they follow from, one after the other
        self.used: set[int] = set()  # rows of inner unknowns
        self.inner: list[tuple[int, int]] = []
        self.torn: list[int] = []
        self.ready = [i for i in range(size) if self.open[i] == 1]
        # How many rows would have a single open unknown if this one were torn. Old entries of the heap are
        # recognised by their score.
        self.gain = [0] * size
        for i in range(size):
            if self.open[i] == 2:
                self._count(i, 1)
        self.heap: list[tuple[bool, int, bool, int, int]] = []
        for j in range(size):
            self._push(j)

    def run(self, first: Iterable[int]) -> Tearing:
        """Chooses tearing variables, beginning with the columns in `first`, until all rows are used."""
        size = len(self.rows)
        for j in first:
            self._tear(j)
        while len(self.depends) < size:
            if self.ready:
                self._solve(self.ready.pop())
                continue
            _, gain, _, _, j = heappop(self.heap)
            if j not in self.depends and -gain == self.gain[j]:
                self._tear(j)
        residuals = [i for i in range(size) if i not in self.used]
        return Tearing(tuple(self.inner), tuple(residuals), tuple(self.torn))

    def _reserve(self) -> set[int]:
        """An unknown of a row with two that can be solved for this one alone, as `v = R*i` for v, is left
        to that row: were it found elsewhere, the row could determine nothing more."""
        home: dict[int, int] = {}
        for i, columns in enumerate(self.rows):
            if len(columns) == 2 and len(self.good[i]) == 1:
                home.setdefault(next(iter(self.good[i])), i)
        for j, i in home.items():
            for other in self.users[j]:
                if other != i:
                    self.good[other].discard(j)
        return set(home)

    def _push(self, j: int) -> None:
        # An unknown for which few rows can be solved is a good one to be torn.
        rest = self.solvable[j] - len(self.users[j])
        key = (j in self.reserved, -self.gain[j], j not in self.wanted, rest)
        heappush(self.heap, (*key, j))

    def _count(self, row: int, change: int) -> None:
        """A row with two open unknowns gains or loses them as candidates: one torn, the other follows."""
        columns = [j for j in self.rows[row] if j not in self.depends]
        for j in columns:
            if any(k in self.good[row] for k in columns if k != j):
                self.gain[j] += change

    def _solve(self, row: int) -> None:
        """A row with at most one open unknown: that becomes inner if the pivot is good."""
        unknown = [j for j in self.rows[row] if j not in self.depends]
        if not unknown or row in self.used:
            return
        (j,) = unknown
        if j not in self.good[row]:
            return
        tears = frozenset(t for k in self.rows[row] if k != j for t in self.depends[k])
        depth = max((self.depth[k] for k in self.rows[row] if k != j), default=0) + (len(self.rows[row]) > 2)
        if len(tears) > MOST_TEARS or depth > LONGEST_CHAIN:
            self._tear(j)
            return
        self.used.add(row)
        self.inner.append((row, j))
        self._determine(j, tears, depth)

    def _tear(self, j: int) -> None:
        self.torn.append(j)
        self._determine(j, frozenset((j,)), 0)

    def _determine(self, j: int, tears: frozenset[int], depth: int) -> None:
        touched: dict[int, None] = {}
        for row in self.users[j]:
            if self.open[row] == 2:
                touched.update((k, None) for k in self.rows[row])
                self._count(row, -1)
        self.depends[j], self.depth[j] = tears, depth
        for row in self.users[j]:
            self.open[row] -= 1
            if self.open[row] == 2:
                touched.update((k, None) for k in self.rows[row])
                self._count(row, 1)
            elif self.open[row] == 1:
                self.ready.append(row)
        for k in touched:
            if k not in self.depends:
                self._push(k)

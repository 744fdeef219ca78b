"""The signature of a system whose structure is found by numbers: which variable is in which equation, how
often differentiated, and with which coefficient.

This is the signature matrix of Pryce ("A simple structural analysis method for DAEs", BIT 41, 2001), with a
coefficient in place of a mark. Coefficients change at events only. One that is zero counts as absent, so that
guards, numbers that multiply and parameters that vanish decide in the same way about the structure of a mode.

    c[e], d[v]    how often equation e is differentiated, and which derivative of v is solved for; the
                  smallest for which  d[v] - c[e] >= order of v in e,  with equality on a perfect matching
    leading       a pair with equality: its coefficient is an entry of the one matrix by which a mode computes
                  its unknowns, and by which it is entered

Offsets are found by Pantelides' algorithm ("The consistent initialization of differential-algebraic systems",
SIAM J. Sci. Stat. Comput. 9, 1988), here in Python for people and tests, in native code for a run
(`emit/systems/leading.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from saltus.core.nullspace import PRIME, null_space
from saltus.expr.nodes import Expr, Symbol
from saltus.ir.flat import Equation

#: Laplace's variable: any number will do that no model has for a pole.
_S = 0x9E3779B97F4A7C1

#: Entries of the factors of a part, for each of its equations: they are sparse, but how much they fill up
#: depends on the mode.
FACTORS_PER_ROW = 48

#: Quantities that a part may leave open, each independent of the others.
MOST_OPEN = 16

#: An equation is differentiated no more often than that, as a stop for a position is, or a taut rope; one
#: with a rate in it, once less. What needs more has a program of its own.
MOST_TIMES = 2


@dataclass(frozen=True, eq=False)
class Pair:
    """A variable in an equation, or its rate (`order` 1), with the coefficient that it has there."""

    row: int
    column: int
    order: int
    slope: Expr


class NoOffsets(Exception):
    """There are no offsets within the limits: some `rows` have too few variables between them."""

    def __init__(self, rows: Sequence[int]) -> None:
        super().__init__()
        self.rows = tuple(rows)


@dataclass(frozen=True)
class Offsets:
    """How often rows are differentiated, which derivatives of columns are solved for, and the column that
    each row is matched with."""

    c: tuple[int, ...]
    d: tuple[int, ...]
    column_of: tuple[int, ...]


class Part(NamedTuple):
    """Rows and columns that have pairs with each other, and with no others."""

    rows: list[int]
    columns: list[int]


@dataclass(frozen=True, eq=False)
class Signature:
    """Equations that are linear in their variables. The first `states` of these are states: they are never
    solved for themselves, but for their rates. `lasting` rows cannot be differentiated, others no more than
    `once`. `pairs` are in the order of rows; `nominals` are the usual sizes of the variables. Something with
    a memory depends on the `remembered` columns: no mode may leave them open. `driven`: 1 for rows that have
    something beside variables, which may depend on the mode. `tails`: the last rows, each with a column that
    it determines in every mode, since no row before it has it: the current of a source is the sum of what
    flows into a hundred converters, and nothing in there asks for it. `sourced`: by row, for some values of
    the sources that are known beforehand, what these bring into it, and into its derivative. `spare_rows` are
    empty, and so are `spare_columns`, as many in each part; a run puts constraints into such rows that other
    rows have together (`emit/systems/leading_hidden.py`)."""

    equations: tuple[Equation, ...]
    variables: tuple[Symbol, ...]
    states: int
    pairs: tuple[Pair, ...]
    lasting: frozenset[int]
    nominals: tuple[Expr, ...]
    remembered: frozenset[int] = frozenset()
    driven: tuple[Expr, ...] = ()
    once: frozenset[int] = frozenset()
    tails: tuple[tuple[int, int], ...] = ()
    sourced: tuple[tuple[Expr, Expr], ...] = ()
    spare_rows: frozenset[int] = frozenset()
    spare_columns: frozenset[int] = frozenset()

    @property
    def spares(self) -> int:
        """How many spare rows there are."""
        return len(self.spare_rows)

    @property
    def size(self) -> int:
        """How many equations there are, and how many variables."""
        return len(self.equations)

    @cached_property
    def row_starts(self) -> tuple[int, ...]:
        """Where the pairs of each row begin, and where the last ones end."""
        starts = [0] * (self.size + 1)
        for pair in self.pairs:
            starts[pair.row + 1] += 1
        for row in range(self.size):
            starts[row + 1] += starts[row]
        return tuple(starts)

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The parts that have no variable in common, in the order of their first equations, without tails."""
        root = list(range(2 * self.size))  # rows, then columns
        rows = {row for row, _ in self.tails}
        own = {column for _, column in self.tails}

        def found(x: int) -> int:
            while root[x] != x:
                root[x] = x = root[root[x]]
            return x

        for pair in self.pairs:
            if pair.row not in rows:
                root[found(self.size + pair.column)] = found(pair.row)
        members: dict[int, Part] = {}
        for row in range(self.size):
            if row not in rows:
                members.setdefault(found(row), Part([], [])).rows.append(row)
        for column in range(self.size):
            if column not in own:
                members.setdefault(found(self.size + column), Part([], [])).columns.append(column)
        return tuple(members.values())

    def pairs_of(self, row: int) -> tuple[Pair, ...]:
        """The pairs of a row."""
        return self.pairs[self.row_starts[row] : self.row_starts[row + 1]]

    @cached_property
    def most_times(self) -> tuple[int, ...]:
        """How often each row may be differentiated. So no rate is differentiated more than once."""
        once = self.once.union(pair.row for pair in self.pairs if pair.order)
        return tuple(0 if i in self.lasting else 1 if i in once else MOST_TIMES for i in range(self.size))

    @property
    def factor_rooms(self) -> Iterator[int]:
        """How many entries the factors of each part may have."""
        for part in self.parts:
            yield len(part.rows) * min(len(part.rows), FACTORS_PER_ROW)

    def verify(self) -> None:
        """Square, pairs in the order of rows, parts one after the other, then tails, and no rate of what is
        no state."""
        rows = [*(row for part in self.parts for row in part.rows), *(row for row, _ in self.tails)]
        assert rows == list(range(self.size))
        assert all(len(part.rows) == len(part.columns) for part in self.parts)
        assert len(self.variables) == len(self.nominals) == self.size
        assert all(a.row <= b.row for a, b in zip(self.pairs, self.pairs[1:], strict=False))
        assert all(p.order == 0 or p.column < self.states for p in self.pairs)

    def offsets(self, present: Sequence[bool]) -> Offsets:
        """The offsets where these pairs are present. Raises `NoOffsets` where there are none within the
        limits."""
        search = _Search(self, present)
        for part in self.parts:
            search.match(part)
        return search.offsets

    def offsets_of_parts(
        self, present: Sequence[bool], numbers: Sequence[int] | None = None
    ) -> tuple[Offsets, dict[int, list[NoOffsets]]]:
        """The offsets where these pairs are present, of all parts or of those with some numbers, and by
        number the parts that have none, with every reason for that."""
        search = _Search(self, present)
        without: dict[int, list[NoOffsets]] = {}
        for k in range(len(self.parts)) if numbers is None else numbers:
            reasons = search.match(self.parts[k], leaving_out=True)
            if reasons:
                without[k] = reasons
        return search.offsets, without

    def offsets_with_excess(self, present: Sequence[bool]) -> Offsets:
        """The offsets where these pairs are present, of as many rows as have some; the others are matched
        with no column (-1). Such a row says what others say, or contradicts them."""
        search = _Search(self, present)
        for part in self.parts:
            search.match(part, leaving_out=True)
        return search.offsets

    def open_columns(self, slopes: Sequence[int]) -> frozenset[int]:
        """What the equations leave open, with the coefficients of all pairs, as residues (`core.nullspace`).
        Laplace's variable stands for a derivative."""
        found: set[int] = set()
        for part in self.parts:
            rows: dict[int, dict[int, int]] = {row: {} for row in part.rows}
            for k in range(self.row_starts[part.rows[0]], self.row_starts[part.rows[-1] + 1]):
                pair = self.pairs[k]
                own, slope = rows[pair.row], slopes[k] * (_S if pair.order else 1)
                own[pair.column] = (own.get(pair.column, 0) + slope) % PRIME
            for solution in null_space(
                rows.values(), [c for c in part.columns if c not in self.spare_columns]
            ).values():
                found.update(solution)
                for row, column in self.tails:
                    terms = list(zip(slopes[self.row_starts[row] :], self.pairs_of(row), strict=False))
                    pivot = next(x for x, p in terms if p.column == column)
                    share = sum(x * solution.get(p.column, 0) * (_S if p.order else 1) for x, p in terms)
                    if share % PRIME:
                        solution[column] = -share * pow(pivot, -1, PRIME) % PRIME
                        found.add(column)
        return frozenset(found)

    def summed(self, slopes: Sequence[int]) -> list[int]:
        """The coefficients of all pairs, as residues, once sums of rows have been put into spare ones in the
        way of `emit/systems/leading_hidden.py`; rows that these stand for have no coefficients."""
        own = list(slopes)
        for part in self.parts:
            spare = [row for row in part.rows if row in self.spare_rows]
            while spare and (found := self._sum_of(part, own)) is not None:
                masked, content = found
                for k in range(self.row_starts[masked], self.row_starts[masked + 1]):
                    own[k] = 0
                row = spare.pop(0)
                for k in range(self.row_starts[row], self.row_starts[row + 1]):
                    own[k] = content.get(self.pairs[k].column, 0)
        return own

    def _sum_of(self, part: Part, slopes: Sequence[int]) -> tuple[int, dict[int, int]] | None:
        """A row of a part that a sum may stand for, in which leading pairs cancel; what is left of that."""
        present = [x != 0 for x in slopes]
        offsets = self.offsets_with_excess(present)
        rest: dict[int, dict[int, int]] = {}
        by_column: dict[int, dict[int, int]] = {}
        unfit: set[int] = set()
        rows = [row for row in part.rows if any(present[self.row_starts[row] : self.row_starts[row + 1]])]
        for row in rows:
            for k in range(self.row_starts[row], self.row_starts[row + 1]):
                pair = self.pairs[k]
                leads = offsets.d[pair.column] - offsets.c[row] == pair.order
                if present[k] and not leads and pair.order:
                    unfit.add(row)
                of = by_column.setdefault(pair.column, {}) if leads else rest.setdefault(row, {})
                at = row if leads else pair.column
                of[at] = (of.get(at, 0) + slopes[k]) % PRIME
            if offsets.c[row] >= self.most_times[row]:
                unfit.add(row)
        for weights in null_space(by_column.values(), rows).values():
            content: dict[int, int] = {}
            for row, weight in weights.items():
                for column, slope in rest.get(row, {}).items():
                    content[column] = (content.get(column, 0) + weight * slope) % PRIME
            if (
                unfit.isdisjoint(weights)
                and len({offsets.c[row] for row in weights}) == 1
                and any(content.values())
            ):
                return max(weights, key=lambda row: len(self.pairs_of(row))), content
        return None

    def leading(self, present: Sequence[bool], offsets: Offsets) -> Iterator[Pair]:
        """The pairs of the matrix by which the unknowns are computed."""
        for is_there, pair in zip(present, self.pairs, strict=True):
            if is_there and offsets.d[pair.column] - offsets.c[pair.row] == pair.order:
                yield pair

    def given_up(self, present: Sequence[bool]) -> frozenset[int]:
        """States that follow from others where these pairs are present, by number: as many as constraints
        leave no choice. Those that come later are given up first."""
        offsets = self.offsets_with_excess(present)
        found: set[int] = set()
        for level in range(1, MOST_TIMES + 1):
            found.update(self._given_up_at(level, present, offsets))
        return frozenset(found)

    def _given_up_at(self, level: int, present: Sequence[bool], offsets: Offsets) -> Iterator[int]:
        """The states given up at one level: they follow from derivatives this far below the highest ones,
        which equations that are differentiated this often constrain."""
        chosen: dict[int, int] = {}  # the row that determines what is so much lower of a variable
        rows_of: dict[int, list[int]] = {}
        for pair in self.leading(present, offsets):
            if offsets.c[pair.row] >= level:
                rows_of.setdefault(pair.column, []).append(pair.row)

        def is_state(v: int) -> bool:
            return v < self.states and offsets.d[v] == level

        def takes(v: int, seen: set[int]) -> bool:
            for row in rows_of[v]:
                if row not in seen:
                    seen.add(row)
                    if row not in chosen or takes(chosen[row], seen):
                        chosen[row] = v
                        return True
            return False

        # Variables that are no states, and rates, have to be determined.
        for v in sorted(rows_of, key=lambda v: (is_state(v), -v)):
            takes(v, set())
        return (v for v in chosen.values() if is_state(v))


class _Search:
    """Pantelides' algorithm at work. Parts have nothing to do with each other."""

    def __init__(self, signature: Signature, present: Sequence[bool]) -> None:
        self._signature, self._present = signature, present
        size, states = signature.size, signature.states
        self._c, self._d = [0] * size, [1] * states + [0] * (size - states)
        self._row_of, self._column_of = [-1] * size, [-1] * size
        for row, column in signature.tails:
            self._row_of[column], self._column_of[row] = row, column

    @property
    def offsets(self) -> Offsets:
        """What was found."""
        return Offsets(tuple(self._c), tuple(self._d), tuple(self._column_of))

    def match(self, part: Part, *, leaving_out: bool = False) -> list[NoOffsets]:
        """Raises `NoOffsets`, unless rows without offsets are left out; then it says why, one by one."""
        column_of = self._column_of
        left_out: list[NoOffsets] = []
        for first in part.rows:
            if first in self._signature.spare_rows and self._is_idle(first):
                continue
            before = self._c.copy(), self._d.copy()
            try:
                came, free = self._raised(first)
            except NoOffsets as reason:
                if not leaving_out:
                    raise
                self._c, self._d = before
                left_out.append(reason)
                continue
            while True:
                row = came[free]
                other, column_of[row] = column_of[row], free
                self._row_of[free] = row
                if row == first:
                    break
                free = other
        return left_out

    def _is_idle(self, row: int) -> bool:
        """Whether a row has no pairs."""
        starts = self._signature.row_starts
        return not any(self._present[starts[row] : starts[row + 1]])

    def _raised(self, first: int) -> tuple[dict[int, int], int]:
        """Raises offsets until a way leads from a row to a free column: that way, and the column."""
        c, d = self._c, self._d
        while True:
            rows, came, free = self._searched(first)
            if free >= 0:
                return came, free
            for row in rows:
                c[row] += 1
                if c[row] > self._signature.most_times[row]:
                    raise NoOffsets(rows)
            for column in came:
                d[column] += 1

    def _searched(self, first: int) -> tuple[list[int], dict[int, int], int]:
        """Along leading pairs to a column that no row is matched with: the rows on the way, the columns, each
        with the row from which it was reached, and that column, or -1."""
        starts, pairs = self._signature.row_starts, self._signature.pairs
        came: dict[int, int] = {}
        rows = [first]
        for row in rows:
            for k in range(starts[row], starts[row + 1]):
                pair = pairs[k]
                leads = self._present[k] and self._d[pair.column] - self._c[row] == pair.order
                if not leads or pair.column in came:
                    continue
                came[pair.column] = row
                if self._row_of[pair.column] < 0:
                    return rows, came, pair.column
                rows.append(self._row_of[pair.column])
        return rows, came, -1

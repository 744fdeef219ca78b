"""What the routines of a system whose structure is found by numbers go through: its pairs, rows, columns and
parts as tables, and loops over them.

Rows and columns are numbered from 1. Rows of a part lie side by side, and so do the *places* of its columns,
which are the same numbers: a part is a range, from the first to the last of its rows. After all parts come
tails, which are in none.
"""

from __future__ import annotations

from itertools import accumulate

from saltus.emit.systems.loop_code import LoopCode, Sections, at, equal, when
from saltus.expr.nodes import ZERO, Expr, Op, Symbol, Type, and_, const, ref, relation, sub
from saltus.ir.program import Assign, For, Statement
from saltus.ir.signature import Signature

_ONE = const(1)


class Tables:
    """The tables of one signature, shared by all routines."""

    def __init__(self, signature: Signature, sections: Sections) -> None:
        self.signature, self._sections = signature, sections
        parts = signature.parts
        self.rows = [p.row + 1.0 for p in signature.pairs]
        self.columns = [p.column + 1.0 for p in signature.pairs]
        self.orders = [float(p.order) for p in signature.pairs]
        self.starts = [k + 1.0 for k in signature.row_starts]
        self.column_at = [column + 1.0 for part in parts for column in part.columns]
        #: How many rows are in parts.
        self.in_parts = len(self.column_at)
        self.column_at += [column + 1.0 for _, column in signature.tails]
        place = [0.0] * signature.size
        for k, column in enumerate(self.column_at, start=1):
            place[int(column) - 1] = float(k)
        self.places = [place[int(column) - 1] for column in self.columns]
        self.first = [part.rows[0] + 1.0 for part in parts]
        self.last = [part.rows[-1] + 1.0 for part in parts]
        self.first_pair = [self.starts[part.rows[0]] for part in parts]
        self.last_pair = [self.starts[part.rows[-1] + 1] - 1.0 for part in parts]
        #: Spare rows by number, and of each part: the number of the first, and how many it has.
        self.spares = signature.spares
        self.spare_rows = [row + 1.0 for part in parts for row in part.rows if row in signature.spare_rows]
        counts = [sum(row in signature.spare_rows for row in part.rows) for part in parts]
        self.spare_counts = list(map(float, counts))
        self.first_spares = [1.0 + sum(counts[:k]) for k in range(len(parts))]
        self.widest_spared = max(
            (len(p.rows) for p, own in zip(parts, counts, strict=True) if own), default=0
        )
        self.is_spare = [float(row in signature.spare_rows) for row in range(signature.size)]
        self.spare_numbers = [0.0] * signature.size
        for number, row in enumerate(self.spare_rows, start=1):
            self.spare_numbers[int(row) - 1] = float(number)
        #: Whether the column at a place belongs to a spare row: nothing is in it.
        self.is_idle = [float(int(column) - 1 in signature.spare_columns) for column in self.column_at]
        self.before_factors = [0.0, *accumulate(map(float, signature.factor_rooms))]

    def routine(self) -> LoopCode:
        """A routine in the making."""
        return LoopCode(self._sections, self.signature.size)


class OfPart:
    """The part that the section `part` names, in a routine: `found` finds its range, `i` goes through it."""

    def __init__(self, tables: Tables, code: LoopCode) -> None:
        self._tables, self._code = tables, code
        self.number = at(code.section("part"), _ONE)
        self.first, self.last = (code.number(x, Type.INTEGER) for x in ("first_row", "last_row"))
        self.found: tuple[Statement, ...] = (
            Assign(self.first, at(code.table("firsts", tables.first), self.number)),
            Assign(self.last, at(code.table("lasts", tables.last), self.number)),
        )
        self.i = code.counter("i")

    def every(self, *body: Statement) -> For:
        """For each row i of it, or for each place of its columns."""
        return self._code.every(self.i, *body, first=ref(self.first), last=ref(self.last))

    def leads(self, k: Symbol, row: Symbol, column: Expr) -> Expr:
        """Whether a pair is one of the matrix."""
        code = self._code
        c, d = code.section("row_levels"), code.section("column_levels")
        orders = code.table("orders", self._tables.orders)
        is_there = relation(Op.NE, at(code.section("pairs"), k), ZERO)
        return and_(is_there, equal(sub(at(d, column), at(c, row)), at(orders, k)))

    def leading(self, k: Symbol, row: Symbol, column: Symbol, *body: Statement) -> For:
        """For each pair k of the matrix, with its row and column."""
        code, tables = self._code, self._tables
        return code.every(
            k,
            Assign(row, at(code.table("rows", tables.rows), k)),
            Assign(column, at(code.table("columns", tables.columns), k)),
            when(self.leads(k, row, ref(column)), *body),
            first=at(code.table("first_pairs", tables.first_pair), self.number),
            last=at(code.table("last_pairs", tables.last_pair), self.number),
        )

    def leading_in(self, row: Symbol, k: Symbol, place: Symbol, *body: Statement) -> For:
        """For each pair k of the matrix in one row, with the place of its column."""
        code, tables = self._code, self._tables
        starts = code.table("starts", tables.starts)
        places = code.table("places", tables.places)
        column = at(code.table("columns", tables.columns), k)
        return code.every(
            k,
            when(self.leads(k, row, column), Assign(place, at(places, k)), *body),
            first=at(starts, row),
            last=sub(at(starts, ref(row) + _ONE), _ONE),
        )

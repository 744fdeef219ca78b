"""The matrix of a system whose structure is found by numbers: its factors, and solutions by them.

A part is eliminated block by block (`saltus.emit.systems.leading_order`). Within a block rows are taken one
after the other, those with few entries first; each is freed of the pivots before it and gets a pivot of its
own: of its entries that are not much smaller than the largest, the one in whose column the fewest rows are
left. What a row has in columns of other blocks stays as it is. Work and memory follow the entries of the
factors, not the size of the part.

    factors, factor_places     the entries of each pivot's row: those outside of its block by the places of
                               their columns, from `factor_starts` on; multipliers by the numbers of earlier
                               pivots, from `lower_starts` on; and what is left of it inside the block by
                               place, from `upper_starts` to `factor_ends`
    pivots, pivot_places       the pivots, and the places of their columns
    excess                     rows that follow from others, by structure or by their numbers: they have no
                               pivot and are left out
    free                       places of columns without pivot; `open_counts`, how many a part has. What
                               becomes of them is said by `saltus.emit.systems.leading_open`
"""

from __future__ import annotations

import math

from saltus.emit.systems.leading_tables import OfPart, Tables
from saltus.emit.systems.loop_code import LoopCode, at, equal, increased, put, when
from saltus.expr.nodes import (
    FALSE,
    ONE,
    TRUE,
    ZERO,
    Expr,
    Op,
    Symbol,
    Type,
    and_,
    call,
    const,
    div,
    if_,
    mul,
    not_,
    or_,
    ref,
    relation,
)
from saltus.ir.program import Assign, Break, Fail, For, If, Invoke, Routine, Statement

#: A pivot smaller than this makes a matrix singular whose equations and variables are scaled.
SMALLEST_PIVOT = 1e-11

#: A pivot is at least this part of the largest entry of its row.
PIVOT_PART = 0.1

#: How often rows and columns are scaled in turns.
BALANCED = 4

#: What is left of a sum is rounding where it is smaller than this part of its terms.
CANCELLED = 2e-15

#: Rows are distinguished by their number of entries up to this number.
DENSEST_ROW = 32

_ZERO, _ONE = const(0), const(1)


def scale_routine(tables: Tables) -> Routine:
    """Equations and variables have units of their own: an inductance of 1e-12 is no zero. Rows and columns of
    one part are scaled such that their largest and smallest entries lie around 1."""
    code, n = tables.routine(), tables.signature.size
    part = OfPart(tables, code)
    slopes = code.section("pairs")
    row_scales, column_scales = code.section("row_scales"), code.section("column_scales")
    columns = code.table("columns_at", tables.column_at)
    least, most = code.array("least", n), code.array("most", n)
    i, j, k = part.i, code.counter("j"), code.counter("k")
    row, column = (code.number(x, Type.INTEGER) for x in ("row", "column"))

    def balanced(of: Symbol, place: Symbol, name: Expr, other: Expr) -> tuple[Statement, ...]:
        """The i-th of the part has the number `name`."""
        entry = mul(call("abs", at(slopes, k)), other)
        mean = call("sqrt", mul(at(least, name), at(most, name)))
        return (
            part.every(put(least, name, const(math.inf)), put(most, name, ZERO)),
            part.leading(
                k,
                row,
                column,
                put(least, place, call("min", at(least, place), entry)),
                put(most, place, call("max", at(most, place), entry)),
            ),
            part.every(put(of, name, if_(relation(Op.GT, at(most, name), ZERO), div(ONE, mean), ONE))),
        )

    of_column = at(columns, i)
    return code.routine(
        "system_scale",
        *part.found,
        part.every(put(row_scales, i, ONE), put(column_scales, of_column, ONE)),
        For(
            j,
            _ONE,
            _ONE,
            const(BALANCED),
            (
                *balanced(row_scales, row, ref(i), at(column_scales, column)),
                *balanced(column_scales, column, of_column, at(row_scales, row)),
            ),
        ),
    )


class Elimination:
    """The routine that factorises one part; `status` is what it returns where there is no room for that."""

    def __init__(self, tables: Tables, status: int) -> None:
        self._tables, self._status = tables, status
        self._code = code = tables.routine()
        self._part = OfPart(tables, code)
        n = tables.signature.size
        self._row_of = code.section("matched_rows")
        self._order, self._blocks = code.section("pivot_order"), code.section("row_blocks")
        self._pivots, self._pivot_places = code.section("pivots"), code.section("pivot_places")
        self._outer, self._lower = code.section("factor_starts"), code.section("lower_starts")
        self._upper, self._ends = code.section("upper_starts"), code.section("factor_ends")
        self._values, self._places = code.section("factors"), code.section("factor_places")
        #: Of a column: how many rows are left in it, its pivot's number, and the row that last touched it.
        self._left, self._pivoted = code.array("left", n), code.array("pivoted", n)
        self._mark = code.array("mark", n)
        self._row_entries = code.array("row_entries", n)  # the row at hand, by place
        self._touched = code.array("touched", n)
        self._k, self._j, self._i = code.counter("k"), code.counter("j"), self._part.i
        self._row, self._place = (code.number(x, Type.INTEGER) for x in ("row", "place"))
        self._block = code.counter("block")
        self._done, self._pivot = code.number("done", Type.INTEGER), code.number("pivot", Type.INTEGER)
        self._count, self._room = code.number("count", Type.INTEGER), code.number("room", Type.INTEGER)
        self._touches, self._lowest = (code.number(x, Type.INTEGER) for x in ("touches", "lowest"))
        self._from, self._to = (code.number(x, Type.INTEGER) for x in ("from", "to"))
        self._value = code.number("value")
        self._attempt, self._is_short = code.counter("attempt"), code.number("is_short", Type.BOOLEAN)

    # ------------------------------------------------------------ words

    @property
    def _is_inside(self) -> Expr:
        """Whether the column at hand belongs to the block at hand."""
        own = at(self._row_of, self._place)
        is_own = equal(at(self._blocks, call("max", own, ONE)), ref(self._block))
        return or_(equal(ref(self._attempt), const(2)), and_(relation(Op.NE, own, ZERO), is_own))

    def _in_row(self, *body: Statement) -> For:
        return self._part.leading_in(self._row, self._k, self._place, *body)

    def _rows(self, x: Symbol, *body: Statement) -> For:
        """For each row of the block at hand."""
        return self._code.every(
            x, Assign(self._row, at(self._order, x)), *body, first=ref(self._from), last=ref(self._to)
        )

    def _touching(self, place: Symbol) -> If:
        """An entry of the row at hand that has not been there is zero."""
        return when(
            relation(Op.NE, at(self._mark, place), ref(self._row)),
            put(self._mark, place, ref(self._row)),
            put(self._row_entries, place, ZERO),
            Assign(self._touches, ref(self._touches) + _ONE),
            put(self._touched, self._touches, ref(place)),
        )

    def _keep(self, value: Expr, place: Expr) -> tuple[Statement, ...]:
        """One more entry of the factors."""
        return (
            Assign(self._count, ref(self._count) + _ONE),
            when(relation(Op.GT, ref(self._count), ref(self._room)), Fail(self._status)),
            put(self._values, self._count, value),
            put(self._places, self._count, place),
        )

    def _over_touched(self, *body: Statement) -> For:
        """For each entry of the row at hand in a column without pivot."""
        return self._code.every(
            self._j,
            Assign(self._place, at(self._touched, self._j)),
            when(equal(at(self._pivoted, self._place), ZERO), *body),
            last=ref(self._touches),
        )

    # ------------------------------------------------------------ a block

    def _counted(self) -> tuple[Statement, ...]:
        """How many rows of the block each of its columns has, and the rows in the order of their entries, of
        which a row that follows from others may have none."""
        code = self._code
        entries, sorted_rows = code.array("entries", self._tables.signature.size), self._touched
        buckets = code.array("buckets", DENSEST_ROW + 2)
        size = code.number("size", Type.INTEGER)
        of_row = at(entries, self._row)
        in_order = (
            code.every(self._j, put(buckets, self._j, ZERO), last=const(DENSEST_ROW + 2)),
            self._rows(self._i, increased(buckets, of_row + const(2.0), ONE)),
            code.every(
                self._j,
                increased(buckets, self._j, at(buckets, ref(self._j) - _ONE)),
                first=const(2),
                last=const(DENSEST_ROW + 2),
            ),
            self._rows(
                self._i,
                increased(buckets, of_row + ONE, ONE),
                put(sorted_rows, at(buckets, of_row + ONE), ref(self._row)),
            ),
            code.every(
                self._j,
                put(self._order, ref(self._from) + ref(self._j) - _ONE, at(sorted_rows, self._j)),
                last=ref(size),
            ),
        )
        return (
            self._rows(
                self._i,
                put(entries, self._row, ZERO),
                self._in_row(
                    when(
                        self._is_inside,
                        increased(self._left, self._place, ONE),
                        put(entries, self._row, call("min", of_row + ONE, const(float(DENSEST_ROW)))),
                    )
                ),
            ),
            Assign(size, ref(self._to) - ref(self._from) + _ONE),
            when(relation(Op.GT, ref(size), const(2)), *in_order),
        )

    def _taken(self) -> tuple[Statement, ...]:
        """The row at hand: entries outside of the block are kept, those inside are to be eliminated."""
        code = self._code
        row_scales, column_scales = code.section("row_scales"), code.section("column_scales")
        column = at(code.table("columns_at", self._tables.column_at), self._place)
        slope = at(code.section("pairs"), self._k)
        value, place = self._value, self._place
        inside: tuple[Statement, ...] = (
            self._touching(place),
            increased(self._row_entries, place, ref(value)),
            increased(self._left, place, const(-1.0)),
            when(
                relation(Op.NE, at(self._pivoted, place), ZERO),
                Assign(self._lowest, call("min", ref(self._lowest), at(self._pivoted, place))),
            ),
        )
        return (
            Assign(self._pivot, ref(self._done) + _ONE),
            Assign(self._lowest, ref(self._pivot)),
            Assign(self._touches, _ZERO),
            put(self._outer, self._pivot, ref(self._count) + _ONE),
            self._in_row(
                Assign(value, mul(slope, at(row_scales, self._row), at(column_scales, column))),
                If(((self._is_inside, inside),), self._keep(ref(value), ref(place))),
            ),
            put(self._lower, self._pivot, ref(self._count) + _ONE),
        )

    def _freed(self) -> Statement:
        """The row at hand, freed of the pivots before it."""
        i, j, place = self._i, self._j, self._place
        entry = at(self._row_entries, place)
        return self._code.every(
            i,
            Assign(place, at(self._pivot_places, i)),
            when(
                and_(equal(at(self._mark, place), ref(self._row)), relation(Op.NE, entry, ZERO)),
                Assign(self._value, div(entry, at(self._pivots, i))),
                *self._keep(ref(self._value), ref(i)),
                self._code.every(
                    j,
                    Assign(place, at(self._places, j)),
                    self._touching(place),
                    increased(
                        self._row_entries, place, mul(const(-1.0), ref(self._value), at(self._values, j))
                    ),
                    first=at(self._upper, i),
                    last=at(self._ends, i),
                ),
            ),
            first=ref(self._lowest),
            last=ref(self._done),
        )

    def _pivoting(self) -> tuple[Statement, ...]:
        """The row at hand gets its pivot, and what is left of it is kept."""
        code, place = self._code, self._place
        largest, size, chosen = (code.number(x) for x in ("largest", "size_of", "chosen"))
        best = code.number("best", Type.INTEGER)
        entry = call("abs", at(self._row_entries, place))
        is_better = or_(
            equal(ref(best), _ZERO),
            relation(Op.LT, at(self._left, place), at(self._left, call("max", ref(best), _ONE))),
            and_(
                equal(at(self._left, place), at(self._left, call("max", ref(best), _ONE))),
                relation(Op.GT, ref(size), ref(chosen)),
            ),
        )
        is_large = and_(
            relation(Op.GT, ref(size), const(SMALLEST_PIVOT)),
            relation(Op.GE, ref(size), mul(const(PIVOT_PART), ref(largest))),
        )
        found: tuple[Statement, ...] = (
            Assign(self._done, ref(self._pivot)),
            put(self._order, self._pivot, ref(self._row)),
            put(self._pivot_places, self._pivot, ref(best)),
            put(self._pivots, self._pivot, at(self._row_entries, best)),
            put(self._pivoted, best, ref(self._pivot)),
            put(self._upper, self._pivot, ref(self._count) + _ONE),
            self._over_touched(
                when(
                    relation(Op.NE, at(self._row_entries, place), ZERO),
                    *self._keep(at(self._row_entries, place), ref(place)),
                )
            ),
            put(self._ends, self._pivot, ref(self._count)),
        )
        return (
            Assign(largest, ZERO),
            self._over_touched(Assign(largest, call("max", ref(largest), entry))),
            Assign(best, _ZERO),
            Assign(chosen, ZERO),
            self._over_touched(
                Assign(size, entry),
                when(and_(is_large, is_better), Assign(best, ref(place)), Assign(chosen, ref(size))),
            ),
            If(
                (
                    (
                        equal(ref(best), _ZERO),
                        (
                            put(code.section("excess"), self._row, ONE),
                            Assign(self._is_short, TRUE),
                            Assign(self._count, at(self._outer, self._pivot) - _ONE),
                        ),
                    ),
                ),
                found,
            ),
        )

    def routine(self) -> Routine:
        """The whole of it."""
        code, part, block = self._code, self._part, self._block
        ends = code.section("block_ends")
        filled = code.table("before_factors", self._tables.before_factors)
        end = ref(part.first) + ref(block) - _ONE
        i = self._i
        # Rows of a block that have too few pivots between them may find some in other columns: then all rows
        # and columns are one block.
        as_one = when(
            equal(ref(self._attempt), const(2)),
            part.every(
                put(self._order, i, ref(i)),
                put(self._blocks, i, ONE),
                put(code.section("excess"), i, if_(self._is_masked(i), ONE, ZERO)),
            ),
            put(ends, part.first, ref(part.last)),
            put(code.section("block_counts"), part.number, ONE),
        )
        tried: tuple[Statement, ...] = (
            as_one,
            part.every(*(put(of, i, ZERO) for of in (self._mark, self._pivoted, self._left))),
            Assign(self._is_short, FALSE),
            Assign(self._done, ref(part.first) - _ONE),
            Assign(self._to, ref(self._done)),
            Assign(self._count, at(filled, part.number)),
            Assign(self._room, at(filled, part.number + ONE)),
            code.every(
                block,
                Assign(self._from, ref(self._to) + _ONE),
                Assign(self._to, at(ends, end)),
                *self._counted(),
                self._all_rows(),
                put(ends, end, ref(self._done)),
                last=at(code.section("block_counts"), part.number),
            ),
            when(not_(ref(self._is_short)), Break()),
        )
        return code.routine(
            "system_factorise",
            *part.found,
            code.every(self._attempt, *tried, last=const(2)),
            part.every(put(code.section("free"), i, if_(self._is_free(i), ONE, ZERO))),
            put(code.section("open_counts"), part.number, self._open_count()),
        )

    def _is_free(self, place: Symbol) -> Expr:
        """Whether a column has no pivot, though something is in it."""
        is_free = equal(at(self._pivoted, place), ZERO)
        if not self._tables.spares:
            return is_free
        return and_(is_free, equal(at(self._code.table("is_idle", self._tables.is_idle), place), ZERO))

    def _open_count(self) -> Expr:
        left = ref(self._part.last) - ref(self._done)
        if not self._tables.spares:
            return left
        return left - at(self._code.table("spare_counts", self._tables.spare_counts), self._part.number)

    def _all_rows(self) -> Statement:
        at_hand = self._code.counter("at_hand")
        body = (*self._taken(), self._freed(), *self._pivoting())
        if not self._tables.spares:
            return self._rows(at_hand, *body)
        return self._rows(at_hand, when(not_(self._is_masked(self._row)), *body))

    def _is_masked(self, row: Symbol) -> Expr:
        """Whether a spare row has taken the place of a row, or it is one that is not in use."""
        if not self._tables.spares:
            return FALSE
        return relation(Op.NE, at(self._code.section("masked"), row), ZERO)


def substituted(tables: Tables, code: LoopCode, part: Expr, found: Symbol) -> tuple[Statement, ...]:
    """Forward and backward substitution in a part: from right sides by row in `solution` to what is `found`,
    by the places of columns, but for their scales. Columns without pivot have been given values there."""
    order, pivots = code.section("pivot_order"), code.section("pivots")
    outer, lower = code.section("factor_starts"), code.section("lower_starts")
    upper, ends = code.section("upper_starts"), code.section("factor_ends")
    values, places = code.section("factors"), code.section("factor_places")
    block_ends, counts = code.section("block_ends"), code.section("block_counts")
    pivot_places, solution = code.section("pivot_places"), code.section("solution")
    row_scales, way = code.section("row_scales"), code.array("way", tables.signature.size)
    i, k, block = (code.counter(x) for x in ("i", "k", "block"))
    total, size, term = (code.number(x) for x in ("total", "size", "term"))
    begin, end = (code.number(x, Type.INTEGER) for x in ("begin", "end"))

    def less(first: Expr, last: Expr, array: Symbol) -> Statement:
        """The sum, less entries of the factors with elements of an array."""
        return code.every(
            k,
            Assign(term, mul(at(values, k), at(array, at(places, k)))),
            Assign(total, ref(total) - ref(term)),
            Assign(size, ref(size) + call("abs", ref(term))),
            first=first,
            last=last,
        )

    def summed(begun: Expr, *terms: Statement) -> tuple[Statement, ...]:
        is_rounding = relation(Op.LE, call("abs", ref(total)), mul(const(CANCELLED), ref(size)))
        return (
            Assign(total, begun),
            Assign(size, call("abs", ref(total))),
            *terms,
            when(is_rounding, Assign(total, ZERO)),
        )

    first = at(code.table("first_rows", tables.first), part)
    given = mul(at(solution, at(order, i)), at(row_scales, at(order, i)))
    forward = summed(
        given,
        less(at(outer, i), at(lower, i) - _ONE, found),
        less(at(lower, i), at(upper, i) - _ONE, way),
    )
    backward = summed(at(way, i), less(at(upper, i), at(ends, i), found))
    return (
        Assign(end, first - _ONE),
        code.every(
            block,
            Assign(begin, ref(end) + _ONE),
            Assign(end, at(block_ends, first + ref(block) - _ONE)),
            code.every(i, *forward, put(way, i, ref(total)), first=ref(begin), last=ref(end)),
            For(
                i,
                ref(end),
                const(-1),
                ref(begin),
                (*backward, put(found, at(pivot_places, i), div(ref(total), at(pivots, i)))),
            ),
            last=at(counts, part),
        ),
    )


def solve_routine(tables: Tables) -> Routine:
    """The section `solution` has the right sides by row before, and the unknowns by column after. Columns
    without pivot are zero."""
    code, n = tables.routine(), tables.signature.size
    solution, column_scales = code.section("solution"), code.section("column_scales")
    free, found = code.section("free"), code.array("found", n)
    i, p = code.counter("i"), code.counter("p")
    some = code.number("some", Type.BOOLEAN)
    first, last = at(code.table("first_rows", tables.first), p), at(code.table("last_rows", tables.last), p)

    def own(*body: Statement) -> For:
        return code.every(i, *body, first=first, last=last)

    cleared = when(
        relation(Op.GT, at(code.section("open_counts"), p), ZERO),
        own(when(relation(Op.NE, at(free, i), ZERO), put(found, i, ZERO))),
    )
    if tables.spares:
        idle = relation(Op.NE, at(code.table("is_idle", tables.is_idle), i), ZERO)
        cleared = If(((TRUE, (cleared, own(when(idle, put(found, i, ZERO))))),), ())
    column = at(code.table("columns_at", tables.column_at), i)
    in_parts = const(tables.in_parts)
    of_tails: tuple[Statement, ...] = ()
    if tables.signature.tails:
        right = put(code.section("tail_rights"), i, at(solution, in_parts + ref(i)))
        of_tails = (code.every(i, right, last=const(n - tables.in_parts)),)
    return code.routine(
        "system_solve",
        # Nothing comes of nothing: a part without right sides, one that does not jump, costs no work.
        code.every(
            p,
            Assign(some, FALSE),
            own(when(relation(Op.NE, at(solution, i), ZERO), Assign(some, TRUE), Break())),
            If(
                ((ref(some), (cleared, *substituted(tables, code, ref(p), found))),),
                (own(put(found, i, ZERO)),),
            ),
            last=const(len(tables.first)),
        ),
        *of_tails,
        code.every(i, put(solution, column, mul(at(found, i), at(column_scales, column))), last=in_parts),
        Invoke("system_tails"),
    )

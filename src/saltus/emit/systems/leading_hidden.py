"""Constraints that no equation of a mode has by itself, where its structure is found by numbers.

Two diodes that conduct join four capacitors into a loop. Each capacitor's equation has a potential of its
own to determine, and so has each diode's; but their sum, with signs, has none, and says that the voltages of
the capacitors add up to nothing. Offsets do not see that (`saltus.ir.signature`), elimination does: a row is
left without pivot.

This is the method of linear combinations (Tan, Nedialkov and Pryce, "Conversion methods for improving
structural analysis of differential-algebraic equation systems", BIT 57, 2017), with the coefficients of the
moment. Of rows whose leading pairs cancel, and which are differentiated equally often, one is *masked*, and a
spare row of the part has their sum instead. Then offsets, order and factors are found again, until no such
rows are left, or no spare one.

    masked          1 for rows whose place a spare row has taken, 2 for spare rows that are not in use
    weights         of each spare row: what the rows are multiplied by in its sum
    hidden_counts   how many spare rows of a part are in use
"""

from __future__ import annotations

from saltus.emit.systems.leading_factors import SMALLEST_PIVOT
from saltus.emit.systems.leading_open import NOTHING
from saltus.emit.systems.leading_tables import OfPart, Tables
from saltus.emit.systems.loop_code import at, equal, increased, put, when
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
    mul,
    not_,
    ref,
    relation,
)
from saltus.ir.program import Assign, Break, For, If, Invoke, Routine, Statement

#: A row whose place is taken has at least this part of the largest weight in the sum.
LIGHTEST = 0.1

_ZERO, _ONE = const(0), const(1)


class HiddenRoutines:
    """The routines of a system that has spare rows."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._begin()

    def all(self) -> list[Routine]:
        """What is done when factors have been found, and before a solution is."""
        return [self._hidden(), self._combined()]

    def _combined(self) -> Routine:
        """What spare rows have besides their variables. They may have earlier ones in their sums."""
        tables, code = self._tables, self._tables.routine()
        n, weights = tables.signature.size, code.section("weights")
        spare, i = code.counter("spare"), code.counter("i")
        row = at(code.table("spare_rows", tables.spare_rows), spare)
        weight = at(weights, mul(ref(spare) - _ONE, const(n)) + ref(i))
        steps: list[Statement] = []
        for name in ("rest", "drifts", "bends"):
            numbers, total = code.section(name), code.number(f"total_{name}")
            added = when(
                relation(Op.NE, weight, ZERO), Assign(total, ref(total) + mul(weight, at(numbers, i)))
            )
            steps += [Assign(total, ZERO), code.every(i, added), put(numbers, row, ref(total))]
        is_used = relation(Op.NE, at(code.section("masked"), row), const(2.0))
        return code.routine(
            "system_combined", code.every(spare, when(is_used, *steps), last=const(len(tables.spare_rows)))
        )

    def _hidden(self) -> Routine:
        """Gives hidden constraints of a factorised part rows of their own."""
        code = self._code
        self._has_new = code.number("has_new", Type.BOOLEAN)
        counts = at(code.section("open_counts"), self._part.number)
        again = (Invoke(f"system_{name}") for name in ("offsets", "order", "scale", "factorise"))
        attempt: tuple[Statement, ...] = (
            when(equal(counts, ZERO), Break()),
            Assign(self._has_new, FALSE),
            self._rows(*self._filled()),
            self._rows(
                when(
                    and_(equal(at(self._masked, self._row), ZERO), not_(ref(self._has_new))),
                    self._freed(),
                    *self._pivoted(),
                    when(equal(at(self._pivot_of, self._own), ZERO), *self._without_pivot()),
                )
            ),
            when(not_(ref(self._has_new)), Break()),
            *again,
        )
        times = code.counter("times")
        last = const(self._tables.spares + 1)
        return code.routine("system_hidden", *self._part.found, code.every(times, *attempt, last=last))

    # ------------------------------------------------------------ words

    def _begin(self) -> None:
        """The words of the routine."""
        tables, self._code = self._tables, self._tables.routine()
        code, width = self._code, tables.widest_spared
        self._part = OfPart(tables, code)
        self._masked, self._slopes = code.section("masked"), code.section("pairs")
        self._c = code.section("row_levels")
        self._scales = code.section("row_scales")
        self._starts = code.table("starts", tables.starts)
        self._columns, self._places = (
            code.table("columns", tables.columns),
            code.table("places", tables.places),
        )
        #: The matrix of leading pairs, and of which rows each of its rows has become the sum.
        self._matrix, self._sums = code.array("matrix", width * width), code.array("sums_of", width * width)
        self._pivot_of = code.array("pivot_of", width)
        #: What is left of a sum, by place, and the sizes of its terms.
        self._content, self._size = (code.array(name, tables.signature.size) for name in ("content", "size"))
        self._row, self._j, self._k = (code.counter(name) for name in ("row", "j", "k"))
        self._own, self._base, self._place = (
            code.number(name, Type.INTEGER) for name in ("own", "base", "place")
        )
        self._masked_row = code.number("masked_row", Type.INTEGER)
        self._value, self._largest = code.number("value"), code.number("largest")

    @property
    def _offset(self) -> Expr:
        """Rows and places of the part have numbers from 1 on in the matrices, less this."""
        return ref(self._part.first) - _ONE

    def _rows(self, *body: Statement) -> For:
        """For each row of the part, with its number there and where it begins in the matrices."""
        own = Assign(self._own, ref(self._row) - self._offset)
        base = Assign(self._base, mul(ref(self._own) - _ONE, const(self._tables.widest_spared)))
        part = self._part
        return self._code.every(self._row, own, base, *body, first=ref(part.first), last=ref(part.last))

    def _across(self, *body: Statement) -> For:
        """For each number j in the part."""
        return self._code.every(self._j, *body, last=ref(self._part.last) - self._offset)

    def _pairs(self, row: Symbol, *body: Statement) -> For:
        """For each pair k of a row."""
        first, past = at(self._starts, row), at(self._starts, ref(row) + _ONE)
        return self._code.every(self._k, *body, first=first, last=past - _ONE)

    def _leads(self, row: Symbol) -> Expr:
        return self._part.leads(self._k, row, at(self._columns, self._k))

    # ------------------------------------------------------------ elimination

    def _filled(self) -> tuple[Statement, ...]:
        """The row at hand, as it is."""
        column_scales = self._code.section("column_scales")
        scale = mul(at(self._scales, self._row), at(column_scales, at(self._columns, self._k)))
        in_row = ref(self._base) + ref(self._place)
        return (
            self._across(
                put(self._matrix, ref(self._base) + ref(self._j), ZERO),
                put(self._sums, ref(self._base) + ref(self._j), ZERO),
            ),
            put(self._sums, ref(self._base) + ref(self._own), ONE),
            put(self._pivot_of, self._own, ZERO),
            self._pairs(
                self._row,
                when(
                    self._leads(self._row),
                    Assign(self._place, at(self._places, self._k) - self._offset),
                    increased(self._matrix, in_row, mul(at(self._slopes, self._k), scale)),
                ),
            ),
        )

    def _freed(self) -> Statement:
        """The row at hand, freed of the pivots before it."""
        code, q, before = self._code, self._code.counter("q"), self._code.number("before", Type.INTEGER)
        here, there = ref(self._base) + ref(self._j), ref(before) + ref(self._j)
        pivot = at(self._matrix, ref(before) + ref(self._place))
        factor = mul(const(-1.0), ref(self._value))
        subtracted = (
            self._across(
                increased(self._matrix, here, mul(factor, at(self._matrix, there))),
                increased(self._sums, here, mul(factor, at(self._sums, there))),
            ),
            put(self._matrix, ref(self._base) + ref(self._place), ZERO),
        )
        return code.every(
            q,
            when(
                relation(Op.NE, at(self._pivot_of, q), ZERO),
                Assign(before, mul(ref(q) - _ONE, const(self._tables.widest_spared))),
                Assign(self._place, at(self._pivot_of, q)),
                Assign(self._value, div(at(self._matrix, ref(self._base) + ref(self._place)), pivot)),
                when(relation(Op.NE, ref(self._value), ZERO), *subtracted),
            ),
            last=ref(self._own) - _ONE,
        )

    def _pivoted(self) -> tuple[Statement, ...]:
        """The row at hand gets its largest entry for a pivot, unless all are rounding."""
        size = call("abs", at(self._matrix, ref(self._base) + ref(self._j)))
        larger = when(
            relation(Op.GT, size, ref(self._largest)),
            Assign(self._largest, size),
            put(self._pivot_of, self._own, ref(self._j)),
        )
        return Assign(self._largest, const(SMALLEST_PIVOT)), self._across(larger)

    # ------------------------------------------------------------ a row without pivot

    def _without_pivot(self) -> tuple[Statement, ...]:
        """The row at hand is the sum of rows whose leading pairs cancel. If something else is left, and they
        are differentiated equally often and may be so once more, a spare row takes the place of one of them:
        of that with most pairs. A short one says that a variable is nothing, which it then is exactly."""
        code, part, i = self._code, self._part, self._part.i
        is_fit, has_content = (code.number(name, Type.BOOLEAN) for name in ("is_fit", "has_content"))
        may, orders = (
            code.table("may", self._tables.signature.most_times),
            code.table("orders", self._tables.orders),
        )
        used = code.section("hidden_counts")
        spares = at(code.table("spare_counts", self._tables.spare_counts), part.number)
        place, k = self._place, self._k
        other = ref(self._base) + ref(i) - self._offset
        weight = call("abs", at(self._sums, other))
        term = mul(ref(self._value), at(self._slopes, k))
        remains = and_(relation(Op.NE, at(self._slopes, k), ZERO), not_(self._leads(i)))
        added = when(
            remains,
            when(relation(Op.NE, at(orders, k), ZERO), Assign(is_fit, FALSE)),
            Assign(place, at(self._places, k)),
            increased(self._content, place, term),
            increased(self._size, place, call("abs", term)),
        )
        summed = when(
            relation(Op.NE, ref(self._value), ZERO),
            when(relation(Op.NE, at(self._c, i), at(self._c, self._row)), Assign(is_fit, FALSE)),
            when(relation(Op.LE, at(may, i), at(self._c, i)), Assign(is_fit, FALSE)),
            self._pairs(i, added),
        )
        is_rounding = relation(
            Op.LE, call("abs", at(self._content, i)), mul(const(NOTHING), at(self._size, i))
        )
        is_left = relation(Op.LT, at(used, part.number), spares)
        entries, longest = code.number("entries", Type.INTEGER), code.number("longest", Type.INTEGER)
        has_weight = relation(Op.GT, weight, mul(const(LIGHTEST), ref(self._largest)))
        chosen: tuple[Statement, ...] = (
            Assign(longest, _ZERO),
            part.every(
                Assign(entries, _ZERO),
                self._pairs(i, when(self._leads(i), Assign(entries, ref(entries) + _ONE))),
                when(
                    and_(has_weight, relation(Op.GT, ref(entries), ref(longest))),
                    Assign(longest, ref(entries)),
                    Assign(self._masked_row, ref(i)),
                ),
            ),
        )
        return (
            Assign(is_fit, TRUE),
            Assign(has_content, FALSE),
            Assign(self._largest, ZERO),
            part.every(
                put(self._content, i, ZERO),
                put(self._size, i, ZERO),
                Assign(self._largest, call("max", ref(self._largest), weight)),
            ),
            part.every(
                when(
                    relation(Op.LE, weight, mul(const(NOTHING), ref(self._largest))),
                    put(self._sums, other, ZERO),
                ),
                Assign(self._value, mul(at(self._sums, other), at(self._scales, i))),
                summed,
            ),
            part.every(
                If(
                    ((is_rounding, (put(self._content, i, ZERO),)),),
                    (Assign(has_content, TRUE),),
                )
            ),
            when(and_(ref(is_fit), ref(has_content), is_left), *chosen, *self._replaced()),
        )

    def _replaced(self) -> tuple[Statement, ...]:
        """The next spare row has what is left of the sum."""
        code, part, i = self._code, self._part, self._part.i
        spare, spare_row = (code.number(name, Type.INTEGER) for name in ("spare", "spare_row"))
        used, weights = code.section("hidden_counts"), code.section("weights")
        first_spare = at(code.table("first_spares", self._tables.first_spares), part.number)
        other = ref(self._base) + ref(i) - self._offset
        weight = mul(at(self._sums, other), at(self._scales, i))
        own = mul(ref(spare) - _ONE, const(self._tables.signature.size)) + ref(i)
        return (
            Assign(spare, first_spare + at(used, part.number)),
            increased(used, part.number, ONE),
            Assign(spare_row, at(code.table("spare_rows", self._tables.spare_rows), spare)),
            part.every(put(weights, own, weight)),
            self._pairs(spare_row, put(self._slopes, self._k, at(self._content, at(self._places, self._k)))),
            put(self._masked, spare_row, ZERO),
            put(self._masked, self._masked_row, ONE),
            Assign(self._has_new, TRUE),
        )

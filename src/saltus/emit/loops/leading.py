"""A system whose structure is found by numbers (`saltus.ir.signature`): its mode, its matrix, its solution.

Most of the routines are loops over the pairs of the signature, so their code does not grow with the system,
and none grows with the number of its modes:

    slopes          the coefficients of all pairs, from guards and parameters; `compare`, whether any has
                    changed; `sums` and `rates`, what equations come to with values and with rates (these
                    are straight-line code, made by `saltus.emit.build`)
    structure       if a coefficient has changed: offsets and factors of its part are found anew. Parts have
                    no variable in common, so an event costs the part that it is in. Where all parts are
                    small, nobody needs them (`saltus.emit.loops.patterns`)
    inverses        the same for parts that need the inverses of their matrices; `invert`, these
    offsets         how often equations of a part are differentiated, by Pantelides' algorithm
    factorise       the matrix of the leading pairs of a part, scaled, by Gaussian elimination with partial
                    pivoting; what is not zero of the factors is kept, row by row
    solve           forward and backward substitution
    follow          values of states, then rates and other unknowns, from what is left of the equations
    leap            jumps and impulses at an instant, by the same matrix

With the coefficients J of leading pairs, A of the pairs that are not, and r for what is left of an equation,

    J q = -(A x + r) where an equation is differentiated, else 0       x := x + q, what is constrained
    J y = -r'        where an equation is differentiated, else -(A x + r)

The first puts states on their constraints along the way on which quantities that are conserved stay what they
are; it is no more than rounding and the errors of the integrator, unless states have just become constrained.

A sum whose terms cancel but for rounding is zero: an impulse of 1e-20 would decide about a relation.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate

from saltus.emit.loops.loop_code import LoopCode, Sections, at, equal, increased, put, when
from saltus.expr.nodes import (
    FALSE,
    ONE,
    TRUE,
    ZERO,
    Expr,
    Op,
    Symbol,
    Type,
    add,
    and_,
    call,
    const,
    div,
    if_,
    mul,
    neg,
    ref,
    relation,
    sub,
)
from saltus.ir.program import (
    Assign,
    Break,
    Fail,
    Fill,
    For,
    If,
    Invoke,
    Routine,
    Statement,
    While,
)
from saltus.ir.signature import MOST_TIMES, Signature

#: A pivot smaller than this makes a matrix singular whose equations and variables are scaled.
SMALLEST_PIVOT = 1e-11

#: How often rows and columns are scaled in turns.
BALANCED = 4

#: What is left of a sum is rounding where it is smaller than this part of its terms.
CANCELLED = 2e-15

_ONE, _TWO = const(1), const(2)


class LeadingRoutines:
    """The routines of one signature. `status` is what they return where there is no such mode; violations of
    constraints that are not larger than the part `located` of their sizes make no jumps. `inverses` says how
    much room there is for the inverse of each part, none where nobody needs it."""

    def __init__(
        self,
        signature: Signature,
        sections: Sections,
        status: int,
        located: float,
        inverses: Sequence[int],
    ) -> None:
        self._signature, self._sections, self._status = signature, sections, status
        self._located, self._inverses = located, inverses
        self._rows = [p.row + 1.0 for p in signature.pairs]
        self._columns = [p.column + 1.0 for p in signature.pairs]
        self._orders = [float(p.order) for p in signature.pairs]
        self._starts = [k + 1.0 for k in signature.row_starts]
        # Parts that have nothing in common are eliminated by themselves: rows lie side by side by part, and
        # columns have places in the same order.
        parts = signature.parts
        self._column_at = [column + 1.0 for part in parts for column in part.columns]
        self._place = [0.0] * signature.size
        for place, column in enumerate(self._column_at, start=1):
            self._place[int(column) - 1] = float(place)
        self._first = [part.rows[0] + 1.0 for part in parts]
        self._last = [part.rows[-1] + 1.0 for part in parts]
        self._first_pair = [self._starts[part.rows[0]] for part in parts]
        self._last_pair = [self._starts[part.rows[-1] + 1] - 1.0 for part in parts]
        self._before_factors = [0.0, *accumulate(map(float, signature.factor_rooms))]

    def all(self) -> list[Routine]:
        """All of them, but for `slopes`."""
        found = [
            self._structure(),
            self._offsets(),
            self._factorise(),
            self._solve(),
            self._follow(),
            self._leap(),
        ]
        return [*found, self._some_inverses(), self._invert()] if any(self._inverses) else found

    def _code(self) -> LoopCode:
        return LoopCode(self._sections, self._signature.size)

    def _structure(self) -> Routine:
        """Offsets and factors of a part are found anew where one of its coefficients has changed, or has
        never been seen. Parts that have no pattern come first: if there is no such mode, it is for them."""
        code = self._code()
        state, pattern, turn = code.section("known_structure"), code.section("pattern"), code.counter("turn")
        p = code.counter("p")
        is_due = relation(Op.EQ, equal(at(pattern, p), ZERO), equal(ref(turn), _ONE))
        looked_at = code.every(p, when(is_due, *self._anew(code, p)), last=const(len(self._first)))
        return code.routine(
            "system_structure",
            when(
                equal(at(state, _TWO), ZERO),
                For(turn, _ONE, _ONE, _TWO, (looked_at,)),
                put(state, _TWO, ONE),
            ),
        )

    def _some_inverses(self) -> Routine:
        code = self._code()
        p = code.counter("p")
        rooms = at(code.table("inverse_rooms", list(self._inverses)), p)
        is_due = and_(relation(Op.GT, rooms, ZERO), relation(Op.NE, at(code.section("pattern"), p), ZERO))
        looked_at = code.every(p, when(is_due, *self._anew(code, p)), last=const(len(self._first)))
        return code.routine("system_inverses", looked_at)

    def _anew(self, code: LoopCode, p: Symbol) -> tuple[Statement, ...]:
        """Offsets and factors of part p, if one of its coefficients has changed."""
        now, known, known_parts = (code.section(x) for x in ("pairs", "known_pairs", "known_parts"))
        k, changed = code.counter("k"), code.number("changed", Type.BOOLEAN)
        first = at(code.table("first_pairs", self._first_pair), p)
        last = at(code.table("last_pairs", self._last_pair), p)
        differs = relation(Op.NE, at(now, k), at(known, k))
        rooms = at(code.table("inverse_rooms", list(self._inverses)), p)
        inverted = (when(relation(Op.GT, rooms, ZERO), Invoke("system_invert")),)
        return (
            Assign(changed, equal(at(known_parts, p), ZERO)),
            code.every(k, when(differs, Assign(changed, TRUE), Break()), first=first, last=last),
            when(
                ref(changed),
                put(known_parts, p, ZERO),  # until all has gone well
                put(code.section("part"), _ONE, ref(p)),
                Invoke("system_offsets"),
                Invoke("system_factorise"),
                *(inverted if any(self._inverses) else ()),
                code.every(k, put(known, k, at(now, k)), first=first, last=last),
                put(known_parts, p, ONE),
            ),
        )

    def _part(self, code: LoopCode) -> tuple[Symbol, Symbol, tuple[Statement, ...]]:
        """The first and the last row of the part that is looked at, which are those of the places of its
        columns, too; and the statements that find them."""
        first, last = (code.number(x, Type.INTEGER) for x in ("first_row", "last_row"))
        part = at(code.section("part"), _ONE)
        found = (
            Assign(first, at(code.table("firsts", self._first), part)),
            Assign(last, at(code.table("lasts", self._last), part)),
        )
        return first, last, found

    def _offsets(self) -> Routine:
        """As `Signature.offsets`, of one part."""
        signature, code = self._signature, self._code()
        n = signature.size
        slopes, c, d = code.section("pairs"), code.section("row_levels"), code.section("column_levels")
        starts = code.table("starts", self._starts)
        places = code.table("places", [self._place[int(column) - 1] for column in self._columns])
        orders = code.table("orders", self._orders)
        may = code.table("may", [0.0 if k in signature.lasting else MOST_TIMES for k in range(n)])
        columns = code.table("columns_at", self._column_at)
        begin = code.table("begin", [float(column <= signature.states) for column in self._column_at])
        row_of, column_of = code.array("row_of", n), code.array("column_of", n)
        came, rows, level = code.array("came", n), code.array("rows", n), code.array("level", n)
        k, i, start = code.counter("k"), code.counter("i"), code.counter("start")
        row, column, free = (code.number(x, Type.INTEGER) for x in ("row", "column", "free"))
        count, place, before = (code.number(x, Type.INTEGER) for x in ("count", "place", "before"))
        first, last, of_part = self._part(code)

        def own(*body: Statement) -> For:
            return code.every(i, *body, first=ref(first), last=ref(last))

        # Columns are spoken of by their places, so that those of a part lie side by side.
        leads = and_(
            relation(Op.NE, at(slopes, k), ZERO),
            equal(sub(at(level, column), at(c, row)), at(orders, k)),
            equal(at(came, column), ZERO),
        )
        look = For(
            k,
            at(starts, row),
            _ONE,
            sub(at(starts, add(ref(row), _ONE)), _ONE),
            (
                Assign(column, at(places, k)),
                when(
                    leads,
                    put(came, column, ref(row)),
                    when(equal(at(row_of, column), ZERO), Assign(free, ref(column)), Break()),
                    Assign(count, add(ref(count), _ONE)),
                    put(rows, count, at(row_of, column)),
                ),
            ),
        )
        search: tuple[Statement, ...] = (
            own(put(came, i, ZERO)),
            put(rows, _ONE, ref(start)),
            Assign(count, _ONE),
            Assign(place, _ONE),
            Assign(free, const(0)),
            While(
                and_(relation(Op.LE, ref(place), ref(count)), equal(ref(free), const(0))),
                (Assign(row, at(rows, place)), look, Assign(place, add(ref(place), _ONE))),
            ),
        )
        raised: tuple[Statement, ...] = (
            For(
                i,
                _ONE,
                _ONE,
                ref(count),
                (
                    Assign(row, at(rows, i)),
                    increased(c, row, ONE),
                    when(relation(Op.GT, at(c, row), at(may, row)), Fail(self._status)),
                ),
            ),
            own(when(relation(Op.NE, at(came, i), ZERO), increased(level, i, ONE))),
        )
        augment: tuple[Statement, ...] = (
            While(
                TRUE,
                (
                    Assign(row, at(came, free)),
                    Assign(before, at(column_of, row)),
                    put(column_of, row, ref(free)),
                    put(row_of, free, ref(row)),
                    when(equal(ref(row), ref(start)), Break()),
                    Assign(free, ref(before)),
                ),
            ),
        )
        return code.routine(
            "system_offsets",
            *of_part,
            own(
                put(c, i, ZERO),
                put(level, i, at(begin, i)),
                put(row_of, i, ZERO),
                put(column_of, i, ZERO),
            ),
            code.every(
                start,
                Assign(free, const(0)),
                While(
                    equal(ref(free), const(0)),
                    (*search, when(equal(ref(free), const(0)), *raised)),
                ),
                *augment,
                first=ref(first),
                last=ref(last),
            ),
            own(put(d, at(columns, i), at(level, i))),
        )

    def _factorise(self) -> Routine:
        """The matrix of one part; its rows and columns are counted from its first ones."""
        code, n = self._code(), self._signature.size
        slopes, c, d = code.section("pairs"), code.section("row_levels"), code.section("column_levels")
        order, pivots = code.section("pivot_order"), code.section("pivots")
        starts, values = code.section("factor_starts"), code.section("factors")
        ends, places = code.section("factor_ends"), code.section("factor_places")
        row_scales, column_scales = code.section("row_scales"), code.section("column_scales")
        widest = max(len(part.rows) for part in self._signature.parts)
        matrix = code.array("matrix", widest, widest)
        least, most = code.array("least", n), code.array("most", n)
        pair_rows, pair_columns = code.table("rows", self._rows), code.table("columns", self._columns)
        orders, columns = code.table("orders", self._orders), code.table("columns_at", self._column_at)
        i, j, k = code.counter("i"), code.counter("j"), code.counter("k")
        row, column, best = (code.number(x, Type.INTEGER) for x in ("row", "column", "best"))
        count, width = (code.number(x, Type.INTEGER) for x in ("count", "width"))
        room, offset = (code.number(x, Type.INTEGER) for x in ("room", "offset"))
        largest, size, kept = (code.number(x) for x in ("largest", "size", "kept"))
        after = add(ref(k), _ONE)
        places_of = code.table("places_of", self._place)
        first, last, of_part = self._part(code)
        part = at(code.section("part"), _ONE)
        is_leading = equal(sub(at(d, column), at(c, row)), at(orders, k))

        def own(*body: Statement) -> For:
            """For each row of the part, or for each place of its columns."""
            return code.every(i, *body, first=ref(first), last=ref(last))

        def inside(x: Symbol, *body: Statement, first: Expr = _ONE, last: Expr | None = None) -> For:
            """For each row or column of its matrix."""
            return code.every(x, *body, first=first, last=ref(width) if last is None else last)

        def over_leading(*body: Statement) -> Statement:
            return code.every(
                k,
                Assign(row, at(pair_rows, k)),
                Assign(column, at(pair_columns, k)),
                when(and_(is_leading, relation(Op.NE, at(slopes, k), ZERO)), *body),
                first=at(code.table("first_pairs", self._first_pair), part),
                last=at(code.table("last_pairs", self._last_pair), part),
            )

        def balanced(of: Symbol, place: Symbol, name: Expr, other: Expr) -> tuple[Statement, ...]:
            """Rows or columns made such that their largest and smallest entries lie around 1. The i-th of the
            part has the number `name`."""
            entry = mul(call("abs", at(slopes, k)), other)
            mean = call("sqrt", mul(at(least, name), at(most, name)))
            return (
                own(put(least, name, const(math.inf)), put(most, name, ZERO)),
                over_leading(
                    put(least, place, call("min", at(least, place), entry)),
                    put(most, place, call("max", at(most, place), entry)),
                ),
                own(put(of, name, if_(relation(Op.GT, at(most, name), ZERO), div(ONE, mean), ONE))),
            )

        # Equations and variables have units of their own: an inductance of 1e-12 is no zero.
        of_column = at(columns, i)
        scaled = (
            own(put(row_scales, i, ONE), put(column_scales, of_column, ONE)),
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
        entry = mul(at(slopes, k), at(row_scales, row), at(column_scales, column))
        assembled = over_leading(
            Assign(best, sub(ref(row), ref(offset))),
            Assign(count, sub(at(places_of, column), ref(offset))),
            put(matrix, (best, count), add(at(matrix, best, count), entry)),
        )

        def in_order(x: Symbol) -> Expr:
            """The row of the matrix that is the x-th by the order of pivots."""
            return sub(at(order, add(ref(x), ref(offset))), ref(offset))

        # The order of rows is that of the pivots; rows themselves stay where they are.
        sought: tuple[Statement, ...] = (
            Assign(largest, const(SMALLEST_PIVOT)),
            Assign(best, const(0)),
            inside(
                i,
                Assign(size, call("abs", at(matrix, in_order(i), k))),
                when(
                    relation(Op.GT, ref(size), ref(largest)), Assign(largest, ref(size)), Assign(best, ref(i))
                ),
                first=ref(k),
            ),
            when(equal(ref(best), const(0)), Fail(self._status)),
            Assign(row, in_order(best)),
            put(order, add(ref(best), ref(offset)), at(order, add(ref(k), ref(offset)))),
            put(order, add(ref(k), ref(offset)), add(ref(row), ref(offset))),
            Assign(kept, at(matrix, row, k)),
            put(pivots, add(ref(k), ref(offset)), ref(kept)),
        )
        eliminated = inside(
            i,
            Assign(column, in_order(i)),  # the other row
            when(
                relation(Op.NE, at(matrix, column, k), ZERO),
                Assign(size, div(at(matrix, column, k), ref(kept))),
                put(matrix, (column, k), ref(size)),
                inside(
                    j,
                    when(
                        relation(Op.NE, at(matrix, row, j), ZERO),
                        put(
                            matrix,
                            (column, j),
                            sub(at(matrix, column, j), mul(ref(size), at(matrix, row, j))),
                        ),
                    ),
                    first=after,
                ),
            ),
            first=after,
        )

        def kept_part(first: Expr, last: Expr) -> Statement:
            return inside(
                j,
                when(
                    relation(Op.NE, at(matrix, row, j), ZERO),
                    Assign(count, add(ref(count), _ONE)),
                    when(relation(Op.GT, ref(count), ref(room)), Fail(self._status)),
                    put(values, count, at(matrix, row, j)),
                    put(places, count, add(ref(j), ref(offset))),
                ),
                first=first,
                last=last,
            )

        filled = code.table("before_factors", self._before_factors)
        global_row = add(ref(i), ref(offset))
        twice = mul(_TWO, global_row)
        return code.routine(
            "system_factorise",
            *of_part,
            Assign(offset, sub(ref(first), _ONE)),
            Assign(width, sub(ref(last), ref(offset))),
            inside(i, inside(j, put(matrix, (i, j), ZERO))),
            *scaled,
            assembled,
            own(put(order, i, ref(i))),
            inside(k, *sought, eliminated),
            Assign(count, at(filled, part)),
            Assign(room, at(filled, add(part, ONE))),
            inside(
                i,
                Assign(row, in_order(i)),
                put(starts, sub(twice, _ONE), add(ref(count), _ONE)),
                kept_part(_ONE, sub(ref(i), _ONE)),
                put(starts, twice, add(ref(count), _ONE)),
                kept_part(add(ref(i), _ONE), ref(width)),
                put(ends, global_row, ref(count)),
            ),
        )

    def _substituted(self, code: LoopCode, found: Symbol, first: Expr, last: Expr) -> tuple[Statement, ...]:
        """Forward and backward substitution in the part with these rows, from right sides by row in
        `solution` to what is `found`, by the places of its columns, but for their scales."""
        order, pivots = code.section("pivot_order"), code.section("pivots")
        starts, values = code.section("factor_starts"), code.section("factors")
        ends, places = code.section("factor_ends"), code.section("factor_places")
        solution, way = code.section("solution"), code.array("way", self._signature.size)
        i, k = code.counter("i"), code.counter("k")
        total, size, term = (code.number(x) for x in ("total", "size", "term"))
        twice = mul(_TWO, ref(i))

        def summed(begin: Expr, first: Expr, last: Expr, array: Symbol) -> tuple[Statement, ...]:
            return (
                Assign(total, begin),
                Assign(size, call("abs", ref(total))),
                For(
                    k,
                    first,
                    _ONE,
                    last,
                    (
                        Assign(term, mul(at(values, k), at(array, at(places, k)))),
                        Assign(total, sub(ref(total), ref(term))),
                        Assign(size, add(ref(size), call("abs", ref(term)))),
                    ),
                ),
                when(
                    relation(Op.LE, call("abs", ref(total)), mul(const(CANCELLED), ref(size))),
                    Assign(total, ZERO),
                ),
            )

        given = mul(at(solution, at(order, i)), at(code.section("row_scales"), at(order, i)))
        lower = summed(given, at(starts, sub(twice, _ONE)), sub(at(starts, twice), _ONE), way)
        upper = summed(at(way, i), at(starts, twice), at(ends, i), found)
        return (
            code.every(i, *lower, put(way, i, ref(total)), first=first, last=last),
            For(i, last, const(-1), first, (*upper, put(found, i, div(ref(total), at(pivots, i))))),
        )

    def _solve(self) -> Routine:
        """The section `solution` has the right sides by row before, and the unknowns by column after."""
        code, n = self._code(), self._signature.size
        solution, column_scales = code.section("solution"), code.section("column_scales")
        found, columns = code.array("found", n), code.table("columns_at", self._column_at)
        i, p, some = code.counter("i"), code.counter("p"), code.number("some", Type.BOOLEAN)
        column = at(columns, i)
        first, last = at(code.table("first_rows", self._first), p), at(code.table("last_rows", self._last), p)
        return code.routine(
            "system_solve",
            # Nothing comes of nothing: a part without right sides, one that does not jump, costs no work.
            code.every(
                p,
                Assign(some, FALSE),
                code.every(
                    i,
                    when(relation(Op.NE, at(solution, i), ZERO), Assign(some, TRUE), Break()),
                    first=first,
                    last=last,
                ),
                If(
                    ((ref(some), self._substituted(code, found, first, last)),),
                    (code.every(i, put(found, i, ZERO), first=first, last=last),),
                ),
                last=const(len(self._first)),
            ),
            code.every(i, put(solution, column, mul(at(found, i), at(column_scales, column)))),
        )

    def _invert(self) -> Routine:
        """The inverse of the matrix of one part, by row and by the place of the column: its columns are the
        solutions for right sides that are 1 in one row."""
        code, n = self._code(), self._signature.size
        solution, column_scales = code.section("solution"), code.section("column_scales")
        inverse, found = code.section("inverses"), code.array("found", n)
        columns = code.table("columns_at", self._column_at)
        rooms = code.table("before_inverses", [0.0, *accumulate(map(float, self._inverses))])
        i, row, count = code.counter("i"), code.counter("row"), code.number("count", Type.INTEGER)
        first, last, of_part = self._part(code)
        own = {"first": ref(first), "last": ref(last)}
        scaled = mul(at(found, i), at(column_scales, at(columns, i)))
        return code.routine(
            "system_invert",
            *of_part,
            Assign(count, at(rooms, at(code.section("part"), _ONE))),
            code.every(
                row,
                code.every(i, put(solution, i, ZERO), **own),
                put(solution, row, ONE),
                *self._substituted(code, found, ref(first), ref(last)),
                code.every(i, Assign(count, add(ref(count), _ONE)), put(inverse, count, scaled), **own),
                **own,
            ),
        )

    def _pairs(self, code: LoopCode, order: int, *body: Statement, k: Symbol) -> Statement:
        """Something done for every pair of an order."""
        orders = code.table("orders", self._orders)
        own = when(equal(at(orders, k), const(float(order))), *body)
        return code.every(k, own, last=const(len(self._rows)))

    def _sums(self, code: LoopCode, sums: Symbol, values: Symbol, order: int = 0) -> Statement:
        """Adds to each row its pairs of an order, with values."""
        slopes, k = code.section("pairs"), code.counter("k")
        rows, columns = code.table("rows", self._rows), code.table("columns", self._columns)
        term = mul(at(slopes, k), at(values, at(columns, k)))
        return self._pairs(code, order, increased(sums, at(rows, k), term), k=k)

    def _follow(self) -> Routine:
        """`values` have those of the states before, and of all that is constrained after; `solution` has
        rates and other unknowns after. A rate that is itself constrained (d = 2) is found with the values."""
        code, signature = self._code(), self._signature
        n, states = signature.size, signature.states
        c, d = code.section("row_levels"), code.section("column_levels")
        values, solution = code.section("values"), code.section("solution")
        sums, changes = code.section("sums"), code.section("changes")
        drifts, rates = code.section("drifts"), code.section("rates_found")
        constrained, second = (code.number(x, Type.BOOLEAN) for x in ("constrained", "second"))
        i = code.counter("i")
        first, last, all_states = const(states + 1), const(n), const(states)
        is_constraint = relation(Op.GT, at(c, i), ZERO)
        is_second = relation(Op.GT, at(d, i), ONE)
        projected = (
            code.every(i, put(solution, i, if_(is_constraint, neg(at(sums, i)), ZERO))),
            Invoke("system_solve"),
            code.every(
                i,
                put(rates, i, if_(is_second, at(solution, i), ZERO)),
                If(((is_second, (Assign(second, TRUE),)),), (increased(values, i, at(solution, i)),)),
                last=all_states,
            ),
            code.every(
                i,
                put(values, i, if_(relation(Op.GT, at(d, i), ZERO), at(solution, i), ZERO)),
                first=first,
                last=last,
            ),
            Invoke("system_sums"),
            code.every(i, put(changes, i, at(drifts, i))),
            when(ref(second), Invoke("system_rates")),
            code.every(i, when(is_constraint, put(sums, i, at(changes, i)))),
        )
        return code.routine(
            "system_follow",
            Assign(constrained, FALSE),
            Assign(second, FALSE),
            code.every(i, when(is_constraint, Assign(constrained, TRUE), Break())),
            code.every(i, put(values, i, ZERO), first=first, last=last),
            Invoke("system_sums"),
            when(ref(constrained), *projected),
            code.every(i, put(solution, i, neg(at(sums, i)))),
            Invoke("system_solve"),
            when(
                ref(second),
                code.every(i, when(is_second, put(solution, i, at(rates, i))), last=all_states),
            ),
            when(
                ref(constrained),
                code.every(
                    i,
                    when(relation(Op.GT, at(d, i), ZERO), put(solution, i, at(values, i))),
                    first=first,
                    last=last,
                ),
            ),
        )

    def _books(self, code: LoopCode) -> tuple[Statement, ...]:
        """Of the equations that are not differentiated, which say what is conserved, the one that is off most
        with the jumps and impulses that were found."""
        c, d = code.section("row_levels"), code.section("column_levels")
        values, solution = code.section("values"), code.section("solution")
        slopes, books = code.section("pairs"), code.section("conserved")
        nominals = code.section("nominals")
        n = self._signature.size
        left, sizes = code.array("left_over", n), code.array("brought", n)
        k, i = code.counter("k"), code.counter("i")
        rows, columns = code.table("rows", self._rows), code.table("columns", self._columns)
        orders = code.table("orders", self._orders)
        row, column = at(rows, k), at(columns, k)
        leads = and_(equal(at(c, row), ZERO), equal(at(d, column), at(orders, k)))
        before = if_(equal(at(orders, k), ONE), call("abs", at(values, column)), ZERO)
        # What is as small as the errors of event location is no loss.
        least = mul(const(self._located), call("abs", at(nominals, column)))
        extent = add(call("abs", at(solution, column)), before, least)
        worse = relation(
            Op.GT,
            mul(call("abs", at(left, i)), at(books, _TWO)),
            mul(at(books, _ONE), at(sizes, i)),
        )
        return (
            Fill(left, ZERO),
            Fill(sizes, ZERO),
            code.every(
                k,
                when(
                    leads,
                    increased(left, row, mul(at(slopes, k), at(solution, column))),
                    increased(sizes, row, mul(call("abs", at(slopes, k)), extent)),
                ),
                last=const(len(self._rows)),
            ),
            put(books, _ONE, ZERO),
            put(books, _TWO, ONE),
            code.every(
                i,
                when(worse, put(books, _ONE, call("abs", at(left, i))), put(books, _TWO, at(sizes, i))),
            ),
        )

    def _leap(self) -> Routine:
        """From left limits in `values` and `left_rates` to jumps of states and impulses of other variables in
        `solution`."""
        code, signature = self._code(), self._signature
        n, states = signature.size, signature.states
        c, d = code.section("row_levels"), code.section("column_levels")
        values, solution = code.section("values"), code.section("solution")
        rates, rest = code.section("left_rates"), code.section("rest")
        nominals, exact = code.section("nominals"), code.section("exactness")
        sums, sizes = code.array("sums", n), code.array("sizes", n)
        slopes, k, i = code.section("pairs"), code.counter("k"), code.counter("i")
        rows, columns = code.table("rows", self._rows), code.table("columns", self._columns)

        def weighed(order: int, extent: Expr) -> Statement:
            term = mul(call("abs", at(slopes, k)), extent)
            return self._pairs(code, order, increased(sizes, at(rows, k), term), k=k)

        column = at(columns, k)
        extent = add(call("abs", at(values, column)), call("abs", at(nominals, column)))
        part = call("max", const(self._located), at(exact, _ONE))
        small = relation(Op.LE, call("abs", at(sums, i)), mul(part, at(sizes, i)))
        demanded = if_(equal(at(exact, _ONE), ONE), neg(at(sums, i)), if_(small, ZERO, neg(at(sums, i))))
        return code.routine(
            "system_leap",
            code.every(i, put(sums, i, at(rest, i))),
            self._sums(code, sums, values),
            self._sums(code, sums, rates, order=1),
            Fill(sizes, ZERO),
            weighed(0, extent),
            weighed(1, add(call("abs", at(rates, column)), ONE)),
            code.every(i, put(solution, i, if_(relation(Op.GT, at(c, i), ZERO), demanded, ZERO))),
            Invoke("system_solve"),
            *self._books(code),
            # Rates and other variables that are constrained have new values, but no impulses.
            code.every(
                i,
                when(relation(Op.GT, at(d, i), ONE), put(solution, i, ZERO)),
                last=const(states),
            ),
            code.every(
                i,
                when(relation(Op.GT, at(d, i), ZERO), put(solution, i, ZERO)),
                first=const(states + 1),
                last=const(n),
            ),
        )

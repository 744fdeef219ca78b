"""A system whose structure is found by numbers (`saltus.ir.signature`): its mode, its matrix, its solution.

Most of the routines are loops over the pairs of the signature, so their code does not grow with the system,
and none grows with the number of its modes:

    slopes          the coefficients of all pairs, from guards and parameters; `compare`, whether any has
                    changed; `sums` and `rates`, what equations come to with values and with rates (these
                    are straight-line code, made by `saltus.emit.build`)
    structure       if a coefficient has changed: offsets and factors are found anew
    offsets         how often equations are differentiated, by Pantelides' algorithm
    factorise       the matrix of the leading pairs, scaled, by Gaussian elimination with partial pivoting;
                    what is not zero of the factors is kept, row by row
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
from collections.abc import Mapping, Sequence
from typing import TypeAlias

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
    index,
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
    Table,
    View,
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

#: Where sections of the memory begin, and how long they are.
Sections: TypeAlias = Mapping[str, tuple[int, int]]


class _Code:
    """A routine in the making: loops over sections of the memory, tables and local arrays."""

    def __init__(self, sections: Sections, size: int) -> None:
        self._sections = sections
        self.size = size
        self._locals: list[Symbol] = []
        self._views: dict[str, View] = {}
        self._tables: dict[str, Table] = {}

    def section(self, name: str) -> Symbol:
        """A section of the memory as an array."""
        if name not in self._views:
            first, length = self._sections[name]
            self._views[name] = View(Symbol(name, Type.REAL, (length,)), first)
        return self._views[name].symbol

    def table(self, name: str, values: Sequence[float]) -> Symbol:
        """Constants as an array."""
        if name not in self._tables:
            self._tables[name] = Table(Symbol(name, Type.REAL, (len(values),)), tuple(map(float, values)))
        return self._tables[name].symbol

    def array(self, name: str, *shape: int) -> Symbol:
        """A local array."""
        return self._own(Symbol(name, Type.REAL, shape))

    def number(self, name: str, type: Type = Type.REAL) -> Symbol:
        """A local."""
        return self._own(Symbol(name, type))

    def counter(self, name: str) -> Symbol:
        """An index of a loop."""
        return Symbol(name, Type.INTEGER)

    def _own(self, symbol: Symbol) -> Symbol:
        self._locals.append(symbol)
        return symbol

    def every(self, k: Symbol, *body: Statement, first: Expr = _ONE, last: Expr | None = None) -> For:
        """For each number up to the size of the system, or from a first to a last one."""
        return For(k, first, _ONE, const(self.size) if last is None else last, body)

    def downward(self, k: Symbol, *body: Statement) -> For:
        """For each number from the size of the system down."""
        return For(k, const(self.size), const(-1), _ONE, body)

    def routine(self, name: str, *body: Statement, rare: bool = False) -> Routine:
        views, tables = tuple(self._views.values()), tuple(self._tables.values())
        return Routine(name, body, tuple(self._locals), rare=rare, views=views, tables=tables)


def at(array: Symbol, *place: Symbol | Expr) -> Expr:
    """An element of an array."""
    return index(ref(array), *(p if isinstance(p, Expr) else ref(p) for p in place))


def put(array: Symbol, place: Symbol | Expr | tuple[Symbol, Symbol], value: Expr) -> Assign:
    """An element of an array := value"""
    places = place if isinstance(place, tuple) else (place,)
    return Assign(array, value, tuple(p if isinstance(p, Expr) else ref(p) for p in places))


def when(condition: Expr, *body: Statement, otherwise: Sequence[Statement] = ()) -> If:
    """A choice."""
    return If(((condition, body),), tuple(otherwise))


def equal(a: Expr, b: Expr) -> Expr:
    """a == b"""
    return relation(Op.EQ, a, b)


def increased(array: Symbol, place: Symbol | Expr, by: Expr) -> Assign:
    """An element of an array made larger."""
    return put(array, place, add(at(array, place), by))


class LeadingRoutines:
    """The routines of one signature. `status` is what they return where there is no such mode; violations of
    constraints that are not larger than the part `located` of their sizes make no jumps."""

    def __init__(self, signature: Signature, sections: Sections, status: int, located: float) -> None:
        self._signature, self._sections, self._status = signature, sections, status
        self._located = located
        self._rows = [p.row + 1.0 for p in signature.pairs]
        self._columns = [p.column + 1.0 for p in signature.pairs]
        self._orders = [float(p.order) for p in signature.pairs]
        self._starts = [k + 1.0 for k in signature.row_starts]
        # Parts that have nothing in common are eliminated by themselves: rows lie side by side by part, and
        # columns have places in the same order.
        self._column_at = [column + 1.0 for part in signature.parts for column in part.columns]
        self._place = [0.0] * signature.size
        for place, column in enumerate(self._column_at, start=1):
            self._place[int(column) - 1] = float(place)
        self._first = [float(part.rows[0] + 1) for part in signature.parts for _ in part.rows]
        self._last = [float(part.rows[-1] + 1) for part in signature.parts for _ in part.rows]

    def all(self) -> list[Routine]:
        """All of them, but for `slopes`."""
        return [
            self._structure(),
            self._offsets(),
            self._factorise(),
            self._solve(),
            self._follow(),
            self._leap(),
        ]

    def _code(self) -> _Code:
        return _Code(self._sections, self._signature.size)

    def _structure(self) -> Routine:
        """Offsets and factors are found anew where a coefficient has changed, or has never been seen."""
        code = self._code()
        now, known = code.section("pairs"), code.section("known_pairs")
        state = code.section("known_structure")
        k, last = code.counter("k"), const(len(self._signature.pairs))
        is_known = and_(relation(Op.NE, at(state, _ONE), ZERO), equal(at(state, _TWO), ZERO))
        anew: tuple[Statement, ...] = (
            put(state, _ONE, ZERO),  # until all has gone well
            Invoke("system_offsets"),
            Invoke("system_factorise"),
            code.every(k, put(known, k, at(now, k)), last=last),
            put(state, _ONE, ONE),
        )
        return code.routine("system_structure", If(((is_known, ()),), anew))

    def _offsets(self) -> Routine:
        """As `Signature.offsets`."""
        signature, code = self._signature, self._code()
        n = signature.size
        slopes, c, d = code.section("pairs"), code.section("row_levels"), code.section("column_levels")
        starts, columns = code.table("starts", self._starts), code.table("columns", self._columns)
        orders = code.table("orders", self._orders)
        may = code.table("may", [0.0 if k in signature.lasting else MOST_TIMES for k in range(n)])
        states = signature.states
        begin = code.table("begin", [1.0] * states + [0.0] * (n - states))
        row_of, column_of = code.array("row_of", n), code.array("column_of", n)
        came, rows = code.array("came", n), code.array("rows", n)
        k, i, first = code.counter("k"), code.counter("i"), code.counter("first")
        row, column, free = (code.number(x, Type.INTEGER) for x in ("row", "column", "free"))
        count, place, before = (code.number(x, Type.INTEGER) for x in ("count", "place", "before"))
        leads = and_(
            relation(Op.NE, at(slopes, k), ZERO),
            equal(sub(at(d, column), at(c, row)), at(orders, k)),
            equal(at(came, column), ZERO),
        )
        look = For(
            k,
            at(starts, row),
            _ONE,
            sub(at(starts, add(ref(row), _ONE)), _ONE),
            (
                Assign(column, at(columns, k)),
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
            Fill(came, ZERO),
            put(rows, _ONE, ref(first)),
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
            code.every(
                i,
                when(
                    relation(Op.NE, at(came, i), ZERO),
                    increased(d, i, ONE),
                ),
            ),
        )
        augment: tuple[Statement, ...] = (
            While(
                TRUE,
                (
                    Assign(row, at(came, free)),
                    Assign(before, at(column_of, row)),
                    put(column_of, row, ref(free)),
                    put(row_of, free, ref(row)),
                    when(equal(ref(row), ref(first)), Break()),
                    Assign(free, ref(before)),
                ),
            ),
        )
        return code.routine(
            "system_offsets",
            code.every(i, put(c, i, ZERO), put(d, i, at(begin, i))),
            Fill(row_of, ZERO),
            Fill(column_of, ZERO),
            code.every(
                first,
                Assign(free, const(0)),
                While(
                    equal(ref(free), const(0)),
                    (*search, when(equal(ref(free), const(0)), *raised)),
                ),
                *augment,
            ),
        )

    def _factorise(self) -> Routine:
        code, n = self._code(), self._signature.size
        slopes, c, d = code.section("pairs"), code.section("row_levels"), code.section("column_levels")
        order, pivots = code.section("pivot_order"), code.section("pivots")
        starts, values = code.section("factor_starts"), code.section("factors")
        places = code.section("factor_places")
        row_scales, column_scales = code.section("row_scales"), code.section("column_scales")
        matrix, least, most = code.array("matrix", n, n), code.array("least", n), code.array("most", n)
        pair_rows, pair_columns = code.table("rows", self._rows), code.table("columns", self._columns)
        orders = code.table("orders", self._orders)
        i, j, k = code.counter("i"), code.counter("j"), code.counter("k")
        row, column, best = (code.number(x, Type.INTEGER) for x in ("row", "column", "best"))
        count = code.number("count", Type.INTEGER)
        largest, size, kept = (code.number(x) for x in ("largest", "size", "kept"))
        after = add(ref(k), _ONE)
        place = code.number("place", Type.INTEGER)
        places_of = code.table("places_of", self._place)
        firsts, lasts = code.table("firsts", self._first), code.table("lasts", self._last)
        is_leading = equal(sub(at(d, column), at(c, row)), at(orders, k))

        def over_leading(*body: Statement) -> Statement:
            return For(
                k,
                _ONE,
                _ONE,
                const(len(self._rows)),
                (
                    Assign(row, at(pair_rows, k)),
                    Assign(column, at(pair_columns, k)),
                    when(and_(is_leading, relation(Op.NE, at(slopes, k), ZERO)), *body),
                ),
            )

        def balanced(of: Symbol, place: Symbol, other: Expr) -> tuple[Statement, ...]:
            """Rows or columns made such that their largest and smallest entries lie around 1."""
            entry = mul(call("abs", at(slopes, k)), other)
            mean = call("sqrt", mul(at(least, i), at(most, i)))
            return (
                Fill(least, const(math.inf)),
                Fill(most, ZERO),
                over_leading(
                    put(least, place, call("min", at(least, place), entry)),
                    put(most, place, call("max", at(most, place), entry)),
                ),
                code.every(i, put(of, i, if_(relation(Op.GT, at(most, i), ZERO), div(ONE, mean), ONE))),
            )

        # Equations and variables have units of their own: an inductance of 1e-12 is no zero.
        scaled = (
            code.every(i, put(row_scales, i, ONE), put(column_scales, i, ONE)),
            For(
                j,
                _ONE,
                _ONE,
                const(BALANCED),
                (
                    *balanced(row_scales, row, at(column_scales, column)),
                    *balanced(column_scales, column, at(row_scales, row)),
                ),
            ),
        )
        assembled = over_leading(
            Assign(place, at(places_of, column)),
            put(
                matrix,
                (row, place),
                add(
                    at(matrix, row, place),
                    mul(at(slopes, k), at(row_scales, row), at(column_scales, column)),
                ),
            ),
        )
        # The order of rows is that of the pivots; rows themselves stay where they are.
        sought: tuple[Statement, ...] = (
            Assign(largest, const(SMALLEST_PIVOT)),
            Assign(best, const(0)),
            code.every(
                i,
                Assign(size, call("abs", at(matrix, at(order, i), k))),
                when(
                    relation(Op.GT, ref(size), ref(largest)), Assign(largest, ref(size)), Assign(best, ref(i))
                ),
                first=ref(k),
                last=at(lasts, k),
            ),
            when(equal(ref(best), const(0)), Fail(self._status)),
            Assign(row, at(order, best)),
            put(order, best, at(order, k)),
            put(order, k, ref(row)),
            Assign(kept, at(matrix, row, k)),
            put(pivots, k, ref(kept)),
        )
        eliminated = code.every(
            i,
            Assign(column, at(order, i)),  # the other row
            when(
                relation(Op.NE, at(matrix, column, k), ZERO),
                Assign(size, div(at(matrix, column, k), ref(kept))),
                put(matrix, (column, k), ref(size)),
                code.every(
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
                    last=at(lasts, k),
                ),
            ),
            first=after,
            last=at(lasts, k),
        )
        room = const(self._sections["factors"][1])

        def kept_part(first: Expr, last: Expr) -> Statement:
            return code.every(
                j,
                when(
                    relation(Op.NE, at(matrix, row, j), ZERO),
                    Assign(count, add(ref(count), _ONE)),
                    when(relation(Op.GT, ref(count), room), Fail(self._status)),
                    put(values, count, at(matrix, row, j)),
                    put(places, count, ref(j)),
                ),
                first=first,
                last=last,
            )

        twice = mul(_TWO, ref(i))
        return code.routine(
            "system_factorise",
            code.every(i, code.every(j, put(matrix, (i, j), ZERO), first=at(firsts, i), last=at(lasts, i))),
            *scaled,
            assembled,
            code.every(i, put(order, i, ref(i))),
            code.every(k, *sought, eliminated),
            Assign(count, const(0)),
            code.every(
                i,
                Assign(row, at(order, i)),
                put(starts, sub(twice, _ONE), add(ref(count), _ONE)),
                kept_part(at(firsts, i), sub(ref(i), _ONE)),
                put(starts, twice, add(ref(count), _ONE)),
                kept_part(add(ref(i), _ONE), at(lasts, i)),
            ),
            put(starts, const(2 * n + 1), add(ref(count), _ONE)),
        )

    def _solve(self) -> Routine:
        """The section `solution` has the right sides by row before, and the unknowns by column after."""
        code, n = self._code(), self._signature.size
        order, pivots = code.section("pivot_order"), code.section("pivots")
        starts, values = code.section("factor_starts"), code.section("factors")
        places, solution = code.section("factor_places"), code.section("solution")
        way = code.array("way", n)
        i, k = code.counter("i"), code.counter("k")
        total, size, term = (code.number(x) for x in ("total", "size", "term"))
        twice = mul(_TWO, ref(i))

        def summed(begin: Expr, first: Expr, end: Expr, array: Symbol) -> tuple[Statement, ...]:
            return (
                Assign(total, begin),
                Assign(size, call("abs", ref(total))),
                For(
                    k,
                    first,
                    _ONE,
                    sub(end, _ONE),
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

        row_scales, column_scales = code.section("row_scales"), code.section("column_scales")
        given = mul(at(solution, at(order, i)), at(row_scales, at(order, i)))
        lower = summed(given, at(starts, sub(twice, _ONE)), at(starts, twice), way)
        found, columns = code.array("found", n), code.table("columns_at", self._column_at)
        upper = summed(at(way, i), at(starts, twice), at(starts, add(twice, _ONE)), found)
        column = at(columns, i)
        return code.routine(
            "system_solve",
            code.every(i, *lower, put(way, i, ref(total))),
            code.downward(i, *upper, put(found, i, div(ref(total), at(pivots, i)))),
            code.every(i, put(solution, column, mul(at(found, i), at(column_scales, column)))),
        )

    def _pairs(self, code: _Code, order: int, *body: Statement, k: Symbol) -> Statement:
        """Something done for every pair of an order."""
        orders = code.table("orders", self._orders)
        own = when(equal(at(orders, k), const(float(order))), *body)
        return code.every(k, own, last=const(len(self._rows)))

    def _sums(self, code: _Code, sums: Symbol, values: Symbol, order: int = 0) -> Statement:
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

    def _books(self, code: _Code) -> tuple[Statement, ...]:
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

"""How a mode is entered whose structure is found by numbers (`saltus.emit.systems.leading`).

    lower           what does not jump must be where the mode demands it
    leap            jumps and impulses, from left limits

A sum whose terms cancel but for rounding is zero: an impulse of 1e-20 would decide about a relation.
"""

from __future__ import annotations

import math

from saltus.emit.systems.leading_tables import Tables
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
    add,
    and_,
    call,
    const,
    if_,
    mul,
    neg,
    not_,
    ref,
    relation,
)
from saltus.ir.program import Assign, Break, Fill, Invoke, Routine, Statement

_ONE, _TWO = const(1), const(2)


class LeapRoutines:
    """Violations of constraints that are not larger than the part `located` of their sizes make no jumps."""

    def __init__(self, tables: Tables, located: float) -> None:
        self._tables, self._signature, self._located = tables, tables.signature, located

    def all(self) -> list[Routine]:
        """Both of them."""
        return [self._lower(), self._leap()]

    @property
    def _combined(self) -> tuple[Statement, ...]:
        """What spare rows have besides their variables."""
        return (Invoke("system_combined"),) if self._signature.spares else ()

    def _pairs(self, code: LoopCode, order: int, *body: Statement, k: Symbol) -> Statement:
        """Something done for every pair of an order."""
        orders = code.table("orders", self._tables.orders)
        own = when(equal(at(orders, k), const(float(order))), *body)
        return code.every(k, own, last=const(len(self._tables.rows)))

    def _sums(self, code: LoopCode, sums: Symbol, values: Symbol, order: int = 0) -> Statement:
        """Adds to each row its pairs of an order, with values."""
        slopes, k = code.section("pairs"), code.counter("k")
        rows, columns = code.table("rows", self._tables.rows), code.table("columns", self._tables.columns)
        term = mul(at(slopes, k), at(values, at(columns, k)))
        return self._pairs(code, order, increased(sums, at(rows, k), term), k=k)

    def _books(self, code: LoopCode) -> tuple[Statement, ...]:
        """The largest violation, by the jumps and impulses found, among the equations that are not
        differentiated, which express conservation."""
        c, d = code.section("row_levels"), code.section("column_levels")
        values, solution = code.section("values"), code.section("solution")
        slopes, books = code.section("pairs"), code.section("conserved")
        nominals = code.section("nominals")
        n = self._signature.size
        left, sizes = code.array("left_over", n), code.array("brought", n)
        k, i = code.counter("k"), code.counter("i")
        rows, columns = code.table("rows", self._tables.rows), code.table("columns", self._tables.columns)
        orders = code.table("orders", self._tables.orders)
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
                last=const(len(self._tables.rows)),
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
        code, signature = self._tables.routine(), self._signature
        n, states = signature.size, signature.states
        c, d = code.section("row_levels"), code.section("column_levels")
        values, solution = code.section("values"), code.section("solution")
        rates, rest = code.section("left_rates"), code.section("rest")
        nominals, exact = code.section("nominals"), code.section("exactness")
        sums, sizes = code.array("sums", n), code.array("sizes", n)
        slopes, k, i = code.section("pairs"), code.counter("k"), code.counter("i")
        rows, columns = code.table("rows", self._tables.rows), code.table("columns", self._tables.columns)
        twice = code.number("twice", Type.BOOLEAN)
        is_twice = relation(Op.GT, at(c, i), ONE)

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
            *self._combined,
            code.every(i, put(sums, i, at(rest, i))),
            self._sums(code, sums, values),
            self._sums(code, sums, rates, order=1),
            Fill(sizes, ZERO),
            weighed(0, extent),
            weighed(1, add(call("abs", at(rates, column)), ONE)),
            Assign(twice, FALSE),
            code.every(i, when(is_twice, Assign(twice, TRUE), Break())),
            when(ref(twice), *self._rates_of_constraints(code, sums, sizes)),
            code.every(i, put(solution, i, if_(relation(Op.GT, at(c, i), ZERO), demanded, ZERO))),
            Invoke("system_solve"),
            code.every(i, put(code.section("kept"), i, at(values, i))),
            put(code.section("nearing"), _ONE, ZERO),  # what is open has no impulse
            when(relation(Op.NE, at(code.section("has_open"), _ONE), ZERO), Invoke("system_least_change")),
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

    def _rates_of_constraints(self, code: LoopCode, sums: Symbol, sizes: Symbol) -> tuple[Statement, ...]:
        """What equations that are differentiated twice demand of rates, and the sizes of that. The earlier
        rates of variables that are not states are not known. So they are what they will be, as the rates of
        states demand it: what is left over in an equation is then what these have to jump by."""
        signature = self._signature
        n, states = signature.size, signature.states
        c, d = code.section("row_levels"), code.section("column_levels")
        drifts, rates = code.section("drifts"), code.section("left_rates")
        solution, slopes = code.section("solution"), code.section("pairs")
        changes, k, i = code.array("changes", n), code.counter("k"), code.counter("i")
        rows, columns = code.table("rows", self._tables.rows), code.table("columns", self._tables.columns)
        is_twice, is_once = relation(Op.GT, at(c, i), ONE), equal(at(c, i), ONE)
        others = {"first": const(states + 1), "last": const(n)}
        new = if_(relation(Op.GT, at(d, i), ONE), at(solution, i), ZERO)
        summed = (
            code.every(i, put(changes, i, at(drifts, i))),
            self._sums(code, changes, rates),
        )
        extent = mul(call("abs", at(slopes, k)), add(call("abs", at(rates, at(columns, k))), ONE))
        return (
            code.every(i, put(rates, i, ZERO), **others),
            *summed,
            code.every(
                i, put(solution, i, if_(is_twice, neg(at(changes, i)), if_(is_once, neg(at(sums, i)), ZERO)))
            ),
            Invoke("system_solve"),
            code.every(i, put(rates, i, new), **others),
            *summed,
            code.every(i, when(is_twice, put(sums, i, at(changes, i)), put(sizes, i, ZERO))),
            self._pairs(
                code,
                0,
                when(relation(Op.GT, at(c, at(rows, k)), ONE), increased(sizes, at(rows, k), extent)),
                k=k,
            ),
        )

    def _lower(self) -> Routine:
        """What does not jump must be where the mode demands it: of the equations that are differentiated
        twice, the one that is off most with left limits in `values`. A variable whose left limit is not known
        is where the others demand it."""
        code, signature = self._tables.routine(), self._signature
        n = signature.size
        c, values, rest = code.section("row_levels"), code.section("values"), code.section("rest")
        solution, displaced = code.section("solution"), code.section("displaced")
        nominals, slopes = code.section("nominals"), code.section("pairs")
        sums, sizes = code.array("sums", n), code.array("sizes", n)
        k, i = code.counter("k"), code.counter("i")
        rows, columns = code.table("rows", self._tables.rows), code.table("columns", self._tables.columns)
        twice = code.number("twice", Type.BOOLEAN)
        is_twice = relation(Op.GT, at(c, i), ONE)
        column = at(columns, k)
        extent = add(call("abs", at(values, column)), call("abs", at(nominals, column)))
        known = code.array("known", n)
        is_known = relation(Op.LE, call("abs", at(values, i)), const(math.inf))
        summed = (code.every(i, put(sums, i, at(rest, i))), self._sums(code, sums, values))
        missing = code.number("missing", Type.BOOLEAN)
        found = (
            code.every(i, put(solution, i, if_(is_twice, neg(at(sums, i)), ZERO))),
            Invoke("system_solve"),
            code.every(i, when(equal(at(known, i), ZERO), put(values, i, at(solution, i)))),
            *summed,
        )
        worse = relation(
            Op.GT,
            mul(call("abs", at(sums, i)), at(displaced, _TWO)),
            mul(at(displaced, _ONE), at(sizes, i)),
        )
        return code.routine(
            "system_lower",
            *self._combined,
            put(displaced, _ONE, ZERO),
            put(displaced, _TWO, ONE),
            Assign(twice, FALSE),
            code.every(i, when(is_twice, Assign(twice, TRUE), Break())),
            when(
                ref(twice),
                Assign(missing, FALSE),
                code.every(
                    i,
                    put(known, i, if_(is_known, ONE, ZERO)),
                    when(not_(is_known), put(values, i, ZERO), Assign(missing, TRUE)),
                ),
                *summed,
                when(ref(missing), *found),
                Fill(sizes, ZERO),
                self._pairs(
                    code,
                    0,
                    increased(sizes, at(rows, k), mul(call("abs", at(slopes, k)), extent)),
                    k=k,
                ),
                code.every(
                    i,
                    when(
                        and_(is_twice, worse),
                        put(displaced, _ONE, call("abs", at(sums, i))),
                        put(displaced, _TWO, at(sizes, i)),
                    ),
                ),
            ),
        )

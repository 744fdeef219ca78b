"""Quantities that a mode leaves open, where its structure is found by numbers.

With its switches open, an island of a circuit has no connection to ground: some equations say what others
say already, and nothing says how high its potentials are. The factors of such a part leave rows and columns
out (`saltus.emit.systems.leading_factors`). Each column without pivot stands for a solution z of the
equations without right sides. If all columns in which z is not zero are variables that are not differentiated
anywhere, all their coefficients are in the matrix, and z solves the equations at all times: these variables
are open, and nothing is determined by them. Else the structure is another one than it seemed (an equation has
to be differentiated more often), and there is no such mode here. The same is said if something with a memory
depends on what is open, or if some equation of the part is differentiated twice.

Open quantities have the values of *least change*, as in a program for the mode (`analyse.modes.leastchange`):
of all solutions, the nearest to the values at which the mode was entered, each measured by its nominal value.
In these measures the solutions z are made orthogonal and of length 1, so that

    x := x + sum of z_j (z_j, kept - x)

The rows that were left out must follow from the others whatever the values of sources and states are: that is
seen from a solution for right sides without relation to each other. (Two sources side by side that happen to
be equal are not such a mode.) What they say is compared with the solution all the same whenever there is one.

    nulls       the solutions z, one after the other, by place and over the nominal values
    kept        the values at which the mode was entered, by column
    has_open    whether any part leaves something open
    noted       columns that have been open in the run, and `open_since` when
"""

from __future__ import annotations

from saltus.emit.systems.leading_factors import substituted
from saltus.emit.systems.leading_tables import OfPart, Tables
from saltus.emit.systems.loop_code import LoopCode, at, equal, increased, put, when
from saltus.expr.nodes import (
    FALSE,
    ONE,
    TIME,
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
from saltus.ir.native.contract import CONSISTENT
from saltus.ir.program import Assign, Fail, Fill, For, If, Invoke, Routine, Statement
from saltus.ir.signature import MOST_OPEN

#: What is smaller than this part of the largest in a solution without right sides is rounding; so is what is
#: left of an equation by this part of its terms.
NOTHING = 1e-9

_ZERO, _ONE = const(0), const(1)


class OpenRoutines:
    """`status` is what they return where there is no such mode. Something with a memory depends on the
    `remembered` columns."""

    def __init__(self, tables: Tables, status: int) -> None:
        self._tables, self._status = tables, status

    def all(self) -> list[Routine]:
        """What is done when factors have been found, and when a solution has."""
        return [
            self._directions(),
            self._redundant(),
            self._least_change(),
            self._compared(),
            self._constraints(),
            self._noted(),
        ]

    def _directions(self) -> Routine:
        """The solutions without right sides of one part, orthogonal."""
        tables, code = self._tables, self._tables.routine()
        signature, n = tables.signature, tables.signature.size
        part = OfPart(tables, code)
        free, nulls, nominals = code.section("free"), code.section("nulls"), code.section("nominals")
        solution, found = code.section("solution"), code.array("found", n)
        scales, d = code.section("column_scales"), code.section("column_levels")
        remembered = code.table("remembered", [float(k in signature.remembered) for k in range(n)])
        column = at(code.table("columns_at", tables.column_at), part.i)
        i, f, j = part.i, code.counter("f"), code.counter("j")
        count, base = (code.number(x, Type.INTEGER) for x in ("count", "base"))
        largest, total = code.number("largest"), code.number("total")
        own = at(nulls, ref(base) + ref(i))
        other = at(nulls, mul(ref(j) - _ONE, const(n)) + ref(i))
        size = div(at(scales, column), at(nominals, column))
        is_bound = or_(relation(Op.GT, at(d, column), ZERO), relation(Op.NE, at(remembered, column), ZERO))
        is_twice = relation(Op.GT, at(code.section("row_levels"), i), ONE)

        def summed(e: Expr) -> tuple[Statement, ...]:
            return Assign(total, ZERO), part.every(Assign(total, ref(total) + e))

        return code.routine(
            "system_directions",
            *part.found,
            when(
                relation(Op.GT, at(code.section("open_counts"), part.number), const(float(MOST_OPEN))),
                Fail(self._status),
            ),
            part.every(when(is_twice, Fail(self._status))),
            Invoke("system_nominals"),
            Invoke("system_redundant"),
            Assign(count, _ZERO),
            code.every(
                f,
                when(
                    relation(Op.NE, at(free, f), ZERO),
                    Assign(base, mul(ref(count), const(n))),
                    Assign(count, ref(count) + _ONE),
                    part.every(put(solution, i, ZERO), put(found, i, ZERO)),
                    put(found, f, ONE),
                    *substituted(tables, code, part.number, found),
                    Assign(largest, ZERO),
                    part.every(
                        put(nulls, ref(base) + ref(i), mul(at(found, i), size)),
                        Assign(largest, call("max", ref(largest), call("abs", own))),
                    ),
                    part.every(
                        when(
                            relation(Op.LE, call("abs", own), mul(const(NOTHING), ref(largest))),
                            put(nulls, ref(base) + ref(i), ZERO),
                        ),
                        when(and_(relation(Op.NE, own, ZERO), is_bound), Fail(self._status)),
                    ),
                    code.every(
                        j,
                        *summed(mul(own, other)),
                        part.every(increased(nulls, ref(base) + ref(i), mul(const(-1.0), ref(total), other))),
                        last=ref(count) - _ONE,
                    ),
                    *summed(mul(own, own)),
                    part.every(put(nulls, ref(base) + ref(i), div(own, call("sqrt", ref(total))))),
                ),
                first=ref(part.first),
                last=ref(part.last),
            ),
        )

    def _redundant(self) -> Routine:
        """Whether the rows of a part that were left out follow from the others at all times: with some values
        of states and some of sources, which have no relation to each other, the part is solved as it is in
        the run, constraints first, and all rows have to hold."""
        tables, code = self._tables, self._tables.routine()
        signature, n = tables.signature, tables.signature.size
        part = OfPart(tables, code)
        i, k, row, column = (
            part.i,
            code.counter("k"),
            code.counter("row"),
            code.number("column", Type.INTEGER),
        )
        slopes, solution, excess = (code.section(x) for x in ("pairs", "solution", "excess"))
        c, d = code.section("row_levels"), code.section("column_levels")
        row_scales, column_scales = code.section("row_scales"), code.section("column_scales")
        columns_at = code.table("columns_at", tables.column_at)
        starts, orders = code.table("starts", tables.starts), code.table("orders", tables.orders)
        # The golden section goes round without coming back.
        some = [0.5 + (place * 0.6180339887498949) % 1.0 for place in range(3 * n)]
        driven, numbers = code.section("driven"), code.table("some", some)
        found, values, rates = (code.array(name, n) for name in ("found", "x", "rates"))
        given, sizes = code.array("given", n), code.array("sizes", n)
        has_constraints = code.number("has_constraints", Type.BOOLEAN)
        total = code.number("total")
        is_constraint = relation(Op.GT, at(c, row), ZERO)
        solved = (
            part.every(put(found, i, ZERO)),
            part.every(put(solution, i, mul(const(-1.0), at(given, i)))),
            *substituted(tables, code, part.number, found),
        )

        def rows(*body: Statement) -> For:
            return code.every(row, *body, first=ref(part.first), last=ref(part.last))

        def pairs(*body: Statement) -> For:
            """For each pair k of the row, with its column."""
            last = at(starts, ref(row) + _ONE) - _ONE
            own = Assign(column, at(code.table("columns", tables.columns), k))
            return code.every(k, own, *body, first=at(starts, row), last=last)

        def added(value: Expr) -> tuple[Statement, ...]:
            # What is zero but for rounding has the error of what it comes from, which is not in this row.
            extent = call("abs", value) + at(column_scales, column)
            return (
                Assign(total, ref(total) + mul(at(slopes, k), value)),
                increased(sizes, row, mul(call("abs", at(slopes, k)), extent)),
            )

        def source(first: int) -> tuple[Statement, ...]:
            some_number = at(numbers, ref(row) + const(first))
            known = at(code.section("sourced_rates" if first else "sourced"), row)
            own: tuple[Statement, ...] = (
                Assign(total, div(mul(at(driven, row), some_number), at(row_scales, row))),
                put(sizes, row, call("abs", ref(total)) + call("abs", known)),
                Assign(total, ref(total) + known),
            )
            if not signature.spares:
                return own
            # A spare row has the sum of what other rows have.
            brought, spare, j = code.array("brought", n), code.array("spare", 1), code.counter("j")
            weights = code.section("weights")
            weight = at(weights, mul(at(spare, _ONE) - _ONE, const(n)) + ref(j))
            term = mul(weight, at(brought, j))
            is_spare = relation(Op.NE, at(code.table("is_spare", tables.is_spare), row), ZERO)
            is_used = relation(Op.NE, at(code.section("masked"), row), const(2.0))
            summed = (
                Assign(total, ZERO),
                put(sizes, row, ZERO),
                put(spare, _ONE, at(code.table("spare_numbers", tables.spare_numbers), row)),
                when(
                    is_used,
                    code.every(
                        j,
                        when(
                            relation(Op.NE, weight, ZERO),
                            Assign(total, ref(total) + term),
                            increased(sizes, row, call("abs", term)),
                        ),
                        first=ref(part.first),
                        last=ref(part.last),
                    ),
                ),
            )
            return If(((is_spare, summed),), own), put(brought, row, ref(total))

        is_rate = equal(at(orders, k), ONE)
        known = added(if_(is_rate, at(rates, column), at(values, column)))
        # A constraint, differentiated: only rates that are constrained themselves are known.
        changed = when(equal(at(orders, k), ZERO), *added(at(rates, column)))

        def held(*, of_constraints: bool) -> For:
            """Rows that were left out hold, with `given` and what was found for the unknowns."""
            place = at(code.table("places", tables.places), k)
            unknown = mul(at(found, place), at(column_scales, column))
            summed = (
                Assign(total, at(given, row)),
                *(() if of_constraints else (pairs(when(part.leads(k, row, ref(column)), *added(unknown))),)),
                when(
                    relation(Op.GT, call("abs", ref(total)), mul(const(NOTHING), at(sizes, row))),
                    Fail(self._status),
                ),
            )
            is_left_out = relation(Op.NE, at(excess, row), ZERO)
            return rows(when(and_(is_left_out, is_constraint) if of_constraints else is_left_out, *summed))

        is_second = relation(Op.GT, at(d, column), ONE)
        is_state = relation(Op.LE, ref(column), const(signature.states))
        change = mul(at(found, i), at(column_scales, column))
        constraints: tuple[Statement, ...] = (
            rows(*source(0), pairs(*known), put(given, row, if_(is_constraint, ref(total), ZERO))),
            *solved,
            part.every(
                Assign(column, at(columns_at, i)),
                when(
                    relation(Op.GT, at(d, column), ZERO),
                    put(rates, column, if_(and_(is_state, is_second), change, ZERO)),
                    when(not_(and_(is_state, is_second)), increased(values, column, change)),
                ),
            ),
            rows(*source(0), pairs(*known), put(given, row, ref(total))),
            held(of_constraints=True),
        )
        return code.routine(
            "system_redundant",
            *part.found,
            Assign(has_constraints, FALSE),
            rows(when(is_constraint, Assign(has_constraints, TRUE))),
            part.every(
                Assign(column, at(columns_at, i)),
                put(
                    values,
                    column,
                    if_(is_state, mul(at(numbers, ref(i) + const(n)), at(column_scales, column)), ZERO),
                ),
                put(rates, column, ZERO),
            ),
            when(ref(has_constraints), *constraints),
            rows(
                If(
                    ((is_constraint, (*source(2 * n), pairs(changed))),),
                    (*source(0), pairs(*known)),
                ),
                put(given, row, ref(total)),
            ),
            *solved,
            held(of_constraints=False),
        )

    def _noted(self) -> Routine:
        """For a warning: for each variable that has been open, 1 and the time since when. A variable of a
        tail is open if it depends on an open one."""
        tables, code = self._tables, self._tables.routine()
        n = tables.signature.size
        nulls, noted, since = (code.section(x) for x in ("nulls", "noted", "open_since"))
        slopes, nominals, shares = code.section("pairs"), code.section("nominals"), code.array("shares", n)
        p, i, j, k = (code.counter(x) for x in ("p", "i", "j", "k"))
        column, own = at(code.table("columns_at", tables.column_at), i), code.number("own")
        share, size = code.number("share"), code.number("size")
        first, last = self._range(code, p)
        is_new = equal(at(noted, column), ZERO)
        note = when(is_new, put(noted, column, ONE), put(since, column, TIME))
        null = at(nulls, mul(ref(j) - _ONE, const(n)) + ref(i))
        steps: list[Statement] = [
            code.every(i, when(relation(Op.NE, null, ZERO), note), first=first, last=last),
        ]
        if tables.signature.tails:
            of_pair = at(code.table("columns", tables.columns), k)
            starts = code.table("starts", tables.starts)
            term = mul(at(slopes, k), at(shares, of_pair), at(nominals, of_pair))
            summed = code.every(
                k,
                Assign(own, term),
                Assign(share, ref(share) + ref(own)),
                Assign(size, ref(size) + call("abs", ref(own))),
                first=at(starts, i),
                last=at(starts, ref(i) + _ONE) - _ONE,
            )
            is_open = relation(Op.GT, call("abs", ref(share)), mul(const(NOTHING), ref(size)))
            steps += [
                Fill(shares, ZERO),
                code.every(i, put(shares, column, null), first=first, last=last),
                code.every(
                    i,
                    Assign(share, ZERO),
                    Assign(size, ZERO),
                    summed,
                    when(is_open, put(shares, column, ONE), note),
                    first=const(tables.in_parts + 1),
                    last=const(n),
                ),
            ]
        return code.routine(
            "system_noted",
            when(
                relation(Op.NE, at(code.section("has_open"), _ONE), ZERO),
                self._open_parts(code, p, code.every(j, *steps, last=at(code.section("open_counts"), p))),
            ),
        )

    def _range(self, code: LoopCode, p: Symbol) -> tuple[Expr, Expr]:
        """The first and the last row of a part."""
        tables = self._tables
        return at(code.table("firsts", tables.first), p), at(code.table("lasts", tables.last), p)

    def _open_parts(self, code: LoopCode, p: Symbol, *body: Statement) -> For:
        is_open = relation(Op.GT, at(code.section("open_counts"), p), ZERO)
        return code.every(p, when(is_open, *body), last=const(len(self._tables.first)))

    def _least_change(self) -> Routine:
        """The solution, as near as can be to what is kept; tangents, to zero."""
        tables, code = self._tables, self._tables.routine()
        n = tables.signature.size
        nulls, nominals, kept = code.section("nulls"), code.section("nominals"), code.section("kept")
        solution, is_nearing = code.section("solution"), at(code.section("nearing"), _ONE)
        p, i, j = (code.counter(x) for x in ("p", "i", "j"))
        column = at(code.table("columns_at", tables.column_at), i)
        own = at(nulls, mul(ref(j) - _ONE, const(n)) + ref(i))
        total = code.number("total")
        gap = if_(relation(Op.NE, is_nearing, ZERO), at(kept, column), ZERO) - at(solution, column)

        def every(*body: Statement) -> For:
            first, last = self._range(code, p)
            return code.every(i, *body, first=first, last=last)

        return code.routine(
            "system_least_change",
            self._open_parts(
                code,
                p,
                code.every(
                    j,
                    Assign(total, ZERO),
                    every(
                        when(
                            relation(Op.NE, own, ZERO),
                            Assign(total, ref(total) + div(mul(own, gap), at(nominals, column))),
                        )
                    ),
                    every(
                        when(
                            relation(Op.NE, own, ZERO),
                            increased(solution, column, mul(ref(total), own, at(nominals, column))),
                        )
                    ),
                    last=at(code.section("open_counts"), p),
                ),
            ),
            Invoke("system_tails"),
        )

    def _compared(self) -> Routine:
        """Whether the rows that were left out hold, with rates and other unknowns in `solution`, and what the
        rest of each row comes to in `sums`."""
        code = self._tables.routine()
        return self._agreement(code, "system_compared", code.section("solution"), are_constraints=False)

    def _constraints(self) -> Routine:
        """Whether the constraints that were left out hold for `values`: their derivatives may do so though
        they do not."""
        code = self._tables.routine()
        return self._agreement(code, "system_constraints", code.section("values"), are_constraints=True)

    def _agreement(self, code: LoopCode, name: str, values: Symbol, *, are_constraints: bool) -> Routine:
        tables = self._tables
        slopes, sums, nominals = code.section("pairs"), code.section("sums"), code.section("nominals")
        excess, c, d = code.section("excess"), code.section("row_levels"), code.section("column_levels")
        p, k, row = code.counter("p"), code.counter("k"), code.counter("row")
        columns, starts = code.table("columns", tables.columns), code.table("starts", tables.starts)
        orders = code.table("orders", tables.orders)
        total, size = code.number("total"), code.number("size")
        column = at(columns, k)
        leads = equal(at(d, column) - at(c, row), at(orders, k))
        is_left_out = relation(Op.NE, at(excess, row), ZERO)
        added: tuple[Statement, ...] = ()
        if are_constraints:
            is_left_out = and_(is_left_out, relation(Op.GT, at(c, row), ZERO))
        else:
            added = (when(leads, Assign(total, ref(total) + mul(at(slopes, k), at(values, column)))),)
        extent = at(nominals, column) + call("abs", at(values, column))
        first, last = self._range(code, p)
        return code.routine(
            name,
            self._open_parts(
                code,
                p,
                code.every(
                    row,
                    when(
                        is_left_out,
                        Assign(total, at(sums, row)),
                        Assign(size, call("abs", ref(total))),
                        code.every(
                            k,
                            *added,
                            Assign(size, ref(size) + mul(call("abs", at(slopes, k)), extent)),
                            first=at(starts, row),
                            last=at(starts, ref(row) + _ONE) - _ONE,
                        ),
                        when(
                            relation(Op.GT, call("abs", ref(total)), mul(const(CONSISTENT), ref(size))),
                            Fail(self._status),
                        ),
                    ),
                    first=first,
                    last=last,
                ),
            ),
        )

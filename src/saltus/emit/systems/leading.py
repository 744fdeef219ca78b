"""A system whose structure is found by numbers (`saltus.ir.signature`): its mode, its matrix, its solution.

Most of the routines are loops over the pairs of the signature, so their code does not grow with the system,
and none grows with the number of its modes:

    slopes          the coefficients of all pairs, from guards and parameters; `compare`, whether any has
                    changed; `sums` and `rates`, what equations come to with values and with rates (these
                    are straight-line code, made by `saltus.emit.routines`)
    structure       if a coefficient has changed: offsets and factors of its part are found anew. Parts have
                    no variable in common, so an event costs the part that it is in. Where all parts are
                    small, nobody needs them (`saltus.emit.systems.patterns`)
    inverses        the same for parts that need the inverses of their matrices; `invert`, these
    offsets         how often equations of a part are differentiated, by Pantelides' algorithm
    order           the matrix of the leading pairs of a part in block triangular form
    scale           factors that give its rows and columns entries around 1
    factorise       its factors, block by block, as sparse as they are
    solve           forward and backward substitution, and what is found after all parts (`tails`)
    follow          values of states, then rates and other unknowns, from what is left of the equations

What happens at an instant, by the same matrix, is in `saltus.emit.systems.leading_leap`.

With the coefficients J of leading pairs, A of the pairs that are not, and r for what is left of an equation,

    J q = -(A x + r) where an equation is differentiated, else 0       x := x + q, what is constrained
    J y = -r'        where an equation is differentiated, else -(A x + r)

(and once more before that, where it is differentiated twice). The first puts states on their constraints
along the way on which quantities that are conserved stay what they are; it is no more than rounding and the
errors of the integrator, unless states have just become constrained.

A sum whose terms cancel but for rounding is zero: an impulse of 1e-20 would decide about a relation.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from saltus.emit.systems.leading_factors import (
    Elimination,
    scale_routine,
    solve_routine,
    substituted,
)
from saltus.emit.systems.leading_hidden import HiddenRoutines
from saltus.emit.systems.leading_leap import LeapRoutines
from saltus.emit.systems.leading_open import OpenRoutines
from saltus.emit.systems.leading_order import order_routine
from saltus.emit.systems.leading_tables import OfPart, Tables
from saltus.emit.systems.loop_code import LoopCode, Sections, at, equal, increased, put, when
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
    const,
    div,
    if_,
    mul,
    neg,
    not_,
    ref,
    relation,
    sub,
)
from saltus.ir.program import (
    Assign,
    Break,
    For,
    If,
    Invoke,
    Routine,
    Statement,
    While,
)
from saltus.ir.signature import Signature

_ONE, _TWO = const(1), const(2)


class LeadingRoutines:
    """The routines of one signature. `status` is what they return where there is no such mode; violations of
    constraints that are not larger than the part `located` of their sizes make no jumps. `inverses` says how
    much room there is for the inverse of each part, none where it is not needed."""

    def __init__(
        self,
        signature: Signature,
        sections: Sections,
        status: int,
        located: float,
        inverses: Sequence[int],
    ) -> None:
        self._signature, self._status = signature, status
        self._located, self._inverses = located, list(map(float, inverses))
        self._tables = Tables(signature, sections)

    def all(self) -> list[Routine]:
        """All of them, but for `slopes`."""
        found = [
            self._structure(),
            self._offsets(),
            order_routine(self._tables),
            scale_routine(self._tables),
            Elimination(self._tables, self._status).routine(),
            solve_routine(self._tables),
            _tails_routine(self._tables),
            *OpenRoutines(self._tables, self._status).all(),
            self._follow(),
            *LeapRoutines(self._tables, self._located).all(),
        ]
        if self._signature.spares:
            found += HiddenRoutines(self._tables).all()
        return [*found, self._some_inverses(), self._invert()] if any(self._inverses) else found

    def _structure(self) -> Routine:
        """Offsets and factors of all parts, unless they are known."""
        code = self._tables.routine()
        state, has_open = code.section("known_structure"), code.section("has_open")
        p = code.counter("p")
        is_open = relation(Op.GT, at(code.section("open_counts"), p), ZERO)
        looked_at: tuple[Statement, ...] = (
            put(has_open, _ONE, ZERO),
            code.every(
                p,
                *self._anew(code, p),
                when(is_open, put(has_open, _ONE, ONE)),
                last=const(len(self._tables.first)),
            ),
            put(state, _TWO, ONE),
        )
        return code.routine("system_structure", when(equal(at(state, _TWO), ZERO), *looked_at))

    def _some_inverses(self) -> Routine:
        """The inverses of parts that have a pattern in which equations cannot be solved one by one. Where
        equations depend on each other numerically, the pattern does not suffice."""
        code = self._tables.routine()
        p, pattern = code.counter("p"), code.section("pattern")
        rooms = at(code.table("inverse_rooms", self._inverses), p)
        is_due = and_(relation(Op.GT, rooms, ZERO), relation(Op.NE, at(pattern, p), ZERO))
        is_open = relation(Op.GT, at(code.section("open_counts"), p), ZERO)
        none = (put(pattern, p, ZERO), put(code.section("all_known"), _ONE, ZERO))
        looked_at = when(is_due, *self._anew(code, p), when(is_open, *none))
        return code.routine("system_inverses", code.every(p, looked_at, last=const(len(self._tables.first))))

    def _anew(self, code: LoopCode, p: Symbol) -> tuple[Statement, ...]:
        """Offsets and factors of a part are found anew where one of its coefficients has changed, or has
        never been seen."""
        now, known, known_parts = (code.section(x) for x in ("pairs", "known_pairs", "known_parts"))
        k, changed = code.counter("k"), code.number("changed", Type.BOOLEAN)
        first = at(code.table("first_pairs", self._tables.first_pair), p)
        last = at(code.table("last_pairs", self._tables.last_pair), p)
        differs = relation(Op.NE, at(now, k), at(known, k))
        is_open = relation(Op.GT, at(code.section("open_counts"), p), ZERO)
        otherwise: tuple[Statement, ...] = ()
        if any(self._inverses):
            rooms = at(code.table("inverse_rooms", self._inverses), p)
            otherwise = (when(relation(Op.GT, rooms, ZERO), Invoke("system_invert")),)
        return (
            Assign(changed, equal(at(known_parts, p), ZERO)),
            code.every(k, when(differs, Assign(changed, TRUE), Break()), first=first, last=last),
            when(
                ref(changed),
                put(known_parts, p, ZERO),  # until all has gone well
                put(code.section("part"), _ONE, ref(p)),
                *self._spared(code, p, first, last),
                *(Invoke(f"system_{name}") for name in ("offsets", "order", "scale", "factorise")),
                *((Invoke("system_hidden"),) if self._signature.spares else ()),
                when(is_open, Invoke("system_directions"), otherwise=otherwise),
                code.every(k, put(known, k, at(now, k)), first=first, last=last),
                put(known_parts, p, ONE),
            ),
        )

    def _spared(self, code: LoopCode, p: Symbol, first: Expr, last: Expr) -> tuple[Statement, ...]:
        """No spare row of a part is in use."""
        tables = self._tables
        if not self._signature.spares:
            return ()
        i, k, now = code.counter("i"), code.counter("k"), code.section("pairs")
        masked, is_spare = code.section("masked"), code.table("is_spare", tables.is_spare)
        rows = {
            "first": at(code.table("firsts", tables.first), p),
            "last": at(code.table("lasts", tables.last), p),
        }
        is_of_spare = relation(Op.NE, at(is_spare, at(code.table("rows", tables.rows), k)), ZERO)
        return (
            put(code.section("hidden_counts"), p, ZERO),
            code.every(i, put(masked, i, mul(const(2.0), at(is_spare, i))), **rows),
            code.every(k, when(is_of_spare, put(now, k, ZERO)), first=first, last=last),
        )

    def _invert(self) -> Routine:
        """The inverse of the matrix of one part, by row and by the place of the column: its columns are the
        solutions for right sides that are 1 in one row."""
        tables, code = self._tables, self._tables.routine()
        part, n = OfPart(tables, code), tables.signature.size
        solution, column_scales = code.section("solution"), code.section("column_scales")
        inverse, found = code.section("inverses"), code.array("found", n)
        columns = code.table("columns_at", tables.column_at)
        before = code.table("before_inverses", [0.0, *accumulate(self._inverses)])
        i, row, count = part.i, code.counter("row"), code.number("count", Type.INTEGER)
        scaled = mul(at(found, i), at(column_scales, at(columns, i)))
        return code.routine(
            "system_invert",
            *part.found,
            Assign(count, at(before, part.number)),
            code.every(
                row,
                part.every(put(solution, i, ZERO)),
                put(solution, row, ONE),
                *substituted(tables, code, part.number, found),
                part.every(Assign(count, add(ref(count), _ONE)), put(inverse, count, scaled)),
                first=ref(part.first),
                last=ref(part.last),
            ),
        )

    def _offsets(self) -> Routine:
        """`Signature.offsets_with_excess` for one part."""
        signature, code = self._signature, self._tables.routine()
        n = signature.size
        slopes, c, d = code.section("pairs"), code.section("row_levels"), code.section("column_levels")
        tables, part = self._tables, OfPart(self._tables, code)
        starts, places = code.table("starts", tables.starts), code.table("places", tables.places)
        orders = code.table("orders", tables.orders)
        may = code.table("may", signature.most_times)
        columns = code.table("columns_at", tables.column_at)
        begin = code.table("begin", [float(column <= signature.states) for column in tables.column_at])
        row_of, column_of = code.section("matched_rows"), code.section("matched_places")
        came, rows, level = code.array("came", n), code.array("rows", n), code.array("level", n)
        reached = code.array("reached", n)
        k, i, start = code.counter("k"), part.i, code.counter("start")
        row, column, free = (code.number(x, Type.INTEGER) for x in ("row", "column", "free"))
        count, place, before = (code.number(x, Type.INTEGER) for x in ("count", "place", "before"))
        far = code.number("far", Type.INTEGER)
        excess, stuck = code.section("excess"), code.number("stuck", Type.BOOLEAN)
        begun = code.number("begun", Type.BOOLEAN)
        c_before, level_before = code.array("c_before", n), code.array("level_before", n)

        def over_reached(*body: Statement) -> For:
            """For each column that the search has come to."""
            return code.every(i, Assign(column, at(reached, i)), *body, last=ref(far))

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
                    Assign(far, add(ref(far), _ONE)),
                    put(reached, far, ref(column)),
                    when(equal(at(row_of, column), ZERO), Assign(free, ref(column)), Break()),
                    Assign(count, add(ref(count), _ONE)),
                    put(rows, count, at(row_of, column)),
                ),
            ),
        )
        search: tuple[Statement, ...] = (
            over_reached(put(came, column, ZERO)),
            Assign(far, const(0)),
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
                    when(relation(Op.GT, at(c, row), at(may, row)), Assign(stuck, TRUE)),
                ),
            ),
            over_reached(increased(level, column, ONE)),
        )
        # A row without valid offsets is left out, as if it had not been there.
        kept: tuple[Statement, ...] = (
            part.every(put(c_before, i, at(c, i)), put(level_before, i, at(level, i))),
            Assign(begun, TRUE),
        )
        given_up: tuple[Statement, ...] = (
            part.every(put(c, i, at(c_before, i)), put(level, i, at(level_before, i))),
            put(excess, start, ONE),
            Break(),
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
        matched: tuple[Statement, ...] = (
            Assign(free, const(0)),
            Assign(stuck, FALSE),
            Assign(begun, FALSE),
            While(
                equal(ref(free), const(0)),
                (
                    *search,
                    when(
                        equal(ref(free), const(0)),
                        when(not_(ref(begun)), *kept),
                        *raised,
                    ),
                    when(ref(stuck), *given_up),
                ),
            ),
            when(relation(Op.NE, ref(free), const(0)), *augment),
        )
        if signature.spares:
            is_masked = relation(Op.NE, at(code.section("masked"), start), ZERO)
            matched = (If(((is_masked, (put(excess, start, ONE),)),), matched),)
        return code.routine(
            "system_offsets",
            *part.found,
            Assign(far, const(0)),
            part.every(
                put(c, i, ZERO),
                put(level, i, at(begin, i)),
                put(row_of, i, ZERO),
                put(column_of, i, ZERO),
                put(came, i, ZERO),
                put(excess, i, ZERO),
            ),
            code.every(start, *matched, first=ref(part.first), last=ref(part.last)),
            part.every(put(d, at(columns, i), at(level, i))),
        )

    def _follow(self) -> Routine:
        """`values` have those of the states before, and of all that is constrained after; `solution` has
        rates and other unknowns after. What is two derivatives below the highest ones comes first, where some
        equation is differentiated twice, then what is one below: a rate that is itself constrained (d = 2) is
        found with the values."""
        code, signature = self._tables.routine(), self._signature
        n, states = signature.size, signature.states
        c, d = code.section("row_levels"), code.section("column_levels")
        values, solution = code.section("values"), code.section("solution")
        sums, changes = code.section("sums"), code.section("changes")
        drifts, bends, rates = code.section("drifts"), code.section("bends"), code.section("rates_found")
        constrained, second, twice = (
            code.number(x, Type.BOOLEAN) for x in ("constrained", "second", "twice")
        )
        i = code.counter("i")
        all_states, first, last = const(states), const(states + 1), const(n)
        is_constraint = relation(Op.GT, at(c, i), ZERO)
        is_twice = relation(Op.GT, at(c, i), ONE)
        is_second = relation(Op.GT, at(d, i), ONE)
        is_open = relation(Op.NE, at(code.section("has_open"), _ONE), ZERO)
        is_nearing = relation(Op.NE, at(code.section("nearing"), _ONE), ZERO)
        # Those of other variables than states are zero before.
        placed = (
            code.every(i, put(solution, i, if_(is_twice, neg(at(sums, i)), ZERO))),
            Invoke("system_solve"),
            code.every(i, when(is_second, increased(values, i, at(solution, i)))),
            Invoke("system_sums"),
        )
        off = if_(is_twice, at(drifts, i), at(sums, i))
        projected = (
            when(ref(twice), *placed),
            code.every(i, put(solution, i, if_(is_constraint, neg(off), ZERO))),
            Invoke("system_solve"),
            code.every(
                i,
                put(rates, i, if_(is_second, at(solution, i), ZERO)),
                when(is_second, Assign(second, TRUE)),
                when(equal(at(d, i), ONE), increased(values, i, at(solution, i))),
            ),
            Invoke("system_sums"),
            when(is_open, when(is_nearing, Invoke("system_constraints"))),
            code.every(i, put(changes, i, at(drifts, i))),
            when(ref(second), Invoke("system_rates")),
            code.every(i, when(is_constraint, put(sums, i, if_(is_twice, at(bends, i), at(changes, i))))),
        )
        return code.routine(
            "system_follow",
            *((Invoke("system_combined"),) if signature.spares else ()),
            Assign(constrained, FALSE),
            Assign(second, FALSE),
            Assign(twice, FALSE),
            code.every(
                i,
                when(is_constraint, Assign(constrained, TRUE)),
                when(is_twice, Assign(twice, TRUE), Break()),
            ),
            code.every(i, put(values, i, ZERO), first=first, last=last),
            Invoke("system_sums"),
            when(ref(constrained), *projected),
            code.every(i, put(solution, i, neg(at(sums, i)))),
            Invoke("system_solve"),
            when(is_open, Invoke("system_least_change"), when(is_nearing, Invoke("system_compared"))),
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


def _tails_routine(tables: Tables) -> Routine:
    """The variables that tails determine, from `tail_rights` and what has been found for all others."""
    code, n = tables.routine(), tables.signature.size
    if not tables.signature.tails:
        return code.routine("system_tails")
    slopes, solution, d = (code.section(x) for x in ("pairs", "solution", "column_levels"))
    starts, orders = code.table("starts", tables.starts), code.table("orders", tables.orders)
    columns = code.table("columns", tables.columns)
    i, k, total, pivot = code.counter("i"), code.counter("k"), code.number("total"), code.number("pivot")
    own = at(code.table("columns_at", tables.column_at), i)
    column = at(columns, k)
    term = mul(at(slopes, k), at(solution, column))
    return code.routine(
        "system_tails",
        code.every(
            i,
            Assign(total, at(code.section("tail_rights"), ref(i) - const(tables.in_parts))),
            Assign(pivot, ONE),
            code.every(
                k,
                If(
                    (
                        (equal(column, own), (Assign(pivot, at(slopes, k)),)),
                        (equal(at(d, column), at(orders, k)), (Assign(total, ref(total) - term),)),
                    ),
                    (),
                ),
                first=at(starts, i),
                last=at(starts, ref(i) + _ONE) - _ONE,
            ),
            put(solution, own, div(ref(total), ref(pivot))),
            first=const(tables.in_parts + 1),
            last=const(n),
        ),
    )

"""Pivot guards: a run must not come to a position where the states that index reduction has chosen fail.

The dummy derivatives of a set of constraints are computed with the square part P of their Jacobian J that was
chosen by pivoting. Where P is singular they are undetermined, and an integrator that steps across such a
position goes on along a wrong branch without noticing: the height of a pendulum, computed from x, turns round
at x = 1. So for every P that varies (those of gears and circuits do not)

    smallest pivot of P, each row divided by the largest entry of its row in J   >   floor

is made a relation of the model, for each diagonal block of P in block triangular form: in a chain of rods
each rod has its own. The pivots are those of Gaussian elimination with complete pivoting, as in `pivots`, by
which the columns were chosen: a set that has just been chosen is far from its guards. They change
continuously: at the moment two candidates for a pivot are of equal size, what is left after elimination with
one or the other is the same, up to signs. When a guard falls, the run chooses states again.

Where no other columns could have been chosen there is nothing to watch: what follows from others does so
as in any other loop, which has a solution or not. That a pivot of it is small says little: the conductances
of diodes differ by ten powers of ten, and the equations are as good as ever.

The floor is a hidden parameter that the run writes: it lies lower where even the best choice has a small
pivot, as in a mechanism with rods of very different lengths.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from saltus.analyse.order.matching import maximum_matching
from saltus.analyse.order.sort import sorted_components
from saltus.expr.helpers import Helper
from saltus.expr.nodes import (
    ONE,
    TIME,
    ZERO,
    Expr,
    Op,
    Symbol,
    Type,
    add,
    apply,
    array,
    call,
    const,
    div,
    if_,
    index,
    item,
    mul,
    no_event,
    ref,
    relation,
    sub,
)
from saltus.expr.traversal import leaves
from saltus.ir.flat import Equation, Variability, Variable
from saltus.ir.hybrid import HybridModel, Relation
from saltus.ir.program import Assign, For, Function, If, Statement
from saltus.ir.structure import PIVOT_FLOOR, PivotGuard


@dataclass(frozen=True, eq=False)
class Pivots:
    """The Jacobian of some constraints, row by row with the entries that are not zero by column, and the
    columns that were chosen in it. `equations` belong to the rows, `names` to the chosen columns."""

    jacobian: tuple[Mapping[int, Expr], ...]
    chosen: tuple[int, ...]
    equations: tuple[Equation, ...]
    names: tuple[str, ...]


def with_pivot_guards(
    model: HybridModel, pivots: Sequence[Pivots], rewrite: Callable[[Expr], Expr]
) -> tuple[HybridModel, tuple[PivotGuard, ...]]:
    """The model with a relation for each pivot that varies, after its own relations."""
    varying = {TIME, *(ref(v.symbol) for v in (*model.states, *model.algebraics))}
    relations = list(model.relations)
    floors: list[Variable] = []
    guards: list[PivotGuard] = []
    watched: set[Expr] = set()  # velocities often have the pivots of positions
    for found in pivots:
        rows = [{j: rewrite(e) for j, e in row.items()} for row in found.jacobian]
        for members, columns, has_choice in _blocks(rows, found.chosen):
            if not has_choice:
                continue
            block = [rows[k] for k in members]
            used = (leaf for row in block for j in columns if j in row for leaf in _used(row[j]))
            pivot = _smallest_pivot(block, columns) if not varying.isdisjoint(used) else None
            if pivot is None or pivot in watched:
                continue
            watched.add(pivot)
            names = tuple(dict.fromkeys(found.names[found.chosen.index(j)] for j in columns))
            equation = found.equations[members[0]]
            number = len(guards) + 1
            symbol = Symbol(Helper.PIVOT.numbered(number), Type.BOOLEAN, helper=Helper.PIVOT)
            floor = Symbol(Helper.PIVOT.numbered(number, "floor"), helper=Helper.PIVOT)
            start = const(PIVOT_FLOOR)
            floors.append(Variable(floor, Variability.PARAMETER, equation.span, start=start, final=True))
            guards.append(PivotGuard(len(relations), floor, names, equation))
            residue, text = sub(pivot, ref(floor)), f"pivot for {', '.join(names)}"
            relations.append(Relation(symbol, Op.GT, residue, ONE, text, equation.span, equation.origin))
    guarded = replace(model, relations=tuple(relations), parameters=(*model.parameters, *floors))
    return guarded, tuple(guards)


def _blocks(
    rows: Sequence[Mapping[int, Expr]], chosen: Sequence[int]
) -> Iterator[tuple[list[int], list[int], bool]]:
    """Rows and columns of the diagonal blocks of P in block triangular form, and whether other columns could
    have been chosen for them. P is singular where one of them is, and most are small."""
    if len(rows) == 1:
        yield [0], [chosen[0]], len(rows[0]) > 1
        return
    place = {j: k for k, j in enumerate(chosen)}
    uses = [[place[j] for j, e in row.items() if j in place and e is not ZERO] for row in rows]
    matched = maximum_matching(uses, len(chosen))
    assert min(matched) >= 0, "chosen columns are independent"
    row_of = {column: row for row, column in enumerate(matched)}
    # A row may give its column to another one if it finds a new one; components come after those they use.
    free = [any(j not in place for j in row) for row in rows]
    for members in sorted_components([[row_of[c] for c in columns] for columns in uses]):
        has_choice = any(free[k] or any(free[row_of[c]] for c in uses[k]) for k in members)
        for k in members:
            free[k] = has_choice
        yield members, [chosen[matched[k]] for k in members], has_choice


def _used(e: Expr) -> list[Expr]:
    """The leaves, a derivative counted as what it is the derivative of."""
    return [leaf.args[0] if leaf.op is Op.DER else leaf for leaf in leaves(e)]


def _smallest_pivot(rows: Sequence[Mapping[int, Expr]], columns: Sequence[int]) -> Expr:
    sizes = [_largest([call("abs", e) for e in row.values()]) for row in rows]
    if len(rows) == 1:  # nothing to eliminate
        pivot, size = call("abs", rows[0][columns[0]]), sizes[0]
        return no_event(if_(relation(Op.GT, size, ZERO), div(pivot, size), ZERO))
    n = len(rows)
    square = array((n, n), (row.get(j, ZERO) for row in rows for j in columns))
    return item(apply(elimination(n), (square, array((n,), sizes))), 0)


def _largest(numbers: Sequence[Expr]) -> Expr:
    largest = numbers[0]
    for e in numbers[1:]:
        largest = call("max", largest, e)
    return largest


@lru_cache(maxsize=64)
def elimination(n: int) -> Function:
    """A function of a square matrix and the sizes of its rows that gives the smallest pivot: Gaussian
    elimination with complete pivoting (Golub and Van Loan, Matrix Computations, section 3.4.8)."""
    given, sizes = Symbol("matrix", shape=(n, n)), Symbol("sizes", shape=(n,))
    smallest, m = Symbol("smallest"), Symbol("m", shape=(n, n))
    best, kept, factor = Symbol("best"), Symbol("kept"), Symbol("factor")
    row, column = Symbol("row", Type.INTEGER), Symbol("column", Type.INTEGER)
    i, j, k = (Symbol(name, Type.INTEGER) for name in "ijk")
    last = const(n)

    def at(a: Expr, b: Expr) -> Expr:
        return index(ref(m), a, b)

    def put(a: Expr, b: Expr, value: Expr) -> Statement:
        return Assign(m, value, (a, b))

    def loop(over: Symbol, start: Expr, *body: Statement) -> For:
        return For(over, start, const(1), last, body)

    def exchange(a: tuple[Expr, Expr], b: tuple[Expr, Expr]) -> tuple[Statement, ...]:
        return Assign(kept, at(*a)), put(*a, at(*b)), put(*b, ref(kept))

    ri, rj, rk, rrow, rcolumn = (ref(s) for s in (i, j, k, row, column))
    after = add(rk, const(1))
    scaled = div(index(ref(given), ri, rj), index(ref(sizes), ri))
    larger = relation(Op.GT, call("abs", at(ri, rj)), ref(best))
    found = (Assign(best, call("abs", at(ri, rj))), Assign(row, ri), Assign(column, rj))
    subtract = loop(j, after, put(ri, rj, sub(at(ri, rj), mul(ref(factor), at(rk, rj)))))
    eliminate = (
        loop(j, rk, *exchange((rk, rj), (rrow, rj))),
        loop(i, rk, *exchange((ri, rk), (ri, rcolumn))),
        loop(
            i,
            after,
            Assign(factor, div(at(ri, rk), at(rk, rk))),
            If(((relation(Op.NE, ref(factor), ZERO), (subtract,)),)),  # seldom: most entries are zero
        ),
    )
    body: tuple[Statement, ...] = (
        loop(
            i,
            const(1),
            loop(
                j,
                const(1),
                put(ri, rj, ZERO),
                If(((relation(Op.GT, index(ref(sizes), ri), ZERO), (put(ri, rj, scaled),)),)),
            ),
        ),
        Assign(smallest, ONE),
        loop(
            k,
            const(1),
            Assign(best, ZERO),
            loop(i, rk, loop(j, rk, If(((larger, found),)))),
            If(((relation(Op.LT, ref(best), ref(smallest)), (Assign(smallest, ref(best)),)),)),
            If(((relation(Op.GT, ref(best), ZERO), eliminate),)),
        ),
    )
    return Function(
        f"smallest_pivot_{n}", (given, sizes), (smallest,), (m, best, kept, factor, row, column), body
    )

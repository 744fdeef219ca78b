"""Guards on the pivots of index reduction: a run must not come to a position where the chosen states fail.

The dummy derivatives of a set of constraints are computed with the square part P of their Jacobian J that was
chosen by pivoting. Where P is singular they are undetermined, and an integrator that steps across such a
position goes on along a wrong branch without noticing: the height of a pendulum, computed from x, turns round
at x = 1. So for every P that varies (those of gears and circuits do not)

    smallest pivot of P, each row divided by the largest entry of its row in J   >   floor

is made a relation of the model. The pivots are those of Gaussian elimination with complete pivoting, as in
`pivots`, by which the columns were chosen: a set that has just been chosen is as far from its guard as any
can be. They change continuously: at the moment two candidates for a pivot are of equal size, what is left
after elimination with one or the other is the same, up to signs. When a guard falls, the run chooses states
again.

The floor is a hidden parameter that the run writes: it lies lower where even the best choice has a small
pivot, as in a mechanism with rods of very different lengths.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

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
    leaves,
    mul,
    no_event,
    ref,
    relation,
    sub,
)
from saltus.ir.flat import Equation, Variability, Variable
from saltus.ir.hybrid import HybridModel, Relation
from saltus.ir.program import Assign, For, Function, If, Statement
from saltus.ir.structure import PIVOT_FLOOR, PivotGuard


@dataclass(frozen=True, eq=False)
class Pivots:
    """The Jacobian of some constraints, row by row with the entries that are not zero by column, and the
    columns that were chosen in it."""

    jacobian: tuple[Mapping[int, Expr], ...]
    chosen: tuple[int, ...]
    equation: Equation
    names: tuple[str, ...]


def with_guards(
    model: HybridModel, pivots: Sequence[Pivots], rewrite: Callable[[Expr], Expr]
) -> tuple[HybridModel, tuple[PivotGuard, ...]]:
    """The model with a relation for each set of pivots that varies, after its own relations."""
    varying = {ref(v.symbol) for v in (*model.states, *model.algebraics)}
    relations = list(model.relations)
    floors: list[Variable] = []
    guards: list[PivotGuard] = []
    for found in pivots:
        rows = [{j: rewrite(e) for j, e in row.items()} for row in found.jacobian]
        chosen = set(found.chosen)
        used = (leaf for row in rows for j, e in row.items() if j in chosen for leaf in _used(e))
        if not any(leaf in varying or leaf is TIME for leaf in used):
            continue
        name = f"$pivot{len(guards) + 1}"
        span, origin = found.equation.span, found.equation.origin
        floor = Symbol(f"{name}.floor")
        floors.append(
            Variable(floor, Variability.PARAMETER, span, start=const(PIVOT_FLOOR), final=True)
        )
        residue = sub(_smallest_pivot(rows, found.chosen), ref(floor))
        text = f"pivot for {', '.join(dict.fromkeys(found.names))}"
        guards.append(PivotGuard(len(relations), floor, tuple(dict.fromkeys(found.names)), found.equation))
        relations.append(
            Relation(Symbol(name, Type.BOOLEAN), Op.GT, residue, ONE, text, span, origin)
        )
    guarded = replace(
        model, relations=tuple(relations), parameters=(*model.parameters, *floors)
    )
    return guarded, tuple(guards)


def _used(e: Expr) -> list[Expr]:
    """The leaves, a derivative counted as what it is the derivative of."""
    return [leaf.args[0] if leaf.op is Op.DER else leaf for leaf in leaves(e)]


def _smallest_pivot(rows: Sequence[Mapping[int, Expr]], chosen: Sequence[int]) -> Expr:
    sizes = [_largest([call("abs", e) for e in row.values()]) for row in rows]
    if len(rows) == 1:  # nothing to eliminate
        pivot, size = call("abs", rows[0].get(chosen[0], ZERO)), sizes[0]
        return no_event(if_(relation(Op.GT, size, ZERO), div(pivot, size), ZERO))
    n = len(rows)
    square = array((n, n), (row.get(j, ZERO) for row in rows for j in chosen))
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
    eliminate = (
        loop(j, rk, *exchange((rk, rj), (rrow, rj))),
        loop(i, rk, *exchange((ri, rk), (ri, rcolumn))),
        loop(
            i,
            after,
            Assign(factor, div(at(ri, rk), at(rk, rk))),
            loop(j, after, put(ri, rj, sub(at(ri, rj), mul(ref(factor), at(rk, rj))))),
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

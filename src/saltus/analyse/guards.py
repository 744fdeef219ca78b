"""Guards on the pivots of index reduction: a run must not pass a position where the chosen states fail.

The dummy derivatives of a set of constraints are computed with the square part P of their Jacobian J that was
chosen by pivoting. Where det P vanishes they are undetermined, and an integrator that steps across such a
position goes on along a wrong branch without noticing: the height of a pendulum, computed from x, turns round
at x = 1. So

    (det P)^2  >  LEAST^2 * product of |row of J|^2      (Hadamard's bound for the largest determinant)

is made a relation of the model and an assertion on it. Constant pivots (gears, circuits) need none.
Determinants are written out up to order 4; larger sets that are not constant are told in a warning.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from saltus.expr.nodes import (
    ONE,
    TIME,
    TRUE,
    ZERO,
    Expr,
    Op,
    Symbol,
    Type,
    add,
    const,
    leaves,
    mul,
    neg,
    ref,
    sub,
)
from saltus.ir.flat import Equation
from saltus.ir.hybrid import Check, HybridModel, Relation

#: How close to singular a pivot may come, relative to the largest it could be.
LEAST = 0.02

LARGEST = 4


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
) -> tuple[HybridModel, tuple[Equation, ...]]:
    """The model with a relation and an assertion for each set of pivots that varies; and the sets too large
    to be watched, each by one of its equations."""
    varying = {ref(v.symbol) for v in (*model.states, *model.algebraics)}
    relations = list(model.relations)
    checks = list(model.checks)
    unwatched: list[Equation] = []
    for found in pivots:
        chosen = set(found.chosen)
        pivots_used = (rewrite(e) for row in found.jacobian for j, e in row.items() if j in chosen)
        if not any(leaf in varying or leaf is TIME for e in pivots_used for leaf in _used(e)):
            continue
        if len(found.jacobian) > LARGEST:
            unwatched.append(found.equation)
            continue
        square = [[rewrite(row.get(j, ZERO)) for j in found.chosen] for row in found.jacobian]
        determinant = _determinant(square)
        bound = const(LEAST**2)
        for row in found.jacobian:
            bound = mul(bound, add(*(mul(e, e) for e in map(rewrite, row.values()) if e is not ZERO)))
        residue = sub(mul(determinant, determinant), bound)
        symbol = Symbol(f"$pivot{len(relations) + 1}", Type.BOOLEAN)
        span, origin = found.equation.span, found.equation.origin
        names = ", ".join(f"`{n}`" for n in dict.fromkeys(found.names))
        relations.append(
            Relation(symbol, Op.GT, residue, ONE, f"pivot for {names}", span, origin)
        )
        message = (
            f"the states no longer determine {names} through this constraint: a singular position for them. "
            "States are chosen once, at the start; choose others with stateSelect, or other coordinates"
        )
        checks.append(Check(TRUE, ref(symbol), const(message), False, span, origin))
    return replace(model, relations=tuple(relations), checks=tuple(checks)), tuple(unwatched)


def _used(e: Expr) -> list[Expr]:
    """The leaves, a derivative counted as what it is the derivative of."""
    return [leaf.args[0] if leaf.op is Op.DER else leaf for leaf in leaves(e)]


def _determinant(rows: Sequence[Sequence[Expr]]) -> Expr:
    """Expansion along the first row; the minors of a small matrix share their subexpressions."""
    if not rows:
        return ONE
    total: list[Expr] = []
    for j, e in enumerate(rows[0]):
        if e is ZERO:
            continue
        minor = _determinant([[*row[:j], *row[j + 1 :]] for row in rows[1:]])
        term = mul(e, minor)
        total.append(neg(term) if j % 2 else term)
    return add(*total) if total else ZERO

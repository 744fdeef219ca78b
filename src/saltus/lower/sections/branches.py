"""If-equations whose branches have equally many equations: the k-th become one, with an if-expression.

if c then a = b; else a = 2*d; end if        ->   a = if c then b else 2*d
"""

from __future__ import annotations

from collections.abc import Sequence

from saltus.core.diagnostics import model_error
from saltus.core.source import Span
from saltus.expr import nodes as x
from saltus.expr.nodes import Expr, Type
from saltus.ir.flat import Equation


def are_alike(branches: Sequence[Sequence[Equation]]) -> bool:
    """Whether all branches have the same number of equations, which exist whenever their branch does."""
    return len({len(b) for b in branches}) == 1 and all(q.presence is None for b in branches for q in b)


def counts_differ(branches: Sequence[Sequence[Equation]]) -> str:
    """What to say about branches of different lengths."""
    numbers = ", ".join(str(len(b)) for b in branches)
    return f"the branches of this if-equation have different numbers of equations: {numbers}"


def paired(branches: Sequence[Sequence[Equation]], conditions: Sequence[Expr], span: Span) -> list[Equation]:
    """One equation for the equations of all branches that belong together. The last condition is true."""
    return [_paired(row, conditions, span) for row in _rows(branches)]


def _rows(branches: Sequence[Sequence[Equation]]) -> list[list[Equation]]:
    """Equations of all branches that belong together: by the variable on the left where that is clear."""
    keys = [[e.lhs for e in b] for b in branches]
    if all(set(k) == set(keys[0]) and len(set(k)) == len(k) for k in keys):
        by_lhs = [{e.lhs: e for e in b} for b in branches]
        return [[b[lhs] for b in by_lhs] for lhs in keys[0]]
    return [list(row) for row in zip(*branches, strict=True)]


def _paired(row: list[Equation], conditions: Sequence[Expr], span: Span) -> Equation:
    first = row[0]
    if all(e.lhs is first.lhs for e in row):
        lhs, sides = first.lhs, [e.rhs for e in row]
    elif all(e.rhs is first.rhs for e in row):
        lhs, sides = first.rhs, [e.lhs for e in row]
    elif any(e.lhs.type is Type.BOOLEAN for e in row):
        raise model_error(
            "E204",
            "the branches of this if-equation have Boolean equations for different variables",
            span,
            hint="give the same variables on the left side in every branch",
            origin=first.origin,
        )
    else:
        lhs, sides = x.ZERO, [x.sub(e.lhs, e.rhs) for e in row]
    value = sides[-1]
    for condition, side in reversed(list(zip(conditions[:-1], sides[:-1], strict=True))):
        value = x.if_(condition, side, value)
    return Equation(lhs, value, first.span if len(row) == 1 else span, first.origin)

"""Parameters taken as constants: their numbers stand in the equations, before anything else looks at these.

    J*der(w) = tau1 - ratio*tau2       ->       0.02*der(w) = tau1 - 2.5*tau2

What multiplies by zero disappears, branches that parameters decide are gone, and a number is known not to be
zero: unknowns can be computed by dividing by it, where a parameter might have any value. So loops become
smaller, and fewer unknowns of them are left after tearing (paper 003, section "Real-time simulation").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from saltus.analyse.trivial.rewritten import rewritten_model
from saltus.expr.nodes import FALSE, TRUE, Expr, Type, const, ref
from saltus.expr.simplify import simplify
from saltus.expr.traversal import substitute
from saltus.ir.flat import Equation
from saltus.ir.hybrid import HybridModel


def frozen(model: HybridModel, values: Mapping[str, float]) -> HybridModel:
    """The model in which parameters, by name, are the constants that are their values. They stay in the list
    of parameters, for the result."""
    if not values:
        return model
    known = {
        ref(v.symbol): _constant(v.symbol.type, values[v.name]) for v in model.parameters if v.name in values
    }
    memo: dict[Expr, Expr] = {}

    def rewrite(e: Expr) -> Expr:
        found = substitute(e, known, memo)
        return e if found is e else simplify(found)

    def rewritten(q: Equation) -> Equation:
        lhs, rhs = rewrite(q.lhs), rewrite(q.rhs)
        return q if lhs is q.lhs and rhs is q.rhs else replace(q, lhs=lhs, rhs=rhs)

    equations = tuple(map(rewritten, model.equations))
    return rewritten_model(model, rewrite, model.states, model.algebraics, equations)


def _constant(kind: Type, value: float) -> Expr:
    if kind is Type.BOOLEAN:
        return TRUE if value else FALSE
    return const(int(value)) if kind is Type.INTEGER else const(float(value))

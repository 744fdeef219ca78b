"""A model with all its expressions rewritten."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from saltus.expr.nodes import Expr
from saltus.ir.flat import Equation, Variable
from saltus.ir.hybrid import HybridModel


def rewritten_model(
    model: HybridModel,
    rewrite: Callable[[Expr], Expr],
    states: tuple[Variable, ...],
    algebraics: tuple[Variable, ...],
    equations: tuple[Equation, ...],
) -> HybridModel:
    """A model with other states, all its expressions rewritten."""
    return replace(
        model,
        states=states,
        algebraics=algebraics,
        equations=equations,
        initial_equations=tuple(
            replace(q, lhs=rewrite(q.lhs), rhs=rewrite(q.rhs)) for q in model.initial_equations
        ),
        relations=tuple(replace(r, residue=rewrite(r.residue)) for r in model.relations),
        delays=tuple(replace(d, input=rewrite(d.input), time=rewrite(d.time)) for d in model.delays),
        transports=tuple(
            replace(t, position=rewrite(t.position), inflows=(rewrite(t.inflows[0]), rewrite(t.inflows[1])))
            for t in model.transports
        ),
        jumps=tuple(replace(j, condition=rewrite(j.condition), value=rewrite(j.value)) for j in model.jumps),
        checks=tuple(
            replace(k, guard=rewrite(k.guard), condition=rewrite(k.condition)) for k in model.checks
        ),
        endings=tuple(replace(n, condition=rewrite(n.condition)) for n in model.endings),
    )

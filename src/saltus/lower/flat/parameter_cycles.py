"""Parameters that depend on each other only by way of branches that are not taken.

    parameter Real T = if use_T then 293 else temperature(h);
    parameter Real h = if use_T then enthalpy(T) else 1e5;

Here is no circle once `use_T` is known: one of the two is given, the other follows. So where bindings form a
circle, conditions that parameters decide are decided at translation, as if they had `Evaluate = true`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from saltus.core.diagnostics import ModelError
from saltus.core.source import Span
from saltus.expr.nodes import Expr, Op, ref
from saltus.expr.traversal import leaves, transform
from saltus.ir.flat import Variable
from saltus.lower.scope.context import Context
from saltus.lower.scope.parts import Components


def without_cycles(context: Context, variables: Sequence[Variable]) -> list[Variable]:
    """The variables, those in a circle with their conditions decided."""
    needs: dict[Expr, set[Expr]] = {}
    bound = {ref(v.symbol): v for v in variables if v.binding is not None}
    for leaf, v in bound.items():
        assert v.binding is not None
        needs[leaf] = {other for other in leaves(v.binding) if other in bound}
    circular = _peeled(_reversed(_peeled(needs)))
    if not circular:
        return list(variables)
    found = [_decided(context, v) if ref(v.symbol) in circular else v for v in variables]
    # What decided is structural from now on: setting it means translating again.
    return [replace(v, structural=True) if _is_structural(context.components, v) else v for v in found]


def _is_structural(components: Components, v: Variable) -> bool:
    scalar = components.scalars.get(v.symbol)
    return scalar is not None and scalar.structural and not v.structural


def _peeled(needs: dict[Expr, set[Expr]]) -> dict[Expr, set[Expr]]:
    """What is left when leaves that depend on no other are removed, again and again."""
    count = {leaf: len(others) for leaf, others in needs.items()}
    users = _reversed(needs)
    free = [leaf for leaf, n in count.items() if n == 0]
    while free:
        leaf = free.pop()
        del count[leaf]
        for user in users[leaf]:
            count[user] -= 1
            if count[user] == 0:
                free.append(user)
    return {leaf: needs[leaf] & count.keys() for leaf in count}


def _reversed(needs: dict[Expr, set[Expr]]) -> dict[Expr, set[Expr]]:
    users: dict[Expr, set[Expr]] = {leaf: set() for leaf in needs}
    for leaf, others in needs.items():
        for other in others:
            users[other].add(leaf)
    return users


def _decided(context: Context, v: Variable) -> Variable:
    assert v.binding is not None
    return replace(v, binding=_chosen(context, v.binding, v.span))


def _chosen(context: Context, e: Expr, span: Span) -> Expr:
    """An expression with the branches that parameters choose in place of its conditionals."""

    def visit(node: Expr) -> Expr | None:
        if node.op is not Op.IF:
            return None
        condition, then, other = node.args
        try:
            if not context.evaluation.is_constant(condition):
                return None
            truth = context.evaluation.constant(condition, span, "this condition")
        except ModelError:
            return None  # the circle goes through the condition itself
        return _chosen(context, then if truth else other, span)

    return transform(e, visit)

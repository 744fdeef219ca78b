"""`homotopy(actual, simplified)`: one model for the run, another for finding its start.

During the run the operator is its first argument: the system that is sorted for the run has no trace of the
second. In the initial system it is

    lambda*actual + (1 - lambda)*simplified

where lambda is a number in memory. The run solves the initial system for lambda = 0 first and goes on to
lambda = 1 in steps (`run/start/initialise.py`): one path for the whole model, as section 3.7.4.1 of the
Modelica specification recommends, since the simplification may stand in another block than the one it helps.
"""

from __future__ import annotations

from saltus.expr.nodes import INITIAL, LAMBDA, ONE, TRUE, Expr, Op, add, mul, sub
from saltus.expr.traversal import transform
from saltus.ir.flat import Equation


def actual(e: Expr, memo: dict[Expr, Expr] | None = None) -> Expr:
    """The expression during the run: without simplified forms, without what is for the start only."""

    def visit(node: Expr) -> Expr | None:
        if node.op is Op.HOMOTOPY:
            return actual(node.args[0], memo)
        if node.op is Op.IF and node.args[0] is INITIAL:
            return actual(node.args[2], memo)
        return None

    return transform(e, visit, memo) if e.starts else e


def at_start(e: Expr, memo: dict[Expr, Expr]) -> Expr:
    """The expression in the initial system: initial() is true, homotopy lies between its arguments."""

    def visit(node: Expr) -> Expr | None:
        if node is INITIAL:
            return TRUE
        if node.op is not Op.HOMOTOPY:
            return None
        goal, easy = (at_start(a, memo) for a in node.args)
        return add(mul(LAMBDA, goal), mul(sub(ONE, LAMBDA), easy))

    return transform(e, visit, memo) if e.starts else e


def rewritten(q: Equation, lhs: Expr, rhs: Expr) -> Equation:
    """The equation with other sides; itself where they are the same."""
    return q if lhs is q.lhs and rhs is q.rhs else Equation(lhs, rhs, q.span, q.origin)


def actual_equation(q: Equation, memo: dict[Expr, Expr] | None = None) -> Equation:
    """The equation during the run."""
    if not (q.lhs.starts or q.rhs.starts):
        return q
    return rewritten(q, actual(q.lhs, memo), actual(q.rhs, memo))

"""Boolean equations that no values satisfy, whatever happens: `b = not b`, or a ring of three inverters.

What else occurs in the equations (relations, inputs, values before the event) may be true or false. Equations
are refused only if none of all these values satisfies them; one that holds at times is left to the run. All
values of a few Booleans are tried; with many, the run decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from saltus.expr.evaluate import NotEvaluable, evaluate
from saltus.expr.nodes import Expr, Type
from saltus.expr.traversal import leaves
from saltus.ir.flat import Equation

#: The largest number of Booleans of which all values are tried.
MOST_TRIED = 10


def is_contradiction(unknowns: Sequence[Expr], equations: Sequence[Equation]) -> bool:
    """Whether equations of Booleans alone have no solution."""
    if any(x.type is not Type.BOOLEAN for x in unknowns):
        return False
    free = list(dict.fromkeys(leaf for q in equations for side in (q.lhs, q.rhs) for leaf in leaves(side)))
    if len(free) > MOST_TRIED or any(leaf.type is not Type.BOOLEAN for leaf in free):
        return False
    try:
        for values in product((False, True), repeat=len(free)):
            of = dict(zip(free, values, strict=True)).__getitem__
            if all(evaluate(q.lhs, of) == evaluate(q.rhs, of) for q in equations):
                return False
    except NotEvaluable:
        return False
    return True

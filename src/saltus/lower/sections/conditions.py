"""When is a when-clause active? Shared by when-equations and when-statements.

A condition becomes a Boolean variable `c` (itself, if it is one already); the clause is active where it
becomes true: `c and not pre(c)`. During initialisation it is not, unless the condition is `initial()`, or a
vector with `initial()` as an element: `initial() or c` does not count (section 8.6 of the specification).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from saltus.expr.nodes import FALSE, INITIAL, Expr, Op, and_, not_, or_, pre


def activation(conditions: Iterable[Expr], variable_for: Callable[[Expr], Expr]) -> Expr:
    """The instant at which one of the conditions becomes true. `variable_for` gives the Boolean variable
    that holds a condition: itself if it is one, or a new one."""
    terms: list[Expr] = []
    for condition in conditions:
        if condition is INITIAL:
            terms.append(INITIAL)
            continue
        if condition.op is Op.CONST:
            continue  # a constant never becomes true
        c = variable_for(condition)
        terms.append(and_(c, not_(pre(c)), not_(INITIAL)))
    return or_(*terms) if terms else FALSE

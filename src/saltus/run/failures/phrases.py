"""What messages about a run are made of: the time, names, and the values that an expression is made of."""

from __future__ import annotations

from collections.abc import Sequence

from saltus.core.source import Span
from saltus.core.wording import listed
from saltus.expr.evaluate import NotEvaluable
from saltus.expr.nodes import Expr, Op
from saltus.expr.show import show
from saltus.expr.traversal import leaves
from saltus.run.memory.memory import Memory

#: How many names a message lists before it says how many more there are.
SHOWN = 5


def at_time(memory: Memory) -> str:
    """` at time 0.5`, or ` at the start`."""
    return f"at time {memory.time:.9g}"


def names(found: Sequence[str], shown: int = SHOWN) -> str:
    """`a`, `b` and 3 more."""
    return listed(found, shown)


def choice_advice(memory: Memory, places: Sequence[tuple[Span, str]]) -> str:
    """What helps where several choices are consistent, from the places of what is chosen and the components
    they belong to: in the user's own equations, or beside parts of a library."""
    own = memory.structure.model.span.source
    parts = list(dict.fromkeys(origin for _, origin in places if origin))
    if not parts or any(span.source is own for span, _ in places):
        return "select one with `pre(...)`, or with equations that leave no choice"
    between = "between them" if len(parts) > 1 else "beside it"
    what = f"the equations of {names(parts)} leave the choice"
    return f"{what}: a small resistance, inertia or the like {between} decides it, or start values do"


def leaf_values(memory: Memory, e: Expr) -> list[str]:
    """What an expression is made of, each with its value; relations as the user wrote them."""
    texts = {r.symbol: r.text for r in memory.structure.model.relations}
    found = []
    for leaf in leaves(e):
        try:
            value = memory.value(leaf)
        except (NotEvaluable, ArithmeticError, ValueError):
            continue
        if leaf.op is Op.REF and leaf.data in texts:
            found.append(f"`{texts[leaf.data]}` {'true' if value else 'false'}")
        elif isinstance(value, float):
            found.append(f"{show(leaf)} = {value:.6g}")
        else:
            found.append(f"{show(leaf)} = {str(value).lower()}")
    return found

"""Parameters and constants in the order in which their bindings can be evaluated.

A parameter without a binding has its start value from the outset and is not listed. A parameter with
fixed = false is an unknown of the initial system, and so is every parameter that depends on one: these are
not listed either, `free_parameters` gives them.
"""

from __future__ import annotations

from saltus.analyse.order.sort import sorted_components
from saltus.core.diagnostics import ModelError, Note, model_error
from saltus.core.wording import LISTED
from saltus.expr.nodes import Expr, Op, Type, ref
from saltus.expr.traversal import leaves
from saltus.ir.flat import Equation, Variable
from saltus.ir.hybrid import HybridModel
from saltus.ir.sorted.blocks import Explicit


def order_parameters(model: HybridModel) -> tuple[Explicit, ...]:
    """Every bound number among the parameters and constants, each after those its binding uses."""
    bound = [v for v in (*model.constants, *model.parameters) if v.binding is not None]
    # Text is for messages, not for memory, and objects are made by the run itself.
    bound = [v for v in bound if v.symbol.type not in (Type.STRING, Type.OBJECT)]
    free = {v.symbol for v in free_parameters(model)}
    index = {ref(v.symbol): i for i, v in enumerate(bound)}
    needs = [[index[leaf] for leaf in _used(v) if leaf in index] for v in bound]
    ordered: list[Explicit] = []
    for members in sorted_components(needs):
        v = bound[members[0]]
        if len(members) > 1 or members[0] in needs[members[0]]:
            raise _cycle([bound[i] for i in _walk_cycle(members, needs)])
        if v.symbol not in free:
            ordered.append(binding_block(v))
    return tuple(ordered)


def binding_block(v: Variable) -> Explicit:
    """`v = binding` as a block."""
    q = binding_equation(v)
    return Explicit(q.lhs, q.rhs, q)


def binding_equation(v: Variable) -> Equation:
    """`v = binding`, at the place of the declaration."""
    assert v.binding is not None
    return Equation(ref(v.symbol), v.binding, v.span, v.owner)


def free_parameters(model: HybridModel) -> tuple[Variable, ...]:
    """Parameters that initialisation determines: fixed = false, or bound to one that is."""
    free = {v.symbol for v in model.parameters if v.fixed is False}
    if not free:
        return ()
    users: dict[Expr, list[Variable]] = {}
    for v in model.parameters:
        for leaf in _used(v):
            users.setdefault(leaf, []).append(v)
    stack = [ref(symbol) for symbol in free]
    while stack:
        for user in users.get(stack.pop(), ()):
            if user.symbol not in free:
                free.add(user.symbol)
                stack.append(ref(user.symbol))
    return tuple(v for v in model.parameters if v.symbol in free)


def _used(v: Variable) -> list[Expr]:
    return [leaf for leaf in leaves(v.binding) if leaf.op is Op.REF] if v.binding is not None else []


def _walk_cycle(members: list[int], needs: list[list[int]]) -> list[int]:
    """One cycle inside a component: follow uses within it until one repeats."""
    inside = set(members)
    path: list[int] = []
    at: dict[int, int] = {}
    node = members[0]
    while node not in at:
        at[node] = len(path)
        path.append(node)
        node = next(n for n in needs[node] if n in inside)
    return path[at[node] :]


def _cycle(variables: list[Variable]) -> ModelError:
    names = [v.name for v in variables]
    if len(names) == 1:
        message = f"the value of `{names[0]}` depends on itself"
    else:
        shown = [*names, names[0]] if len(names) <= LISTED else [*names[:LISTED], "...", names[0]]
        message = f"these values depend on each other in a cycle: {' -> '.join(f'`{n}`' for n in shown)}"
    notes = tuple(Note(f"`{v.name}` is declared here", v.span) for v in variables[:LISTED])
    return model_error("E304", message, variables[0].span, notes=notes, origin=variables[0].name)

"""State machines (chapter 17 of the specification): what they say is checked, then refused by name."""

from __future__ import annotations

from typing import NoReturn

from saltus.core.diagnostics import model_error
from saltus.expr.nodes import Expr, Type
from saltus.ir import ast
from saltus.ir.instance import Instance
from saltus.lower.names.references import find_node
from saltus.lower.scope.context import Context, Scope

#: Operators with a value, and how many states each is given; then those that are equations.
VALUES = {"activeState": 1, "ticksInState": 0, "timeInState": 0}
EQUATIONS = {"initialState": 1, "transition": 2}

_TRANSITION = {
    "immediate": Type.BOOLEAN,
    "reset": Type.BOOLEAN,
    "synchronize": Type.BOOLEAN,
    "priority": Type.INTEGER,
}


def refuse_state_machine(context: Context, call: ast.Call, scope: Scope) -> NoReturn:
    """Checks the call of an operator of state machines, and refuses it."""
    name, span = call.function.text, scope.at(call)
    if scope.in_function:
        raise model_error("E209", f"`{name}` is not allowed in a function", span)
    states = (VALUES | EQUATIONS)[name]
    for argument in call.args[:states]:
        if not isinstance(argument, ast.Reference):
            raise model_error("E209", f"`{name}` needs the name of a block here", scope.at(argument))
        node = find_node(context, argument, scope)
        if not isinstance(node, Instance) or node.kind not in ("block", "model", "class"):
            raise model_error("E209", f"`{argument.text}` is no block, so it is no state", scope.at(argument))
    if name == "transition":
        _check_transition(context, call, scope)
    elif len(call.args) != states or call.named:
        wanted = "the name of a block" if states else "no arguments"
        raise model_error("E212", f"`{name}` takes {wanted}", span)
    raise model_error(
        "E204",
        f"state machines (`{name}`)",
        span,
        hint="when-clauses with an Integer or an enumeration for the state can be simulated",
    )


def _check_transition(context: Context, call: ast.Call, scope: Scope) -> None:
    names = ["from", "to", "condition", *_TRANSITION]
    given = dict(zip(names, call.args, strict=False)) | dict(call.named)
    if len(call.args) > len(names) or not given.keys() <= set(names) or not set(names[:3]) <= given.keys():
        raise model_error("E212", f"`transition` takes {', '.join(names)}", scope.at(call))
    for name, wanted in {"condition": Type.BOOLEAN, **_TRANSITION}.items():
        if name in given:
            value = context.lower(context, given[name], scope)
            if not isinstance(value, Expr) or value.type is not wanted:
                what = f"`{name}` of `transition` must be of type {wanted.value}"
                raise model_error("E205", what, scope.at(given[name]))
            if name != "condition":
                context.evaluation.constant(value, scope.at(given[name]), f"`{name}` of `transition`")

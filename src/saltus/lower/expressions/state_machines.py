"""What is said about states of a state machine (chapter 17 of the specification), kept by paths of blocks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from saltus.core.diagnostics import model_error
from saltus.expr.nodes import TRUE, Expr, Op, Type, clocked, const
from saltus.expr.traversal import transform
from saltus.ir import ast
from saltus.ir.flat import InitialState, Transition
from saltus.ir.instance import Instance
from saltus.lower.names.references import find_node
from saltus.lower.scope.context import Context, Scope, Table

#: Operators with a value, and how many states each is given; then those that are equations.
VALUES = {"activeState": 1, "ticksInState": 0, "timeInState": 0}
EQUATIONS = {"initialState": 1, "transition": 2}

_TRANSITION = {
    "immediate": Type.BOOLEAN,
    "reset": Type.BOOLEAN,
    "synchronize": Type.BOOLEAN,
    "priority": Type.INTEGER,
}


#: The states and transitions of a model, in the order in which they are written.
MACHINES: Table[int, InitialState | Transition] = Table("state machines")


def state_value(context: Context, call: ast.Call, scope: Scope) -> Expr:
    """`activeState(s)`, `ticksInState()` and `timeInState()`, with the path of the block they are about."""
    name = call.function.text
    (path, *_) = (*_states(context, call, scope), "")
    if name == "activeState":
        return clocked(name, Type.BOOLEAN, const(path))
    kind = Type.INTEGER if name == "ticksInState" else Type.REAL
    return clocked(name, kind, const(scope.instance.path if scope.instance is not None else ""))


def state_equation(context: Context, call: ast.Call, scope: Scope) -> None:
    """Keeps what `initialState` and `transition` say."""
    paths = _states(context, call, scope)
    found, span = MACHINES.of(context), scope.at(call)
    if call.function.text == "initialState":
        found[len(found)] = InitialState(paths[0], span)
    else:
        found[len(found)] = _transition(context, call, scope, paths)


def _states(context: Context, call: ast.Call, scope: Scope) -> list[str]:
    """The paths of the blocks that a call is about."""
    name, span = call.function.text, scope.at(call)
    if scope.in_function:
        raise model_error("E209", f"`{name}` is not allowed in a function", span)
    states = (VALUES | EQUATIONS)[name]
    paths: list[str] = []
    for argument in call.args[:states]:
        if not isinstance(argument, ast.Reference):
            raise model_error("E209", f"`{name}` needs the name of a block here", scope.at(argument))
        node = find_node(context, argument, scope)
        if not isinstance(node, Instance) or node.kind not in ("block", "model", "class"):
            message = f"`{argument.text}` is not a block, so it cannot be a state"
            raise model_error("E209", message, scope.at(argument))
        paths.append(node.path)
    if name != "transition" and (len(call.args) != states or call.named):
        wanted = "the name of a block" if states else "no arguments"
        raise model_error("E212", f"`{name}` takes {wanted}", span)
    return paths


def _transition(context: Context, call: ast.Call, scope: Scope, paths: Sequence[str]) -> Transition:
    names = ["from", "to", "condition", *_TRANSITION]
    given = dict(zip(names, call.args, strict=False)) | dict(call.named)
    if (
        len(call.args) > len(names)
        or not given.keys() <= set(names)
        or not set(names[:3]) <= given.keys()
        or len(paths) < 2
    ):
        raise model_error("E212", f"`transition` takes {', '.join(names)}", scope.at(call))
    values: dict[str, Any] = {"immediate": True, "reset": True, "synchronize": False, "priority": 1}
    condition: Expr = TRUE
    for name, wanted in {"condition": Type.BOOLEAN, **_TRANSITION}.items():
        if name in given:
            value = context.lower(context, given[name], scope)
            if not isinstance(value, Expr) or value.type is not wanted:
                what = f"`{name}` of `transition` must be of type {wanted.value}"
                raise model_error("E205", what, scope.at(given[name]))
            if name == "condition":
                condition = _of_source(value, paths[0])
            else:
                why = f"`{name}` of `transition`"
                values[name] = context.evaluation.constant(value, scope.at(given[name]), why)
    if values["priority"] < 1:
        raise model_error("E212", f"`priority` must be at least 1, not {values['priority']}", scope.at(call))
    return Transition(paths[0], paths[1], condition, **values, span=scope.at(call))


def _of_source(condition: Expr, source: str) -> Expr:
    """In a condition `ticksInState()` is about the state that is left."""

    def visit(node: Expr) -> Expr | None:
        if node.op is Op.CLOCKED and node.data in ("ticksInState", "timeInState"):
            return clocked(node.data, node.type, const(source))
        return None

    return transform(condition, visit)

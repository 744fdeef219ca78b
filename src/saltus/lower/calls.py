"""The arguments of assert, terminate and reinit: shared by equations and algorithms."""

from __future__ import annotations

from saltus.core.diagnostics import model_error
from saltus.expr.nodes import Expr, Type, const
from saltus.ir import ast
from saltus.lower.context import Context, Scope
from saltus.lower.expressions import lower_scalar

_ASSERT = ("condition", "message", "level")


def condition_of(context: Context, e: ast.Expression, scope: Scope) -> Expr:
    """A scalar Boolean."""
    value = lower_scalar(context, e, scope)
    if value.type is not Type.BOOLEAN:
        raise model_error("E205", f"a condition must be Boolean, but this is {value.type.value}", scope.at(e))
    return value


def assertion(context: Context, call: ast.Call, scope: Scope) -> tuple[Expr, Expr, bool]:
    """Condition, message and whether it is only a warning."""
    given = dict(zip(_ASSERT, call.args, strict=False)) | dict(call.named)
    if len(call.args) > 3 or not {"condition", "message"} <= given.keys() <= set(_ASSERT):
        raise model_error("E212", "`assert` takes a condition, a message and a level", scope.at(call))
    condition = condition_of(context, given["condition"], scope)
    message = lower_scalar(context, given["message"], scope)
    level = lower_scalar(context, given["level"], scope) if "level" in given else const(2)
    warning = context.constant(level, scope.at(call), "the level of an assertion") == 1
    return condition, message, warning


def text_argument(context: Context, call: ast.Call, scope: Scope) -> Expr:
    """The one String argument of `terminate`."""
    if len(call.args) != 1:
        raise model_error("E212", f"`{call.function.text}` takes one String", scope.at(call))
    message = lower_scalar(context, call.args[0], scope)
    if message.type is not Type.STRING:
        raise model_error("E205", f"`{call.function.text}` takes a String", scope.at(call))
    return message

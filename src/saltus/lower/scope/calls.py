"""The arguments of assert, terminate and reinit: shared by equations and algorithms."""

from __future__ import annotations

from saltus.core.diagnostics import model_error
from saltus.expr.nodes import Expr, Type, const
from saltus.ir import ast
from saltus.lower.classes.lookup import PREDEFINED_ENUMERATIONS
from saltus.lower.scope.context import Context, Scope
from saltus.lower.scope.hints import relation_hint
from saltus.lower.scope.types import check_assignable
from saltus.lower.scope.values import describe


def condition_of(context: Context, e: ast.Expression, scope: Scope) -> Expr:
    """A scalar Boolean."""
    value = _scalar(context, e, scope)
    if value.type is not Type.BOOLEAN:
        what = f"a condition must be Boolean, but this is {value.type.value}"
        raise model_error("E205", what, scope.at(e), hint=relation_hint(value.type, scope.at(e)))
    return value


def _scalar(context: Context, e: ast.Expression, scope: Scope) -> Expr:
    value = context.lower(context, e, scope)
    if not isinstance(value, Expr):
        raise model_error("E206", f"a scalar is needed here, but this is {describe(value)}", scope.at(e))
    return value


def assertion(context: Context, call: ast.Call, scope: Scope) -> tuple[Expr, Expr, bool]:
    """Condition, message and whether it is only a warning."""
    given = _given(call, ("condition", "message", "level"), ("condition", "message"), scope)
    condition = condition_of(context, given["condition"], scope)
    message = _text(context, given["message"], scope)
    level = const(2)
    if "level" in given:
        level = _scalar(context, given["level"], scope)
        levels = PREDEFINED_ENUMERATIONS["AssertionLevel"]
        check_assignable(Type.INTEGER, level, "the level of an assertion", scope.at(given["level"]), levels)
    warning = context.evaluation.constant(level, scope.at(call), "the level of an assertion") == 1
    return condition, message, warning


def text_argument(context: Context, call: ast.Call, scope: Scope) -> Expr:
    """The one String argument of `terminate`."""
    return _text(context, _given(call, ("message",), ("message",), scope)["message"], scope)


def _given(
    call: ast.Call, names: tuple[str, ...], needed: tuple[str, ...], scope: Scope
) -> dict[str, ast.Expression]:
    """Arguments by name, given by position or by name."""
    given = dict(zip(names, call.args, strict=False)) | dict(call.named)
    count = len(call.args) + len(call.named)
    if call.iterators or count != len(given) or not set(needed) <= given.keys() <= set(names):
        raise model_error("E212", f"`{call.function.text}` takes {', '.join(names)}", scope.at(call))
    return given


def _text(context: Context, e: ast.Expression, scope: Scope) -> Expr:
    message = _scalar(context, e, scope)
    if message.type is not Type.STRING:
        raise model_error(
            "E205",
            f"a message must be a String, but this is {message.type.value}",
            scope.at(e),
            hint="String(...) makes text of a number",
        )
    return message

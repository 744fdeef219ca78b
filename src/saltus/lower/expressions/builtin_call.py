"""What a predefined function is given: its lowered arguments and the place of its call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from saltus.core.diagnostics import ModelError, model_error
from saltus.core.source import Span
from saltus.expr.nodes import Expr
from saltus.ir import ast
from saltus.lower.scope.context import Context, Scope
from saltus.lower.scope.types import is_number, type_name
from saltus.lower.scope.values import Value


@dataclass(frozen=True, eq=False)
class Place:
    """A call: for its place in the text, and for what must be known at translation."""

    context: Context
    call: ast.Call
    scope: Scope

    @property
    def span(self) -> Span:
        return self.scope.at(self.call)

    def constant(self, e: Expr, why: str) -> Any:
        return self.context.evaluation.constant(e, self.span, why)


Builtin = Callable[[list[Value], Place], Value]


def wrong(place: Place, name: str, wanted: str) -> ModelError:
    return model_error("E212", f"`{name}` takes {wanted}", place.span)


def scalar_argument(value: Value, place: Place, name: str) -> Expr:
    if isinstance(value, Expr):
        return value
    raise model_error("E206", f"`{name}` needs a scalar here", place.span)


def number(e: Expr, place: Place, name: str) -> Expr:
    if not is_number(e):
        raise model_error("E205", f"`{name}` needs a number, but this is {type_name(e)}", place.span)
    return e

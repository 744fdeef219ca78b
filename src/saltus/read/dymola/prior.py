"""`new(x)`: what a variable is after an instant, in expressions that Modelica understands.

Where a model says `new(x)`, the plain `x` is the value before the instant. In Modelica it is the other way
round: `x` is the value after, `pre(x)` the one before. Of a variable with a derivative the new value is set
by `reinit`, and `x` stays what it is.

    new(OpenSwitch) = u <= 0 and not i > 0      OpenSwitch = u <= 0 and not i > 0
    0 = if OpenSwitch then i else u             0 = if pre(OpenSwitch) then i else u
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import fields, replace
from typing import Any

from saltus.core.diagnostics import ModelError, model_error
from saltus.ir import ast
from saltus.read.dymola.scope import Text

_TIME = "Time"


class Rewriting:
    """Expressions of one model in Modelica.

    `names` are its variables; `renewed` are those that change at instants only, `twice` those whose second
    derivative is taken, with the name of the variable for the first."""

    def __init__(
        self, text: Text, names: Collection[str], renewed: frozenset[str], twice: dict[str, str]
    ) -> None:
        self.text = text
        self.names = names
        self.renewed = renewed
        self.twice = twice

    def expression(self, node: Any, left_limits: frozenset[str] = frozenset()) -> Any:
        """An expression in Modelica. States among `left_limits` are meant before the instant."""

        def change(each: ast.Node) -> ast.Node | None:
            if isinstance(each, ast.Call):
                return self._call(each, left_limits)
            if isinstance(each, ast.Reference):
                if each.text == _TIME:
                    return _reference(each, "time")
                if each.text == "'time'" and each.text not in self.names:
                    message, hint = "the name `time` cannot be found", "the time is called `Time`"
                    raise model_error("E201", message, self.text.at(each), hint=hint)
                if each.text in self.renewed or each.text in left_limits:
                    return _call(each, "pre", each)
            if isinstance(each, ast.IfExpression):
                return self._cases(each, left_limits)
            return None

        return rebuilt(node, change)

    def _call(self, call: ast.Call, left_limits: frozenset[str]) -> ast.Node | None:
        name = call.function.text
        if name not in ("new", "pre", "init", "der", "der2"):
            return None
        if len(call.args) != 1 or call.named or call.iterators:
            message, hint = f"`{name}` is applied to one variable", f"write `{name}(x)`"
            raise model_error("E212", message, self.text.at(call), hint=hint)
        inner = call.args[0]
        if name == "pre":
            if isinstance(inner, ast.Call):
                raise self._no_variable(call)
            return replace(call, args=(inner,))
        if name == "der" and isinstance(inner, ast.Reference) and inner.text in self.twice:
            name_of_first = self.twice[inner.text]
            first = _reference(inner, name_of_first)
            return _call(first, "pre", first) if name_of_first in left_limits else first
        if name == "der2":
            if not isinstance(inner, ast.Reference) or inner.text not in self.twice:
                raise self._no_variable(call)
            return _call(call, "der", _reference(inner, self.twice[inner.text]))
        if name == "der":
            return replace(call, args=(inner,))
        if name == "init":
            hint = "write `init(x) = VALUE` as an equation"
            raise model_error("E209", "`init` says where a variable starts", self.text.at(call), hint=hint)
        if isinstance(inner, ast.Reference):
            if inner.text in self.renewed:
                return inner
            if inner.text in left_limits:
                hint = "give the value a name: `new` of a state stands alone"
                message = f"the new value of the state `{inner.text}` is used by another equation"
                raise model_error("E204", message, self.text.at(call), hint=hint)
        raise self._no_variable(call)

    def _no_variable(self, call: ast.Call) -> ModelError:
        name = call.function.text
        message = f"`{name}` is applied to a variable of the model itself"
        return model_error("E212", message, self.text.at(call), hint=f"write `{name}(x)` in the model of `x`")

    def _cases(self, node: ast.IfExpression, left_limits: frozenset[str]) -> ast.Node | None:
        """`else if` is one expression with several branches."""
        branches, otherwise = list(node.branches), node.otherwise
        while isinstance(otherwise, ast.IfExpression):
            branches += otherwise.branches
            otherwise = otherwise.otherwise
        if len(branches) == len(node.branches):
            return None
        flat = ast.IfExpression(node.start, node.end, tuple(branches), otherwise)
        return self.expression(flat, left_limits)  # type: ignore[no-any-return]


def rebuilt(node: Any, change: Callable[[ast.Node], ast.Node | None]) -> Any:
    """A tree in which `change` has replaced what it gives another node for; None leaves a node."""
    if isinstance(node, tuple):
        return tuple(rebuilt(item, change) for item in node)
    if not isinstance(node, ast.Node):
        return node
    new = change(node)
    if new is not None:
        return new
    if isinstance(node, ast.Binary):
        return _chain_rebuilt(node, change)
    values: dict[str, Any] = {
        entry.name: rebuilt(getattr(node, entry.name), change)
        for entry in fields(node)
        if entry.name not in ("function", "start", "end")
    }
    return replace(node, **values)


def _chain_rebuilt(node: ast.Binary, change: Callable[[ast.Node], ast.Node | None]) -> Any:
    """A chain such as `a + b + c`: it leans to the left, and can be longer than recursion goes."""
    links = [node]
    while isinstance(node.left, ast.Binary) and change(node.left) is None:
        node = node.left
        links.append(node)
    left = rebuilt(node.left, change)
    for link in reversed(links):
        left = replace(link, left=left, right=rebuilt(link.right, change))
    return left


def _reference(node: ast.Node, name: str) -> ast.Reference:
    return ast.Reference(node.start, node.end, ((name, ()),))


def _call(node: ast.Node, function: str, argument: ast.Expression) -> ast.Call:
    return ast.Call(node.start, node.end, _reference(node, function), (argument,))

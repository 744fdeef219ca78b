"""Values before the instant in the conditions of machines.

A condition is decided by values *a posteriori*, those of the mode that is tried, unless it says `pre(...)`:
then by those *a priori*, which only change when a mode has been taken and its state is kept. In Modelica
`pre` is for what is discrete. So a comparison in which `pre` stands becomes a Boolean variable of its own,
and its `pre` is taken:

    on -> off when pre(body.f) > 0        Boolean 'body.f > 0' = body.f > 0;     ... pre('body.f > 0') ...

A comparison must not mix both kinds of values; parameters and constants belong to either.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from typing import Any

from saltus.core.diagnostics import model_error
from saltus.core.source import Source, Span
from saltus.ir import ast
from saltus.ir.automata.lines import Memory, Parameter, Signal
from saltus.ir.bonds.graph import Graph
from saltus.read.lines.pieces import rebuilt
from saltus.read.lines.types import LOGIC, RELATIONS
from saltus.read.lines.types import is_boolean as is_truth
from saltus.read.modelica.printer_expressions import expression_text


class Priors:
    """The Boolean variables that one graph needs, by name."""

    def __init__(self, graph: Graph, source: Source) -> None:
        self.source = source
        self.constants = {p.name for p in graph.parameters}
        self.discrete = {m.name for m in graph.memories} | {
            s.name for s in graph.signals if is_boolean(s.value, graph)
        }
        self.graph = graph
        self.variables: dict[str, ast.Expression] = {}

    def condition(self, node: ast.Expression) -> ast.Expression:
        """A condition in which `pre` is applied to Boolean variables only."""
        match node:
            case ast.Binary(operator=operator) if operator in LOGIC:
                return replace(node, left=self.condition(node.left), right=self.condition(node.right))
            case ast.Unary(operator="not"):
                return replace(node, operand=self.condition(node.operand))
            case ast.Parenthesis():
                return replace(node, inner=self.condition(node.inner))
            case ast.Binary(operator=operator) if operator in RELATIONS:
                return self._relation(node)
            case ast.Call() if _is_pre(node):
                return self._prior(node, node.args[0])
        return node

    def refuse(self, node: ast.Expression) -> None:
        """`pre` of something that varies between events, outside of conditions and actions."""
        found = _find(node, lambda n: _is_pre(n) and not self._is_discrete(n.args[0]))
        if found is not None:
            span = Span(self.source, found.start, found.end)
            inside = expression_text(found.args[0])
            raise model_error(
                "E211",
                f"`pre({inside})` is a value before an instant, and `{inside}` varies between instants",
                span,
                hint=f"keep it: `memory m = 0`, and in a machine `off -> on when ... then m = pre({inside})`",
            )

    def _relation(self, node: ast.Binary) -> ast.Expression:
        if _find(node, lambda n: _is_pre(n) and not self._is_discrete(n.args[0])) is None:
            return node
        stripped = _without_pre(node)
        now = _find(_without_prior(node), self._varies)
        if now is not None:
            text = expression_text(now)
            raise model_error(
                "E211",
                f"values before and after the instant in one comparison: `{text}` is without `pre`",
                Span(self.source, now.start, now.end),
                hint=f"write `pre({text})`, or two comparisons",
            )
        return self._prior(node, stripped)

    def _prior(self, node: ast.Expression, inner: ast.Expression) -> ast.Expression:
        """`pre` of a Boolean expression, as a variable."""
        if self._is_discrete(inner):
            return node
        name = "'" + expression_text(inner).replace("\\", "").replace("'", "") + "'"
        self.variables.setdefault(name, inner)
        reference = ast.Reference(inner.start, inner.end, ((name, ()),))
        return ast.Call(node.start, node.end, _reference("pre", node), (reference,))

    def _is_discrete(self, node: ast.Expression) -> bool:
        return isinstance(node, ast.Reference) and (
            node.text in self.discrete
            or node.text in self.variables
            or (len(node.parts) == 2 and node.parts[1][0] == "on")
        )

    def _varies(self, node: Any) -> bool:
        return isinstance(node, ast.Reference) and node.text not in self.constants and node.text != "time"


def is_boolean(node: ast.Expression, graph: Graph) -> bool:
    """Whether an expression is a truth, by its form."""
    named: tuple[Memory | Parameter | Signal, ...] = (
        *graph.memories,
        *graph.parameters,
        *graph.signals,
    )
    known = {i.name: i.value for i in named}
    return is_truth(node, known, lambda r: len(r.parts) == 2 and r.parts[1][0] == "on")


def _is_pre(node: Any) -> bool:
    return isinstance(node, ast.Call) and node.function.text == "pre" and len(node.args) == 1


def _reference(name: str, node: ast.Node) -> ast.Reference:
    return ast.Reference(node.start, node.end, ((name, ()),))


def _find(node: Any, wanted: Callable[[Any], bool]) -> Any:
    """The first node of a tree that is wanted, outside of the names of functions."""
    if wanted(node):
        return node
    if isinstance(node, tuple):
        for item in node:
            found = _find(item, wanted)
            if found is not None:
                return found
    elif is_dataclass(node):
        for entry in fields(node):
            if entry.name == "function":
                continue
            found = _find(getattr(node, entry.name), wanted)
            if found is not None:
                return found
    return None


def _without_pre(node: ast.Expression) -> ast.Expression:
    """The expression after the instant: `pre(x)` becomes `x`."""

    def change(n: Any) -> Any:
        if not _is_pre(n):
            return None
        inner = n.args[0]
        return inner if isinstance(inner, ast.Reference) else ast.Parenthesis(n.start, n.end, inner)

    return rebuilt(node, change)  # type: ignore[no-any-return]


def _without_prior(node: ast.Expression) -> ast.Expression:
    """What is left if everything inside of `pre` is taken out."""
    zero = ast.Number(node.start, node.end, 0)
    return rebuilt(node, lambda n: zero if _is_pre(n) else None)  # type: ignore[no-any-return]

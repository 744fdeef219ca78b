"""Pieces of the syntax trees that texts are lowered to, each with the place of a node of the text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import fields, replace
from functools import reduce
from typing import Any

from saltus.ir import ast


def modifier(node: ast.Node, name: tuple[str, ...], value: ast.Expression) -> ast.ElementModification:
    """`name = value`"""
    inside = ast.Modification(node.start, node.end, None, value)
    return ast.ElementModification(node.start, node.end, name, inside)


def declared(
    node: Any,
    name: str,
    type_name: str,
    value: ast.Expression | None = None,
    variability: str = "",
    modification: ast.Modification | None = None,
    annotation: ast.Offsets | None = None,
    *,
    protected: bool = False,
    description: str | None = None,
) -> ast.ComponentClause:
    """A variable with a value, or with a modification; it is described as the node is."""
    if value is not None:
        modification = ast.Modification(node.start, node.end, None, value)
    description = getattr(node, "description", "") if description is None else description
    declaration = ast.Declaration(
        node.start,
        node.end,
        name,
        modification=modification,
        description=description,
        annotation=annotation,
    )
    prefixes = ast.ElementPrefixes(protected=True) if protected else ast.NO_PREFIXES
    return ast.ComponentClause(
        node.start,
        node.end,
        path(node, type_name),
        (),
        (declaration,),
        variability=variability,
        prefixes=prefixes,
    )


def component(
    node: ast.Node,
    class_name: tuple[str, ...],
    name: str,
    arguments: tuple[ast.ElementModification, ...],
    description: str = "",
) -> ast.ComponentClause:
    """A component of a class of the library."""
    modification = ast.Modification(node.start, node.end, arguments) if arguments else None
    declaration = ast.Declaration(
        node.start, node.end, name, modification=modification, description=description
    )
    return ast.ComponentClause(node.start, node.end, library_class(node, *class_name), (), (declaration,))


def path(node: ast.Node, *names: str) -> ast.Reference:
    """`a.b.c`"""
    return ast.Reference(node.start, node.end, tuple((name, ()) for name in names))


def library_class(node: ast.Node, *names: str) -> ast.Reference:
    """A class of the library, whatever the text calls its own things."""
    return ast.Reference(node.start, node.end, tuple((n, ()) for n in names), absolute=True)


def called(node: ast.Node, function: str, *args: ast.Expression) -> ast.Call:
    """`function(args)`"""
    return ast.Call(node.start, node.end, path(node, function), args)


def literal(node: ast.Node, value: int) -> ast.Number:
    """A number."""
    return ast.Number(node.start, node.end, value)


def truth(node: ast.Node, value: bool) -> ast.Boolean:
    """`true` or `false`"""
    return ast.Boolean(node.start, node.end, value)


def initially(node: ast.Node) -> ast.Call:
    """`initial()`"""
    return called(node, "initial")


def negated(node: ast.Expression) -> ast.Expression:
    """`not node`"""
    if isinstance(node, ast.Binary):
        node = ast.Parenthesis(node.start, node.end, node)
    return ast.Unary(node.start, node.end, "not", node)


def equal(node: ast.Node, left: ast.Expression, number: int) -> ast.Binary:
    """`left == number`"""
    return ast.Binary(node.start, node.end, "==", left, literal(node, number))


def joined(operator: str, parts: Sequence[ast.Expression]) -> ast.Expression:
    """`a or b or c`, each in parentheses if it needs them."""

    def closed(node: ast.Expression) -> ast.Expression:
        loose = isinstance(node, ast.Binary) and node.operator in ("and", "or") and node.operator != operator
        if (loose or isinstance(node, ast.IfExpression)) and len(parts) > 1:
            return ast.Parenthesis(node.start, node.end, node)
        return node

    return reduce(
        lambda left, right: ast.Binary(left.start, right.end, operator, left, closed(right)),
        parts[1:],
        closed(parts[0]),
    )


def rebuilt(node: Any, change: Callable[[Any], Any]) -> Any:
    """A tree in which `change` has replaced what it gives another node for; None leaves a node."""
    new = change(node)
    if new is not None:
        return new
    if isinstance(node, tuple):
        return tuple(rebuilt(item, change) for item in node)
    if isinstance(node, ast.Node):
        values: dict[str, Any] = {
            entry.name: rebuilt(getattr(node, entry.name), change)
            for entry in fields(node)
            if entry.name not in ("function", "start", "end")
        }
        return replace(node, **values)
    return node


def before_the_round(node: ast.Expression, names: Collection[str]) -> ast.Expression:
    """An expression in which these names mean what they were before the round: `pre(name)`."""

    def change(n: Any) -> Any:
        if isinstance(n, ast.Reference) and len(n.parts) == 1 and not n.absolute:
            name, subscripts = n.parts[0]
            if name in names and not subscripts:
                return called(n, "pre", n)
        if isinstance(n, ast.Call) and n.function.text == "pre":
            return n
        return None

    return rebuilt(node, change)  # type: ignore[no-any-return]

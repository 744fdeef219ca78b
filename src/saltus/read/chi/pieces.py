"""Pieces of the syntax trees that processes are lowered to, each with the place of a node of the text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, replace
from functools import reduce
from typing import Any

from saltus.ir import ast


def path(node: ast.Node, *names: str) -> ast.Reference:
    """`a.b.c`"""
    return ast.Reference(node.start, node.end, tuple((name, ()) for name in names))


def called(node: ast.Node, function: str, *arguments: ast.Expression) -> ast.Call:
    """`f(a, b)`"""
    return ast.Call(node.start, node.end, path(node, function), arguments)


def truth(node: ast.Node, value: bool) -> ast.Boolean:
    """`true` or `false`"""
    return ast.Boolean(node.start, node.end, value)


def literal(node: ast.Node, value: int) -> ast.Number:
    """A number."""
    return ast.Number(node.start, node.end, value)


def binary(operator: str, left: ast.Expression, right: ast.Expression) -> ast.Binary:
    """Two operands, each in parentheses if it is an operation itself."""
    return ast.Binary(left.start, right.end, operator, closed(left), closed(right))


def closed(node: ast.Expression) -> ast.Expression:
    """In parentheses, if it needs them as an operand."""
    if isinstance(node, ast.Binary | ast.IfExpression | ast.Unary):
        return ast.Parenthesis(node.start, node.end, node)
    return node


def joined(operator: str, parts: Sequence[ast.Expression]) -> ast.Expression:
    """`a or b or c`"""
    if len(parts) == 1:
        return parts[0]
    return reduce(
        lambda left, right: ast.Binary(left.start, right.end, operator, left, closed(right)),
        parts[1:],
        closed(parts[0]),
    )


def negated(node: ast.Expression) -> ast.Expression:
    """`not node`"""
    return ast.Unary(node.start, node.end, "not", closed(node))


def modifier(
    node: ast.Node,
    name: str,
    value: ast.Expression | None,
    inside: tuple[ast.ElementModification, ...] | None = None,
) -> ast.ElementModification:
    """`name(inside) = value`"""
    modification = ast.Modification(node.start, node.end, inside, value)
    return ast.ElementModification(node.start, node.end, (name,), modification)


def rebuilt(node: Any, change: Callable[[Any], Any]) -> Any:
    """A tree in which `change` has replaced nodes; it returns None for those that stay."""
    if isinstance(node, tuple):
        return tuple(rebuilt(n, change) for n in node)
    if not isinstance(node, ast.Node):
        return node
    changed = change(node)
    if changed is not None:
        return changed
    values = {f.name: getattr(node, f.name) for f in fields(node)}
    inner = {
        name: rebuilt(value, change) for name, value in values.items() if isinstance(value, ast.Node | tuple)
    }
    return replace(node, **{name: value for name, value in inner.items() if value is not values[name]})


def references(node: Any) -> Iterator[ast.Reference]:
    """All names in a tree, those of functions left out."""
    if isinstance(node, tuple):
        for part in node:
            yield from references(part)
    elif isinstance(node, ast.Reference):
        yield node
    elif isinstance(node, ast.Call):
        yield from references(node.args)
    elif isinstance(node, ast.Node):
        for field in fields(node):
            yield from references(getattr(node, field.name))

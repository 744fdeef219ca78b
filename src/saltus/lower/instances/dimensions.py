"""Sizes of components: numbers, types that stand for all their values, and those that a value decides."""

from __future__ import annotations

from math import prod

from saltus.core.diagnostics import model_error
from saltus.expr.nodes import Expr, const
from saltus.ir import ast
from saltus.ir.instance import Element
from saltus.lower.classes.layout import Layouts
from saltus.lower.instances.enumerations import type_values
from saltus.lower.instances.modifiers import Modifier
from saltus.lower.scope.context import Context, Scope
from saltus.lower.scope.limits import refuse_elements
from saltus.lower.scope.values import ArrayValue, shape_of


def shape_of_component(
    context: Context,
    dimensions: list[tuple[ast.Expression, Scope]],
    element: Element,
    modifier: Modifier,
) -> tuple[int, ...]:
    """The sizes of a component; where `:` stands, those of its value."""
    shape: list[int] = []
    for position, (subscript, scope) in enumerate(dimensions):
        if isinstance(subscript, ast.Colon):
            given = modifier.value or modifier.part("start").value
            if given is None or (given.each and modifier.value is None):
                raise model_error(
                    "E208",
                    f"the size of `{element.name}` is not known: `:` needs a value to take it from",
                    element.span,
                )
            actual = shape_of(given.value(context, len(dimensions)))
            if len(actual) <= position:
                raise model_error(
                    "E206",
                    f"the value of `{element.name}` has too few dimensions",
                    given.span,
                )
            shape.append(actual[position])
            continue
        if shape and _asks_own_size(subscript, element.name):
            # `A[:, size(A, 1)]`: dimensions that stand before this one are known (section 10.3.1).
            so_far = ArrayValue(tuple(shape), (const(0),) * prod(shape))
            scope = scope.with_locals({element.name: so_far})
        shape.append(dimension(context, subscript, scope, element.name))
    refuse_elements(max(prod(shape), *shape), f"`{element.name}`", element.span)
    return tuple(shape)


def index_types(layouts: Layouts, dimensions: list[tuple[ast.Expression, Scope]]) -> tuple[Expr, ...]:
    """A value of the type that each dimension is indexed by: an enumeration, Boolean or Integer."""
    types: list[Expr] = []
    for subscript, scope in dimensions:
        values = type_values(layouts, subscript, scope) if isinstance(subscript, ast.Reference) else None
        types.append(values[0] if values else const(1))
    return tuple(types)


def _asks_own_size(subscript: ast.Expression, name: str) -> bool:
    """Whether an array's name stands in its own dimension, and only inside `size(...)`."""
    asked = used = 0
    stack: list[object] = [subscript]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Reference) and node.parts[0][0] == name and not node.absolute:
            used += 1
        if isinstance(node, ast.Call) and node.function.text == "size" and node.args:
            first = node.args[0]
            asked += isinstance(first, ast.Reference) and first.parts == ((name, ()),) and not first.absolute
        if isinstance(node, ast.Node):
            stack += vars(node).values()
        elif isinstance(node, tuple):
            stack += node
    return 0 < used == asked


def dimension(context: Context, subscript: ast.Expression, scope: Scope, name: str) -> int:
    """One size of an array: an Integer, or a type with as many values."""
    values = type_values(context.layouts, subscript, scope)
    if values is not None:
        return len(values)
    size = context.integer(subscript, scope, f"the size of `{name}`")
    if size < 0:
        raise model_error("E206", f"the size of `{name}` is {size}", scope.at(subscript))
    return size

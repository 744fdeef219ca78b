"""Subscripts: `end`, `:` and vectors of indices resolved; an index that varies chooses during the run."""

from __future__ import annotations

from collections.abc import Sequence

from saltus.core.diagnostics import model_error
from saltus.core.source import Span
from saltus.expr.nodes import FALSE, TRUE, Expr, Op, Type, and_, const, if_, relation
from saltus.ir import ast
from saltus.ir.instance import ArrayNode, Node
from saltus.lower.context import Context, Scope
from saltus.lower.values import ArrayValue, RecordValue, Value, describe_shape, shape_of

#: A subscript that was looked at: one index, several, or an expression known only during the run.
Subscript = int | list[int] | Expr


class Dynamic:
    """An array with a subscript that varies during the run."""

    def __init__(self, array: ArrayNode, subscripts: list[Subscript]) -> None:
        self.array = array
        self.subscripts = subscripts


def subscripts_of(
    context: Context, subscripts: Sequence[ast.Expression], shape: tuple[int, ...], scope: Scope, span: Span
) -> list[Subscript]:
    """Subscripts with `end` and `:` resolved for an array of a shape; indices known now are checked."""
    if len(subscripts) > len(shape):
        raise model_error(
            "E206",
            f"{len(subscripts)} subscripts for {describe_shape(shape)}",
            span,
        )
    found: list[Subscript] = []
    for size, subscript in zip(shape, subscripts, strict=False):
        if isinstance(subscript, ast.Colon):
            found.append(list(range(1, size + 1)))
            continue
        value = context.lower(context, subscript, scope.with_locals({"end": const(size)}))
        where = scope.at(subscript)
        if isinstance(value, RecordValue) or len(shape_of(value)) > 1:
            raise model_error("E205", "a subscript must be an Integer or a vector of Integers", where)
        items = [value] if isinstance(value, Expr) else list(value.items)
        known: list[int] = []
        for item in items:
            assert isinstance(item, Expr)
            if item.type is Type.REAL or item.type is Type.STRING:
                raise model_error("E205", f"a subscript must be an Integer, this is {item.type.value}", where)
            if item.op is not Op.CONST and not context.is_constant(item):
                break
            index = context.constant(item, where, "a subscript")
            index = int(index) + 1 if isinstance(index, bool) else int(index)
            if not 1 <= index <= size:
                raise model_error("E206", f"the subscript {index} is outside 1:{size}", where)
            known.append(index)
        if isinstance(value, Expr):
            found.append(known[0] if known else value)
        elif len(known) < len(items):
            raise model_error("E204", "a vector of varying subscripts is not supported yet", where)
        else:
            found.append(known)
    return found


def select_node(
    context: Context, node: Node, subscripts: Sequence[ast.Expression], scope: Scope, span: Span
) -> Node | Dynamic:
    if not subscripts:
        return node
    if not isinstance(node, ArrayNode):
        raise model_error("E206", f"`{node.path}` is a scalar and takes no subscripts", span)
    chosen = subscripts_of(context, subscripts, node.shape, scope, span)
    if any(isinstance(s, Expr) for s in chosen):
        return Dynamic(node, chosen)
    shape, offsets = offsets_of(node.shape, chosen)
    items = tuple(node.items[o] for o in offsets)
    return items[0] if not shape else ArrayNode(node.path, shape, items, span)


def offsets_of(shape: tuple[int, ...], chosen: Sequence[Subscript]) -> tuple[tuple[int, ...], list[int]]:
    """Shape of a selection and the row-major offsets of its elements."""
    full: list[Subscript] = [*chosen, *([list(range(1, n + 1)) for n in shape[len(chosen) :]])]
    result: list[int] = []
    offsets = [0]
    for size, s in zip(shape, full, strict=True):
        if isinstance(s, int):
            offsets = [o * size + s - 1 for o in offsets]
        else:
            assert isinstance(s, list)
            result.append(len(s))
            offsets = [o * size + i - 1 for o in offsets for i in s]
    return tuple(result), offsets


def select_value(
    context: Context, value: Value, subscripts: Sequence[ast.Expression], scope: Scope, span: Span
) -> Value:
    """Subscripts applied to a value."""
    if not subscripts:
        return value
    if not isinstance(value, ArrayValue):
        raise model_error("E206", "a scalar takes no subscripts", span)
    chosen = subscripts_of(context, subscripts, value.shape, scope, span)
    if any(isinstance(s, Expr) for s in chosen):
        return chosen_at_run_time(context, value, chosen, scope, span)
    shape, offsets = offsets_of(value.shape, chosen)
    items = tuple(value.items[o] for o in offsets)
    return items[0] if not shape else ArrayValue(shape, items)


def chosen_at_run_time(
    context: Context, value: ArrayValue, chosen: list[Subscript], scope: Scope, span: Span
) -> Value:
    """An element whose index varies. That the index is in range is required of the run (in a function the
    arrays are indexed by the program, which checks)."""
    if 0 in value.shape:
        raise model_error("E206", f"{describe_shape(value.shape)} has no elements to choose from", span)
    if not scope.in_function:
        origin = scope.instance.path if scope.instance is not None else ""
        for size, s in zip(value.shape, chosen, strict=False):
            if isinstance(s, Expr) and s.type is Type.INTEGER:
                inside = and_(relation(Op.GE, s, const(1)), relation(Op.LE, s, const(size)))
                context.require(inside, f"the subscript {s!r} is outside 1:{size}", span, origin)
    return _chosen(value, chosen)


def _chosen(value: ArrayValue, chosen: list[Subscript]) -> Value:
    """A chain of comparisons over the possible indices."""
    position = next((k for k, s in enumerate(chosen) if isinstance(s, Expr)), None)
    if position is None:
        shape, offsets = offsets_of(value.shape, chosen)
        items = tuple(value.items[o] for o in offsets)
        return items[0] if not shape else ArrayValue(shape, items)
    subscript = chosen[position]
    assert isinstance(subscript, Expr)
    result: Value | None = None
    for index in range(value.shape[position], 0, -1):
        candidate = _chosen(value, [*chosen[:position], index, *chosen[position + 1 :]])
        result = candidate if result is None else choose(is_index(subscript, index), candidate, result)
    assert result is not None
    return result


def is_index(subscript: Expr, index: int) -> Expr:
    """Whether a subscript is this index; false and true are the indices 1 and 2."""
    if subscript.type is Type.BOOLEAN:
        return relation(Op.EQ, subscript, TRUE if index == 2 else FALSE)
    return relation(Op.EQ, subscript, const(index))


def choose(condition: Expr, a: Value, b: Value) -> Value:
    """`if condition then a else b` for values of one shape."""
    if isinstance(a, Expr) and isinstance(b, Expr):
        return if_(condition, a, b)
    if isinstance(a, ArrayValue) and isinstance(b, ArrayValue) and a.shape == b.shape:
        items = [choose(condition, x, y) for x, y in zip(a.items, b.items, strict=True)]
        return ArrayValue(a.shape, tuple(i for i in items if not isinstance(i, ArrayValue)))
    if isinstance(a, RecordValue) and isinstance(b, RecordValue) and a.fields.keys() == b.fields.keys():
        fields = {name: choose(condition, a.fields[name], b.fields[name]) for name in a.fields}
        return RecordValue(a.type_name, fields)
    raise ValueError("branches of different shapes")

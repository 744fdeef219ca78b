"""Subscripts: `end`, `:` and vectors of indices resolved; an index that varies chooses during the run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from saltus.core.diagnostics import model_error
from saltus.core.source import Span
from saltus.expr.nodes import (
    FALSE,
    TRUE,
    Expr,
    Op,
    Type,
    and_,
    const,
    enumeration_of,
    if_,
    not_,
    relation,
)
from saltus.ir import ast
from saltus.ir.instance import ArrayNode, Node
from saltus.lower.scope.context import Context, Scope
from saltus.lower.scope.parts import Requirements
from saltus.lower.scope.types import same_type, type_name, typed
from saltus.lower.scope.values import ArrayValue, Item, RecordValue, Value, describe_shape, shape_of

#: A subscript that was looked at: one index or several, each a number or an expression known only during the
#: run.
Index = int | Expr
Subscript = Index | list[Index]


class Dynamic:
    """An array with subscripts, some of which vary during the run."""

    def __init__(self, array: ArrayNode, subscripts: list[Subscript]) -> None:
        self.array = array
        self.subscripts = subscripts


def subscripts_of(
    context: Context,
    subscripts: Sequence[ast.Expression],
    shape: tuple[int, ...],
    scope: Scope,
    span: Span,
    index_types: Sequence[Expr] = (),
    *,
    late: bool = False,
) -> list[Subscript]:
    """Subscripts with `end` and `:` resolved for an array of a shape; indices known now are checked, or if
    they may be wrong in code that is not reached, `late`. So are their types, where those that the dimensions
    are declared with are given."""
    if len(subscripts) > len(shape):
        raise model_error(
            "E206",
            f"{len(subscripts)} subscripts for {describe_shape(shape)}",
            span,
        )
    found: list[Subscript] = []
    for position, (size, subscript) in enumerate(zip(shape, subscripts, strict=False)):
        if isinstance(subscript, ast.Colon):
            found.append(list(range(1, size + 1)))
            continue
        wanted = index_types[position] if position < len(index_types) else None
        value = context.lower(context, subscript, scope.with_locals({"end": _last(size, wanted)}))
        where = scope.at(subscript)
        if isinstance(value, RecordValue) or len(shape_of(value)) > 1:
            raise model_error("E205", "a subscript must be an Integer or a vector of Integers", where)
        items = [value] if isinstance(value, Expr) else list(value.items)
        known: list[Index] = []
        for item in items:
            assert isinstance(item, Expr)
            if item.type is Type.REAL or item.type is Type.STRING:
                raise model_error("E205", f"a subscript must be an Integer, this is {item.type.value}", where)
            if wanted is not None and not same_type(item, wanted):
                what = f"this dimension is indexed by {type_name(wanted)}, not by {type_name(item)}"
                raise model_error("E205", what, where)
            if item.op is not Op.CONST and not context.evaluation.is_constant(item):
                known.append(item)
                continue
            index = context.evaluation.constant(item, where, "a subscript")
            index = int(index) + 1 if isinstance(index, bool) else int(index)
            if not 1 <= index <= size and late:
                known.append(typed(index, None))
                continue
            if not 1 <= index <= size:
                raise model_error("E206", f"the subscript {index} is outside 1:{size}", where)
            known.append(index)
        found.append(known[0] if isinstance(value, Expr) else known)
    return found


def _last(size: int, index_type: Expr | None) -> Expr:
    """What `end` is in a dimension."""
    if index_type is not None and index_type.type is Type.BOOLEAN:
        return TRUE
    return typed(size, enumeration_of(index_type) if index_type is not None else None)


def varies(subscripts: Sequence[Subscript]) -> bool:
    """Whether one of the indices is known during the run only."""
    return any(isinstance(i, Expr) for s in subscripts for i in (s if isinstance(s, list) else (s,)))


def whole(shape: tuple[int, ...]) -> list[Subscript]:
    """Subscripts that select everything of a shape."""
    return [list(range(1, n + 1)) for n in shape]


def select_node(
    context: Context, node: Node, subscripts: Sequence[ast.Expression], scope: Scope, span: Span
) -> Node | Dynamic:
    if not subscripts:
        return node
    if not isinstance(node, ArrayNode):
        raise model_error("E206", f"`{node.path}` is a scalar and takes no subscripts", span)
    chosen = subscripts_of(context, subscripts, node.shape, scope, span, node.index_types)
    if varies(chosen):
        return Dynamic(node, [*chosen, *whole(node.shape[len(chosen) :])])
    return selection(Dynamic(node, chosen), span)


def selection(chosen: Dynamic, span: Span) -> Node:
    """What subscripts select that are all known."""
    array = chosen.array
    shape, offsets = offsets_of(array.shape, chosen.subscripts)
    items = tuple(array.items[o] for o in offsets)
    return items[0] if not shape else ArrayNode(array.path, shape, items, span)


def offsets_of(shape: tuple[int, ...], chosen: Sequence[Subscript]) -> tuple[tuple[int, ...], list[int]]:
    """Shape of a selection and the row-major offsets of its elements."""
    full = [*chosen, *whole(shape[len(chosen) :])]
    result: list[int] = []
    offsets = [0]
    for size, s in zip(shape, full, strict=True):
        if isinstance(s, int):
            offsets = [o * size + s - 1 for o in offsets]
        else:
            assert isinstance(s, list)
            result.append(len(s))
            offsets = [o * size + int(i) - 1 for o in offsets for i in s if not isinstance(i, Expr)]
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
    if varies(chosen):
        return chosen_at_run_time(context.requirements, value, chosen, scope, span)
    shape, offsets = offsets_of(value.shape, chosen)
    items = tuple(value.items[o] for o in offsets)
    return items[0] if not shape else ArrayValue(shape, items)


def chosen_at_run_time(
    requirements: Requirements, value: ArrayValue, chosen: list[Subscript], scope: Scope, span: Span
) -> Value:
    """Elements whose indices vary. That the indices are in range is required of the run (in a function the
    arrays are indexed by the program, which checks)."""
    if 0 in value.shape:
        raise model_error("E206", f"{describe_shape(value.shape)} has no elements to choose from", span)
    if scope.inlined:
        raise model_error("E204", "an index that varies in a function that is written out", span)
    full = [*chosen, *whole(value.shape[len(chosen) :])]
    if not scope.in_function:
        origin = scope.instance.path if scope.instance is not None else ""
        for size, s in zip(value.shape, full, strict=True):
            for i in s if isinstance(s, list) else (s,):
                if isinstance(i, Expr) and i.type is Type.INTEGER:
                    inside = and_(relation(Op.GE, i, const(1)), relation(Op.LE, i, const(size)))
                    requirements.add(inside, f"the subscript {i!r} is outside 1:{size}", span, origin)
    shape = tuple(len(s) for s in full if isinstance(s, list))
    items = tuple(_chosen(value, indices) for indices in index_choices(full))
    return ArrayValue(shape, items) if shape else items[0]


def index_choices(subscripts: Sequence[Subscript]) -> Iterator[tuple[Index, ...]]:
    """The indices of each selected element, in row-major order."""
    return product(*(s if isinstance(s, list) else (s,) for s in subscripts))


def _chosen(value: ArrayValue, indices: Sequence[Index]) -> Item:
    """One element: a tree of comparisons over the possible indices, as deep as the logarithm of their
    number."""

    def pick(dimension: int, offset: int) -> Item:
        if dimension == len(indices):
            return value.items[offset]
        size, index = value.shape[dimension], indices[dimension]
        if not isinstance(index, Expr):
            return pick(dimension + 1, offset * size + index - 1)

        def between(low: int, high: int) -> Item:
            if low == high:
                return pick(dimension + 1, offset * size + low - 1)
            middle = (low + high) // 2
            found = choose(_is_at_most(index, middle), between(low, middle), between(middle + 1, high))
            assert not isinstance(found, ArrayValue)
            return found

        return between(1, size)

    return pick(0, 0)


def _is_at_most(subscript: Expr, index: int) -> Expr:
    if subscript.type is Type.BOOLEAN:
        return not_(subscript) if index == 1 else TRUE
    return relation(Op.LE, subscript, const(index))


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

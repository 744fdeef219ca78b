"""The predefined functions of arrays: sizes, constructors, rearrangements and products (section 10.3)."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from saltus.core.diagnostics import model_error
from saltus.expr import nodes as x
from saltus.expr.nodes import Expr, Type, const
from saltus.lower.expressions.builtin_call import Builtin, Place, scalar_argument, wrong
from saltus.lower.scope.limits import refuse_elements
from saltus.lower.scope.values import (
    ArrayValue,
    RecordValue,
    ShapeMismatch,
    Value,
    array_of,
    scalar_item,
    shape_of,
)


def _size(args: list[Value], place: Place) -> Value:
    if not args or len(args) > 2:
        raise wrong(place, "size", "an array and the number of a dimension")
    return size_of(shape_of(args[0]), args[1:], place)


def size_of(shape: tuple[int, ...], dimension: list[Value], place: Place) -> Value:
    """`size` of something of a shape: all sizes, or that of one dimension."""
    if not dimension:
        return array_of([const(n) for n in shape])
    k = place.constant(scalar_argument(dimension[0], place, "size"), "the dimension in `size`")
    if not isinstance(k, int) or isinstance(k, bool):
        raise model_error("E205", "the dimension in `size` must be an Integer", place.span)
    if not 1 <= k <= len(shape):
        raise model_error("E206", f"there is no dimension {k}: the argument has {len(shape)}", place.span)
    return const(shape[k - 1])


def _sizes(args: list[Value], place: Place, name: str) -> tuple[int, ...]:
    sizes = tuple(place.constant(scalar_argument(a, place, name), f"a size in `{name}`") for a in args)
    if any(not isinstance(n, int) or isinstance(n, bool) or n < 0 for n in sizes):
        raise model_error("E206", f"sizes in `{name}` must be non-negative Integers", place.span)
    refuse_elements(max(prod(sizes), *sizes), f"`{name}`", place.span)
    return sizes


def _constants(name: str, number: int) -> Builtin:
    """zeros and ones: Integers, which stand for Reals where those are wanted (section 10.3.3)."""

    def lower(args: list[Value], place: Place) -> Value:
        if not args:
            raise wrong(place, name, "at least one size")
        shape = _sizes(args, place, name)
        return ArrayValue(shape, (const(number),) * prod(shape))

    return lower


def _fill(args: list[Value], place: Place) -> Value:
    if len(args) < 2:
        raise wrong(place, "fill", "a value and at least one size")
    shape = _sizes(args[1:], place, "fill")
    value = args[0]
    if isinstance(value, ArrayValue):
        return ArrayValue((*shape, *value.shape), value.items * prod(shape))
    return ArrayValue(shape, (value,) * prod(shape))


def _identity(args: list[Value], place: Place) -> Value:
    if len(args) != 1:
        raise wrong(place, "identity", "one size")
    (n,) = _sizes(args, place, "identity")
    return ArrayValue((n, n), tuple(const(int(i == j)) for i in range(n) for j in range(n)))


def _diagonal(args: list[Value], place: Place) -> Value:
    if len(args) != 1 or not isinstance(args[0], ArrayValue) or len(args[0].shape) != 1:
        raise wrong(place, "diagonal", "one vector")
    v = args[0].items
    n = len(v)
    zero = const(0) if all(isinstance(e, Expr) and e.type is Type.INTEGER for e in v) else x.ZERO
    return ArrayValue((n, n), tuple(v[i] if i == j else zero for i in range(n) for j in range(n)))


def _linspace(args: list[Value], place: Place) -> Value:
    if len(args) != 3:
        raise wrong(place, "linspace", "first, last and count")
    a, b = (scalar_argument(v, place, "linspace") for v in args[:2])
    (n,) = _sizes(args[2:], place, "linspace")
    if n < 2:
        raise model_error("E206", "`linspace` needs at least 2 points", place.span)
    return array_of([x.add(a, x.mul(const(k / (n - 1)), x.sub(b, a))) for k in range(n)])


def _transpose(args: list[Value], place: Place) -> Value:
    if len(args) != 1 or not isinstance(args[0], ArrayValue) or len(args[0].shape) != 2:
        raise wrong(place, "transpose", "one matrix")
    rows, columns = args[0].shape
    items = args[0].items
    return ArrayValue(
        (columns, rows), tuple(items[i * columns + j] for j in range(columns) for i in range(rows))
    )


def _cat(args: list[Value], place: Place) -> Value:
    arrays = [a for a in args[1:] if isinstance(a, ArrayValue)]
    if len(args) < 2 or len(arrays) < len(args) - 1:
        raise wrong(place, "cat", "a dimension and arrays")
    k = place.constant(scalar_argument(args[0], place, "cat"), "the dimension in `cat`")
    rank = len(arrays[0].shape)
    if not isinstance(k, int) or not 1 <= k <= rank:
        raise model_error("E206", f"`cat` along dimension {k} of arrays with {rank} dimensions", place.span)
    try:
        return joined_along(k, arrays)
    except ShapeMismatch:
        raise model_error("E206", "the arrays in `cat` do not fit together", place.span) from None


def joined_along(k: int, arrays: Sequence[ArrayValue]) -> ArrayValue:
    """Arrays one after the other along dimension k; all other sizes are the same."""
    outer, inner = arrays[0].shape[: k - 1], arrays[0].shape[k:]
    for a in arrays:
        if a.shape[: k - 1] != outer or a.shape[k:] != inner:
            raise ShapeMismatch(arrays[0].shape, a.shape)
    # Row-major: for each index of the dimensions before k, the blocks of all arrays one after the other.
    items: list[Expr | RecordValue] = []
    for row in range(prod(outer)):
        for a in arrays:
            block = prod(a.shape[k - 1 :])
            items += a.items[row * block : (row + 1) * block]
    return ArrayValue((*outer, sum(a.shape[k - 1] for a in arrays), *inner), tuple(items))


def matrix_of(rows: Sequence[Sequence[Value]]) -> Value:
    """`[a, b; c, d]`: blocks side by side, then one above the other. All are given as many dimensions as the
    one with the most has, and at least two (section 10.4.2)."""
    rank = max(2, *(len(shape_of(v)) for row in rows for v in row))

    def promoted(value: Value) -> ArrayValue:
        shape = shape_of(value)
        items = value.items if isinstance(value, ArrayValue) else (value,)
        return ArrayValue((*shape, *(1,) * (rank - len(shape))), items)

    return joined_along(1, [joined_along(2, [promoted(v) for v in row]) for row in rows])


def _vector(args: list[Value], place: Place) -> Value:
    if len(args) != 1:
        raise wrong(place, "vector", "one array")
    items = args[0].items if isinstance(args[0], ArrayValue) else (scalar_argument(args[0], place, "vector"),)
    if sum(n > 1 for n in shape_of(args[0])) > 1:
        raise wrong(place, "vector", "an array with one dimension longer than 1")
    return ArrayValue((len(items),), items)


def _matrix(args: list[Value], place: Place) -> Value:
    v = args[0] if len(args) == 1 else None
    if isinstance(v, Expr):
        return ArrayValue((1, 1), (v,))
    if isinstance(v, ArrayValue) and len(v.shape) == 1:
        return ArrayValue((*v.shape, 1), v.items)
    if isinstance(v, ArrayValue) and all(n == 1 for n in v.shape[2:]):
        return ArrayValue(v.shape[:2], v.items)
    raise wrong(place, "matrix", "an array whose third and later dimensions have size 1")


def _as_scalar(args: list[Value], place: Place) -> Value:
    v = args[0] if len(args) == 1 else None
    if isinstance(v, ArrayValue) and len(v.items) == 1:
        return v.items[0]
    if isinstance(v, Expr):
        return v
    raise wrong(place, "scalar", "an array with one element")


def _cross(args: list[Value], place: Place) -> Value:
    if len(args) != 2 or any(shape_of(a) != (3,) for a in args):
        raise wrong(place, "cross", "two vectors of size 3")
    a, b = ([scalar_item(i) for i in v.items] for v in args if isinstance(v, ArrayValue))
    pairs = ((1, 2), (2, 0), (0, 1))
    return array_of([x.sub(x.mul(a[i], b[j]), x.mul(a[j], b[i])) for i, j in pairs])


def _skew(args: list[Value], place: Place) -> Value:
    if len(args) != 1 or shape_of(args[0]) != (3,):
        raise wrong(place, "skew", "a vector of size 3")
    assert isinstance(args[0], ArrayValue)
    a, b, c = (scalar_item(v) for v in args[0].items)
    zero = const(0)
    return ArrayValue((3, 3), (zero, x.neg(c), b, c, zero, x.neg(a), x.neg(b), a, zero))


def _symmetric(args: list[Value], place: Place) -> Value:
    v = args[0] if len(args) == 1 else None
    if not isinstance(v, ArrayValue) or len(v.shape) != 2 or v.shape[0] != v.shape[1]:
        raise wrong(place, "symmetric", "one square matrix")
    n = v.shape[0]
    return ArrayValue(v.shape, tuple(v.items[min(i, j) * n + max(i, j)] for i in range(n) for j in range(n)))


def _outer_product(args: list[Value], place: Place) -> Value:
    if len(args) != 2 or any(len(shape_of(a)) != 1 for a in args):
        raise wrong(place, "outerProduct", "two vectors")
    a, b = ([scalar_item(i) for i in v.items] for v in args if isinstance(v, ArrayValue))
    return array_of([array_of([x.mul(p, q) for q in b]) for p in a])


def _ndims(args: list[Value], place: Place) -> Value:
    if len(args) != 1:
        raise wrong(place, "ndims", "one array")
    return const(len(shape_of(args[0])))


_MOST_DIMENSIONS = 32  # an array with more is a slip of the pen


def _promote(args: list[Value], place: Place) -> Value:
    """`promote(A, n)`: dimensions of size 1 are added on the right (section 10.3.5)."""
    if len(args) != 2:
        raise wrong(place, "promote", "an array and a number of dimensions")
    rank = place.constant(scalar_argument(args[1], place, "promote"), "the dimensions in `promote`")
    shape = shape_of(args[0])
    if not isinstance(rank, int) or isinstance(rank, bool) or not len(shape) <= rank <= _MOST_DIMENSIONS:
        raise model_error("E206", f"`promote` of {len(shape)} dimensions to {rank}", place.span)
    items = args[0].items if isinstance(args[0], ArrayValue) else (args[0],)
    return ArrayValue((*shape, *(1,) * (rank - len(shape))), items) if rank else items[0]


def _array(args: list[Value], place: Place) -> Value:
    """`array(a, b, c)` is `{a, b, c}`."""
    if not args:
        raise wrong(place, "array", "at least one element")
    return array_of(args)


ARRAY_BUILTINS: dict[str, Builtin] = {
    "size": _size,
    "ndims": _ndims,
    "zeros": _constants("zeros", 0),
    "ones": _constants("ones", 1),
    "fill": _fill,
    "identity": _identity,
    "diagonal": _diagonal,
    "linspace": _linspace,
    "transpose": _transpose,
    "cat": _cat,
    "vector": _vector,
    "matrix": _matrix,
    "scalar": _as_scalar,
    "cross": _cross,
    "outerProduct": _outer_product,
    "skew": _skew,
    "symmetric": _symmetric,
    "promote": _promote,
    "array": _array,
}

"""Arrays and records of expressions: what an expression of the language means before it is scalar.

A value is a scalar `Expr`, an `ArrayValue` of a fixed shape, or a `RecordValue`. Element-wise operations
are here; which operator does what is decided in `expressions`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import TypeAlias

from saltus.expr.nodes import Expr


@dataclass(frozen=True, eq=False)
class ArrayValue:
    """Items in row-major order; each a scalar or a record. Where there are none, `record` is the name of the
    record class that they would be of, if it is known to be one."""

    shape: tuple[int, ...]
    items: tuple[Expr | RecordValue, ...]
    record: str = ""

    def __post_init__(self) -> None:
        assert len(self.items) == prod(self.shape), (self.shape, len(self.items))

    def rows(self) -> list[Value]:
        """The elements along the first dimension."""
        inner = self.shape[1:]
        if not inner:
            return list(self.items)
        size = prod(inner)
        return [ArrayValue(inner, self.items[k * size : (k + 1) * size]) for k in range(self.shape[0])]

    def parts(self, rank: int) -> Iterator[Value]:
        """What the array has at each index of its first `rank` dimensions, in row-major order."""
        inner = self.shape[rank:]
        if not inner:
            yield from self.items
            return
        size = prod(inner)
        for k in range(prod(self.shape[:rank])):
            yield ArrayValue(inner, self.items[k * size : (k + 1) * size])

    def at(self, indices: Sequence[int]) -> Value:
        """The element (or sub-array) at indices counted from 1."""
        offset = 0
        for size, index in zip(self.shape, indices, strict=False):
            offset = offset * size + index - 1
        inner = self.shape[len(indices) :]
        if not inner:
            return self.items[offset]
        size = prod(inner)
        return ArrayValue(inner, self.items[offset * size : (offset + 1) * size])


@dataclass(frozen=True, eq=False)
class RecordValue:
    """Fields in declaration order; `type_name` is the record class's full name."""

    type_name: str
    fields: dict[str, Value]


def nothing(done: Expr) -> RecordValue:
    """What a function without outputs gives: that it was called, which fits nowhere."""
    return RecordValue("", {"": done})


def call_of_nothing(value: Value) -> Expr | None:
    """What is to be computed (it is 0) where a function without outputs is called; None of other values."""
    return scalar_item(value.fields[""]) if isinstance(value, RecordValue) and is_nothing(value) else None


def is_nothing(value: Value) -> bool:
    return isinstance(value, RecordValue) and not value.type_name


#: What an array is made of.
Item: TypeAlias = Expr | RecordValue
Value: TypeAlias = Expr | ArrayValue | RecordValue


def shape_of(value: Value) -> tuple[int, ...]:
    return value.shape if isinstance(value, ArrayValue) else ()


def array_of(values: Sequence[Value]) -> ArrayValue:
    """`{a, b, c}`: values of one shape, stacked along a new first dimension."""
    if not values:
        return ArrayValue((0,), ())
    inner = shape_of(values[0])
    items: list[Expr | RecordValue] = []
    for v in values:
        if shape_of(v) != inner:
            raise ShapeMismatch(inner, shape_of(v))
        items += v.items if isinstance(v, ArrayValue) else [v]
    return ArrayValue((len(values), *inner), tuple(items))


def map_items(operation: Callable[[Expr], Expr], value: Value) -> Value:
    """Applies a scalar operation to every scalar of an array."""
    if isinstance(value, Expr):
        return operation(value)
    if isinstance(value, ArrayValue):
        return ArrayValue(value.shape, tuple(operation(scalar_item(v)) for v in value.items))
    raise NotScalar


def map_scalars(operation: Callable[[Expr], Expr], value: Value) -> Value:
    """Applies an operation to every scalar of a value, those of records included."""
    if isinstance(value, Expr):
        return operation(value)
    if isinstance(value, ArrayValue):
        items = (map_scalars(operation, v) for v in value.items)
        return ArrayValue(value.shape, tuple(i for i in items if not isinstance(i, ArrayValue)))
    return RecordValue(value.type_name, {n: map_scalars(operation, f) for n, f in value.fields.items()})


def zip_items(operation: Callable[[Expr, Expr], Expr], a: Value, b: Value) -> Value:
    """Applies a scalar operation to two arrays of one shape, or to an array and a scalar."""
    return zip_values(lambda p, q: operation(scalar_item(p), scalar_item(q)), a, b)


def zip_values(operation: Callable[[Item, Item], Item], a: Value, b: Value) -> Value:
    """Applies an operation that may take records to two arrays of one shape, or to an array and a scalar."""
    if isinstance(a, ArrayValue) and isinstance(b, ArrayValue):
        if a.shape != b.shape:
            raise ShapeMismatch(a.shape, b.shape)
        return ArrayValue(a.shape, tuple(operation(p, q) for p, q in zip(a.items, b.items, strict=True)))
    if isinstance(a, ArrayValue):
        assert not isinstance(b, ArrayValue)
        return ArrayValue(a.shape, tuple(operation(p, b) for p in a.items))
    if isinstance(b, ArrayValue):
        return ArrayValue(b.shape, tuple(operation(a, q) for q in b.items))
    return operation(a, b)


def elementwise(operation: Callable[..., Expr], values: Sequence[Value]) -> Value:
    """Applies a scalar operation of several arguments to arrays of one shape; scalars stand for arrays of
    equal elements."""
    shape = next((v.shape for v in values if isinstance(v, ArrayValue)), None)
    if shape is None:
        return operation(*map(scalar_item, values))
    for v in values:
        if shape_of(v) not in ((), shape):
            raise ShapeMismatch(shape, shape_of(v))
    columns = [v.items if isinstance(v, ArrayValue) else (v,) * prod(shape) for v in values]
    return ArrayValue(shape, tuple(operation(*map(scalar_item, row)) for row in zip(*columns, strict=True)))


def scalar_item(value: Value) -> Expr:
    if isinstance(value, Expr):
        return value
    raise NotScalar


def scalars_of(value: Value) -> Iterator[Expr]:
    """All scalars of a value in row-major and declaration order."""
    if isinstance(value, Expr):
        yield value
    elif isinstance(value, ArrayValue):
        for item in value.items:
            yield from scalars_of(item)
    else:
        for part in value.fields.values():
            yield from scalars_of(part)


def scalar_pairs(a: Value, b: Value) -> Iterator[tuple[Expr, Expr]]:
    """The scalars of two values that belong together: of arrays of one shape by position, of records with
    the same fields by name."""
    if isinstance(a, Expr) and isinstance(b, Expr):
        yield a, b
    elif isinstance(a, ArrayValue) and isinstance(b, ArrayValue) and a.shape == b.shape:
        for x, y in zip(a.items, b.items, strict=True):
            yield from scalar_pairs(x, y)
    elif isinstance(a, RecordValue) and isinstance(b, RecordValue) and a.fields.keys() == b.fields.keys():
        for name, field in a.fields.items():
            yield from scalar_pairs(field, b.fields[name])
    else:
        raise ValuesDiffer(a, b)


def member(value: Value, name: str) -> Value:
    """A field of a record, or of every record of an array."""
    if isinstance(value, RecordValue):
        return value.fields[name]
    if isinstance(value, ArrayValue):
        parts: list[Value] = [member(v, name) for v in value.items]
        inner = shape_of(parts[0]) if parts else ()
        items = tuple(i for part in parts for i in (part.items if isinstance(part, ArrayValue) else (part,)))
        return ArrayValue((*value.shape, *inner), items)
    raise NotScalar


def index_tuples(shape: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """All indices of a shape, counted from 1, in row-major order."""
    return product(*(range(1, n + 1) for n in shape))


def describe_shape(shape: tuple[int, ...]) -> str:
    return "a scalar" if not shape else "an array [" + ", ".join(map(str, shape)) + "]"


def describe(value: Value) -> str:
    if isinstance(value, RecordValue):
        return f"a record `{value.type_name}`"
    return describe_shape(shape_of(value))


class ShapeMismatch(Exception):
    """Two shapes that must agree do not. Turned into a diagnostic where the place is known."""

    def __init__(self, a: tuple[int, ...], b: tuple[int, ...]) -> None:
        super().__init__(f"{describe_shape(a)} does not fit {describe_shape(b)}")


class ValuesDiffer(Exception):
    """Two values that must fit together do not."""

    def __init__(self, a: Value, b: Value) -> None:
        super().__init__(f"{describe(a)} and {describe(b)}")


class NotScalar(Exception):
    """A record stands where numbers are needed."""

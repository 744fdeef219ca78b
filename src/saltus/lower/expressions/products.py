"""Products of arrays: of vectors and matrices, and powers of matrices (sections 10.6.5 and 10.6.7).

The arithmetic of the elements is given: that of numbers, or that of an operator record.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from saltus.lower.scope.values import ArrayValue, Item, ShapeMismatch, Value


@dataclass(frozen=True)
class Arithmetic:
    """How elements are multiplied, and how any number of them is added."""

    multiply: Callable[[Item, Item], Item]
    add: Callable[[Sequence[Item]], Item]


def product(a: ArrayValue, b: ArrayValue, elements: Arithmetic) -> Value:
    """vector*vector, matrix*vector, vector*matrix or matrix*matrix."""
    rank = (len(a.shape), len(b.shape))
    if rank not in ((1, 1), (2, 1), (1, 2), (2, 2)) or a.shape[-1] != b.shape[0]:
        raise ShapeMismatch(a.shape, b.shape)
    inner = b.shape[0]
    lines = a.shape[0] if rank[0] == 2 else 1
    width = b.shape[1] if rank[1] == 2 else 1
    rows = [a.items[k * inner : (k + 1) * inner] for k in range(lines)]
    columns = [b.items[k::width] for k in range(width)] if inner else [()] * width

    def dot(p: Sequence[Item], q: Sequence[Item]) -> Item:
        return elements.add([elements.multiply(u, v) for u, v in zip(p, q, strict=True)])

    items = tuple(dot(row, column) for row in rows for column in columns)
    shape = (*a.shape[:-1], *b.shape[1:])
    return ArrayValue(shape, items) if shape else items[0]


def power(a: ArrayValue, exponent: int, elements: Arithmetic) -> Value:
    """A square matrix to a power of at least 1, by repeated squaring."""
    result: ArrayValue | None = None
    square = a
    while True:
        if exponent % 2:
            result = square if result is None else _matrix(product(result, square, elements))
        exponent //= 2
        if not exponent:
            assert result is not None
            return result
        square = _matrix(product(square, square, elements))


def _matrix(value: Value) -> ArrayValue:
    assert isinstance(value, ArrayValue)
    return value

"""Values of expressions in all rows of a recording at once.

A checker that asks for every relation in every row cannot call `saltus.expr.evaluate` a million times. Here
an expression is computed once, with arrays in place of numbers. Both branches of an `if` are computed and one
is chosen, so what has no value in the branch that is not taken must not raise: it is NaN. What only a run
knows (the past that a `delay` remembers, an external object) has no value in any row.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from saltus.expr.evaluate import BUILTIN_FUNCTIONS, evaluate
from saltus.expr.nodes import LEAVES, RELATIONS, Expr, Op, Type
from saltus.expr.traversal import leaves
from saltus.functions.interpret import call_function

Column: TypeAlias = NDArray[Any]

#: Built-in functions that NumPy has with the same meaning; others are called number by number.
_ON_ARRAYS: dict[str, Callable[..., Any]] = {
    "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan,
    "atan2": np.arctan2, "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh, "exp": np.exp, "log": np.log,
    "log10": np.log10, "sqrt": np.sqrt, "abs": np.abs, "sign": np.sign, "floor": np.floor, "ceil": np.ceil,
    "min": np.minimum, "max": np.maximum, "integer": np.floor, "real": np.asarray,
}  # fmt: skip

_COMPARED: dict[Op, Callable[[Any, Any], Any]] = {
    Op.LT: np.less, Op.LE: np.less_equal, Op.GT: np.greater, Op.GE: np.greater_equal,
    Op.EQ: np.equal, Op.NE: np.not_equal,
}  # fmt: skip


class Unknown(Exception):
    """An expression has a value only during a run."""


def column_of(e: Expr, leaf: Callable[[Expr], Column], count: int) -> Column:
    """The values of an expression in `count` rows, where `leaf` gives those of REF, DER and PRE. Raises
    `Unknown`."""
    memo: dict[Expr, Column] = {}
    stack = [e]
    with np.errstate(all="ignore"):
        while stack:
            node = stack[-1]
            if node in memo:
                stack.pop()
            elif node.op is Op.CONST:
                memo[node] = np.full(count, node.data)
            elif node.op in LEAVES:
                memo[node] = leaf(node)
            elif node.op is Op.ITEM:
                memo[node] = _row_by_row(node, leaf, count)
            else:
                missing = [a for a in node.args if a not in memo]
                stack += missing
                if not missing:
                    memo[node] = _value(node, [memo[a] for a in node.args])
    return memo[e]


def _value(node: Expr, args: Sequence[Column]) -> Column:
    if node.op in RELATIONS:
        compared: Column = _COMPARED[node.op](args[0], args[1])
        return compared
    match node.op:
        case Op.ADD:
            return np.asarray(reduce(np.add, args))
        case Op.MUL:
            return reduce(np.multiply, args)
        case Op.NEG:
            return np.asarray(np.negative(args[0]))
        case Op.DIV:
            return np.asarray(np.divide(args[0], args[1]))
        case Op.POW:
            return np.asarray(np.power(args[0].astype(float), args[1].astype(float)))
        case Op.AND:
            return reduce(np.logical_and, args)
        case Op.OR:
            return reduce(np.logical_or, args)
        case Op.NOT:
            return np.logical_not(args[0])
        case Op.IF:
            return np.where(args[0].astype(bool), args[1], args[2])
        case Op.NOEVENT | Op.SMOOTH | Op.HOMOTOPY:
            return args[0]
        case Op.CALL if node.data in _ON_ARRAYS:
            # min and max have any number of arguments.
            function = _ON_ARRAYS[node.data]
            return reduce(function, args) if node.data in ("min", "max") else np.asarray(function(*args))
        case Op.CALL if node.data in BUILTIN_FUNCTIONS and node.data != "peek":
            return _numbers(BUILTIN_FUNCTIONS[node.data], args)
        case _:
            raise Unknown(str(node.op))


def _numbers(function: Callable[..., Any], args: Sequence[Column]) -> Column:
    """A function of numbers, row by row."""

    def guarded(*numbers: Any) -> float:
        try:
            return float(function(*numbers))
        except (ZeroDivisionError, ValueError, OverflowError):
            return float("nan")

    return np.array([guarded(*row) for row in zip(*(a.tolist() for a in args), strict=True)])


def _row_by_row(node: Expr, leaf: Callable[[Expr], Column], count: int) -> Column:
    """A call of a user function: interpreted, once for each row."""
    if any(inner.type is Type.OBJECT for inner in leaves(node)):
        raise Unknown("an external object")
    columns = {inner: leaf(inner).tolist() for inner in leaves(node)}
    found = np.full(count, np.nan)
    for row in range(count):
        numbers = {inner: column[row] for inner, column in columns.items()}
        try:
            found[row] = float(evaluate(node, numbers.__getitem__, call_function))
        except (ArithmeticError, ValueError, IndexError):
            continue
    return found

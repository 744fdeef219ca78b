"""Value of an expression in Python numbers: the reference meaning of every operator.

The generated code of all back ends has to agree with this file. Reals are IEEE doubles: an overflow gives
an infinity, as in native code, but a division by zero and an argument outside a function's domain raise
(ZeroDivisionError, ValueError), since the caller can name the expression. So does an Integer that leaves the
range in which doubles are exact (OverflowError). `if`, `and` and `or` compute
only what they need, so a condition guards its branches.

Each distinct node is computed once, on a stack of its own, so neither sharing nor depth costs.
"""

from __future__ import annotations

import ctypes
import math
import re
from collections.abc import Callable, Iterable
from functools import reduce
from operator import add, mul
from typing import Any, TypeAlias

from saltus.expr.nodes import LARGEST_INTEGER, RELATIONS, Expr, Op, Type, compare, leaf_symbol

Value: TypeAlias = float | int | bool | str
#: What a user function is given: values, and arrays of them, row by row.
Nested: TypeAlias = "Value | list[Nested]"


#: What can make an Integer that is larger than those it is made of, or of a Real.
LARGE_OPERATIONS = frozenset({Op.ADD, Op.MUL, Op.CALL})


class NotEvaluable(Exception):
    """The node has no value outside a run (or without a way to call user functions)."""

    def __init__(self, node: Expr) -> None:
        self.node = node
        super().__init__(f"{node!r} has a value only during a run")


# ---------------------------------------------------------------- built-in functions


# Python raises OverflowError where IEEE arithmetic, and so native code, gives an infinity.


def _exp(x: float) -> float:
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf


def _cosh(x: float) -> float:
    try:
        return math.cosh(x)
    except OverflowError:
        return math.inf


def _sinh(x: float) -> float:
    try:
        return math.sinh(x)
    except OverflowError:
        return math.copysign(math.inf, x)


def power(base: float, exponent: float) -> float:
    """`base ^ exponent` of Reals."""
    x, n = float(base), float(exponent)
    try:
        result: float | complex = x**n
    except OverflowError:
        return -math.inf if x < 0 and n % 2 == 1 else math.inf
    if isinstance(result, complex):
        raise ValueError("power of a negative number with a fractional exponent")
    return result


def _floor(x: float) -> float:
    return float(math.floor(x)) if math.isfinite(x) else float(x)


def _ceil(x: float) -> float:
    return float(math.ceil(x)) if math.isfinite(x) else float(x)


def _integer(x: float) -> int:
    if not math.isfinite(x):
        raise ValueError("integer() of a number that is not finite")
    return math.floor(x)


def _sign(x: float) -> int:
    return (x > 0) - (x < 0)


def _div(x: float, y: float) -> float:
    """The quotient, its fraction dropped: toward zero."""
    if isinstance(x, int) and isinstance(y, int):
        quotient = abs(x) // abs(y)
        return quotient if (x < 0) == (y < 0) else -quotient
    ratio = x / y
    return float(math.trunc(ratio)) if math.isfinite(ratio) else ratio


def _mod(x: float, y: float) -> float:
    """x - floor(x/y)*y: the sign of y."""
    if isinstance(x, int) and isinstance(y, int):
        return x % y
    return x - _floor(x / y) * y


def _rem(x: float, y: float) -> float:
    """x - div(x, y)*y: the sign of x."""
    return x - _div(x, y) * y


def _string(x: Value) -> str:
    """`String(x)` with its default format: six significant digits for a Real."""
    if isinstance(x, bool):
        return "true" if x else "false"
    return f"{x:.6g}" if isinstance(x, float) else str(x)


#: No number takes more places than this to be written.
_WIDEST = 10_000


def _format(x: Value, form: str) -> str:
    """`String(x, format = form)`: the conversions of C. Booleans and enumeration literals are words."""
    if any(int(number) > _WIDEST for number in re.findall(r"\d+", form)):
        raise ValueError(f"a text with the format {form} is too long")
    if isinstance(x, bool):
        x = _string(x)
    if isinstance(x, str):
        return ("%" + form[:-1] + "s") % x
    if form[-1:] in "diouxXc" and isinstance(x, float):
        x = math.trunc(x)
    text: str = ("%" + form.replace("u", "d")) % x
    return text


def peek(address: int, place: float) -> float:
    """The number at a place of an external object: eight bytes of the memory of this process. There is no
    object at 0, where addresses are before a run has made its objects."""
    return ctypes.c_double.from_address(int(address) + 8 * int(place)).value if address else 0.0


#: The numeric built-in functions of `nodes.BUILTINS` on Python numbers.
BUILTIN_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "asin": math.asin,
    "acos": math.acos,
    "atan": math.atan,
    "atan2": math.atan2,
    "sinh": _sinh,
    "cosh": _cosh,
    "tanh": math.tanh,
    "exp": _exp,
    "log": math.log,
    "log10": math.log10,
    "sqrt": math.sqrt,
    "abs": abs,
    "sign": _sign,
    "min": min,
    "max": max,
    "div": _div,
    "mod": _mod,
    "rem": _rem,
    "floor": _floor,
    "ceil": _ceil,
    "integer": _integer,
    "real": float,
    "peek": peek,
}

_FUNCTIONS: dict[str, Callable[..., Any]] = {
    **BUILTIN_FUNCTIONS,
    "String": _string,
    "format": _format,
    "concat": add,
}


# ---------------------------------------------------------------- expressions


def evaluate(
    e: Expr,
    values: Callable[[Expr], Any],
    apply: Callable[[Any, list[Any]], list[Any]] | None = None,
) -> Any:
    """The value of an expression: a float, int, bool or str according to its type.

    `values` gives the value of a REF, DER or PRE leaf (of an array local: a nested sequence). `apply`
    calls a user function: it gets the function object and the arguments, arrays as nested lists, and
    returns the flat list of scalar outputs. Without it a call of a user function raises `NotEvaluable`,
    as do `sample`, `initial` and whatever else has a value only during a run.
    """
    memo: dict[Expr, Any] = {}
    stack = [e]
    position: dict[Expr, int] = {}  # how far an `and` or `or` has come
    while stack:
        node = stack[-1]
        if node in memo:
            stack.pop()
            continue
        match node.op:
            case Op.CONST:
                memo[node] = node.data
            case Op.REF | Op.DER | Op.PRE:
                memo[node] = values(node) if leaf_symbol(node).shape else _typed(node.type, values(node))
            case Op.IF:
                condition = node.args[0]
                if condition not in memo:
                    stack.append(condition)
                    continue
                branch = node.args[1 if memo[condition] else 2]
                if branch not in memo:
                    stack.append(branch)
                    continue
                memo[node] = _typed(node.type, memo[branch])
            case Op.HOMOTOPY:
                if node.args[0] not in memo:
                    stack.append(node.args[0])
                    continue
                memo[node] = _typed(node.type, memo[node.args[0]])
            case Op.AND | Op.OR:
                absorbing = node.op is Op.OR
                at = position.get(node, 0)
                if at and memo[node.args[at - 1]] is absorbing:
                    memo[node] = absorbing
                elif at == len(node.args):
                    memo[node] = not absorbing
                else:
                    position[node] = at + 1
                    stack.append(node.args[at])
            case _:
                missing = [a for a in node.args if a not in memo]
                if missing:
                    stack.extend(missing)
                    continue
                memo[node] = value = _value(node, [memo[a] for a in node.args], apply)
                if node.type is Type.INTEGER and node.op in LARGE_OPERATIONS and abs(value) > LARGEST_INTEGER:
                    raise OverflowError(f"the Integer {value} is beyond {LARGEST_INTEGER} (2^53 - 1)")
    return memo[e]


def _typed(kind: Type, value: Any) -> Any:
    """A value as its type wants it: memories of doubles and overridden parameters give other types."""
    match kind:
        case Type.REAL:
            return float(value)
        case Type.INTEGER:
            return int(value)
        case Type.BOOLEAN:
            return bool(value)
        case Type.STRING | Type.OBJECT | Type.CLOCK:
            return value


def _value(node: Expr, args: list[Any], apply: Callable[[Any, list[Any]], list[Any]] | None) -> Any:
    """The value of an operator that needs all its arguments."""
    match node.op:
        case Op.ADD:
            return reduce(add, args)
        case Op.MUL:
            return reduce(mul, args)
        case Op.NEG:
            return -args[0]
        case Op.DIV:
            return args[0] / args[1]
        case Op.POW:
            return power(args[0], args[1])
        case Op.NOT:
            return not args[0]
        case Op.NOEVENT | Op.SMOOTH:
            return args[0]
        case Op.CALL:
            return _typed(node.type, _FUNCTIONS[node.data](*args))
        case Op.ITEM:
            return _typed(node.type, args[0][node.data])
        case Op.ARRAY:
            return _nested(node.data, args)
        case Op.INDEX:
            return _typed(node.type, _element(args[0], args[1:]))
        case Op.APPLY if apply is not None:
            return apply(node.data, args)
        case op if op in RELATIONS:
            return compare(op, args[0], args[1])
        case _:
            raise NotEvaluable(node)


def _nested(shape: tuple[int, ...], elements: list[Any]) -> list[Any]:
    if len(shape) <= 1:
        return elements
    size = math.prod(shape[1:])
    return [_nested(shape[1:], elements[i * size : (i + 1) * size]) for i in range(shape[0])]


def _element(array: Any, indices: Iterable[int]) -> Any:
    for i in indices:
        if not 1 <= i <= len(array):
            raise IndexError(f"index {i} is outside 1 to {len(array)}")
        array = array[i - 1]
    return array

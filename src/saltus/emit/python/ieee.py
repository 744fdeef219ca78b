"""Arithmetic of the Python back end as floating-point hardware does it: nan and infinities, no exceptions.

Names here are those that the printed Python source uses.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from scipy.linalg import lapack

from saltus.emit.python import recall
from saltus.expr.evaluate import peek
from saltus.ir.program import FUNCTION_FAILED

_Real: TypeAlias = Callable[[float], float]


class Failure(Exception):
    """Ends a routine with a status."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


def divide(a: float, b: float) -> float:
    """a / b, with infinities for division by zero."""
    try:
        return a / b
    except ZeroDivisionError:
        if a == 0 or math.isnan(a):
            return math.nan
        return math.copysign(math.inf, a) * math.copysign(1.0, b)


def power(a: float, b: float) -> float:
    """a ^ b as the C library does it."""
    try:
        return math.pow(a, b)
    except OverflowError:
        return -math.inf if a < 0 and b % 2 == 1 else math.inf
    except ValueError:
        if a == 0:
            return math.copysign(math.inf, a) if b % 2 == 1 else math.inf
        return math.nan


def _guarded(function: _Real, overflow: _Real) -> _Real:
    def evaluate(x: float) -> float:
        try:
            return function(x)
        except ValueError:
            return math.nan
        except OverflowError:
            return overflow(x)

    return evaluate


def _positive(x: float) -> float:
    return math.inf


def _signed(x: float) -> float:
    return math.copysign(math.inf, x)


def _log(function: _Real) -> _Real:
    guarded = _guarded(function, _positive)

    def evaluate(x: float) -> float:
        return -math.inf if x == 0 else guarded(x)

    return evaluate


def floor(x: float) -> float:
    return float(math.floor(x)) if math.isfinite(x) else x


def ceil(x: float) -> float:
    return float(math.ceil(x)) if math.isfinite(x) else x


def trunc(x: float) -> float:
    return float(math.trunc(x)) if math.isfinite(x) else x


def sign(x: float) -> float:
    return 1.0 if x > 0 else -1.0 if x < 0 else 0.0


def minimum(a: float, b: float) -> float:
    return a if a < b else b


def maximum(a: float, b: float) -> float:
    return a if a > b else b


def quotient(a: float, b: float) -> float:
    """Modelica's div: a / b without its fraction."""
    return trunc(divide(a, b))


def modulo(a: float, b: float) -> float:
    return a - floor(divide(a, b)) * b


def remainder(a: float, b: float) -> float:
    return a - quotient(a, b) * b


#: Built-in functions by Modelica name: what the printed source calls, and the function behind it.
BUILTINS: dict[str, tuple[str, Callable[..., float]]] = {
    "sin": ("sin", _guarded(math.sin, _signed)),
    "cos": ("cos", _guarded(math.cos, _signed)),
    "tan": ("tan", _guarded(math.tan, _signed)),
    "asin": ("asin", _guarded(math.asin, _signed)),
    "acos": ("acos", _guarded(math.acos, _signed)),
    "atan": ("atan", math.atan),
    "atan2": ("atan2", math.atan2),
    "sinh": ("sinh", _guarded(math.sinh, _signed)),
    "cosh": ("cosh", _guarded(math.cosh, _positive)),
    "tanh": ("tanh", math.tanh),
    "exp": ("exp", _guarded(math.exp, _positive)),
    "log": ("log", _log(math.log)),
    "log10": ("log10", _log(math.log10)),
    "sqrt": ("sqrt", _guarded(math.sqrt, _positive)),
    "abs": ("abs", abs),
    "sign": ("sign", sign),
    "min": ("minimum", minimum),
    "max": ("maximum", maximum),
    "div": ("quotient", quotient),
    "mod": ("modulo", modulo),
    "rem": ("remainder", remainder),
    "floor": ("floor", floor),
    "ceil": ("ceil", ceil),
    "integer": ("floor", floor),
    "real": ("float", float),
    "peek": ("peek", peek),
}


def position(shape: Sequence[int], *indices: float) -> int:
    """Place of an element in a flat array; indices count from 1."""
    at = 0
    for extent, i in zip(shape, indices, strict=True):
        if not 1 <= i <= extent:
            raise Failure(FUNCTION_FAILED)
        at = at * extent + int(i) - 1
    return at


def solve_linear(matrix: list[float], right: list[float]) -> bool:
    """right := matrix^-1 right, both flat lists, the matrix row by row; False if it is singular."""
    n = len(right)
    _, _, x, info = lapack.dgesv(np.array(matrix).reshape(n, n), np.array(right))
    if info != 0:
        return False
    right[:] = x.tolist()
    return True


def namespace() -> dict[str, object]:
    """The names that printed source may use."""
    names: dict[str, object] = dict(BUILTINS.values())
    names.update(
        Failure=Failure,
        divide=divide,
        power=power,
        position=position,
        solve_linear=solve_linear,
        **{f"recall_{name.replace('.', '_')}": function for name, function in recall.QUESTIONS.items()},
        inf=math.inf,
        nan=math.nan,
    )
    return names

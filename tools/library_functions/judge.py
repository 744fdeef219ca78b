"""A case, what it is compared with, and the verdict."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]

#: What is left of a result when its truth is subtracted, for all outputs of a function.
Residual: TypeAlias = Callable[[Sequence[Array]], Any]

#: How large that may be, relative to the numbers of the truth.
CLOSE = 1e-9


@dataclass(frozen=True)
class Case:
    """A call of a function. `outputs` are types with sizes, such as `Real[2,2]`; `residual` is what must be
    zero. Arguments are numbers, arrays, truths, or Modelica text."""

    function: str
    arguments: tuple[Any, ...]
    outputs: tuple[str, ...]
    residual: Residual
    close: float = CLOSE


def case(function: str, arguments: Sequence[Any], *expected: Any, close: float = CLOSE) -> Case:
    """A case whose results are known; their types follow from the values."""
    outputs = tuple(_type(value) for value in expected)

    def residual(found: Sequence[Array]) -> Any:
        pairs = zip(found, expected, strict=True)
        scales = [max(1.0, float(np.abs(np.asarray(e, dtype=float)).max(initial=0.0))) for e in expected]
        return [
            (np.asarray(f) - np.asarray(e, dtype=float)) / s for (f, e), s in zip(pairs, scales, strict=True)
        ]

    return Case(f"Modelica.Math.{function}", tuple(arguments), outputs, residual, close)


def holds(
    function: str, arguments: Sequence[Any], outputs: Sequence[str], residual: Residual, close: float = CLOSE
) -> Case:
    """A case whose results satisfy an equation."""
    return Case(f"Modelica.Math.{function}", tuple(arguments), tuple(outputs), residual, close)


def _type(value: Any) -> str:
    array = np.asarray(value)
    kind = {"b": "Boolean", "i": "Integer", "f": "Real"}[array.dtype.kind]
    return kind + (f"[{','.join(map(str, array.shape))}]" if array.shape else "")


def largest(residual: Any) -> float:
    """The largest number of a residual, which may be nested; infinite if one is none."""
    if isinstance(residual, list | tuple):
        return max((largest(r) for r in residual), default=0.0)
    array = np.abs(np.asarray(residual, dtype=float))
    return float(array.max(initial=0.0)) if bool(np.isfinite(array).all()) else float("inf")

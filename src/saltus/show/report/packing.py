"""Data for the page: JSON that can stand in HTML, with arrays of numbers in base64.

{"type": "f8", "data": "AAAAAAAA8D8="}      1.0, little-endian, as a typed array of JavaScript reads it
"""

from __future__ import annotations

import math
from base64 import b64encode
from typing import Any

import numpy as np
import orjson
from numpy.typing import ArrayLike

#: A Boolean that a mode does not have.
NONE = 255


def packed(values: ArrayLike, kind: str) -> dict[str, str]:
    """An array as numbers of a kind: f8, f4, u1, u2 or u4."""
    numbers = np.ascontiguousarray(values, dtype=np.dtype(kind).newbyteorder("<"))
    return {"type": kind, "data": b64encode(numbers.tobytes()).decode("ascii")}


def smallest_kind(largest: int) -> str:
    """The kind that can count so far."""
    return "u1" if largest < NONE else "u2" if largest < 2**16 else "u4"


def plain(value: Any) -> Any:
    """A value as JSON has it: numbers with the digits that are shown, what is not finite as a text."""
    if isinstance(value, float):
        return float(f"{value:.9g}") if math.isfinite(value) else str(value)
    return value


def script_json(data: Any) -> str:
    """JSON that can stand inside a `script` element: nothing in it ends the element."""
    return orjson.dumps(data).decode("utf-8").replace("<", "\\u003c")

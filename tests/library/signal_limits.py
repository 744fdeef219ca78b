"""Both limits of a signal at each point of a result, compared with a formula.

At an event a result has a row with the values before and one with those after it. A formula with jumps is
asked a little earlier for the one, and a little later for the other; how much that is does not matter for
what is compared, as long as nothing else happens in between.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

import saltus

Values = NDArray[np.float64]
Formula = Callable[[Values], Values]

#: Seconds on either side of a point.
NEAR = 1e-9


def limit_error(result: saltus.Result, name: str, formula: Formula) -> float:
    """The largest difference between a variable and a formula, in left limits as well as in right limits."""
    time, values = np.asarray(result.time), np.asarray(result[name], dtype=float)
    apart = np.diff(time) > 2 * NEAR  # events of several parts may be a rounding error apart
    later = np.append(apart, True)  # the last row of an instant has the right limits
    earlier = np.append(False, apart)  # the first one the left limits; there is none at the start
    right = np.abs(values[later] - formula(time[later] + NEAR))
    left = np.abs(values[earlier] - formula(time[earlier] - NEAR))
    return float(max(right.max(), left.max()))


def jumps(result: saltus.Result, name: str) -> list[tuple[float, float]]:
    """When a variable that is constant in between changes, and to what; its value at the start first."""
    time, values = np.asarray(result.time), np.asarray(result[name], dtype=float)
    rows = np.append(True, np.diff(values) != 0)
    return list(zip(time[rows].tolist(), values[rows].tolist(), strict=True))

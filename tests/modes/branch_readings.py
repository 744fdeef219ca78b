"""Reading results of models whose variables exist now and then."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from saltus import Result


def at(result: Result, time: float, *names: str) -> list[float]:
    """Values at an output point."""
    row = int(np.argmin(np.abs(result.time - time)))
    assert abs(result.time[row] - time) < 1e-9, "not an output point"
    return [float(result[name][row]) for name in names]


def exists(result: Result, name: str) -> NDArray[np.bool_]:
    """Where a variable has a value."""
    return ~np.isnan(result[name])


def assert_exists(result: Result, name: str, start: float, stop: float) -> None:
    """It has a value from one time to another, both included, and none before and after."""
    found, time = exists(result, name), result.time
    inside = (time > start + 1e-6) & (time < stop - 1e-6)
    outside = (time < start - 1e-6) | (time > stop + 1e-6)
    assert inside.any() and found[inside].all()
    assert not found[outside].any()
    assert np.isclose(time[found][0], start, atol=1e-6) and np.isclose(time[found][-1], stop, atol=1e-6)

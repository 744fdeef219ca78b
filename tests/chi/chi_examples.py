"""The examples in the language chi, by name, and the laws of their tanks; what is read from runs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from scipy.optimize import brentq

import saltus

EXAMPLES = Path(__file__).parents[2] / "examples"


def example(name: str) -> Path:
    """The file of an example of paper 004."""
    return EXAMPLES / "papers" / f"{name}.chi"


def duration(h0: float, h1: float, inflow: float, area: float, k: float) -> float:
    """How long a level takes from h0 to h1 while A h' = inflow - k sqrt(h): with y = sqrt(h),
    t = -2A/k (y - y0) - 2A inflow/k^2 ln((inflow - k y)/(inflow - k y0))."""
    y0, y1 = math.sqrt(h0), math.sqrt(h1)
    if inflow == 0:
        return 2 * area / k * (y0 - y1)
    logarithm = math.log((inflow - k * y1) / (inflow - k * y0))
    return -2 * area / k * (y1 - y0) - 2 * area * inflow / k**2 * logarithm


def level(t: float, h0: float, inflow: float, area: float, k: float) -> float:
    """The level a time t after h0."""
    if t <= 0:
        return h0
    rest = (inflow / k) ** 2
    margin = abs(rest - h0) * 1e-13
    ends = (h0, rest - margin) if rest > h0 else (rest + margin, h0)
    return float(brentq(lambda h: duration(h0, h, inflow, area, k) - t, *ends, xtol=1e-15))


def changes(result: saltus.Result, name: str) -> list[tuple[float, float]]:
    """(time, new value) wherever a piecewise constant variable changes."""
    values = np.asarray(result[name], dtype=float)
    rows = np.flatnonzero(np.diff(values)) + 1
    return [(float(result.time[row]), float(values[row])) for row in rows]


def uniform(seed: int, stream: int) -> Iterator[float]:
    """The numbers of Park and Miller: r' = 16807 r mod (2^31 - 1)."""
    r = 1 + (69621 * seed + 1000003 * stream) % (2**31 - 2)
    while True:
        r = 16807 * r % (2**31 - 1)
        yield r / (2**31 - 1)

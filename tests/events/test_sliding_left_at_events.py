"""Surfaces that an event takes the run away from: a force that leaps, and a free-wheel on the same speed.

Found by `tools/differential`.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq
from tools.obedience.judge import violations

import saltus

METHODS = ("bdf", "ida", "adams", "rk45", "auto")

_PUSHED = """
model Pushed "two frictions hold a mass until a force is greater than both"
  parameter Real f1 = 0.5, f2 = 0.7, F = -6.4;
  Real v(start = -1.6, fixed = true), a, b;
equation
  a = if v > 0 then f1 else -f1;
  b = if v > 0 then f2 else -f2;
  der(v) = (if time < 2 then 0 else F) - a - b;
end Pushed;
"""


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("force", [-6.4, 3.0])
def test_no_row_has_more_friction_than_there_is(method: str, force: float) -> None:
    result = saltus.load(_PUSHED).simulate(stop_time=3, method=method, tolerance=1e-8, set={"F": force})
    t, v = result.time, result["v"]
    moved = np.sign(force) * (abs(force) - 1.2) * np.maximum(t - 2, 0)
    assert np.abs(v - np.minimum(-1.6 + 1.2 * t, 0) - moved).max() < 1e-6
    assert np.abs(result["a"]).max() <= 0.5 + 1e-9 and np.abs(result["b"]).max() <= 0.7 + 1e-9
    assert violations(result, 1e-8) == []


@pytest.mark.parametrize("method", METHODS)
def test_force_that_friction_can_hold_changes_nothing(method: str) -> None:
    result = saltus.load(_PUSHED).simulate(stop_time=3, method=method, tolerance=1e-8, set={"F": 1.1})
    late = result.time > 2
    assert np.abs(result["v"][late]).max() < 1e-9
    assert np.abs((result["a"] + result["b"])[late] - 1.1).max() < 1e-9


_WHEEL = """
model Wheel "friction and a free-wheel between the same two masses"
  Real v1(start = 1, fixed = true), v2(start = 0, fixed = true), f, s, fw;
  Boolean free = s > 0;
equation
  f = if v1 - v2 > 0 then 0.5 else -0.5;
  v1 - v2 = if free then s else 0;
  fw = if free then 0 else s;
  der(v1) = 3*cos(3*time) - f - fw;
  2*der(v2) = f + fw;
end Wheel;
"""


def _slip(t: np.ndarray) -> np.ndarray:
    """By hand: w' = 3 cos(3 t) - 0.75 while the masses slip; else nothing, until that is positive."""
    slip, start, offset = np.zeros_like(t), 0.0, 1.0
    while start < t[-1]:

        def motion(x: float, start: float = start, offset: float = offset) -> float:
            return float(offset + np.sin(3 * x) - np.sin(3 * start) - 0.75 * (x - start))

        fine = np.linspace(start + 0.05, start + 5, 2000)
        below = next(k for k, x in enumerate(fine) if motion(x) < 0)
        end = brentq(motion, fine[below - 1], fine[below], xtol=1e-13)
        inside = (t >= start) & (t <= end)
        slip[inside] = [motion(x) for x in t[inside]]
        turn = 2 * np.pi / 3
        start = (np.ceil((end * 3 + np.arccos(0.25)) / (2 * np.pi)) * 2 * np.pi - np.arccos(0.25)) / 3
        assert end < start < end + turn
        offset = 0.0
    return slip


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("tolerance", "error"), [(1e-6, 1e-3), (1e-9, 1e-6)])
def test_sliding_ends_where_a_free_wheel_locks(method: str, tolerance: float, error: float) -> None:
    result = saltus.load(_WHEEL).simulate(stop_time=5, method=method, tolerance=tolerance)
    t, v1, v2 = result.time, result["v1"], result["v2"]
    assert np.abs(v1 + 2 * v2 - 1 - np.sin(3 * t)).max() < error
    assert np.abs(v1 - v2 - _slip(t)).max() < 10 * error
    assert violations(result, tolerance) == []

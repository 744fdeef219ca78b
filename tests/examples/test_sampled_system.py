"""Both forms of the difference equation against its recursion in plain Python.

Tolerance: no integration is involved; what remains is rounding in the sine and in the recursion, whose
factor 0.5 damps old errors.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

ROUNDING = 1e-14


def recursion(a: float, b: float, period: float, count: int) -> list[float]:
    """x[0] = 0 before the first sample, then one value per sample."""
    values = [0.0]
    for k in range(1, count + 1):
        values.append(-a * values[-1] + b * math.sin(k * period))
    return values


def test_samples(simulate) -> None:
    run = simulate("SampledSystem.mo", "u", "x", "xs", "samples", "nextTime")
    values = recursion(-0.5, 0.8, 0.25, 20)
    expected_times = 0.25 * np.arange(1, 21)  # the last sample is due at the stop time itself
    np.testing.assert_array_equal(run.event_times, expected_times)
    for name in ("x", "xs"):
        np.testing.assert_allclose(run[name][run.right_rows], values[1:], atol=ROUNDING)
        np.testing.assert_allclose(run[name][run.right_rows - 1], values[:-1], atol=ROUNDING)
    np.testing.assert_array_equal(run["samples"][run.right_rows], np.arange(1, 21))
    np.testing.assert_array_equal(run["nextTime"][run.right_rows], expected_times + 0.25)


def test_values_are_held_between_samples(simulate) -> None:
    run = simulate("SampledSystem.mo", "u", "x", "xs", "samples", "nextTime")
    values = np.array(recursion(-0.5, 0.8, 0.25, 20))
    between = run.time % 0.25 != 0
    index = (run.time[between] // 0.25).astype(int)
    np.testing.assert_allclose(run["x"][between], values[index], atol=ROUNDING)
    np.testing.assert_array_equal(run["x"][between], run["xs"][between])
    np.testing.assert_allclose(run["u"], np.sin(run.time), atol=ROUNDING)


@pytest.mark.parametrize("period", [0.1, 0.3, 1 / 3])
def test_periods_that_are_no_binary_fraction(simulate, period: float) -> None:
    """Adding up the period rounds; k times the period rounds once. Both count the same samples."""
    run = simulate("SampledSystem.mo", "x", "xs", "samples", set={"period": period}, stop_time=2.95)
    count = math.floor(2.95 / period)
    assert run["samples"][-1] == count
    expected = recursion(-0.5, 0.8, period, count)[-1]
    assert abs(run["xs"][-1] - expected) < ROUNDING
    # The times of the first form have collected up to `count` roundings; the sine is no steeper than 1.
    assert abs(run["x"][-1] - expected) < ROUNDING + count * 3 * math.ulp(1.5)

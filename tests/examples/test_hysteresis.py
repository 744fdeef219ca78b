"""The relay against its closed form: it switches up at asin(H) and down half a period later.

Tolerance: the input depends on the time alone, so only the root finder's location error is left, which is
about a hundred roundings of the time.
"""

from __future__ import annotations

import numpy as np

LOCATION = 1e-9


def switching_times(threshold: float, omega: float, stop: float) -> np.ndarray:
    """sin(omega t) rises through the threshold, then falls through its negative, and so on."""
    first = np.arcsin(threshold)
    times = (first + np.pi * np.arange(100)) / omega
    return times[times <= stop]


def test_switching_times(simulate) -> None:
    run = simulate("Hysteresis.mo", "u", "y")
    expected = switching_times(0.5, 2, 10)
    assert len(expected) == 7
    switched = run.changes("y")
    assert len(switched) == len(expected)
    np.testing.assert_allclose(switched, expected, atol=LOCATION)


def test_output_keeps_its_value_between(simulate) -> None:
    run = simulate("Hysteresis.mo", "u", "y")
    expected = switching_times(0.5, 2, 10)
    away = np.min(np.abs(run.time[:, None] - expected), axis=1) > 1e-6
    level = -1 + 2 * (np.searchsorted(expected, run.time[away]) % 2)
    np.testing.assert_array_equal(run["y"][away], level)
    np.testing.assert_allclose(run["u"], np.sin(2 * run.time), atol=1e-14)


def test_both_limits_at_a_switch(simulate) -> None:
    run = simulate("Hysteresis.mo", "u", "y")
    after = run.change_rows("y")
    np.testing.assert_array_equal(run["y"][after], [1, -1, 1, -1, 1, -1, 1])
    np.testing.assert_array_equal(run["y"][after - 1], [-1, 1, -1, 1, -1, 1, -1])
    np.testing.assert_allclose(run["u"][after], 0.5 * run["y"][after], atol=2 * LOCATION)  # omega = 2


def test_wide_hysteresis_never_switches(simulate) -> None:
    run = simulate("Hysteresis.mo", "y", set={"H": 1.5})
    assert set(run["y"]) == {-1.0}
    assert len(run.event_times) == 0

"""The limiter against its closed form.

Tolerances. y is computed from the time alone, so between events it is exact to rounding. A crossing is
located by CVODE's root finder to about a hundred roundings of the time. The area is integrated with local
errors below 1e-8 per step; over the some hundred steps of the run they add up to below 1e-6.
"""

from __future__ import annotations

import numpy as np
import pytest

LOCATION = 1e-9
AREA = 1e-6

CROSSINGS = np.pi / 6 * np.array([1, 5, 7, 11, 13, 17, 19])  # 2 sin t = 1 or -1, up to t = 10


def area(t: float) -> float:
    """Integral of the limited wave from 0: whole pieces between crossings, each in closed form."""
    total, left = 0.0, 0.0
    for right in (*CROSSINGS[t > CROSSINGS], t):
        middle = 2 * np.sin((left + right) / 2)
        if abs(middle) > 1:
            total += np.sign(middle) * (right - left)
        else:
            total += 2 * (np.cos(left) - np.cos(right))
        left = right
    return total


def test_area_of_one_period_vanishes() -> None:
    """A check of the reference itself."""
    assert abs(area(2 * np.pi)) < 1e-14
    assert abs(area(np.pi / 6) - (2 - np.sqrt(3))) < 1e-14


def test_output_is_the_clipped_wave(simulate) -> None:
    run = simulate("Limiter.mo", "x", "y", "area")
    assert run.time[0] == 0 and run.time[-1] == 10
    np.testing.assert_allclose(run["x"], 2 * np.sin(run.time), atol=1e-14)
    np.testing.assert_allclose(run["y"], np.clip(2 * np.sin(run.time), -1, 1), atol=LOCATION)


def test_events_are_where_the_wave_meets_the_limits(simulate) -> None:
    run = simulate("Limiter.mo", "x", "y", "area")
    assert len(run.event_times) == len(CROSSINGS)
    np.testing.assert_allclose(run.event_times, CROSSINGS, atol=LOCATION)


def test_area_is_the_closed_form(simulate) -> None:
    run = simulate("Limiter.mo", "x", "y", "area")
    np.testing.assert_allclose(run["area"], [area(t) for t in run.time], atol=AREA)


def test_limits_can_be_set(simulate) -> None:
    run = simulate("Limiter.mo", "y", set={"limit.highLimit": 1.5, "amplitude": 1.75})
    np.testing.assert_allclose(run["y"], np.clip(1.75 * np.sin(run.time), -1, 1.5), atol=LOCATION)
    # At the left limit of an event x is past the limit, by the last digits of the time.
    assert run["y"].max() == pytest.approx(1.5, abs=1e-13)

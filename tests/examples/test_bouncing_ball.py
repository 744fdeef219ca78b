"""The bouncing ball against closed form: parabolas between impacts at known times.

Tolerances. The parabola is of second degree and CVODE's formula of order two follows it exactly, so the
error comes from the first, low-order steps after each restart, whose local error is kept below 1e-8 of the
size (about 4 m/s, 1 m). An error dv of the speed at an impact moves the next one by 2 dv/g; the errors of
the 6 flights together stay below 1e-6.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

TOLERANCE = 1e-6


def impacts(c: float, g: float, h0: float, stop: float) -> list[tuple[float, float]]:
    """(time, upward speed after it) of every impact up to `stop`."""
    found = []
    t, v = math.sqrt(2 * h0 / g), math.sqrt(2 * g * h0)
    while t <= stop:
        v *= c
        found.append((t, v))
        t += 2 * v / g
    return found


def height(t: float, c: float = 0.8, g: float = 9.81, h0: float = 1.0) -> float:
    before = [hit for hit in impacts(c, g, h0, 100 if c > 0.9 else 3.5) if hit[0] <= t]
    if not before:
        return h0 - g * t * t / 2
    t0, v0 = before[-1]
    return v0 * (t - t0) - g * (t - t0) ** 2 / 2


def test_impact_times_and_speeds(simulate) -> None:
    run = simulate("BouncingBall.mo", "height", "velocity", "bounces")
    expected = impacts(0.8, 9.81, 1.0, 3.0)
    assert len(expected) == 6
    after = run.change_rows("bounces")
    np.testing.assert_array_equal(run["bounces"][after], np.arange(1, 7))
    np.testing.assert_allclose(run.time[after], [t for t, _ in expected], atol=TOLERANCE)
    # The speed at an impact changes by 9.81 per second of its displacement.
    np.testing.assert_allclose(run["velocity"][after], [v for _, v in expected], atol=10 * TOLERANCE)
    np.testing.assert_allclose(run["velocity"][after], -0.8 * run["velocity"][after - 1], rtol=1e-14)
    np.testing.assert_array_equal(run["height"][after], run["height"][after - 1])


def test_path_between_impacts(simulate) -> None:
    run = simulate("BouncingBall.mo", "height", "velocity", "bounces")
    # The speed is below 4.5 m/s everywhere, which turns an error of the time into one of the height.
    np.testing.assert_allclose(run["height"], [abs(height(t)) for t in run.time], atol=5 * TOLERANCE)


def test_heights_of_the_tops_shrink_by_the_square_of_c(simulate) -> None:
    run = simulate("BouncingBall.mo", "height", "velocity", "bounces", interval=0.001)
    tops = [run["height"][run["bounces"] == n].max() for n in range(6)]
    # The nearest output point is at most 0.5 ms away from the top: g/2 * (0.5 ms)^2 below it.
    np.testing.assert_allclose(tops, 0.8 ** (2 * np.arange(6)), atol=9.81 / 2 * 0.0005**2 + 5 * TOLERANCE)


def test_energy_is_kept_by_an_elastic_ball(simulate) -> None:
    run = simulate("BouncingBall.mo", "height", "velocity", "bounces", set={"c": 1.0}, stop_time=10.0)
    energy = run["velocity"] ** 2 / 2 + 9.81 * run["height"]
    hits = len(impacts(1.0, 9.81, 1.0, 10.0))
    assert hits == 11
    # v dv + g dh, with |v| below 4.5 m/s.
    np.testing.assert_allclose(energy, 9.81, atol=hits * 15 * 1e-7)
    assert run["bounces"][-1] == hits


@pytest.mark.parametrize("tolerance", [1e-4, 1e-6, 1e-9])
def test_a_smaller_tolerance_gives_a_smaller_error(simulate, tolerance: float) -> None:
    run = simulate("BouncingBall.mo", "height", "bounces", tolerance=tolerance)
    expected = [t for t, _ in impacts(0.8, 9.81, 1.0, 3.0)]
    np.testing.assert_allclose(run.changes("bounces"), expected, atol=100 * tolerance)

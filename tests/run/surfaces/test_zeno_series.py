"""The accumulation point of a series of event times, as a pure function of the times."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from saltus.run.surfaces.zeno import accumulation, shrinks, way


def series(first: float, interval: float, ratio: float, count: int) -> list[float]:
    return [first + interval * (1 - ratio**k) / (1 - ratio) for k in range(count)]


@given(st.floats(-100, 100), st.floats(1e-3, 10), st.floats(0.05, 0.97), st.integers(0, 30))
def test_a_geometric_series_is_recognised_with_its_sum(
    first: float, interval: float, ratio: float, more: int
) -> None:
    count = 7 + math.ceil(math.log(0.5) / math.log(ratio)) + more
    times = series(first, interval, ratio, count)
    # Where rounding of the times reaches the intervals there is nothing left to recognise.
    last = interval * ratio ** (count - 2)
    if last < 1e-9 * max(1.0, abs(first)):
        return
    found = accumulation(times)
    assert found is not None
    assert found.ratio == pytest.approx(ratio, rel=1e-4)
    assert found.time == pytest.approx(first + interval / (1 - ratio), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("power", [1, 2])
def test_the_end_of_a_series_whose_ratio_drifts(power: int) -> None:
    """Each speed is a part of the one before; intervals follow from speeds by a law that is not quite linear,
    and odd where both sides are alike, as for a rocking block."""
    times, speed = [0.0], 0.9
    for _ in range(200):
        times.append(times[-1] + (2 * math.atanh(speed) if power == 2 else math.expm1(speed)))
        speed *= 0.64
    found = accumulation(times[:11])
    assert found is not None and times[-1] - times[10] > 0.02
    assert found.time == pytest.approx(times[-1], abs=1e-6 if power == 2 else 1e-4)


@pytest.mark.parametrize("start", [2, 10, 100, 1000])
def test_a_chirp_does_not_end(start: int) -> None:
    # The zeros of sin(t^2): intervals fall like 1/k, but their sum has no end.
    times = np.sqrt(math.pi * np.arange(start, start + 240))
    for count in range(7, 240, 7):
        assert accumulation(times[:count].tolist()) is None
    assert accumulation(np.cumsum(1 / np.arange(start, start + 240)).tolist()) is None


def test_equal_and_growing_intervals_do_not_end() -> None:
    assert accumulation(np.arange(100.0).tolist()) is None
    assert accumulation((1.1 ** np.arange(100)).tolist()) is None


@given(st.lists(st.floats(0.1, 1.0), min_size=20, max_size=60), st.floats(0.3, 0.9))
def test_irregular_intervals_do_not_end(noise: list[float], ratio: float) -> None:
    """Shrinking in the mean is not enough; a series whose last intervals are off a straight line is none."""
    factors = np.array(noise)
    intervals = factors * ratio ** np.arange(len(noise))
    logs = np.log(intervals[-5:])
    line = np.polyfit(np.arange(5.0), logs, 1)
    if np.abs(np.polyval(line, np.arange(5.0)) - logs).max() < 0.05:
        return
    found = accumulation(np.cumsum(intervals).tolist())
    assert found is None


@pytest.mark.parametrize("short", [[3e-8, 1e-7, 2e-8, 4e-8], [1e-8, 5e-8, 3e-8, 1e-8, 2e-8]])
def test_one_long_interval_and_some_short_ones_are_no_series(short: list[float]) -> None:
    """A line through the first two logarithms leaves the rest where it is, however little that weighs: noise
    about zero has such intervals."""
    assert accumulation(np.cumsum([0.0, 1.0, *short]).tolist()) is None


@pytest.mark.parametrize("ratio", [0.5, 0.69, 0.8])
@pytest.mark.parametrize("part", [1e-1, 1e-2, 1e-4])
def test_a_short_interval_with_another_cause_is_no_end(ratio: float, part: float) -> None:
    """A ball whose hops become shorter is hit in one of them, soon after it has set out. How short that is
    says nothing about those to come."""
    times = series(0.0, 1.0, ratio, 8)
    assert accumulation(times) is not None
    cut = part * ratio * (times[-1] - times[-2])
    assert accumulation([*times, times[-1] + cut]) is None


def test_three_bounces_are_no_series() -> None:
    assert accumulation(series(0.0, 1.0, 0.5, 5)) is None
    assert accumulation(series(0.0, 1.0, 0.5, 6)) is not None


def test_what_is_left_of_a_series() -> None:
    found = accumulation(series(0.0, 1.0, 0.5, 11))
    assert found is not None and found.interval == pytest.approx(2**-9)
    assert found.remaining == pytest.approx(2**-9)
    # A ball that sets out at the speed v is back after T = 2 v/g, and was v^2/(2 g) = v T/4 high.
    assert way(interval=2 * 3.0 / 9.81, rate=-3.0) == pytest.approx(3.0**2 / (2 * 9.81))


@given(st.floats(0.1, 0.9), st.integers(8, 20), st.floats(-1e-5, 1e-5))
def test_an_error_of_one_event_does_not_hide_the_series(ratio: float, count: int, error: float) -> None:
    """The times of events are known to about the tolerance: late intervals may be mostly error."""
    times = series(0.0, 1.0, ratio, count)
    while len(times) > 7 and times[-1] - times[-2] < 1e-3:
        times.pop()
    times[-1] += error
    found = accumulation(times)
    if found is not None:
        assert found.time == pytest.approx(1 / (1 - ratio), abs=100 * abs(error) + 1e-9)
    assert found is not None or ratio > 0.87  # not halved yet


def test_a_cheap_look_never_hides_a_series() -> None:
    for ratio in (0.05, 0.3, 0.7, 0.95):
        times = series(0.0, 1.0, ratio, 60 if ratio > 0.5 else 9)
        assert shrinks(1.0, times)
    assert not shrinks(1.0, np.arange(50.0).tolist())
    assert not shrinks(1.0, [0.0, 1.0, 1.5])

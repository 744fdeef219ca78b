"""The truth with which lost events are counted: crossings of formulas whose number is known by counting."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tools.lost_events.courses import instants
from tools.lost_events.judge import Observed, compared
from tools.lost_events.trial import METHODS, Trial, drawn
from tools.lost_events.truth import (
    Grid,
    Timeline,
    Vector,
    crossings,
    even,
    focused,
    graded,
    next_fall,
    timeline,
)


def sine(t: Vector) -> Vector:
    return np.sin(2 * math.pi * t)


@pytest.mark.parametrize("stop", [1.0, 10.5, 1000.25])
def test_crossings_of_a_sine_are_counted_exactly(stop: float) -> None:
    found = crossings(lambda t: sine(t) - 0.5, even(stop, 1.0))
    expected = [k + f for k in range(math.ceil(stop)) for f in (1 / 12, 5 / 12) if k + f < stop]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-11)


@given(st.floats(-12, -0.5), st.floats(0, 1))
def test_a_tip_over_the_threshold_is_found_however_small_and_wherever(exponent: float, phase: float) -> None:
    eps = 10.0**exponent
    found = crossings(lambda t: sine(t + phase) - (1 - eps), even(20.0, 1.0))
    half = math.acos(1 - eps) / (2 * math.pi)
    tops = [k + 0.25 - phase for k in range(23)]
    expected = [t for top in tops for t in (top - half, top + half) if 0 < t < 20]
    if any(min(abs(t), abs(t - 20)) < 1e-7 for t in (*expected, *tops)):
        return  # rounding decides
    assert len(found) == len(expected)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-14 / half + 1e-11)


@given(st.floats(-12, -0.5), st.floats(0, 1))
def test_a_tip_below_the_threshold_is_none(exponent: float, phase: float) -> None:
    assert not len(crossings(lambda t: sine(t + phase) - (1 + 10.0**exponent), even(20.0, 1.0)))


def test_crossings_of_a_chirp_are_where_its_phase_is() -> None:
    # The phase 3 t^2 turns is 147 turns after 7 s.
    grid = graded(7.0, lambda t: 1 / (6 * t + math.sqrt(3)))
    found = crossings(lambda t: np.sin(2 * math.pi * 3 * t**2 + 0.1) - 0.3, grid)
    angles = np.array(
        [2 * math.pi * k + a for k in range(148) for a in (math.asin(0.3), math.pi - math.asin(0.3))]
    )
    expected = np.sqrt((angles - 0.1) / (2 * math.pi * 3))
    np.testing.assert_allclose(found, expected[expected < 7], rtol=0, atol=1e-11)


def test_a_narrow_pulse_is_found_where_it_is() -> None:
    grid = focused(10.0, np.array([math.e]), np.array([1e-6]), 10.0)
    found = crossings(lambda t: np.exp(-(((t - math.e) / 1e-6) ** 2)) - math.exp(-1), grid)
    np.testing.assert_allclose(found, [math.e - 1e-6, math.e + 1e-6], rtol=0, atol=1e-13)


def test_the_next_fall_is_not_the_next_zero() -> None:
    """From a zero on, where it rises; and where it just dips below zero."""
    assert next_fall(sine, 0.0, 10.0, 1.0) == pytest.approx(0.5, abs=1e-13)
    assert next_fall(sine, 2.75, 10.0, 1.0) == pytest.approx(3.5, abs=1e-13)
    assert next_fall(lambda t: sine(t) + 1.1, 0.0, 10.0, 1.0) is None
    half = math.acos(1 - 1e-9) / (2 * math.pi)
    found = next_fall(lambda t: sine(t) + (1 - 1e-9), 0.0, 10.0, 1.0)
    assert found == pytest.approx(0.75 - half, abs=1e-10)


def test_instants_are_known_as_far_as_disturbances_agree() -> None:
    """Each step of 1 is longer by the disturbance: errors of 2 d n, until they are too large."""
    known = instants(lambda d: [(1 + d) * n for n in range(1, 100)], 0.95e-3, 1.0, 99.5)
    np.testing.assert_allclose(known.times, np.arange(1, 11))
    np.testing.assert_allclose(known.errors, 1.9e-3 * known.times, rtol=1e-6)
    assert 10.9 < known.until < 11
    assert known.truth().signs.tolist() == [-1, 1] * 5 + [-1]
    # A course that has an instant less does not know it, nor what comes after it.
    fewer = instants(lambda d: [1.0, 2.0, 3.0] if d >= 0 else [1.0, 2.0], 1e-3, 1.0, 5.0)
    assert fewer.times.tolist() == [1.0, 2.0] and 2.9 < fewer.until < 3


def test_what_is_within_the_margin_is_not_certain() -> None:
    truth = timeline(lambda t: sine(t) - 0.9, even(2.0, 1.0), 0.05)
    assert truth.signs.tolist() == [-1, 1, -1, 1, -1]
    inner, outer = math.asin(0.95) / (2 * math.pi), math.asin(0.85) / (2 * math.pi)
    np.testing.assert_allclose(truth.starts[1:3], [inner, 0.5 - outer], atol=1e-11)
    np.testing.assert_allclose(truth.ends[:2], [outer, 0.5 - inner], atol=1e-11)
    zero = math.asin(0.9) / (2 * math.pi)
    np.testing.assert_allclose([truth.began[1], truth.ended[1]], [zero, 0.5 - zero], atol=1e-11)
    assert timeline(lambda t: sine(t) - 0.9, even(2.0, 1.0), 0.11).signs.tolist() == [-1, -1, -1]


def test_short_excursions_do_not_count() -> None:
    truth = timeline(lambda t: sine(t) - (1 - 1e-6), even(2.0, 1.0), 1e-9)
    assert len(truth) == 5
    duration = math.acos(1 - 1e-6) / math.pi
    assert len(truth.resolved(duration * 0.99, 0.0)) == 5
    assert truth.resolved(duration * 1.01, 0.0).signs.tolist() == [-1, -1, -1]
    assert truth.resolved(0.0, duration * 1.01).signs.tolist() == [-1, -1, -1]


def square_wave() -> Timeline:
    """Below zero, above from 1 to 2, below, above from 3 to 4, below until 5; certain but for 0.1."""
    walls = np.arange(6.0)
    starts, ends = walls[:-1] + 0.05, walls[1:] - 0.05
    return Timeline(starts, ends, np.array([-1, 1, -1, 1, -1]), walls[:-1], walls[1:], np.ones(5))


@pytest.mark.parametrize(
    ("changes", "kinds"),
    [
        ([1.0, 2.04, 2.96, 4.0], []),
        ([0.97, 0.98, 1.0, 2.0, 3.0, 4.0], []),  # where nothing is certain, everything goes
        ([3.0, 4.0], ["lost"]),
        ([1.0, 4.0], ["lost"]),
        ([], ["lost", "lost"]),
        ([1.0, 2.0, 3.4, 4.0], ["displaced"]),
        ([1.0, 2.0, 2.5, 2.6, 3.0, 4.0], ["spurious"]),
        ([1.0, 2.0, 3.0], ["lost"]),
    ],
)
def test_what_a_run_has_seen_is_compared(changes: list[float], kinds: list[str]) -> None:
    faults = compared(1, square_wave(), Observed(False, np.array(changes)), 1e-6)
    assert [f.kind for f in faults] == kinds


def test_a_lost_excursion_tells_when_and_how_long() -> None:
    (fault,) = compared(1, square_wave(), Observed(False, np.array([1.0, 2.0])), 1e-6)
    assert (fault.time, fault.duration) == (3.0, 1.0)


def test_the_same_seed_draws_the_same_model() -> None:
    for number in range(5):
        one, method, tolerance = drawn(Trial("sines", 3, number))
        other = drawn(Trial("sines", 3, number))
        assert (one.text, one.parameters, one.stop) == (other[0].text, other[0].parameters, other[0].stop)
        assert (method, tolerance) == other[1:] and method in METHODS
        assert 1e-10 <= tolerance <= 1e-4


def test_kinks_become_points_of_the_grid() -> None:
    grid: Grid = even(1.0, 1.0).with_kinks(0.123, 2.0)
    assert 0.123 in grid.times and grid.stop == 1.0

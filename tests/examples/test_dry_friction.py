"""The block with declarative friction: closed form of its slides.

It breaks away when 2 sin(t) = 1. Sliding with the sign k, v' = 2 sin(t) - k - v/2, which is linear; it stops
before the push has changed enough to turn it at once, sticks, and slides the other way half a period later.

Tolerance: local errors below 1e-8 per step, some hundred steps of a contracting system, slopes at the zeros
of at least 0.4: 1e-6.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.optimize import brentq

F1 = 0.5
BREAKS = math.pi / 6
TOLERANCE = 1e-6
NAMES = ("body.v", "body.x", "friction.f", "friction.forward", "friction.backward", "push.force")


def velocity(t: float) -> float:
    """Of the first slide, at a time t after time 0."""

    def forced(time: float) -> float:
        return (2 * F1 * math.sin(time) - 2 * math.cos(time)) / (1 + F1 * F1) - 1 / F1

    return forced(t) - forced(BREAKS) * math.exp(-F1 * (t - BREAKS))


STICKS = brentq(velocity, 2.0, 4.0, xtol=1e-15)


def test_reference_satisfies_newtons_law() -> None:
    t, dt = 2.0, 1e-5
    slope = (velocity(t + dt) - velocity(t - dt)) / (2 * dt)
    assert abs(slope - (2 * math.sin(t) - 1 - F1 * velocity(t))) < 1e-8
    assert BREAKS < STICKS < BREAKS + math.pi  # it rests before it slides back


def test_times_at_which_it_breaks_away_and_sticks(simulate) -> None:
    run = simulate("DryFriction.mo", *NAMES)
    expected = [t + k * math.pi for k in range(4) for t in (BREAKS, STICKS) if t + k * math.pi < 12]
    np.testing.assert_allclose(run.event_times, expected, atol=TOLERANCE)
    direction = run["friction.forward"] - run["friction.backward"]
    np.testing.assert_array_equal(direction[run.right_rows], [1, 0, -1, 0, 1, 0, -1])


def test_velocity(simulate) -> None:
    run = simulate("DryFriction.mo", *NAMES)
    expected = []
    for t in run.time:
        half = math.floor((t - BREAKS) / math.pi)  # each half period is the mirror image of the one before
        u = t - half * math.pi
        expected.append((-1) ** half * velocity(u) if t >= BREAKS and u <= STICKS else 0.0)
    np.testing.assert_allclose(run["body.v"], expected, atol=TOLERANCE)


def test_rests_exactly_while_it_sticks(simulate) -> None:
    run = simulate("DryFriction.mo", *NAMES)
    stuck = (run["friction.forward"] == 0) & (run["friction.backward"] == 0)
    assert np.count_nonzero(stuck) > 50
    assert np.abs(run["body.v"][stuck]).max() < 1e-12
    np.testing.assert_allclose(run["friction.f"][stuck], run["push.force"][stuck], rtol=0, atol=1e-12)

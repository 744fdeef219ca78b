"""Van der Pol's oscillator against Radau at 1e-10, and its period against the asymptotic formula.

For large mu the period is, by matched asymptotic expansions,

    T = (3 - 2 log 2) mu + 3 alpha mu^(-1/3) - (2/3) log(mu)/mu + O(1/mu),  alpha = 2.338107...

with -alpha the first zero of Airy's function. For mu = 1000 that is 1614.402, and the integration below
gives 1614.4011. (The second zero of x, at 1614.285, is often quoted as if it were the period: the start at
x = 2, v = 0 lies a little off the limit cycle.)

Tolerances. Along the slow branch an error dx of the position is a shift of dx/x' in time, and shifts are
never forgotten. With local errors below 1e-8 of x = 2 per step, x' at least 2/3000, and the about 500 steps
between leaps, a leap is known to 500 * 2e-8 * 1500 = 0.015 in time, and x away from leaps to 1e-5.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import ai_zeros

MU = 1000.0
LEAP = 0.015
POSITION = 1e-5


@cache
def radau(mu: float, stop: float):
    return solve_ivp(
        lambda _, y: [y[1], mu * (1 - y[0] ** 2) * y[1] - y[0]],
        (0, stop),
        [2.0, 0.0],
        method="Radau",
        jac=lambda _, y: [[0, 1], [-2 * mu * y[0] * y[1] - 1, mu * (1 - y[0] ** 2)]],
        dense_output=True,
        rtol=1e-10,
        atol=1e-12,
        events=lambda _, y: y[0],
    )


def asymptotic_period(mu: float) -> float:
    alpha = -ai_zeros(1)[0][0]
    return (3 - 2 * math.log(2)) * mu + 3 * alpha * mu ** (-1 / 3) - 2 / 3 * math.log(mu) / mu


def zeros(time: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Where x changes its sign, by the middle of the output interval."""
    at = np.flatnonzero(np.sign(x[1:]) != np.sign(x[:-1]))
    return (time[at] + time[at + 1]) / 2


def test_reference_has_the_asymptotic_period() -> None:
    crossings = radau(MU, 1650.0).t_events[0]
    # The first crossing starts on the limit cycle to within exp(-mu^2): half a period follows it.
    period = 2 * (crossings[1] - crossings[0])
    assert abs(period - asymptotic_period(MU)) < 2 / MU


def test_slow_branches(simulate) -> None:
    run = simulate("VanDerPol.mo", "x", "v", stop_time=1650.0)
    reference = radau(MU, 1650.0)
    crossings = reference.t_events[0]
    away = np.min(np.abs(run.time[:, None] - crossings), axis=1) > 5
    assert away.sum() > 1600
    expected = reference.sol(run.time[away])
    # 5 before a leap the slope has grown from 2/3000 to about x/(mu (x^2 - 1)), with x = 1.06: 1/100.
    slope = np.abs(expected[1])
    assert slope.max() < 0.02
    np.testing.assert_array_less(np.abs(run["x"][away] - expected[0]), POSITION + LEAP * slope)


def test_times_of_the_leaps(simulate) -> None:
    """The output points are 0.01 apart here, which adds half of that to the tolerance."""
    crossings = radau(MU, 1650.0).t_events[0]
    run = simulate("VanDerPol.mo", "x", stop_time=1620.0, interval=0.01)
    found = zeros(run.time, run["x"])
    assert len(found) == 2
    np.testing.assert_allclose(found, crossings[:2], atol=LEAP + 0.005)


@pytest.mark.parametrize("mu", [1.0, 10.0])
def test_mild_damping(simulate, mu: float) -> None:
    """No stiffness, no slow branch: errors grow with the 2000 or so steps alone."""
    run = simulate("VanDerPol.mo", "x", "v", set={"mu": mu}, stop_time=20.0, interval=0.1)
    expected = radau(mu, 20.0).sol(run.time)
    # x' reaches 1.5 mu in a leap, and a shift in time stays: 2000 steps * 1e-8 * mu.
    np.testing.assert_allclose(run["x"], expected[0], atol=2e-5 * mu)

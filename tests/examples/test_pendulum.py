"""The Cartesian pendulum over the top against its angle: a'' = -g sin(a), started with a' = 7.

Tolerances. At a tolerance of 1e-8 the errors of some thousand steps add up to less than 1e-4 in the position,
which at 5 m/s is a shift of 2e-5 s. The force changes by up to 3 g a' = 200 per second: 4e-3, of which half
is allowed.
"""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp

import saltus


def swing(t, s):
    return [s[1], -9.81 * np.sin(s[0])]


def test_position_and_force_against_the_angle(simulate):
    run = simulate("Pendulum.mo", "x", "y", "u", "v", "f", "energy")
    truth = solve_ivp(swing, (0, 5), [0.0, 7.0], rtol=1e-12, atol=1e-12, dense_output=True)
    angle = truth.sol(run.time)
    assert angle[0].max() > 20  # three times round and more
    np.testing.assert_allclose(run["x"], np.sin(angle[0]), atol=1e-4)
    np.testing.assert_allclose(run["y"], -np.cos(angle[0]), atol=1e-4)
    force = angle[1] ** 2 + 9.81 * np.cos(angle[0])
    np.testing.assert_allclose(run["f"], force, atol=2e-3)
    assert np.abs(run["x"] ** 2 + run["y"] ** 2 - 1).max() < 1e-14
    assert np.ptp(run["energy"]) < 2e-4


def test_nothing_jumps_where_states_are_chosen_again():
    result = saltus.load("examples/Pendulum.mo").simulate()
    changes = [e for e in result.events if "chosen again" in str(e.causes[0])]
    assert len(changes) > 10
    time = result.time
    left = np.flatnonzero(np.diff(time) == 0)
    assert len(left) == len(changes)
    for name in result.names:
        np.testing.assert_allclose(result[name][left], result[name][left + 1], rtol=1e-8, atol=1e-8)

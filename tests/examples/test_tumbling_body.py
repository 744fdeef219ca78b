"""A body that turns freely, against Euler's equations and a rotation matrix integrated separately.

Tolerances. The motion about the middle axis is unstable: an error grows by exp(1.15 t) from one tumble to the
next, so the orientation is compared over the first 8 s and the conserved quantities over all 30.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import saltus

J = np.array([1.0, 2.0, 3.0])


def body(t, s):
    w, rotation = s[:3], s[3:].reshape(3, 3)
    cross = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
    return np.concatenate([-np.cross(w, J * w) / J, (rotation @ cross).ravel()])


@pytest.mark.parametrize("method", ["bdf", "ida"])
def test_the_middle_axis_tumbles_as_euler_has_it(method):
    result = saltus.load("examples/TumblingBody.mo").simulate(stop_time=8.0, tolerance=1e-10, method=method)
    start = np.concatenate([[0.01, 2.0, 0.01], np.eye(3).ravel()])
    truth = solve_ivp(body, (0, 8), start, rtol=1e-12, atol=1e-13, dense_output=True).sol(result.time)
    for k in range(3):
        np.testing.assert_allclose(result[f"w[{k + 1}]"], truth[k], atol=1e-6)
        np.testing.assert_allclose(result[f"axis[{k + 1}]"], truth[3 + 3 * k + 1], atol=1e-6)
    length = sum(result[f"q[{k}]"] ** 2 for k in range(1, 5))
    assert np.abs(length - 1).max() < 1e-14


def test_energy_and_momentum_are_conserved(simulate):
    run = simulate("TumblingBody.mo", "energy", "momentum", "axis[2]", "k")
    assert np.ptp(run["energy"]) < 2e-5 and np.ptp(run["momentum"]) < 1e-5
    assert run["axis[2]"].min() < -0.99 and run["axis[2]"].max() > 0.99
    assert np.abs(run["k"]).max() < 1e-14


def test_states_are_chosen_again():
    statistics = saltus.load("examples/TumblingBody.mo").simulate().statistics
    assert statistics["state_choices"] > 5 and statistics["programs"] <= 4

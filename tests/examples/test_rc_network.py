"""The RC ladder against the matrix exponential of its nodal equations, written by hand.

Node k has the voltage v_k of its capacitor: C v_k' = (v_{k-1} - v_k)/R_k - (v_k - v_{k+1})/R_{k+1}, with
v_0 the source and a load after the last node.

Tolerance: local errors below 1e-8 of 10 V per step, some hundred steps, all eigenvalues negative: 1e-5 V.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import expm

R = np.array([1000.0, 2000.0, 1500.0, 500.0])
C, LOAD, V, STEP = 1e-6, 10000.0, 10.0, 1e-3
VOLTAGE = 1e-5


def nodal(resistances: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """v' = M v + b V"""
    n = len(resistances)
    right = np.append(resistances[1:], LOAD)
    m = np.zeros((n, n))
    for k in range(n):
        m[k, k] = -(1 / resistances[k] + 1 / right[k]) / C
        if k > 0:
            m[k, k - 1] = 1 / resistances[k] / C
        if k + 1 < n:
            m[k, k + 1] = 1 / right[k] / C
    b = np.zeros(n)
    b[0] = 1 / resistances[0] / C
    return m, b


def voltages(t: np.ndarray | float, resistances: np.ndarray = R) -> np.ndarray:
    """A row for each time. The exponential is that of the eigenvalues, which are real and negative."""
    m, b = nodal(resistances)
    final = -np.linalg.solve(m, b) * V
    decays, ways = np.linalg.eig(m)
    after = np.maximum(0.0, np.atleast_1d(t) - STEP)
    return final - np.exp(np.outer(after, decays)) * np.linalg.solve(ways, final) @ ways.T


def test_the_exponential_by_eigenvalues_is_that_of_the_matrix() -> None:
    m, b = nodal(R)
    final = -np.linalg.solve(m, b) * V
    for t in (0.0, 2e-3, 0.02):
        np.testing.assert_allclose(voltages(t + STEP)[0], final - expm(m * t) @ final, atol=1e-12 * V)


NAMES = tuple(f"stage[{k}].capacitor.u" for k in range(1, 5))


def test_final_voltages_divide_the_source() -> None:
    """A check of the reference: at rest the ladder is a chain of five resistors."""
    total = R.sum() + LOAD
    np.testing.assert_allclose(voltages(10.0)[0], V * (1 - np.cumsum(R) / total), rtol=1e-12)


def test_capacitor_voltages(simulate) -> None:
    run = simulate("RCNetwork.mo", *NAMES, "source.p.i", "load.i")
    expected = voltages(run.time)
    for k, name in enumerate(NAMES):
        np.testing.assert_allclose(run[name], expected[:, k], atol=VOLTAGE)
    np.testing.assert_array_equal(run.event_times, [STEP])


def test_currents(simulate) -> None:
    """Into the first resistor goes what the source gives; it leaps at the step."""
    run = simulate("RCNetwork.mo", *NAMES, "source.p.i", "load.i")
    source = np.where(run.time < STEP, 0.0, V)
    source[run.right_rows - 1] = 0.0  # the left limit at the step
    expected = -(source - run[NAMES[0]]) / R[0]
    np.testing.assert_allclose(run["source.p.i"], expected, atol=1e-15)
    np.testing.assert_allclose(run["load.i"], run[NAMES[3]] / LOAD, rtol=1e-12)


def test_one_element_of_a_parameter_array_can_be_set(simulate) -> None:
    run = simulate("RCNetwork.mo", *NAMES, set={"R[2]": 4000.0})
    changed = np.array([1000.0, 4000.0, 1500.0, 500.0])
    expected = voltages(run.time, changed)
    for k, name in enumerate(NAMES):
        np.testing.assert_allclose(run[name], expected[:, k], atol=VOLTAGE)

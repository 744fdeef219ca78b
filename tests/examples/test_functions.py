"""The drained tank with its functions against the same physics written in Python.

Tolerance: local errors below 1e-8 of a level of 2 m per step, some hundred steps in four pieces: 1e-6 m.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

L, D, ROUGHNESS, G, NU = 10.0, 0.05, 1e-4, 9.81, 1e-6
LEVEL = 1e-6
MOVES = (20.0, 50.0, 60.0)
OPENINGS = (1.0, 0.5, 0.0, 1.0)


def pipe_velocity(head: float) -> float:
    """Solves v^2 (1 + f(v) L/D) = 2 g h by bisection, where the model iterates."""

    def excess(v: float) -> float:
        root = -1.8 * math.log10((ROUGHNESS / D / 3.7) ** 1.11 + 6.9 * NU / (v * D))
        return v * v * (1 + L / D / root**2) - 2 * G * head

    return brentq(excess, 1e-2, 20.0, xtol=1e-15, rtol=1e-14)


def section(h: float) -> float:
    return 0.5 + 0.1 * h + 0.2 * h * h


def levels(times: np.ndarray) -> np.ndarray:
    """Integrates piece by piece between the moves of the valve."""
    h, left = 2.0, 0.0
    found = np.empty_like(times)
    for right, opening in zip((*MOVES, times[-1]), OPENINGS, strict=True):

        def slope(_: float, y: np.ndarray, opening: float = opening) -> list[float]:
            return [-opening * math.pi / 4 * D * D * pipe_velocity(y[0]) / section(y[0])]

        inside = (times >= left) & (times <= right)
        piece = solve_ivp(
            slope, (left, right), [h], method="DOP853", rtol=1e-11, atol=1e-13, dense_output=True
        )
        found[inside] = piece.sol(times[inside])[0]
        h, left = piece.y[0, -1], right
    return found


NAMES = ("h", "A", "Q", "drained", "volume", "opening", "valve")


def test_level(simulate) -> None:
    run = simulate("Functions.mo", *NAMES)
    np.testing.assert_allclose(run["h"], levels(run.time), atol=LEVEL)


def test_valve_is_an_enumeration_numbered_from_one(simulate) -> None:
    run = simulate("Functions.mo", *NAMES)
    np.testing.assert_array_equal(run.event_times, MOVES)
    np.testing.assert_array_equal(run["valve"][run.right_rows], [2, 1, 3])
    np.testing.assert_array_equal(run["opening"][run.right_rows], [0.5, 0, 1])


def test_functions_give_what_their_formulas_say(simulate) -> None:
    run = simulate("Functions.mo", *NAMES)
    np.testing.assert_allclose(run["A"], section(run["h"]), rtol=1e-14)
    flow = run["opening"] * math.pi / 4 * D * D * np.array([pipe_velocity(h) for h in run["h"]])
    np.testing.assert_allclose(run["Q"], flow, rtol=1e-10)  # the model's iteration stops at 1e-12


def test_volume_is_conserved(simulate) -> None:
    run = simulate("Functions.mo", *NAMES)
    h = run["h"]
    np.testing.assert_allclose(run["volume"], 0.5 * h + 0.1 * h**2 / 2 + 0.2 * h**3 / 3, rtol=1e-14)
    # Both sides are integrated: two errors of LEVEL, times a cross-section below 1.5 m2.
    np.testing.assert_allclose(run["volume"] + run["drained"], run["volume"][0], atol=3 * LEVEL)

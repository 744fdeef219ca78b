"""Loops with functions that have kinks: the default start, 0, lies on one of them, and a damped iteration
that begins there with the slope of the wrong side finds no step that makes the residuals smaller."""

from __future__ import annotations

import numpy as np
import pytest

import saltus

KINKED = {
    "abs({0})": np.abs,
    "max({0}, 0.1)": lambda y: np.maximum(y, 0.1),
    "min({0}, {0}/2)": lambda y: np.minimum(y, y / 2),
    "(if noEvent({0} > 0) then {0} else 0.3*{0})": lambda y: np.where(y > 0, y, 0.3 * y),
    "abs({0} - 0.5)": lambda y: np.abs(y - 0.5),
}


@pytest.mark.parametrize("source", [-0.5, -0.01, 0.0, 0.01, 0.5])
def test_an_absolute_value_at_its_kink(source: float) -> None:
    text = f"""
    model Kink
      Real y, z;
    equation
      z = abs(y);
      3*y = {source} + 0.1*z;
    end Kink;
    """
    found = saltus.load(text).simulate(stop_time=0.1)["y"]
    np.testing.assert_allclose(found, source / (3 - 0.1 * np.sign(source)), rtol=1e-9)


@pytest.mark.parametrize("seed", [5, 7, 29])
def test_loops_of_kinked_functions(seed: int) -> None:
    """y = k + C*f(y), a contraction: repeated insertion finds its only solution."""
    random = np.random.default_rng(seed)
    n = 5
    constants, matrix = random.uniform(-1, 1, n), random.uniform(-0.9, 0.9, (n, n)) / n
    functions = [list(KINKED)[k] for k in random.integers(0, len(KINKED), n)]
    equations = [f"z[{i + 1}] = {f.format(f'y[{i + 1}]')};" for i, f in enumerate(functions)]
    rows = ", ".join("{" + ", ".join(f"{c:.17g}" for c in row) + "}" for row in matrix)
    text = f"""
    model Kinks
      parameter Real k[{n}] = {{{", ".join(f"{c:.17g}" for c in constants)}}};
      parameter Real C[{n}, {n}] = {{{rows}}};
      Real y[{n}], z[{n}];
    equation
      y = k + C*z;
      {" ".join(equations)}
    end Kinks;
    """
    exact = np.zeros(n)
    for _ in range(1000):
        exact = constants + matrix @ np.array([KINKED[f](y) for f, y in zip(functions, exact, strict=True)])
    result = saltus.load(text).simulate(stop_time=0.1)
    np.testing.assert_allclose([result[f"y[{i + 1}]"][-1] for i in range(n)], exact, atol=1e-9)

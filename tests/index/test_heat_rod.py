"""A heat rod that starts in its steady state: heated at one end, radiating at the other.

Conductances differ from cell to cell, and the radiated power grows with the fourth power of the temperature.
In the steady state one heat flow passes everything, so the truth is one equation for the temperature of the
last cell; the transient is integrated with SciPy.
"""

from __future__ import annotations

import numpy as np
import pytest
from integrators import Simulate
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.linalg import solve_banded
from scipy.optimize import brentq

from translated_models import translated

Vector = NDArray[np.float64]

HOT, COLD, SIGMA = 800.0, 300.0, 5.67e-8

ROD = """
model Rod
  parameter Integer n = 20;
  parameter Real c = 5 "heat capacity of a cell";
  parameter Real G[n] = {{3*n/20*(1 + 0.5*sin(7.0*i)) for i in 1:n}} "conductance to the cell before";
  parameter Real strength = 5.67e-8*0.2 "emissivity, area and constant of radiation";
  parameter Real rise = 0 "of the hot end, per second";
  Real T[n]{start};
  Real Q[n + 1] "heat flows";
  Real hot;
initial equation
  der(T) = zeros(n);
equation
  hot = 800 + rise*time;
  Q[1] = G[1]*(hot - T[1]);
  for i in 2:n loop
    Q[i] = G[i]*(T[i - 1] - T[i]);
  end for;
  Q[n + 1] = strength*(T[n]^4 - 300^4);
  for i in 1:n loop
    c*der(T[i]) = Q[i] - Q[i + 1];
  end for;
end Rod;
"""

HINTS = {"cold": "", "warm": "(each start = 300)"}


def conductances(n: int) -> Vector:
    return 3 * n / 20 * (1 + 0.5 * np.sin(7.0 * np.arange(1, n + 1)))


def steady(n: int, hot: float) -> Vector:
    g = conductances(n)
    strength = 0.2 * SIGMA

    def missing(last: float) -> float:
        """The hot end's temperature that this temperature of the last cell asks for, less what it is."""
        return float(last + strength * (last**4 - COLD**4) * np.sum(1 / g) - hot)

    last = brentq(missing, 1.0, 2000.0, xtol=1e-12, rtol=1e-15)
    flow = strength * (last**4 - COLD**4)
    return np.asarray(hot - flow * np.cumsum(1 / g))


@pytest.mark.parametrize("hint", HINTS)
@pytest.mark.parametrize("n", [20, 60])
def test_rod_starts_in_its_steady_state(simulate: Simulate, n: int, hint: str) -> None:
    model = translated(ROD.format(start=HINTS[hint]))
    result = simulate(model, stop_time=10.0, interval=5.0, set={"n": n})
    expected = steady(n, HOT)
    assert 320 < expected[-1] < 780  # neither end dominates
    for row in (0, -1):  # and stays there
        found = [result[f"T[{i + 1}]"][row] for i in range(n)]
        np.testing.assert_allclose(found, expected, rtol=1e-8)
    assert result["Q[1]"][0] == pytest.approx(result[f"Q[{n + 1}]"][0], rel=1e-9)


def test_linear_rod_against_a_tridiagonal_solve(simulate: Simulate) -> None:
    """Convection instead of radiation: the initial system is one linear loop of 200 temperatures."""
    text = ROD.format(start="").replace("strength*(T[n]^4 - 300^4)", "2*(T[n] - 300)")
    n = 200
    result = simulate(translated(text), stop_time=1.0, interval=1.0, set={"n": n})
    g = conductances(n)
    banded = np.zeros((3, n))
    banded[0, 1:] = -g[1:]
    banded[1] = g + np.append(g[1:], 2.0)
    banded[2, :-1] = -g[1:]
    load = np.zeros(n)
    load[0], load[-1] = g[0] * HOT, 2.0 * COLD
    expected = solve_banded((1, 1), banded, load)
    np.testing.assert_allclose([result[f"T[{i + 1}]"][0] for i in range(n)], expected, rtol=1e-10)


def test_transient_from_the_steady_state(simulate: Simulate) -> None:
    """The hot end begins to warm up at the start: T = steady state, T' = 0 there, then not."""
    n, rise = 20, 3.0
    model = translated(ROD.format(start=HINTS["warm"]))
    result = simulate(model, stop_time=60.0, interval=2.0, tolerance=1e-8, set={"rise": rise})
    g = conductances(n)

    def rate(t: float, temperature: Vector) -> Vector:
        before = np.append(HOT + rise * t, temperature[:-1])
        flows = np.append(g * (before - temperature), 0.2 * SIGMA * (temperature[-1] ** 4 - COLD**4))
        return (flows[:-1] - flows[1:]) / 5.0

    start = steady(n, HOT)
    exact = solve_ivp(rate, (0, 60), start, rtol=1e-10, atol=1e-8, method="BDF", dense_output=True)
    for i, expected in enumerate(exact.sol(result.time)):
        np.testing.assert_allclose(result[f"T[{i + 1}]"], expected, rtol=3e-7)
    stored = 5.0 * sum(result[f"T[{i + 1}]"] for i in range(n))
    gained = np.trapezoid(result["Q[1]"] - result[f"Q[{n + 1}]"], result.time)
    assert stored[-1] - stored[0] == pytest.approx(gained, rel=2e-3)  # the rule of thirty points
    assert result["T[1]"][-1] - result["T[1]"][0] > 100

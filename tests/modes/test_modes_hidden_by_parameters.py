"""Equations that depend on each other with the numbers that parameters have, while other coefficients vary.

A star behind ideal transformers has no zero-sequence current. Structure does not see that: with losses that
vary, every equation can be given an unknown of its own.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

import saltus

Vector = NDArray[np.float64]

STAR = """
model Star "three phases behind transformers, the star point open"
  constant Real pi = 3.141592653589793;
  parameter Real T[2, 3] = 2/3*{{cos((k - 1)/3*2*pi) for k in 1:3}, {sin((k - 1)/3*2*pi) for k in 1:3}};
  parameter Real n = 1 "turns", L0 = 0.1, L = 0.2, R = 1;
  Real i[3], p[3], v[3], u[3], open "potential of the star point";
  Real i0(start = 0), v0 "zero sequence", iL[2](each start = 0, each fixed = true), vab[2];
  Real G = 0.01 + 0.05*time "losses, which vary";
  Real rms = sqrt((i[1]^2 + i[2]^2 + i[3]^2)/3), heat(start = 0, fixed = true);
equation
  u = {sin(10*time - (k - 1)*2*pi/3) + 0.3 for k in 1:3};
  T*i = iL + G*vab;
  3*i0 = sum(i);
  n*i = p;
  sum(p) = 0;
  v/n = u .- open - R*p;
  T*v = vab;
  3*v0 = sum(v);
  L0*der(i0) = v0;
  L*der(iL) = vab;
  der(heat) = rms^2 - 0.5*heat;
end Star;
"""


def integrated(f: Callable[[float, Vector], Vector], x: Vector, stop: float, steps: int) -> Vector:
    """The classical method of fourth order."""
    h = stop / steps
    for k in range(steps):
        t = k * h
        a = f(t, x)
        b = f(t + h / 2, x + h / 2 * a)
        c = f(t + h / 2, x + h / 2 * b)
        d = f(t + h, x + h * c)
        x = x + h / 6 * (a + 2 * b + 2 * c + d)
    return x


@pytest.mark.parametrize("n", [1.0, 0.7])
@pytest.mark.parametrize("method", ["bdf", "auto"])
def test_a_star_has_no_zero_sequence(n: float, method: str) -> None:
    """In two axes, without the third: there the equations are regular."""
    axes = 2 / 3 * np.array([[f(2 * np.pi * k / 3) for k in range(3)] for f in (np.cos, np.sin)])

    def rates(t: float, x: Vector) -> Vector:
        loss = 0.01 + 0.05 * t
        across = axes @ np.array([np.sin(10 * t - 2 * np.pi * k / 3) + 0.3 for k in range(3)])
        # v = n*(u - R*n*i), i = iL + G*v
        voltage = (n * across - n**2 * x[:2]) / (1 + n**2 * loss)
        current = x[:2] + loss * voltage
        # The mean square of three phases without a zero sequence is half of the square in two axes.
        return np.array([*(voltage / 0.2), current @ current / 2 - 0.5 * x[2]])

    truth = integrated(rates, np.zeros(3), 1.0, 2000)
    run = saltus.load(STAR).simulate(stop_time=1, tolerance=1e-9, set={"n": n}, method=method)
    found = [run[name][-1] for name in ("iL[1]", "iL[2]", "heat")]
    np.testing.assert_allclose(found, truth, rtol=0, atol=1e-7)
    assert np.abs(run["i0"]).max() < 1e-12
    assert np.abs(run["i[1]"] + run["i[2]"] + run["i[3]"]).max() < 1e-12


def test_currents_that_begin_at_zero() -> None:
    """The root mean square has no slope there; without an impulse of a current, none is asked for."""
    text = STAR.replace("T*i = iL + G*vab", "T*i = iL + G*time*vab")
    run = saltus.load(text).simulate(stop_time=0.5, tolerance=1e-9)
    assert run["rms"][0] == 0.0
    assert np.isfinite(run["heat"]).all() and run["heat"][-1] > 0.0

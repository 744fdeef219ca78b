"""Passive complementarity systems whose matrix loses rank in some modes, exactly or up to rounding: what is
lost is a constraint on states, and every run comes to the one solution."""

from __future__ import annotations

import numpy as np
import pytest
from passive_systems import Passive, random_passive

import saltus

STOP, COUNT = 3.0, 600

#: Of a hand-made system with conductances of rank one: 2*[1, 3; 3, 9]/10, which is not exact in binary.
TENTHS = Passive(
    np.array([[-1.0, 2.0], [-2.0, -0.5]]),
    np.array([[1.0, 0.5], [0.2, -1.0]]),
    np.array([[0.1, 0.3], [0.3, 0.9]]),
    np.array([[3.0, 0.0], [0.0, 2.0]]),
    (2.0, 3.0),
)


def check(system: Passive, *, parameters: bool) -> None:
    model = saltus.load(system.modelica(parameters=parameters))
    result = model.simulate(stop_time=STOP, interval=STOP / COUNT, tolerance=1e-8)
    expected = system.by_steps(STOP, COUNT)
    times = np.linspace(0.0, STOP, COUNT + 1)
    for k, values in enumerate(expected.T, 1):
        found = np.interp(times, result.time, result[f"x[{k}]"])
        assert np.abs(found - values).max() < 1e-3 * (1.0 + np.abs(expected).max())
    for k in range(1, system.b.shape[1] + 1):
        scale = 1.0 + np.abs(result[f"lam[{k}]"]).max() + np.abs(result[f"z[{k}]"]).max()
        assert min(result[f"lam[{k}]"].min(), result[f"z[{k}]"].min()) > -1e-7 * scale
        assert np.abs(result[f"lam[{k}]"] * result[f"z[{k}]"]).max() == 0.0
    assert not result.warnings


@pytest.mark.parametrize("seed", [0, 1, 2, 7, 8, 22, 31, 32, 33, 34])
def test_random_systems(seed: int) -> None:
    check(random_passive(seed), parameters=False)


@pytest.mark.parametrize("seed", [0, 6, 19, 24, 35])
def test_matrices_are_parameters(seed: int) -> None:
    check(random_passive(seed), parameters=True)


@pytest.mark.parametrize("parameters", [False, True])
def test_tenths(parameters: bool) -> None:
    check(TENTHS, parameters=parameters)


def test_sources_side_by_side_through_diodes() -> None:
    """Equal sources say the same twice while both conduct: what is determined is right, the rest is told."""
    text = """
    model M
      parameter Real R = 2;
      Real v, i[2], s[2], e = 5*sin(2*time);
    equation
      for k in 1:2 loop
        e - v = if s[k] < 0 then s[k] else 0;
        i[k] = if s[k] < 0 then 0 else s[k];
      end for;
      v = R*(i[1] + i[2]);
    end M;
    """
    result = saltus.load(text).simulate(stop_time=4.0, tolerance=1e-9)
    np.testing.assert_allclose(result["v"], np.maximum(5 * np.sin(2 * result.time), 0.0), atol=1e-7)
    assert all(result[f"i[{k}]"].min() > -1e-9 for k in (1, 2))

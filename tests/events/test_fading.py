"""What fades for ever does not get to zero, however the integrator errs; what is led across later does."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tools.obedience.judge import violations

import saltus
from saltus.model import Model

METHODS = ("bdf", "adams", "ida", "rk45", "auto")

FADING = {
    "alone": "der(x) = -200*x;",
    "beside something slow": "der(x) = -200*x; der(y) = -y + sin(3*time);",
    "not linear": "der(x) = -200*x*(1 + x^2);",
}


def fading(equations: str) -> Model:
    y = "Real y(start = 1, fixed = true);" if "der(y)" in equations else ""
    declared = f"Real x(start = 1, fixed = true); {y} Boolean b = x < 0;"
    return saltus.load(f"model Fading {declared} equation {equations} end Fading;")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", FADING)
def test_what_fades_stays_above_zero(name: str, method: str) -> None:
    model = fading(FADING[name])
    for tolerance in (1e-4, 1e-6, 1e-8, 1e-10):
        for stop in (0.1, 1.0, 10.0):
            result = model.simulate(stop_time=stop, tolerance=tolerance, method=method)
            assert len(result.events) == 1, (tolerance, stop)  # the start
            assert not result["b"].any()
            # x' = -a x (1 + x^2) has the solution 1/sqrt(2 exp(2 a t) - 1).
            fade = np.exp(-200 * result.time)
            truth = fade / np.sqrt(2 - fade**2) if name == "not linear" else fade
            assert np.abs(result["x"] - truth).max() < 200 * tolerance
            assert not violations(result, tolerance)


@pytest.mark.parametrize("method", METHODS)
def test_the_current_of_a_coil_fades_for_ever(method: str) -> None:
    model = saltus.load("Saltus.Examples.Electrical.RelayCoil")
    for stop in (0.5, 2.0):
        result = model.simulate(stop_time=stop, interval=0.0005, method=method)
        assert [event.time for event in result.events] == [0.0, 0.05]  # the start, and the switches


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("tolerance", [1e-5, 1e-7, 1e-9])
def test_what_is_led_across_after_it_has_faded_is_found(method: str, tolerance: float) -> None:
    """x' = -200 x - g with g = 0.2 exp(20 (t - 1)): x is the fading exp(-200 t), less g/220."""
    model = fading("der(x) = -200*x - 0.2*exp(20*(time - 1));")
    result = model.simulate(stop_time=1, tolerance=tolerance, method=method)
    part = 0.2 / 220 * math.exp(-20)  # of g/220 at the start
    crosses = math.log((1 + part) / part) / 220
    assert len(result.events) == 2 and result["b"][-1] == 1
    # As early as it is as small as the errors, or where it leaves its zero band, if it was taken for zero.
    small, leaves = -math.log(20 * tolerance) / 200, 1 + math.log(220 * 1e-10 / 0.2) / 20
    assert min(small, crosses) < result.events[1].time < leaves + 0.01
    assert not violations(result, tolerance)

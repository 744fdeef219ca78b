"""What rests within the errors of the integrator rests: the same events, whatever the steps.

A car that waits has open clutches without any pressure. Its engine idles at a speed that is known to the
tolerance only, and by that much the torque differs from the one at which everything stays at rest: it must
not say where the clutches slip to.
"""

from __future__ import annotations

from functools import cache

import pytest
from tools.long_runs.event_sequences import switchings

import saltus
from saltus.result.result import Result


@cache
def car() -> saltus.Model:
    return saltus.load("Saltus.Examples.Powertrain.AutomaticCar")


@cache
def with_short_steps() -> dict[str, int]:
    return counts(car().simulate(stop_time=150.0, interval=0.1, max_step=1e-3))


def counts(result: Result) -> dict[str, int]:
    return {text: len(times) for text, times in switchings(result).items()}


@pytest.mark.parametrize("method", ["bdf", "adams", "ida", "rk45", "auto"])
def test_a_car_that_waits_for_the_next_round(method: str) -> None:
    assert counts(car().simulate(stop_time=150.0, interval=0.1, method=method)) == with_short_steps()

"""Steps of a fixed length over the driving cycle of the gearbox with eleven clutches, brakes and
freewheels, against the integrator with steps of its own; and code per mode against one program."""

from __future__ import annotations

import numpy as np
import pytest

import saltus
from saltus.model import Model
from translated_models import translated

NAME = "Saltus.Examples.Powertrain.DrivingCycle"


@pytest.fixture(scope="module")
def car() -> Model:
    return translated(NAME)


@pytest.fixture(scope="module")
def run(car: Model) -> saltus.Result:
    """By the default method."""
    return car.simulate()


def shifts(result: saltus.Result) -> list[tuple[float, int]]:
    """When which gear is chosen."""
    gear = np.asarray(result["logic.gear"])
    rows = [0, *(np.flatnonzero(np.diff(gear)) + 1).tolist()]
    return [(float(result.time[row]), int(gear[row])) for row in rows]


@pytest.mark.parametrize("method", ["mixed", "inline:implicit-euler"])
def test_fixed_steps_do_what_the_integrator_does(car: Model, run: saltus.Result, method: str) -> None:
    """The same gears, half a second apart at most, and the same velocity."""
    steps = car.simulate(method=method, step=2e-3 if method == "inline:implicit-euler" else 1e-3)
    assert not steps.warnings and steps.statistics["programs"] == 1
    (times, gears), (others, same) = zip(*shifts(steps), strict=True), zip(*shifts(run), strict=True)
    assert gears == same and times == pytest.approx(others, abs=0.5)
    wanted = np.arange(1, 1000) / 10 + 0.003
    apart = np.interp(wanted, steps.time, steps["vehicle.v"]) - np.interp(wanted, run.time, run["vehicle.v"])
    assert np.abs(apart).max() < 0.3 and np.abs(apart).mean() < 0.02


def test_code_per_mode_takes_the_same_steps(car: Model) -> None:
    """The first shifts, with nothing compiled after the start."""
    general = car.simulate(method="mixed", step=1e-3, stop_time=8)
    own = car.simulate(method="mixed", step=1e-3, stop_time=8, modes=general.modes, freeze="*")
    assert own.statistics["programs compiled during the run"] == 0 and own.statistics["programs"] > 4
    assert shifts(own) == shifts(general) and len(shifts(own)) > 1
    at = np.arange(1, 400) * 0.02 + 0.01
    for name in (
        "vehicle.v",
        "engine.w",
        "gearbox.shaft.w",
        "gearbox.c1.tau",
        "gearbox.c2.tau",
        "gearbox.b3.tau",
    ):
        found, expected = (np.interp(at, result.time, result[name]) for result in (own, general))
        np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-6, err_msg=name)

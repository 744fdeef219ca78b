"""The example of the gearbox with eleven clutches, brakes and freewheels, over its whole cycle: it does
what gearboxes do. That steps of a fixed length do the same:
`tests/run/integrators/test_driving_cycle.py`."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from rotational_rigs import Vector
from test_library_powertrain_transmission import ELEMENTS, speeds

import saltus
from saltus.model import Model
from translated_models import translated

NAME = "Saltus.Examples.Powertrain.DrivingCycle"

#: The cycle as the example tells it: time, velocity; where it is negative the car is to stand.
CYCLE = np.array(
    [
        (0, 3, 11, 17, 27, 33, 45, 53, 61, 65, 76, 79, 85, 89, 94, 100),
        (0, 0, 9, 9, 19, 19, 30, 30, 21, 21, 0, 0, 7, 7, 0, 0),
    ],
    dtype=float,
)


@pytest.fixture(scope="module")
def car() -> Model:
    return translated(NAME)


@pytest.fixture(scope="module")
def run(car: Model) -> saltus.Result:
    """By the default method."""
    return car.simulate()


def plates(element: str) -> str:
    return f"gearbox.{element}.plates" if element in ("b0", "b1", "b2") else f"gearbox.{element}"


def stays(result: saltus.Result) -> list[tuple[float, float, int]]:
    """From when to when which gear is chosen."""
    gear = np.asarray(result["logic.gear"])
    changes = [0, *(np.flatnonzero(np.diff(gear)) + 1).tolist(), len(gear) - 1]
    return [(result.time[a], result.time[b], int(gear[a])) for a, b in pairwise(changes)]


def test_velocity_follows_the_cycle(run: saltus.Result) -> None:
    """Within 1.1 m/s; and what stands, stands."""
    wanted = np.interp(run.time, *CYCLE)
    assert np.abs(run["vehicle.v"] - wanted).max() < 1.1
    standing = (run.time > 77) & (run.time < 79)
    assert not run["vehicle.v"][standing].any()
    way = np.trapezoid(np.interp(run.time, *CYCLE), run.time)
    assert run["vehicle.x"][-1] == pytest.approx(way, rel=0.05)
    assert not run.warnings


def test_all_gears_are_gone_through_and_locked(run: saltus.Result) -> None:
    """Up to the sixth and down, and once more to the third; well after a shift, the speeds are those of
    Willis, where the engine drives. What f1 leans upon turns as it likes while b2 lets it."""
    found = stays(run)
    assert [gear for _, _, gear in found] == [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1, 2, 3, 2, 1]
    for begin, end, gear in found:
        row = int(np.searchsorted(run.time, end)) - 3
        driven = run["engine.tau"][row] > 10
        if end - begin > 1.5 and driven and run["vehicle.v"][row] > 1:
            for name, ratio in speeds(gear).items():
                if name == "race" and not run["gearbox.b2.press"][row] > 0.5:
                    continue
                assert run[f"gearbox.{name}.w"][row] == pytest.approx(
                    ratio * run["gearbox.shaft.w"][row], rel=1e-5, abs=1e-3
                ), (gear, name)


def test_every_element_slips_and_locks(run: saltus.Result) -> None:
    for name in ELEMENTS:
        part = plates(name)
        locked = (
            run[f"{part}.free"] == 0
            if f"{part}.free" in run
            else (run[f"{part}.released"] == 0) & (run[f"{part}.locked"] == 1)
        )
        assert locked.any() and not locked.all(), name


def test_freewheels_drive_in_one_direction_only(run: saltus.Result) -> None:
    """They never fall behind, and where they overrun they hand on no more than their plates do."""
    for name in ("c0", "f1", "b3", "b4"):
        slip, torque = run[f"gearbox.{name}.w_rel"], run[f"gearbox.{name}.tau"]
        capacity = {"c0": 300, "f1": 350, "b3": 1450, "b4": 600}[name]
        pressed = capacity * np.clip((run[f"gearbox.{name}.press"] - 0.1) / 0.9, 0, None)
        assert slip.min() > -1e-5, name
        assert (torque <= pressed + 1e-5).all(), name
        overrun = slip > 1e-3
        assert overrun.any(), name
        np.testing.assert_allclose(torque[overrun], pressed[overrun], atol=1e-6, err_msg=name)
    assert run["gearbox.b3.press"].max() == 0  # a pure freewheel, in this cycle


def test_work_of_the_engine_is_all_accounted_for(run: saltus.Result) -> None:
    """What it has given, over all shifts, is drag, rolling, heat of brakes, plates and oil, and of the
    tyres; the car stands at both ends, so that only what turns has kept some."""

    def over(values: Vector) -> float:
        return float(np.trapezoid(values, run.time))

    v = run["vehicle.v"]
    given = over(run["engine.tau"] * run["engine.w"])
    vehicle = over((0.012 * 1500 * 9.81 + 12000 * run["booster.y"]) * v + 1.2 / 2 * 0.7 * v**3)
    slipping = sum(over(run[f"{plates(n)}.tau"] * run[f"{plates(n)}.w_rel"]) for n in ELEMENTS)
    converter = "gearbox.converter"
    oil = over(
        run[f"{converter}.tau_pump"] * run[f"{converter}.w_pump"]
        - run[f"{converter}.tau_turbine"] * run[f"{converter}.w_turbine"]
    )
    tyres = over(v / 0.3 * run["tyres.tau"] ** 2 / 2e4)
    kept = 0.15 / 2 * (run["engine.w"][-1] ** 2 - 90**2) + run["tyres.tau"][-1] ** 2 / 4e4
    assert given == pytest.approx(vehicle + slipping + oil + tyres + kept, rel=2e-3)
    assert min(vehicle, slipping, oil, tyres) > 0 and slipping < 0.1 * given

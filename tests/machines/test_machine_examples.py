"""The machines of `examples/machines` against what can be said of them without running them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import saltus
from saltus.result.files.eventlog import event_lines

EXAMPLES = Path(__file__).parents[2] / "examples" / "machines"


def run(name: str) -> saltus.Result:
    return saltus.load(EXAMPLES / f"{name}.sm").simulate()


def entered(result: saltus.Result, name: str) -> list[float]:
    """The times at which a state becomes active and stays so."""
    columns, values = result.events.columns, result[name]
    return [float(t) for t in columns.times[(values[columns.rights] > values[columns.lefts])]]


def test_a_kettle_boils_when_its_power_says() -> None:
    result = run("Kettle")
    slow = 3 + (80 - 20) / 2
    off = slow + (95 - 80) / 0.5
    assert entered(result, "Slow") == pytest.approx([slow], abs=1e-6)
    assert entered(result, "Off") == pytest.approx([off], abs=1e-6)
    assert result["switched_on"][-1] == 3
    # The lamp is dark for a second, then bright for one.
    assert entered(result, "Bright") == pytest.approx(list(np.arange(4, off, 2)))
    assert result["blinks"][-1] == len(np.arange(4, off, 2))
    for inner in ("Heater", "Lamp"):
        assert (result[inner] == result["Working"]).all()
    told = "\n".join(event_lines(result))
    assert "Transition press is taken at time = 3" in told
    assert "State Slow is entered at time = 33" in told


def test_a_lift_goes_on_where_it_was_stopped() -> None:
    result = run("Elevator")
    pause, way = 10, 3 / 0.5
    up = 2 + way + pause
    assert entered(result, "Stopped") == [5]
    assert entered(result, "Up") == [2, 15]
    assert entered(result, "Above") == pytest.approx([up], abs=1e-6)
    assert entered(result, "Down") == pytest.approx([up + 4], abs=1e-6)
    assert entered(result, "Waiting") == pytest.approx([up + 4 + way], abs=1e-6)
    assert result["trips"][-1] == 1
    standing = (result.time >= 5) & (result.time < 15)
    assert np.ptp(result["z"][standing]) == pytest.approx(0, abs=1e-9)


def test_friction_as_a_machine_has_the_events_of_the_machine_by_hand() -> None:
    machine = run("Friction")
    by_hand = saltus.load(
        "Saltus.Examples.Papers.Cellier2013.Slide_MechanicalFrictionVIII_SixStates"
    ).simulate()
    for state in ("Forward", "Backward", "Sticking"):
        theirs = [t for t in entered(by_hand, state) if t > 0]
        assert [t for t in entered(machine, state) if t > 0] == pytest.approx(theirs, abs=1e-9)
        assert theirs

"""State machines of parts against the same machines as text, and against what can be counted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import saltus

COVERS = (
    "Saltus.StateMachines.State",
    "Saltus.StateMachines.Transition",
    "Saltus.StateMachines.TimedTransition",
)
TEXTS = Path(__file__).parents[2] / "examples" / "machines"
EXAMPLES = "Saltus.Examples.StateMachines"


def entered(result: saltus.Result, name: str) -> list[float]:
    """The times at which a state becomes active and stays so."""
    columns, values = result.events.columns, result[name]
    return [float(t) for t in columns.times[values[columns.rights] > values[columns.lefts]]]


def test_a_kettle_of_parts_is_that_of_text() -> None:
    parts = saltus.load(f"{EXAMPLES}.Kettle").simulate()
    text = saltus.load(TEXTS / "Kettle.sm").simulate()
    for name, path in (
        ("Off", "off"),
        ("Working", "working"),
        ("Fast", "working.heater.fast"),
        ("Slow", "working.heater.slow"),
        ("Dark", "working.lamp.dark"),
        ("Bright", "working.lamp.bright"),
    ):
        assert entered(parts, f"{path}.active") == pytest.approx(entered(text, name), abs=1e-6), name
    slow = 3 + (80 - 20) / 2
    assert entered(parts, "working.heater.slow.active") == pytest.approx([slow], abs=1e-6)
    assert entered(parts, "off.active") == pytest.approx([slow + (95 - 80) / 0.5], abs=1e-6)
    assert parts["working.lamp.blinks"][-1] == text["blinks"][-1] == 30


def test_a_lift_of_parts_goes_on_where_it_was_stopped() -> None:
    parts = saltus.load(f"{EXAMPLES}.Lift").simulate()
    text = saltus.load(TEXTS / "Elevator.sm").simulate()
    for name, path in (("Up", "service.up"), ("Above", "service.above"), ("Down", "service.down")):
        assert entered(parts, f"{path}.active") == pytest.approx(entered(text, name), abs=1e-6), name
    assert entered(parts, "service.up.active") == pytest.approx([2, 15])  # not where it begins
    assert entered(parts, "stopped.active") == [5]
    standing = (parts.time >= 5) & (parts.time < 15)
    assert np.ptp(parts["z"][standing]) == pytest.approx(0, abs=1e-9)
    assert parts["trips"][-1] == 1


ROW = """
model Row
  extends Saltus.StateMachines.Machine;
  import Saltus.StateMachines.*;
  State a(start = true, nIn = 0, nOut = 2);
  State b(nOut = 0);
  State c;
  State d(nOut = 0);
  Transition second(condition = time >= 1), first(condition = time >= 1), on;
equation
  connect(a.leave[1], first.from);
  connect(a.leave[2], second.from);
  connect(first.to, c.enter[1]);
  connect(second.to, b.enter[1]);
  connect(c.leave[1], on.from);
  connect(on.to, d.enter[1]);
end Row;
"""


def test_the_first_transition_of_a_state_has_precedence_and_an_instant_has_rounds() -> None:
    result = saltus.load(ROW).simulate(stop_time=2)
    names = ("a", "b", "c", "d")
    assert [result[f"{name}.active"][-1] for name in names] == [0, 0, 0, 1]
    (event,) = result.events.of("on.taken")
    assert event.time == 1
    assert result["b.active"].max() == 0
    assert [e.time for e in result.events.of("first.taken")] == [1]
    assert not result.events.of("second.taken")


def test_burner_is_started_in_steps() -> None:
    """Each state is left a tick after the one that decides: purging takes 51 ticks, an attempt 31, and
    the sensor crosses 600 K after 1.5 ln(...) seconds, on which the next tick and the one after it follow."""
    result = saltus.load(f"{EXAMPLES}.Burner").simulate()

    def ticks_after(t: float) -> float:
        return float(np.ceil(10 * t - 1e-6)) / 10 + 0.1

    burns = ticks_after(13.3 + 1.5 * np.log(900 / 600))
    hot = 1200 - 900 * np.exp(-(25 - 13.3) / 1.5)
    dark = ticks_after(25 + 1.5 * np.log((hot - 300) / 300))
    warm = 300 + (hot - 300) * np.exp(-(dark + 5.1 - 25) / 1.5)
    again = ticks_after(dark + 5.1 + 1.5 * np.log((1200 - warm) / 600))
    assert entered(result, "purge.active") == pytest.approx([0, 8.2, dark])
    assert entered(result, "ignite.active") == pytest.approx([5.1, 13.3, dark + 5.1])
    assert entered(result, "heat.active") == pytest.approx([burns, again])
    assert entered(result, "locked.active") == []
    row = np.searchsorted(result.time, 13.35) - 1
    assert (result["attempts"][row], result["fan"][row], result["gas"][row]) == (2, 0.3, 1)


def test_burner_is_locked_after_three_attempts() -> None:
    result = saltus.load(f"{EXAMPLES}.Burner").simulate(set={"air": 100})
    assert entered(result, "ignite.active") == pytest.approx([5.1, 13.3, 21.5])
    assert entered(result, "locked.active") == pytest.approx([24.6])
    assert (result["attempts"][-1], result["fan"][-1], result["gas"][-1]) == (3, 0, 0)

"""The nets of `examples/nets` against what can be said of them without running them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import saltus
from saltus.result.files.eventlog import event_lines

EXAMPLES = Path(__file__).parents[2] / "examples" / "nets"


def run(name: str, **given: float) -> saltus.Result:
    return saltus.load(EXAMPLES / f"{name}.pn").simulate(**given)


def rises(result: saltus.Result, name: str) -> list[float]:
    """The times at which a place gets a token that stays for a while."""
    values = result[name]
    after = result.events.columns.rights
    before = result.events.columns.lefts
    up = values[after] > values[before]
    return [float(t) for t in result.events.columns.times[up]]


def test_philosophers_come_to_a_deadlock_when_all_reach_out() -> None:
    result = run("Philosophers")
    assert [result[f"waits{k}"][-1] for k in range(1, 6)] == [1] * 5
    assert [result[f"fork{k}"][-1] for k in range(1, 6)] == [0] * 5
    (event,) = result.events.of("deadlock")
    assert event.time == 1.0
    told = "\n".join(event_lines(result))
    assert "Net Philosophers is in a deadlock at time = 1: no transition has its tokens" in told
    assert "Transition left3 fires at time = 1" in told
    assert "Place fork3 holds 0 (1 before)" in told


def test_a_philosopher_who_is_faster_eats() -> None:
    text = (EXAMPLES / "Philosophers.pn").read_text()
    text = text.replace("transition left5(delay = reach)", "transition left5(delay = 3*reach)")
    result = saltus.load(text).simulate(stop_time=1.5)
    # The fork that the fifth does not take yet is free for the fourth.
    assert [result[f"eats{k}"][-1] for k in range(1, 6)] == [0, 0, 0, 1, 0]
    assert not result["deadlock"][-1]


def test_traffic_lights_are_never_green_together() -> None:
    result = run("TrafficLight")
    cycle = 2 + 20 + 3
    assert rises(result, "nsGreen") == [2, 2 + 2 * cycle, 2 + 4 * cycle]
    assert rises(result, "ewGreen") == [2 + cycle, 2 + 3 * cycle]
    going = sum(result[name] for name in ("nsGreen", "nsYellow", "ewGreen", "ewYellow"))
    assert going.max() == 1
    for way in ("ns", "ew"):
        assert set(result[f"{way}Red"] + result[f"{way}Green"] + result[f"{way}Yellow"]) == {1}


def test_batches_take_the_time_that_their_rates_say() -> None:
    result = run("BatchPlant")
    fill, heat, drain = 1 / 0.1, (60 - 20) / 2, 1 / 0.2
    batch = fill + heat + drain
    for place, first in (("heating", fill), ("draining", fill + heat), ("done", batch)):
        assert rises(result, place) == pytest.approx([first + k * batch for k in range(3)], abs=1e-6)
    assert result["done"][-1] == 3
    assert result["deadlock"][-1]
    assert result["T"].max() == pytest.approx(60, abs=1e-6)


def test_friction_as_a_net_of_text_has_the_events_of_the_net_of_parts() -> None:
    net = run("Friction")
    parts = saltus.load("Saltus.Examples.Papers.Cellier2013.Slide_PetriNetsVIII_Friction").simulate()
    times = np.array(parts.events.times)
    assert len(times) == len(net.events.times)
    assert np.abs(times - net.events.times).max() < 1e-9
    for place in ("Sticking", "Forward", "Backward"):
        theirs = rises(parts, place[0].lower() + place[1:] + ".p")
        # At the start the parts find their first place before anything is recorded.
        assert [t for t in rises(net, place) if t > 0] == pytest.approx(theirs, abs=1e-9)
    told = "\n".join(event_lines(net))
    assert "Transition break_away fires" in told

"""Nets and machines built in Python: the text that they are, and what can be done with them."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from saltus.core.diagnostics import ModelError
from saltus.petrinet import Net
from saltus.statemachine import Machine


def queue() -> Net:
    net = Net("Queue", "Three customers", capacity=5)
    n = net.parameter("n", 3, "Integer")
    net.memory("last", -1)
    net.place("waiting", tokens=n)
    net.place("served", description="who is through")
    net.place("closed", capacity=1)
    net.transition("serve", "waiting -> served", delay=1.5, unless="closed", then={"last": "time"})
    net.transition("close", "-> closed", at="time > 3.5", priority=2)
    net.experiment(stop=10)
    return net


def test_a_net_is_its_text() -> None:
    assert (
        queue().to_text()
        == """net Queue(capacity = 5) "Three customers"
  parameter Integer n = 3
  memory last = -1
  place waiting(tokens = n)
  place served "who is through"
  place closed(capacity = 1)
  transition serve(delay = 1.5): waiting -> served unless closed then last = time
  transition close(priority = 2): -> closed at time > 3.5
  experiment stop = 10
end Queue
"""
    )


def test_a_net_runs_and_is_drawn(tmp_path: Path) -> None:
    net = queue()
    result = net.simulate()
    assert result["served"][-1] == 2  # at 1.5 and 3; then it is closed
    assert result["last"][-1] == 3
    file = tmp_path / "queue.svg"
    assert net.draw(file, result=result, time=2) == file.read_text()
    assert "Queue at 2" in file.read_text()
    assert len(net.reachable().situations) == 8  # so many served, closed or not


def light() -> Machine:
    machine = Machine("Light", initial="Working")
    machine.memory("n", 0, "Integer")
    machine.signal("lamp", 0)
    with machine.inside("Working", entry={"n": "n + 1"}):
        machine.initial("Red")
        machine.history()
        machine.state("Red")
        machine.state("Green", during={"lamp": 2})
        machine.transition("Red", "Green", after=2)
        machine.transition("Green", "Red", "stop", after=3)
    machine.state("Broken")
    machine.transition("Working", "Broken", at="time > 4", priority=1)
    machine.transition("Broken", "Working", after=1)
    return machine


def test_a_machine_runs_and_is_drawn() -> None:
    result = light().simulate(stop_time=9)
    # Green from 2 to 4 and, as it was, from 5 to 8.
    columns = result.events.columns
    lamp = [(float(t), float(v)) for t, v in zip(columns.times, result["lamp"][columns.rights], strict=True)]
    changes = [b for a, b in pairwise([(-1.0, 0.0), *lamp]) if a[1] != b[1]]
    assert changes == [(2.0, 2.0), (4.0, 0.0), (5.0, 2.0), (8.0, 0.0)]
    assert result["n"][-1] == 2
    found = light().reachable()
    held = [{p for p, n in marking.items() if n} for marking in found.situations]
    after = [names for names in held if not any(name.startswith("Begin") for name in names)]
    assert len(after) == 4  # red, green, broken after either
    assert "Green" in light().draw()


def test_what_is_wrong_is_told_with_the_statement() -> None:
    net = Net("Wrong")
    net.place("a", tokens=1)
    net.transition("t", "a -> b")
    with pytest.raises(ModelError) as caught:
        net.load()
    assert "there is no place `b`" in str(caught.value)

"""Petri nets of parts against the same nets as text, and against what can be counted."""

from __future__ import annotations

import saltus

COVERS = (
    "Saltus.PetriNets.Place",
    "Saltus.PetriNets.Transition",
    "Saltus.PetriNets.TimedTransition",
)

PARTS = """
model Parts
  import Saltus.PetriNets.*;
  Place a(start = 5, nIn = 0, nOut = 2);
  Place b(capacity = 3, nIn = 2, nOut = 1);
  Place c(nIn = 1, nOut = 1);
  Transition t1(weightIn = {2}, condition = time > 1);
  TimedTransition t2(delay = 2);
  Transition t3(weightIn = {2}, nInhibitors = 1, inhibitors = {c.before}, threshold = {1});
  TimedTransition t4(delay = 0.7, nOut = 0);
equation
  connect(a.leave[1], t1.from[1]);
  connect(t1.to[1], b.enter[1]);
  connect(a.leave[2], t2.from[1]);
  connect(t2.to[1], b.enter[2]);
  connect(b.leave[1], t3.from[1]);
  connect(t3.to[1], c.enter[1]);
  connect(c.leave[1], t4.from[1]);
end Parts;
"""
TEXT = """
net Same
  place a(tokens = 5)
  place b(capacity = 3)
  place c
  transition t1: 2*a -> b when time > 1
  transition t2(delay = 2): a -> b
  transition t3: 2*b -> c unless c
  transition t4(delay = 0.7): c ->
end Same
"""


def moves(result: saltus.Result, ending: str) -> list[tuple[float, str, int]]:
    """Time, place and tokens, whenever they change, in rounds."""
    names = {f"{p}{ending}": p for p in "abc"}
    return [
        (record.time, names[change.name], change.new)
        for record in result.events.records()
        for changed in result.events.rounds(record)
        for change in sorted(result.events.changes(changed), key=lambda c: c.name)
        if change.name in names
    ]


def test_parts_and_text_play_the_same_game() -> None:
    parts = saltus.load(PARTS).simulate(stop_time=6)
    text = saltus.load(TEXT).simulate(stop_time=6)
    assert moves(parts, ".tokens") == moves(text, "")
    assert len(moves(text, "")) > 8


def test_a_workshop_is_held_up_by_its_machine() -> None:
    result = saltus.load("Saltus.Examples.PetriNets.Workshop").simulate()
    columns = result.events.columns
    done = result["done.tokens"]
    times = columns.times[done[columns.rights] > done[columns.lefts]]
    assert times.tolist() == [7, 12, 17, 22]  # two parts are there at 2; four are made in turn
    assert result["buffer.tokens"].max() == 3
    assert (result["buffer.tokens"][-1], result["stock.tokens"][-1]) == (1, 0)


KEPT = """
model Kept
  import Saltus.PetriNets.*;
  Place parts(start = 3, nIn = 0);
  Place permit(start = 1, capacity = 1);
  Place made(nOut = 0);
  TimedTransition work(delay = 1, nIn = 2, nOut = 2, weightOut = {1, 1});
equation
  connect(parts.leave[1], work.from[1]);
  connect(permit.leave[1], work.from[2]);
  connect(work.to[1], made.enter[1]);
  connect(work.to[2], permit.enter[1]);
end Kept;
model Two
  Kept one, other(work(delay = 2));
end Two;
"""


def test_what_a_transition_takes_makes_room_for_what_it_puts_there() -> None:
    """The permit is taken and given back, and there is room for one only. Each shop has its own."""
    result = saltus.load(KEPT).simulate(stop_time=7)
    columns = result.events.columns
    for name, delay in (("one", 1), ("other", 2)):
        made = result[f"{name}.made.tokens"]
        times = columns.times[made[columns.rights] > made[columns.lefts]]
        assert times.tolist() == [delay, 2 * delay, 3 * delay]
        assert set(result[f"{name}.permit.tokens"]) == {1}

"""Texts of state machines: what is read, what is wrong, and that what is written is read again."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from tests.read.damage import assert_told, damaged

import saltus
from saltus.core.diagnostics import ModelError, RunError
from saltus.core.source import Source
from saltus.finding import find_class
from saltus.ir.automata.machine import Machine
from saltus.read.statechart.files import machines as machines_of
from saltus.read.statechart.parser import parse
from saltus.read.statechart.writer import machine_text

sys.path.append(str(Path(__file__).parents[2] / "machines"))
from random_machines import RandomMachine, machines

EXAMPLES = sorted((Path(__file__).parents[3] / "examples" / "machines").glob("*.sm"))
EVERYTHING = """machine Everything "All statements"
  parameter Integer n = 2
  continuous h = 0.25 "level"
  memory Integer count = 0
  memory last = -1
  signal u = 0
  part Saltus.Blocks.Math.Gain gain(k = 2)
  equation gain.u = h
  equation der(h) = 0.1
  experiment stop = 3
  initial A
  state A "waits"
  parallel B
    entry count = count + n, last = time
    exit count = 0
    state B1
      initial C
      history
      state C
        during u = 1
        during der(h) = 2*gain.y
      end C
      state D
    end B1
    state B2
  end B
  transition go(priority = 2): A -> B when h > 0.5 then count = 7 "goes"
  A -> D after 3 when B1 or h > 2
  transition back: B -> A at C and h > 1
end Everything
"""


def read(text: str) -> Machine:
    return parse(Source("test.sm", text))[-1]


def test_every_statement_is_written_as_it_was_read() -> None:
    machine = read(EVERYTHING)
    assert machine_text(machine) == EVERYTHING
    assert machine.chain("C") == ("Everything", "B", "B1", "C")
    assert machine.entered_first() == ("A",)
    go = machine.transitions[0]
    assert [name for name, _ in machine.entered(go)] == ["B", "B1", "C", "D", "B2"]
    assert [t.name for t in machine.transitions] == ["go", "A_to_D", "back"]


@settings(max_examples=60)
@given(machines())
def test_random_machines_survive_writing(machine: RandomMachine) -> None:
    once = machine_text(read(machine.text))
    assert machine_text(read(once)) == once


MISTAKES = {
    "not-a-machine": ("automaton M\nend M", "E101", "automaton", "`machine NAME`"),
    "modelica": ("machine M\nstate A\nend M\nmodel N\nend N;", "E101", "model", "end with .mo"),
    "no-end": ("machine M\nstate A\n", "E101", "", "`end M` is missing"),
    "state-not-ended": ("machine M\nstate A\nentry x = 1\nend M", "E101", "entry", "write `end A`"),
    "no-states": ("machine M\nend M", "E209", "M", "has no state"),
    "no-initial": ("machine M\nstate A\nstate B\nA -> B when time > 1\nend M", "E209", "M", "`initial A`"),
    "initial-unknown": ("machine M\ninitial B\nstate A\nstate C\nend M", "E201", "M", "no state `B` in it"),
    "initial-twice": (
        "machine M\ninitial A\ninitial B\nstate A\nstate B\nend M",
        "E202",
        "initial B",
        "two initial states",
    ),
    "target": (
        "machine M\ninitial Red\nstate Red\nstate Green\nRed -> Gren when time > 1\nend M",
        "E201",
        "Red -> Gren when time > 1",
        "did you mean `Green`",
    ),
    "name-twice": ("machine M\ninitial A\nstate A\nstate A\nend M", "E202", "A", "there already, a state"),
    "own-name": ("machine M\nstate M\nend M", "E202", "M", "of its own name"),
    "condition-alone": ("machine M\nstate A\nwhen time > 1\nend M", "E101", "", "a transition is written"),
    "no-arrow": ("machine M\nstate A\ntransition t: A when time > 1\nend M", "E101", "when", "`A -> B when"),
    "if": (
        "machine M\ninitial A\nstate A\nstate B\nA -> B if time > 1\nend M",
        "E101",
        "if",
        "`when x > 1`",
    ),
    "order": (
        "machine M\ninitial A\nstate A\nstate B\nA -> B when time > 1 after 2\nend M",
        "E101",
        "after",
        "`after` comes before `when`",
    ),
    "edge-and-after": (
        "machine M\ninitial A\nstate A\nstate B\nA -> B after 1 at time > 1\nend M",
        "E209",
        "A -> B after 1 at time > 1",
        "cannot wait",
    ),
    "across": (
        "machine M\nparallel P\nstate A\nstate B\nend P\nA -> B when time > 1\nend M",
        "E209",
        "A -> B when time > 1",
        "two sides of `P`",
    ),
    "parallel-initial": (
        "machine M\nparallel P\ninitial A\nstate A\nstate B\nend P\nend M",
        "E209",
        "P",
        "none is initial",
    ),
    "parallel-alone": ("machine M\nparallel P\nstate A\nend P\nend M", "E209", "P", "has one state in it"),
    "history": ("machine M\nstate A\nhistory\nend A\nend M", "E209", "A", "leave `history`"),
    "target-of-entry": (
        "machine M\nmemory count = 0\nstate A\nentry cuont = 1\nend A\nend M",
        "E201",
        "cuont",
        "did you mean `count`",
    ),
    "during-unknown": (
        "machine M\nstate A\nduring u = 1\nend A\nend M",
        "E201",
        "u",
        "`signal u = 0`",
    ),
    "during-derivative": (
        "machine M\nsignal h = 0\nstate A\nduring der(h) = 1\nend A\nend M",
        "E201",
        "der(h)",
        "`continuous h = 0`",
    ),
    "during-twice": (
        "machine M\nsignal u = 0\nparallel P\nstate A\nduring u = 1\nend A\n"
        "state B\nduring u = 2\nend B\nend P\nend M",
        "E202",
        "during u = 2",
        "determined twice",
    ),
    "truth": (
        "machine M\ncontinuous h = 0\ninitial A\nstate A\nstate B\nA -> B when h\nend M",
        "E205",
        "h",
        "`h >= 1`",
    ),
    "priority": (
        "machine M\ninitial A\nstate A\nstate B\ntransition t(priority = high): A -> B\nend M",
        "E207",
        "high",
        "whole number",
    ),
    "statement": ("machine M\nstaet A\nend M", "E201", "staet", "did you mean `state`"),
    "other-word": ("machine M\nlocation A\nend M", "E201", "location", "write `state`"),
    "assigned": ("machine M\nstate A\nx = 1\nend M", "E101", "x", "`entry x = ...`"),
    "unknown-name": (
        "machine M\ncontinuous level = 0\ninitial A\nstate A\nstate B\nA -> B when lvel > 1\nend M",
        "E201",
        "lvel",
        "did you mean `level`",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_told_with_their_place(name: str, tmp_path: Path) -> None:
    assert_told(tmp_path / "mistake.sm", *MISTAKES[name])


def test_a_machine_that_does_not_come_to_rest_is_illegitimate() -> None:
    model = saltus.load("machine M\ninitial A\nstate A\nstate B\nA -> B\nback: B -> A\nend M\n")
    with pytest.raises(RunError) as caught:
        model.simulate(stop_time=1)
    first = caught.value.diagnostics[0]
    assert first.code == "E404"
    assert first.message.startswith("`A_to_B` and `back` are taken without end at time 0")
    assert first.hint is not None
    assert "`A -> B after 1`" in first.hint


ODD = [
    "'",
    '"',
    "(",
    ")",
    "end",
    "->",
    "state",
    "at",
    "when",
    "\n",
    "=",
    "parallel",
    "initial",
    "é",
    ".",
    "-",
]


def judged(text: str, folder: Path) -> bool:
    """Whether a text is refused. What is told has a place; what is not refused can be written."""
    file = folder / "damaged.sm"
    file.write_text(text, encoding="utf-8")
    try:
        find_class(file)
    except ModelError as error:
        assert all(d.span is not None for d in error.diagnostics), str(error)
        return True
    for machine in machines_of(Source("damaged.sm", text)):
        assert machine_text(read(machine_text(machine))) == machine_text(machine)
    return False


@pytest.mark.parametrize("path", [None, *EXAMPLES], ids=lambda p: p.stem if p else "everything")
def test_damaged_machines(path: Path | None, tmp_path: Path) -> None:
    text = path.read_text(encoding="utf-8") if path is not None else EVERYTHING
    chance = random.Random(len(text))
    refused = sum(judged(damaged(text, chance, ODD), tmp_path) for _ in range(60))
    assert 0 < refused < 60


def test_states_in_states_without_end_are_told() -> None:
    deep = 20_000
    opened = "".join(f"state D{k}\n" for k in range(deep))
    closed = "".join(f"end D{k}\n" for k in reversed(range(deep)))
    with pytest.raises(ModelError) as caught:
        saltus.load(f"machine M\n{opened}{closed}end M\n")
    assert "nested too deeply" in caught.value.diagnostics[0].message
    assert caught.value.diagnostics[0].span is not None

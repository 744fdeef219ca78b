"""Rewrites of automata behave as what they were made of: the same at the same times."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings

import saltus
from saltus.converting import equations_text
from saltus.core.source import Source
from saltus.ir.automata.machine import Machine
from saltus.read.petri.files import nets as nets_of
from saltus.read.petri.writer import net_text
from saltus.read.statechart.files import machines as machines_of
from saltus.read.statechart.writer import machine_text
from saltus.transform.flattening import flattened
from saltus.transform.splitting import split
from saltus.transform.to_net import to_net

sys.path.append(str(Path(__file__).parents[1] / "machines"))
from random_machines import END, RandomMachine, machines

EXAMPLES = Path(__file__).parents[2] / "examples" / "machines"
#: Events of one instant may be told in one or in two.
CLOSE = 1e-9


def read(text: str) -> Machine:
    return machines_of(Source("test.sm", text))[-1]


def trace(result: saltus.Result, names: set[str]) -> list[tuple[float, frozenset[str]]]:
    """What is active after each instant, whenever it changes; places with tokens are active, too."""
    columns = result.events.columns
    found: list[tuple[float, frozenset[str]]] = []
    active = {n: result[n] for n in names}
    for time, row in zip(columns.times, columns.rights, strict=True):
        now = frozenset(n for n in names if active[n][row] > 0)
        if found and abs(found[-1][0] - time) <= CLOSE:
            found.pop()
        if not found or found[-1][1] != now:
            found.append((float(time), now))
    return found


def same(a: list[tuple[float, frozenset[str]]], b: list[tuple[float, frozenset[str]]]) -> None:
    assert [active for _, active in a] == [active for _, active in b]
    assert [time for time, _ in a] == pytest.approx([time for time, _ in b], abs=CLOSE)


@settings(max_examples=60, phases=[Phase.generate])
@given(machines().filter(RandomMachine.ends))
def test_flat_machines_behave_like_those_with_hierarchy(chosen: RandomMachine) -> None:
    machine = read(chosen.text + "\n")
    names = {s.name for s in machine.states}
    flat = flattened(machine)
    assert all(not s.states for s in flat.states)
    whole = saltus.load(chosen.text + "\n").simulate(stop_time=END)
    result = saltus.load(machine_text(flat)).simulate(stop_time=END)
    same(trace(whole, names), trace(result, names))
    assert whole["n"][-1] == result["n"][-1]


@settings(max_examples=60, phases=[Phase.generate])
@given(machines(flat=True).filter(RandomMachine.ends))
def test_nets_behave_like_their_machines(chosen: RandomMachine) -> None:
    machine = read(chosen.text + "\n")
    names = {s.name for s in machine.states}
    whole = saltus.load(chosen.text + "\n").simulate(stop_time=END)
    result = saltus.load(net_text(to_net(machine))).simulate(stop_time=END)
    same(trace(whole, names), trace(result, names))
    assert whole["n"][-1] == result["n"][-1]


@pytest.mark.parametrize("name", ["Kettle", "Elevator", "Friction"])
def test_examples_as_nets(name: str) -> None:
    text = (EXAMPLES / f"{name}.sm").read_text()
    machine = read(text)
    flat = flattened(machine)
    net = to_net(flat)
    names = {s.name for s in machine.states}
    whole, one, other = (saltus.load(t).simulate() for t in (text, machine_text(flat), net_text(net)))
    same(trace(whole, names), trace(one, names))
    same(trace(whole, names), trace(other, names))


FOUR = (EXAMPLES / "FrictionFour.sm").read_text()


def test_the_machine_with_four_states_is_split_into_the_relations_of_the_paper() -> None:
    """Slide "Petri Nets XIV": eleven conditions, each a single relation, and the places StartForward and
    StartBackward, which the machine does not have."""
    net = to_net(read(FOUR))
    assert len(net.places) == 4
    found = split(net)
    added = {p.name for p in found.places} - {p.name for p in net.places}
    assert added == {"Sticking_to_Backward", "Sticking_to_Forward"}
    ways = {
        (
            t.inputs[0].place.replace("Sticking_to_", "Start"),
            t.outputs[0].place.replace("Sticking_to_", "Start"),
        )
        for t in found.transitions
    }
    assert ways == {
        ("Start", "Backward"),
        ("Start", "Forward"),
        ("Start", "Sticking"),
        ("StartBackward", "Backward"),
        ("StartForward", "Forward"),
        ("Sticking", "StartBackward"),
        ("Sticking", "StartForward"),
        ("StartBackward", "Sticking"),
        ("StartForward", "Sticking"),
        ("Backward", "Sticking"),
        ("Forward", "Sticking"),
    }
    assert len(found.transitions) == 11


def test_the_split_net_has_the_events_of_the_machine() -> None:
    net = to_net(read(FOUR))
    found = split(net)
    machine, whole, parts = (saltus.load(t).simulate() for t in (FOUR, net_text(net), net_text(found)))
    names = {"Forward", "Backward"}
    same(trace(machine, names), trace(whole, names))
    same(trace(machine, names), trace(parts, names))
    slide = "Saltus.Examples.Papers.Cellier2013.Slide_PetriNetsXIV_SimpleConditions"
    of_parts = saltus.load(slide).simulate()
    forward = [t for t, active in trace(parts, {"Forward"}) if active]
    theirs = [
        float(t)
        for t, left, right in zip(
            of_parts.events.columns.times,
            of_parts["forward.p"][of_parts.events.columns.lefts],
            of_parts["forward.p"][of_parts.events.columns.rights],
            strict=True,
        )
        if right > left
    ]
    assert forward == pytest.approx(theirs, abs=1e-9)


def test_or_becomes_transitions_side_by_side() -> None:
    rule = "transition t: a -> b when time > 3 or time > 2 and time < 5"
    text = f"net N\nplace a(tokens = 1)\nplace b\n{rule}\nend N\n"
    (net,) = nets_of(Source("test.pn", text))
    found = split(net)
    assert len(found.places) == 3
    result = saltus.load(net_text(found)).simulate(stop_time=4)
    assert trace(result, {"b"}) == [(0.0, frozenset()), (2.0, frozenset({"b"}))]


@settings(max_examples=60, phases=[Phase.generate])
@given(machines(flat=True).filter(RandomMachine.ends))
def test_boolean_equations_behave_like_their_machines(chosen: RandomMachine) -> None:
    machine = read(chosen.text + "\n")
    names = {s.name for s in machine.states}
    whole = saltus.load(chosen.text + "\n").simulate(stop_time=END)
    result = saltus.load(equations_text(machine)).simulate(stop_time=END)
    same(trace(whole, names), trace(result, names))
    assert whole["n"][-1] == result["n"][-1]


def test_the_boolean_equations_of_friction_are_those_of_the_paper() -> None:
    text = (EXAMPLES / "Friction.sm").read_text()
    machine = read(text)
    equations = equations_text(machine)
    (forward,) = (line.strip() for line in equations.splitlines() if line.strip().startswith("Forward ="))
    for part in (
        "pre(Start) and",
        "pre(StartForward) and",
        "or (pre(Forward) and (initial() or not ",
    ):
        assert part in forward
    whole, result = saltus.load(text).simulate(), saltus.load(equations).simulate()
    names = {s.name for s in machine.states} - {"Start"}
    same([x for x in trace(whole, names) if x[0] > 0], [x for x in trace(result, names) if x[0] > 0])

"""Graphs to text. Reading the printed text gives the same graph but for the places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from saltus.ir.automata.automaton import Transition
from saltus.ir.automata.lines import Argument, Experiment, Memory, Parameter, Signal
from saltus.ir.bonds.graph import OFF, ON, Bond, Element, Graph, Item, Machine
from saltus.read.modelica.printer_expressions import expression_text, string_text


def graph_text(graph: Graph) -> str:
    """A whole graph, one statement a line."""
    lines = [f"graph {graph.name}{_described(graph.description)}"]
    for item in graph.items:
        lines += (f"  {line}" for line in _item(item))
    return "\n".join([*lines, f"end {graph.name}", ""])


def item_text(item: Item) -> str:
    """One statement."""
    return "\n".join(_item(item))


def _item(item: Item) -> Iterator[str]:
    match item:
        case Parameter():
            yield f"parameter {_definition(item)}"
        case Signal():
            yield f"signal {_definition(item)}"
        case Memory():
            yield f"memory {_definition(item)}"
        case Element(kind=kind, name=name, arguments=arguments):
            given = f"({_arguments(arguments)})" if arguments else ""
            yield f"{kind} {name}{given}{_described(item.description)}"
        case Bond():
            title = f"{item.name}: " if item.name else ""
            yield f"bond {title}{item.tail} -> {item.head}{_described(item.description)}"
        case Machine():
            yield from _machine(item)
        case Experiment(arguments=arguments):
            yield f"experiment {_arguments(arguments)}"


def _definition(item: Parameter | Signal | Memory) -> str:
    return f"{item.name} = {expression_text(item.value)}{_described(item.description)}"


def _arguments(arguments: Sequence[Argument]) -> str:
    return ", ".join(f"{a.name} = {expression_text(a.value)}" for a in arguments)


def _machine(machine: Machine) -> Iterator[str]:
    automaton = machine.automaton
    yield f"machine {machine.name}"
    for location in automaton.locations:
        if location.name not in (OFF, ON):
            state = ON if location.name in machine.on else OFF
            yield f"  location {location.name} = {state}{_described(location.description)}"
    yield f"  initial {automaton.initial}"
    for transition in automaton.transitions:
        yield f"  {transition_text(transition)}"
    yield "end"


def transition_text(transition: Transition) -> str:
    """`off -> on when slip > 0 then kick = 1`"""
    return f"{transition.source} -> {transition.target} when {condition_text(transition)}"


def condition_text(transition: Transition) -> str:
    """`slip > 0 then kick = 1`"""
    text = expression_text(transition.guard)
    actions = [f"{expression_text(a.target)} = {expression_text(a.value)}" for a in transition.actions]
    return f"{text} then {', '.join(actions)}" if actions else text


def _described(text: str) -> str:
    return f" {string_text(text)}" if text else ""

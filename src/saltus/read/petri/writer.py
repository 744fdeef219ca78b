"""Nets to text. Reading the printed text gives the same net but for the places in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from saltus.ir.automata.net import Arc, Item, Net, Place, Transition
from saltus.read.lines.printed import actions_text, declared_text, described
from saltus.read.modelica.printer_expressions import expression_text


def net_text(net: Net) -> str:
    """A whole net, one statement a line."""
    capacity = f"(capacity = {expression_text(net.capacity)})" if net.capacity is not None else ""
    lines = [f"net {net.name}{capacity}{described(net.description)}"]
    lines += (f"  {item_text(item)}" for item in net.items)
    return "\n".join([*lines, f"end {net.name}", ""])


def item_text(item: Item) -> str:
    """One statement."""
    match item:
        case Place():
            return f"place {item.name}{_given(_of_place(item))}{described(item.description)}"
        case Transition():
            given = _given(_of_transition(item))
            return f"transition {item.name}{given}: {rule_text(item)}{described(item.description)}"
    return declared_text(item)


def rule_text(transition: Transition) -> str:
    """`a + 2*b -> c unless d when x > 1 then y = 2`"""
    parts = [_arcs(transition.inputs), "->", _arcs(transition.outputs)]
    if transition.inhibitors:
        parts += ["unless", _arcs(transition.inhibitors)]
    if transition.condition is not None:
        parts += ["at" if transition.edge else "when", expression_text(transition.condition)]
    if transition.actions:
        parts += ["then", actions_text(transition.actions)]
    return " ".join(p for p in parts if p)


def _of_place(place: Place) -> Iterator[str]:
    if place.tokens is not None:
        yield f"tokens = {expression_text(place.tokens)}"
    if place.capacity is not None:
        yield f"capacity = {expression_text(place.capacity)}"


def _of_transition(transition: Transition) -> Iterator[str]:
    if transition.priority != 1:
        yield f"priority = {transition.priority}"
    if transition.delay is not None:
        yield f"delay = {expression_text(transition.delay)}"


def _given(arguments: Iterator[str]) -> str:
    found = ", ".join(arguments)
    return f"({found})" if found else ""


def _arcs(arcs: Sequence[Arc]) -> str:
    return " + ".join(arc_text(arc) for arc in arcs)


def arc_text(arc: Arc) -> str:
    """`2*a`"""
    return arc.place if arc.weight is None else f"{expression_text(arc.weight)}*{arc.place}"

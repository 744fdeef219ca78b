"""Signals in pictures of bond graphs: who reads what, and where the boxes of signals stand.

A formula that reads a variable of an element is an active bond: it carries one variable and no power. From
a signal, to an element that it modulates, or to a junction whose machine asks for it, there leads a signal.
Both are full arrows. Boxes get cells that the graph has left free, as near as possible to what they are
joined to, and so that straight lines there pass no element, as far as that can be; the graph itself stands as
it does without them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from itertools import product
from typing import Any, NamedTuple

from saltus.ir import ast
from saltus.ir.automata.lines import Memory, Signal
from saltus.ir.bonds.graph import Element, Graph, Machine
from saltus.show.pictures.bond_places import Cell

_THROUGH = 4.0  # what a line through an element costs, in squares of cells


class Influence(NamedTuple):
    """What `target` reads of `source`. A target is an element or a box; a source may also be a bond."""

    source: str
    target: str


def boxes(graph: Graph) -> tuple[Signal | Memory, ...]:
    """What has a box of its own, in the order of the text."""
    return tuple(item for item in graph.items if isinstance(item, Signal | Memory))


def influences(graph: Graph) -> list[Influence]:
    """All of them, each once, in the order of the text."""
    sources = {name for name, _, what in graph.named() if what != "parameter"}
    found = (Influence(s, t) for t, node in _readers(graph) for s in _names(node) if s in sources and s != t)
    return list(dict.fromkeys(found))


def _readers(graph: Graph) -> Iterator[tuple[str, Any]]:
    """Targets, each with formulas that belong to it."""
    for item in graph.items:
        match item:
            case Element():
                yield item.name, item.arguments
            case Signal():
                yield item.name, item.value
            case Machine():
                for transition in item.automaton.transitions:
                    yield item.name, transition.guard
                    for action in transition.actions:
                        name = action.target.text
                        yield name, action.value
                        yield name, ast.Reference(action.start, action.end, ((item.name, ()),))


def _names(node: Any) -> Iterator[str]:
    """The first names of all references in a tree, those of functions left out."""
    if isinstance(node, ast.Reference):
        yield node.parts[0][0]
    elif isinstance(node, tuple):
        for item in node:
            yield from _names(item)
    elif is_dataclass(node):
        for entry in fields(node):
            if entry.name != "function":
                yield from _names(getattr(node, entry.name))


def box_cells(
    graph: Graph, taken: Sequence[Cell], found: Sequence[Influence], where: Mapping[str, Cell]
) -> dict[str, Cell]:
    """A free cell for each box. `where` are the cells of elements."""
    places: dict[str, tuple[float, float]] = {name: (float(x), float(y)) for name, (x, y) in where.items()}
    for bond in graph.bonds:
        if bond.name:
            (a, b), (c, d) = places[bond.tail], places[bond.head]
            places[bond.name] = (a + c) / 2, (b + d) / 2
    closed = {*taken, *(_between(where[b.tail], where[b.head]) for b in graph.bonds)}
    wide, high = max(x for x, _ in taken), max(y for _, y in taken)
    chosen: dict[str, Cell] = {}
    waiting = [item.name for item in boxes(graph)]
    while waiting:
        # What hangs on most that has its place already comes next.
        known = {
            name: [places[other] for other in _joined(name, found) if other in places] for name in waiting
        }
        name = max(waiting, key=lambda n: len(known[n]))
        free = (c for c in product(range(wide + 2), range(high + 2)) if c not in closed)
        ends = known[name]
        cell = min(free, key=lambda c: (_cost(c, ends, places), c[1], c[0]))
        waiting.remove(name)
        chosen[name] = cell
        closed.add(cell)
        places[name] = float(cell[0]), float(cell[1])
    return chosen


def _joined(name: str, found: Sequence[Influence]) -> list[str]:
    return [i.target if i.source == name else i.source for i in found if name in i]


def _cost(
    cell: Cell, ends: Sequence[tuple[float, float]], places: Mapping[str, tuple[float, float]]
) -> float:
    """Squares of lengths, and so much more for each element that is in the way."""
    found = 0.0
    for x, y in ends:
        u, v = x - cell[0], y - cell[1]
        square = u * u + v * v
        found += square
        for a, b in places.values():
            along = ((a - cell[0]) * u + (b - cell[1]) * v) / (square or 1.0)
            apart = (a - cell[0] - along * u) ** 2 + (b - cell[1] - along * v) ** 2
            found += _THROUGH * (0.01 < along < 0.99 and apart < 0.09)
    return found


def _between(one: Cell, other: Cell) -> Cell:
    """The cell in the middle of a bond, if there is one; that of an end otherwise."""
    (a, b), (c, d) = one, other
    return ((a + c) // 2, (b + d) // 2) if (a + c) % 2 == (b + d) % 2 == 0 else one

"""Bond graphs as SVG: elements with their names, half arrows, causal strokes, switched junctions and
machines.

The half arrow is one barb at the end to which power flows; the causal stroke is across the end at which the
effort arrives, which is the other one than that which gives it. Active bonds and signals are full arrows
(`signal_drawing`). Of several modes each has a picture, one below the other: what is different from the first
is red.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape
from textwrap import wrap

from saltus.ir.bonds.causality import Causality
from saltus.ir.bonds.graph import CONTROLLED, KINDS, Bond, Element, Graph, Machine
from saltus.show.pictures.bond_places import Cell, cells
from saltus.show.pictures.bond_signals import box_cells, influences
from saltus.show.pictures.machine_drawing import Words, machine_drawing
from saltus.show.pictures.signal_drawing import Formula, Point, signals_drawn
from saltus.show.pictures.svg import BLACK, GREY, RED, Drawing, in_columns, path, text, text_width

#: Sizes in pixels: of a cell, around the picture, between an element and its bonds, of barbs and strokes.
_WIDE, _HIGH, _MARGIN, _GAP, _BARB, _STROKE = 92, 90, 48, 21, 10, 9
#: Of the name below an element: where it begins and ends below the middle, and half the width of a letter.
_NAME_TOP, _NAME_END, _LETTER = 12, 33, 3.2
#: Of titles; of machines beside the graph: between them, and the least height of a column.
_TITLE_LINE, _BELOW_TITLE, _BETWEEN, _LEAST_COLUMN = 18, 8, 10, 260
_COLOURS = {"Se": "#a8281c", "Sf": "#a8281c", "C": "#1f3f8f", "I": "#1f3f8f", "R": "#1d6b3a"}
_SIGNS = {"J0": "0", "J1": "1", "X0": "0", "X1": "1"}


def graph_svg(graph: Graph, found: Sequence[Causality], words: Words, formula: Formula) -> str:
    """The picture of a graph in these modes; `words` are those of a transition: condition and actions."""
    numbers = {e.name: k for k, e in enumerate(graph.elements)}
    places = cells(len(numbers), [(numbers[b.tail], numbers[b.head]) for b in graph.bonds])
    by_name = {e.name: place for e, place in zip(graph.elements, places, strict=True)}
    arrows = influences(graph)
    by_name |= box_cells(graph, places, arrows, by_name)
    where = {name: _centre(place) for name, place in by_name.items()}
    signals = list(signals_drawn(graph, where, arrows, formula))
    modes = [
        _picture(graph, where, signals, number, each, found[0], words) for number, each in enumerate(found)
    ]
    width, high = max(m.width for m in modes), sum(m.height for m in modes)
    tops = [sum(m.height for m in modes[:k]) for k in range(len(modes))]
    parts = tuple(mode.at(0, top) for mode, top in zip(modes, tops, strict=True))
    return Drawing(width, high, parts).document(graph.name)


def _picture(
    graph: Graph,
    where: dict[str, Point],
    signals: Sequence[str],
    number: int,
    found: Causality,
    first: Causality,
    words: Words,
) -> Drawing:
    """The graph in one mode, with its machines beside it."""
    right = max(x for x, _ in where.values()) + _MARGIN
    bottom = max(y for _, y in where.values()) + _MARGIN
    machines = [_machine(machine, found, first, words) for machine in graph.machines]
    beside = in_columns(machines, max(bottom, _LEAST_COLUMN), _BETWEEN)
    width = right + (beside.width + _MARGIN if machines else 0)
    top, parts = 0.0, []
    if number or graph.machines:
        for line in wrap(_mode_title(number, found, first), int(width / text_width("m", 13)) - 2):
            top += _TITLE_LINE
            parts.append(text(_MARGIN / 2, top, line, BLACK, 13, "start", bold=True))
        top += _BELOW_TITLE
    drawn = (*signals, *_mode(graph, where, found, first))
    parts.append(Drawing(right, bottom, drawn).at(0, top))
    parts.append(beside.at(right + _MARGIN / 2, top))
    return Drawing(width, top + max(bottom, beside.height + _MARGIN / 2), tuple(parts))


def _machine(machine: Machine, found: Causality, first: Causality, words: Words) -> Drawing:
    """Filled are the locations in which it may be while the junction is as it is."""
    name, automaton = machine.name, machine.automaton
    on = found.mode[name]
    reached = automaton.reachable()
    active = [n for n in automaton.names if (n in machine.on) is on and n in reached]
    if found is first and (automaton.initial in machine.on) is on:
        active = [automaton.initial]
    return machine_drawing(automaton, words, active=active, turned=on != first.mode[name])


def _centre(place: Cell) -> tuple[float, float]:
    return _MARGIN + place[0] * _WIDE, _MARGIN + place[1] * _HIGH


def _mode_title(number: int, found: Causality, first: Causality) -> str:
    """All that is switched in the first mode; of the others what is different."""
    different = [name for name, on in found.mode.items() if found is first or on != first.mode[name]]
    words = ", ".join(f"{name} {'on' if found.mode[name] else 'off'}" for name in different)
    if found is not first and len(different) < len(found.mode):
        words += ", the rest as in mode 1"
    end = "" if found.conflict is None else " (conflict of causality)"
    return f"mode {number + 1}: {words or 'always'}{end}"


def _mode(graph: Graph, where: dict[str, Point], found: Causality, first: Causality) -> Iterator[str]:
    elements = {e.name: e for e in graph.elements}
    for number, bond in enumerate(graph.bonds):
        step, before = found.steps.get(number), first.steps.get(number)
        effort = None if step is None else step.effort_from
        changed = found is not first and step is not None and before is not None
        changed = changed and before.effort_from != effort  # type: ignore[union-attr]
        ends = elements[bond.tail], elements[bond.head]
        drawn = _bond(bond, ends, where, effort, RED if changed else BLACK)
        yield '<g class="bond">' + "\n".join(drawn) + "</g>"
    for element in graph.elements:
        on = found.mode.get(element.name)
        turned = found is not first and on != first.mode.get(element.name)
        yield from _element(element, where[element.name], on, turned)


def _bond(
    bond: Bond, ends: tuple[Element, Element], where: dict[str, Point], effort: str | None, colour: str
) -> Iterator[str]:
    (x1, y1), (x2, y2) = where[bond.tail], where[bond.head]
    length = math.hypot(x2 - x1, y2 - y1)
    u, v = (x2 - x1) / length, (y2 - y1) / length
    first, last = _clear(u, v, ends[0]), _clear(-u, -v, ends[1])
    x1, y1, x2, y2 = x1 + first * u, y1 + first * v, x2 - last * u, y2 - last * v
    barb = x2 - _BARB * (u - 0.6 * v), y2 - _BARB * (v + 0.6 * u)
    yield path(f"M {x1:.1f} {y1:.1f} L {x2:.1f} {y2:.1f} L {barb[0]:.1f} {barb[1]:.1f}", colour, 1.4)
    if effort is not None:
        x, y = (x2, y2) if effort == bond.tail else (x1, y1)
        across = _STROKE * v, -_STROKE * u
        stroke = x - across[0], y - across[1], x + across[0], y + across[1]
        yield path(f"M {stroke[0]:.1f} {stroke[1]:.1f} L {stroke[2]:.1f} {stroke[3]:.1f}", colour, 2.2)
    if bond.name:
        # On the side of the barb, which leaves the other one to signals.
        aside, down = -v, u
        anchor = "middle" if abs(aside) < 0.5 else "start" if aside < 0 else "end"
        apart = 7 if abs(down) < 0.5 else 10
        x, y = (x1 + x2) / 2 - apart * aside, (y1 + y2) / 2 - apart * down
        yield text(x, y + 4, bond.name, GREY, 11, anchor)


def _clear(u: float, v: float, element: Element) -> float:
    """How far from the middle of an element a line in this direction begins, so that sign and name can be
    read."""
    sign = len(_SIGNS.get(element.kind, element.kind))
    gap = _GAP + (5 if sign > 2 and abs(u) > 0.7 else 0)
    if v <= 0:
        return gap
    # A stroke across the line comes nearer to the name than the line does.
    aside = (_LETTER * len(element.name) + 2 + _STROKE * v) / abs(u) if u else math.inf
    out = min(aside, _NAME_END / v)
    return max(gap, out + 3) if out * v > _NAME_TOP else gap


def _element(element: Element, place: tuple[float, float], on: bool | None, turned: bool) -> Iterator[str]:
    x, y = place
    sign = _SIGNS.get(element.kind, element.kind)
    colour = RED if turned else _COLOURS.get(element.kind.removeprefix("M"), BLACK)
    if element.kind in CONTROLLED:
        dash = "" if on else ' stroke-dasharray="3 3"'
        yield f'<circle cx="{x:g}" cy="{y:g}" r="14" fill="none" stroke="{colour}"{dash}/>'
        colour = colour if on or turned else GREY
    described = element.description or KINDS[element.kind].what
    yield f"<g><title>{escape(f'{element.name}: {described}')}</title>"
    yield text(x, y + 6, sign, colour, 17, bold=True)
    if element.kind in CONTROLLED and not on:
        yield text(x + 12, y - 13, "off", colour, 10, "start")
    yield text(x, y + 27, element.name, BLACK, 11) + "</g>"

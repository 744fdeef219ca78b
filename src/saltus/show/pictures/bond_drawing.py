"""Bond graphs as SVG: elements with their names, half arrows, causal strokes, switched junctions and
machines.

The half arrow is one barb at the end to which power flows; the causal stroke is across the end at which the
effort arrives, which is the other one than that which gives it. Of several modes each has a picture, one
below the other: what is different from the first is red.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from html import escape

from saltus.ir.automaton import Transition
from saltus.ir.bonds.causality import Causality
from saltus.ir.bonds.graph import CONTROLLED, KINDS, Bond, Element, Graph
from saltus.show.pictures.bond_places import Cell, cells

#: Sizes in pixels: of a cell, around the picture, between an element and its bonds, of barbs and strokes.
_WIDE, _HIGH, _MARGIN, _GAP, _BARB, _STROKE = 92, 90, 48, 21, 10, 9
#: Of the name below an element: where it begins and ends below the middle, and half the width of a letter.
_NAME_TOP, _NAME_END, _LETTER = 12, 33, 3.2
_LINE, _TITLE = 17, 26
_BLACK, _RED, _GREY = "#222", "#c0281c", "#999"
_COLOURS = {"Se": "#a8281c", "Sf": "#a8281c", "C": "#1f3f8f", "I": "#1f3f8f", "R": "#1d6b3a"}
_SIGNS = {"J0": "0", "J1": "1", "X0": "0", "X1": "1"}
_STYLE = "font-family: sans-serif; background: white"


def graph_svg(graph: Graph, found: Sequence[Causality], words: Callable[[Transition], str]) -> str:
    """The picture of a graph in these modes; `words` are those of a transition."""
    numbers = {e.name: k for k, e in enumerate(graph.elements)}
    places = cells(len(numbers), [(numbers[b.tail], numbers[b.head]) for b in graph.bonds])
    where = {e.name: _centre(place) for e, place in zip(graph.elements, places, strict=True)}
    right = max(x for x, _ in where.values()) + _MARGIN
    bottom = max(y for _, y in where.values()) + _MARGIN
    machines = list(_machine_lines(graph, words))
    beside = max((7 * len(text) for text, _, _ in machines), default=0) + (2 * _MARGIN if machines else 0)
    titled = len(found) > 1 or bool(graph.machines)
    high = max(bottom, _LINE * len(machines) + _MARGIN) + (_TITLE if titled else 0)
    parts: list[str] = []
    for number, each in enumerate(found):
        parts.append(f'<g transform="translate(0, {number * high})">')
        if titled:
            parts.append(_text(_MARGIN / 2, 18, _mode_title(number, each), _BLACK, 13, "start", bold=True))
        parts.append(f'<g transform="translate(0, {_TITLE if titled else 0})">')
        parts += _mode(graph, where, each, found[0])
        for line, (text, indent, at) in enumerate(machines):
            bold = at is None or (at[0] in each.mode and each.mode[at[0]] == at[1])
            colour = _BLACK if bold else _GREY
            place = right + indent, _MARGIN / 2 + _LINE * line
            parts.append(_text(*place, text, colour, 12, "start", bold=at is None))
        parts.append("</g></g>")
    width, height = right + beside, high * len(found)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}"'
    described = f"<title>{escape(graph.name)}</title>"
    return "\n".join([f'{head} height="{height:g}" style="{_STYLE}">', described, *parts, "</svg>", ""])


def _centre(place: Cell) -> tuple[float, float]:
    return _MARGIN + place[0] * _WIDE, _MARGIN + place[1] * _HIGH


def _mode_title(number: int, found: Causality) -> str:
    words = ", ".join(f"{name} {'on' if on else 'off'}" for name, on in found.mode.items())
    end = "" if found.conflict is None else " (conflict of causality)"
    return f"mode {number + 1}: {words or 'always'}{end}"


def _mode(
    graph: Graph, where: dict[str, tuple[float, float]], found: Causality, first: Causality
) -> Iterator[str]:
    for number, bond in enumerate(graph.bonds):
        step, before = found.steps.get(number), first.steps.get(number)
        effort = None if step is None else step.effort_from
        changed = found is not first and step is not None and before is not None
        changed = changed and before.effort_from != effort  # type: ignore[union-attr]
        yield from _bond(bond, where[bond.tail], where[bond.head], effort, _RED if changed else _BLACK)
    for element in graph.elements:
        on = found.mode.get(element.name)
        turned = found is not first and on != first.mode.get(element.name)
        yield from _element(element, where[element.name], on, turned)


def _bond(
    bond: Bond, tail: tuple[float, float], head: tuple[float, float], effort: str | None, colour: str
) -> Iterator[str]:
    (x1, y1), (x2, y2) = tail, head
    length = math.hypot(x2 - x1, y2 - y1)
    u, v = (x2 - x1) / length, (y2 - y1) / length
    first, last = _clear(u, v, bond.tail), _clear(-u, -v, bond.head)
    x1, y1, x2, y2 = x1 + first * u, y1 + first * v, x2 - last * u, y2 - last * v
    barb = x2 - _BARB * (u - 0.6 * v), y2 - _BARB * (v + 0.6 * u)
    yield _path(f"M {x1:.1f} {y1:.1f} L {x2:.1f} {y2:.1f} L {barb[0]:.1f} {barb[1]:.1f}", colour, 1.4)
    if effort is not None:
        x, y = (x2, y2) if effort == bond.tail else (x1, y1)
        across = _STROKE * v, -_STROKE * u
        ends = x - across[0], y - across[1], x + across[0], y + across[1]
        yield _path(f"M {ends[0]:.1f} {ends[1]:.1f} L {ends[2]:.1f} {ends[3]:.1f}", colour, 2.2)
    if bond.name:
        side = -1 if u >= 0 else 1
        yield _text((x1 + x2) / 2 - 12 * v * side, (y1 + y2) / 2 + 12 * u * side + 4, bond.name, _GREY, 11)


def _clear(u: float, v: float, name: str) -> float:
    """How far from the middle of an element a line in this direction begins, so that its name can be read."""
    if v <= 0:
        return _GAP
    aside = (_LETTER * len(name) + 2) / abs(u) if u else math.inf
    out = min(aside, _NAME_END / v)
    return max(_GAP, out + 3) if out * v > _NAME_TOP else _GAP


def _element(element: Element, place: tuple[float, float], on: bool | None, turned: bool) -> Iterator[str]:
    x, y = place
    sign = _SIGNS.get(element.kind, element.kind)
    colour = _RED if turned else _COLOURS.get(element.kind.removeprefix("M"), _BLACK)
    if element.kind in CONTROLLED:
        dash = "" if on else ' stroke-dasharray="3 3"'
        yield f'<circle cx="{x:g}" cy="{y:g}" r="14" fill="none" stroke="{colour}"{dash}/>'
        colour = colour if on or turned else _GREY
    described = element.description or KINDS[element.kind].what
    yield f"<g><title>{escape(f'{element.name}: {described}')}</title>"
    yield _text(x, y + 6, sign, colour, 17, bold=True)
    if element.kind in CONTROLLED and not on:
        yield _text(x + 12, y - 13, "off", colour, 10, "start")
    yield _text(x, y + 27, element.name, _BLACK, 11) + "</g>"


def _machine_lines(
    graph: Graph, words: Callable[[Transition], str]
) -> Iterator[tuple[str, int, tuple[str, bool] | None]]:
    """Text, indent, and the junction and state in which it is in force; None for headings."""
    for machine in graph.machines:
        yield f"machine {machine.name}", 0, None
        for transition in machine.automaton.transitions:
            yield words(transition), 12, (machine.name, transition.source in machine.on)


def _path(path: str, colour: str, width: float) -> str:
    return (
        f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width:g}" stroke-linejoin="round"/>'
    )


def _text(
    x: float, y: float, text: str, colour: str, size: int, anchor: str = "middle", *, bold: bool = False
) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{colour}"{weight}>'
        f"{escape(text)}</text>"
    )

"""Petri nets as pictures: places as circles with their tokens, transitions as bars, arcs as arrows.

They stand in layers, left to right, as tokens come to them from the places that have some at the start;
within a layer each stands near what it is joined with in the layer before. What leads back is bent.
Transitions with a delay are open bars, inhibitors end in a small circle, and what fires is red.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import pairwise
from math import atan2, cos, hypot, sin

from saltus.ir.automata.net import Arc, Net, Transition
from saltus.show.pictures.svg import BLACK, GREY, RED, Drawing, label, path, text, text_width

#: The weight of an arc in words.
Weight = Callable[[Arc], str]

#: Sizes in pixels: between layers and in them, of places, of bars, of letters, of tokens, of the margin.
_ACROSS, _DOWN, _RADIUS, _BAR, _SIZE, _DOT, _MARGIN = 110, 72, 16, 15, 11, 3.4, 30
#: The largest number of tokens drawn as dots; more are a number.
_DOTS = 4
_Point = tuple[float, float]


def net_drawing(
    net: Net,
    marking: Mapping[str, int],
    weight: Weight,
    *,
    start: Mapping[str, int] | None = None,
    firing: Collection[str] = (),
    title: str | None = None,
) -> Drawing:
    """A net with its tokens; `firing` are transitions in red. Where things stand follows from the tokens at
    the start, so that a net looks the same at all times."""
    layers = _layers(net, marking if start is None else start)
    where: dict[str, _Point] = {}
    tallest = max(map(len, layers), default=1)
    for x, layer in enumerate(layers):
        free = (tallest - len(layer)) / 2
        for y, name in enumerate(layer):
            where[name] = _MARGIN + x * _ACROSS + 30, _MARGIN + 20 + (y + free) * _DOWN
    bends = [_middle(*ends)[1] for ends in _ends(net, where)]
    lower = max(0.0, _MARGIN - min(bends, default=_MARGIN))  # what is bent upwards stays below the title
    where = {name: (x, y + lower) for name, (x, y) in where.items()}
    parts: list[str] = []
    for transition in net.transitions:
        colour = RED if transition.name in firing else BLACK
        for arc in transition.inputs:
            parts += _arrow(where[arc.place], where[transition.name], weight(arc), colour, to_place=False)
        for arc in transition.outputs:
            parts += _arrow(where[transition.name], where[arc.place], weight(arc), colour, to_place=True)
        for arc in transition.inhibitors:
            parts += _inhibitor(where[arc.place], where[transition.name], weight(arc))
    for place in net.places:
        parts += _place(where[place.name], place.name, marking.get(place.name, 0))
    for transition in net.transitions:
        parts += _bar(where[transition.name], transition, transition.name in firing)
    name = f"net {net.name}" if title is None else title
    wide = max((x for x, _ in where.values()), default=0.0) + _MARGIN + 40
    parts.append(text(6, 14, name, BLACK, 12, "start", bold=True))
    lowest = max((y for _, y in where.values()), default=0.0) + _MARGIN + 30
    height = max([lowest, *(y + lower + 12 for y in bends)])
    return Drawing(max(wide, text_width(name, 12) + 12), height, tuple(parts))


# ---------------------------------------------------------------- where things stand


def _layers(net: Net, marking: Mapping[str, int]) -> list[list[str]]:
    """Places and transitions in turn, breadth first."""
    after: dict[str, list[str]] = {}
    before: dict[str, list[str]] = {}
    for t in net.transitions:
        for a in t.inputs:
            after.setdefault(a.place, []).append(t.name)
            before.setdefault(t.name, []).append(a.place)
        for a in t.outputs:
            after.setdefault(t.name, []).append(a.place)
            before.setdefault(a.place, []).append(t.name)
    first = [p.name for p in net.places if marking.get(p.name, 0)]
    first = first or [p.name for p in net.places][:1]
    depth = dict.fromkeys(first, 0)
    waiting = list(first)
    names = [*(p.name for p in net.places), *(t.name for t in net.transitions)]
    is_place = {p.name for p in net.places}
    while True:
        for name in waiting:
            for other in after.get(name, ()):
                if other not in depth:
                    depth[other] = depth[name] + 1
                    waiting.append(other)
        rest = [n for n in names if n not in depth]
        if not rest:
            break
        depth[rest[0]] = 0 if rest[0] in is_place else 1
        waiting = [rest[0]]
    layers: list[list[str]] = [[] for _ in range(max(depth.values(), default=0) + 1)]
    for name in names:
        layers[depth[name]].append(name)
    for earlier, layer in pairwise(layers):
        order = {name: k for k, name in enumerate(earlier)}
        means = {n: _mean([order[b] for b in before.get(n, ()) if b in order]) for n in layer}
        layer.sort(key=lambda n: means[n])
    return layers


def _mean(numbers: list[int]) -> float:
    return sum(numbers) / len(numbers) if numbers else 0.0


# ---------------------------------------------------------------- signs


def _place(at: _Point, name: str, tokens: int) -> Iterator[str]:
    x, y = at
    yield f'<circle cx="{x:g}" cy="{y:g}" r="{_RADIUS}" fill="white" stroke="{BLACK}" stroke-width="1.4"/>'
    if tokens > _DOTS:
        yield text(x, y + 4, str(tokens), BLACK, _SIZE + 1, bold=True)
    elif tokens:
        around = 0.0 if tokens == 1 else 7.0
        for k in range(tokens):
            angle = 6.283185 * k / tokens
            dot = f'cx="{x + around * cos(angle):.1f}" cy="{y + around * sin(angle):.1f}" r="{_DOT}"'
            yield f'<circle {dot} fill="{BLACK}"/>'
    yield label(x, y + _RADIUS + 9, [name], [BLACK], _SIZE, "middle")


def _bar(at: _Point, transition: Transition, fires: bool) -> Iterator[str]:
    x, y = at
    colour = RED if fires else BLACK
    fill = "white" if transition.delay is not None else colour
    box = f'x="{x - 3.5:g}" y="{y - _BAR:g}" width="7" height="{2 * _BAR}"'
    yield f'<rect {box} fill="{fill}" stroke="{colour}" stroke-width="1.4"/>'
    yield label(x, y + _BAR + 9, [transition.name], [colour], _SIZE, "middle")


def _arrow(start: _Point, end: _Point, words: str, colour: str, *, to_place: bool) -> Iterator[str]:
    """From border to border; what leads back, or far, is bent."""
    (x1, y1), (x2, y2) = start, end
    mx, my = _bent(start, end)
    first, last = (8.0, _RADIUS + 2.0) if to_place else (_RADIUS + 1.0, 9.0)
    sx, sy = _towards((x1, y1), (mx, my), first)
    ex, ey = _towards((x2, y2), (mx, my), last)
    yield path(f"M {sx:.1f} {sy:.1f} Q {mx:.1f} {my:.1f} {ex:.1f} {ey:.1f}", colour, 1.2)
    angle = atan2(ey - my, ex - mx)
    points = [(ex - 8 * cos(angle + turn), ey - 8 * sin(angle + turn)) for turn in (0.38, -0.38)]
    head = " L ".join(f"{x:.1f} {y:.1f}" for x, y in [points[0], (ex, ey), points[1]])
    yield path(f"M {head} Z", colour, 1, fill=colour)
    if words != "1":
        yield label(*_middle(start, end), [words], [colour], _SIZE, "middle")


def _bent(start: _Point, end: _Point) -> _Point:
    """The point that bends an arc: what leads back is bent downwards, what leads far upwards."""
    (x1, y1), (x2, y2) = start, end
    forward = 0 < x2 - x1 < 1.5 * _ACROSS
    far = 24 + 0.13 * abs(x2 - x1)
    bend = 0.0 if forward else (far if x2 <= x1 else -far)
    return (x1 + x2) / 2, (y1 + y2) / 2 + bend * 1.6


def _middle(start: _Point, end: _Point) -> _Point:
    """The point half way along an arc."""
    (x1, y1), (x2, y2), (mx, my) = start, end, _bent(start, end)
    return (x1 + 2 * mx + x2) / 4, (y1 + 2 * my + y2) / 4


def _ends(net: Net, where: Mapping[str, _Point]) -> Iterator[tuple[_Point, _Point]]:
    """From where to where the arcs lead."""
    for t in net.transitions:
        yield from ((where[a.place], where[t.name]) for a in t.inputs)
        yield from ((where[t.name], where[a.place]) for a in t.outputs)


def _inhibitor(start: _Point, end: _Point, words: str) -> Iterator[str]:
    sx, sy = _towards(start, end, _RADIUS + 1.0)
    ex, ey = _towards(end, start, 13.0)
    yield path(f"M {sx:.1f} {sy:.1f} L {ex:.1f} {ey:.1f}", GREY, 1.2)
    yield f'<circle cx="{ex:.1f}" cy="{ey:.1f}" r="4" fill="white" stroke="{GREY}" stroke-width="1.2"/>'
    if words != "1":
        yield label((sx + ex) / 2, (sy + ey) / 2, [words], [GREY], _SIZE, "middle")


def _towards(start: _Point, end: _Point, distance: float) -> _Point:
    (x1, y1), (x2, y2) = start, end
    length = hypot(x2 - x1, y2 - y1) or 1.0
    return x1 + (x2 - x1) * distance / length, y1 + (y2 - y1) * distance / length

"""Active bonds and signals in pictures of bond graphs: full arrows, and boxes for signals and memories.

Arrows are bent, so that they are not taken for bonds: this way or that, more or less, as they run through the
fewest signs and names.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from typing import TypeAlias

from saltus.ir import ast
from saltus.ir.automata.lines import Memory, Signal
from saltus.ir.bonds.graph import Graph
from saltus.show.pictures.bond_signals import Influence, boxes
from saltus.show.pictures.svg import path, text, text_width

Point: TypeAlias = tuple[float, float]
#: Left, top, right, bottom.
Area: TypeAlias = tuple[float, float, float, float]
#: A formula as text.
Formula: TypeAlias = Callable[[ast.Expression], str]

_TEAL = "#0b7285"
#: In pixels: half the height of a box, the head of an arrow, how far it keeps from a sign; where a name
#: begins and ends below the middle of an element.
_BOX, _HEAD, _GAP, _NAME_TOP, _NAME_END = 11, 8, 21, 12, 33
#: How far an arrow may be bent, as a part of its length; the first that is best is taken.
_BENDS = (0.14, -0.14, 0.26, -0.26, 0.4, -0.4, 0.55, -0.55)
#: The same for an arrow from a bond to one of its ends: far from the bond, where its barb is not.
_BENDS_BESIDE = {"head": (-0.6, -0.8, 0.6), "tail": (0.6, 0.8, -0.6)}
_SAMPLES = 30  # points of an arrow that are tested


def signals_drawn(
    graph: Graph, where: Mapping[str, Point], arrows: Sequence[Influence], formula: Formula
) -> Iterator[str]:
    """Arrows and boxes, which are the same in all modes. `where` are the middles of elements and boxes."""
    half = {item.name: max(text_width(item.name, 11) / 2 + 6, 16) for item in boxes(graph)}
    middles = {b.name: _middle(where[b.tail], where[b.head]) for b in graph.bonds if b.name}
    beside = {(b.name, end): side for b in graph.bonds for end, side in ((b.tail, "tail"), (b.head, "head"))}
    areas = [(name, area) for name, place in where.items() for area in _areas(name, place, half.get(name))]
    for source, target in arrows:
        start = middles[source] if source in middles else where[source]
        in_the_way = [area for name, area in areas if name not in (source, target)]
        ends = (source if source in where else ""), target, half
        side = beside.get((source, target))
        bends = _BENDS if side is None else _BENDS_BESIDE[side]
        curves = [_curve(start, where[target], bend, *ends) for bend in bends]
        best = min(curves, key=lambda c: _met(c, in_the_way))
        yield f'<g class="signal"><title>{escape(f"{source} to {target}")}</title>{_arrow(*best)}</g>'
    for item in boxes(graph):
        yield _box(item, where[item.name], half[item.name], formula)


def _middle(one: Point, other: Point) -> Point:
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2


def _areas(name: str, place: Point, half: float | None) -> Iterator[Area]:
    """Where an arrow would disturb: a box, or a sign and the name below it."""
    x, y = place
    if half is not None:
        yield x - half, y - _BOX, x + half, y + _BOX
        return
    wide = text_width(name, 11) / 2
    yield x - 17, y - 15, x + 17, y + 15
    yield x - wide, y + 15, x + wide, y + 31


def _curve(
    start: Point, end: Point, bend: float, source: str, target: str, half: Mapping[str, float]
) -> tuple[Point, Point, Point]:
    """Where an arrow begins, the point towards which it is bent, and where it ends. Without the name of its
    source it begins at the point itself, which is the middle of a bond."""
    (x1, y1), (x2, y2) = start, end
    across = (x1 + x2) / 2 + bend * (y2 - y1), (y1 + y2) / 2 - bend * (x2 - x1)
    begin = _away(start, across, source, half) if source else start
    return begin, across, _away(end, across, target, half)


def _away(point: Point, towards: Point, name: str, half: Mapping[str, float]) -> Point:
    """Where a line from the middle of a box or an element in this direction leaves it, and what it is
    called."""
    u, v = towards[0] - point[0], towards[1] - point[1]
    length = math.hypot(u, v) or 1.0
    u, v = u / length, v / length
    out: float = _GAP
    if name in half:
        out = min(half[name] / abs(u) if u else math.inf, _BOX / abs(v) if v else math.inf) + 2
    elif v > 0:
        below = min(text_width(name, 11) / 2 / abs(u) if u else math.inf, _NAME_END / v)
        out = max(out, below + 2) if below * v > _NAME_TOP else out
    return point[0] + out * u, point[1] + out * v


def _met(curve: tuple[Point, Point, Point], areas: Sequence[Area]) -> int:
    """How many points of an arrow are where they disturb."""
    (ax, ay), (bx, by), (cx, cy) = curve
    count = 0
    for k in range(_SAMPLES + 1):
        t = k / _SAMPLES
        x = (1 - t) ** 2 * ax + 2 * t * (1 - t) * bx + t**2 * cx
        y = (1 - t) ** 2 * ay + 2 * t * (1 - t) * by + t**2 * cy
        count += (x < 0) + (y < 0) + sum(a < x < c and b < y < d for a, b, c, d in areas)
    return count


def _arrow(begin: Point, across: Point, end: Point) -> str:
    length = math.hypot(end[0] - across[0], end[1] - across[1]) or 1.0
    u, v = (end[0] - across[0]) / length, (end[1] - across[1]) / length
    c = end[0] - _HEAD * u + 3 * v, end[1] - _HEAD * v - 3 * u
    d = end[0] - _HEAD * u - 3 * v, end[1] - _HEAD * v + 3 * u
    curve = f"M {begin[0]:.1f} {begin[1]:.1f} Q {across[0]:.1f} {across[1]:.1f} {end[0]:.1f} {end[1]:.1f}"
    head = f"M {end[0]:.1f} {end[1]:.1f} L {c[0]:.1f} {c[1]:.1f} L {d[0]:.1f} {d[1]:.1f} Z"
    return path(curve, _TEAL, 1) + path(head, _TEAL, 0.8, fill=_TEAL)


def _box(item: Signal | Memory, place: Point, half: float, formula: Formula) -> str:
    """The box of a signal; that of a memory is dashed."""
    x, y = place
    what = "memory, at first " if isinstance(item, Memory) else ""
    told = f"{item.name}: {item.description or what + formula(item.value)}"
    dashed = ' stroke-dasharray="4 2"' if isinstance(item, Memory) else ""
    size = f'x="{x - half:.1f}" y="{y - _BOX:.1f}" width="{2 * half:.1f}" height="{2 * _BOX}"'
    box = f'<rect {size} fill="white" stroke="{_TEAL}"{dashed}/>'
    return f'<g class="box"><title>{escape(told)}</title>{box}{text(x, y + 4, item.name, _TEAL, 11)}</g>'

"""State machines as graphs: locations, and arrows between them with their conditions.

Two locations stand side by side, with the way there above and the way back below. More of them stand in a
column in the order in which they are reached: arrows that lead down are on the right, those that lead up
are on the left, longer ones further out. Where several transitions leave a location they are numbered in the
order in which they are tried. Locations that may be active are filled, and what may be taken is black.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from textwrap import wrap
from typing import NamedTuple

from saltus.ir.automata.automaton import Automaton, Transition
from saltus.show.pictures.svg import BLACK, GREY, LIGHT, RED, Drawing, label, path, text, text_width

#: The words of a transition: its condition and what it does.
Words = Callable[[Transition], str]

#: Sizes in pixels: of texts, of a location's height and least width, between locations, of the first arrow
#: and between arrows one further out, of arrow heads, of the title.
_SIZE, _HIGH, _LEAST, _APART, _FIRST, _NEXT, _HEAD, _TITLE = 11, 24, 40, 62, 30, 24, 8, 22
_LETTERS = 34  # in a line of a label, if there are spaces
_MARGIN = 6


class _Way(NamedTuple):
    """All transitions from one location to another: lines of text, each with its colour."""

    source: int
    target: int
    lines: list[str]
    colours: list[str]

    @property
    def width(self) -> float:
        return max(text_width(line, _SIZE) for line in self.lines)

    @property
    def height(self) -> float:
        return len(self.lines) * (_SIZE + 3)

    @property
    def colour(self) -> str:
        return BLACK if BLACK in self.colours else GREY


def machine_drawing(
    automaton: Automaton,
    words: Words,
    *,
    active: Collection[str] = (),
    turned: bool = False,
    title: str | None = None,
) -> Drawing:
    """A machine. `active` are the locations in which it may be; if that has `turned`, they are red."""
    order = _order(automaton)
    ways = _ways(automaton, order, words, active)
    drawn = (_pair if len(order) <= 2 else _column)(order, ways, active, turned)
    name = f"machine {automaton.name}" if title is None else title
    wide = max(drawn.width, text_width(name, 12) + 2 * _MARGIN)
    parts = (text(_MARGIN, 14, name, BLACK, 12, "start", bold=True), drawn.at(0, _TITLE))
    return Drawing(wide, drawn.height + _TITLE, parts)


def _order(automaton: Automaton) -> list[str]:
    """The locations as they are reached, breadth first, then the others."""
    found = [automaton.initial]
    for name in found:
        found += [t.target for t in automaton.leaving(name) if t.target not in found]
    found = list(dict.fromkeys(found))
    reached = automaton.reachable()
    # A location that is not used at all says nothing.
    used = {end for t in automaton.transitions for end in (t.source, t.target)}
    return found + [n for n in automaton.names if n not in reached and n in used]


def _ways(automaton: Automaton, order: list[str], words: Words, active: Collection[str]) -> list[_Way]:
    found: dict[tuple[str, str], _Way] = {}
    for name in order:
        leaving = list(automaton.leaving(name))
        for count, transition in enumerate(leaving):
            ends = name, transition.target
            way = found.setdefault(ends, _Way(order.index(name), order.index(transition.target), [], []))
            number = f"{count + 1}: " if len(leaving) > 1 else ""
            lines = _wrapped(number + words(transition))
            colour = BLACK if name in active or not active else GREY
            way.lines.extend(lines or ["always"])
            way.colours.extend([colour] * max(len(lines), 1))
    return list(found.values())


def _wrapped(words: str) -> list[str]:
    """Condition and actions in lines of their own."""
    condition, then, actions = words.partition(" then ")
    parts = [condition, f"then {actions}"] if then else [condition]
    return [line for part in parts for line in wrap(part, _LETTERS, break_long_words=False)]


def _pair(order: list[str], ways: list[_Way], active: Collection[str], turned: bool) -> Drawing:
    """Two locations side by side, or one."""
    there = next((w for w in ways if w.source == 0), None)
    back = next((w for w in ways if w.source == 1), None)
    first, last = _width(order[0]), _width(order[-1])
    apart = max([_APART, *(w.width - 0.4 * (first + last) for w in ways)]) if len(order) > 1 else 0.0
    above = _FIRST / 2 + there.height + 2 if there is not None else 0.0
    below = _FIRST / 2 + back.height + 2 if back is not None else 0.0
    y = _MARGIN + above + _HIGH / 2
    left = _MARGIN + 16 + first / 2
    right = left + first / 2 + apart + last / 2 if len(order) > 1 else left
    parts = list(_location(order[0], left, y, active, turned))
    parts += _beginning(left - first / 2, y)
    if len(order) > 1:
        parts += _location(order[1], right, y, active, turned)
    middle = (left + first / 2 + right - last / 2) / 2
    for way, side in ((there, -1), (back, 1)):
        if way is None:
            continue
        x1, x2 = (left, right) if way is there else (right, left)
        near = y + side * _HIGH / 2
        far = near + side * _FIRST / 2
        bent = near + side * _FIRST * 0.66
        parts.append(path(f"M {x1:.1f} {near:g} C {x1:.1f} {bent:g} {x2:.1f} {bent:g} {x2:.1f} {near:g}",
                          way.colour, 1.2))  # fmt: skip
        parts.append(_head(x2, near, 0, -side, way.colour))
        parts.append(
            label(middle, far + side * (way.height / 2 + 1), way.lines, way.colours, _SIZE, "middle")
        )
    # A label may be wider than the arrow below it.
    half = max((w.width / 2 for w in ways), default=0.0)
    out = max(0.0, half - middle + _MARGIN)
    wide = max(right + last / 2, middle + half) + _MARGIN + out
    high = y + _HIGH / 2 + below + _MARGIN
    return Drawing(wide, high, (Drawing(wide, high, tuple(parts)).at(out, 0),) if out else tuple(parts))


def _column(order: list[str], ways: list[_Way], active: Collection[str], turned: bool) -> Drawing:
    """Locations one below the other."""
    half = max(_width(name) for name in order) / 2
    heights = _heights(order, ways)
    sides: dict[bool, float] = {}
    for down in (True, False):
        mine = [w for w in ways if (w.target > w.source) is down]
        sides[down] = max((_out(w) + 8 + w.width for w in mine), default=20.0)
    x = _MARGIN + sides[False] + half
    parts: list[str] = []
    labels: list[str] = []
    taken: dict[bool, float] = {True: -1e9, False: -1e9}
    for way in sorted(ways, key=lambda w: (w.source + w.target, abs(w.source - w.target))):
        down = way.target > way.source
        side = 1 if down else -1
        here, there = x + side * _width(order[way.source]) / 2, x + side * _width(order[way.target]) / 2
        y1, y2 = heights[way.source] + side * 4, heights[way.target] - side * 4
        bent = x + side * (half + 4 / 3 * _out(way))
        curve = f"M {here:.1f} {y1:g} C {bent:.1f} {y1:g} {bent:.1f} {y2:g} {there:.1f} {y2:g}"
        parts.append(path(curve, way.colour, 1.2))
        parts.append(_head(there, y2, -side, 0, way.colour))
        y = max((y1 + y2) / 2, taken[down] + way.height / 2 + 2)
        taken[down] = y + way.height / 2
        edge = x + side * (half + _out(way) + 4)
        labels.append(label(edge, y, way.lines, way.colours, _SIZE, "start" if down else "end"))
    parts += labels
    for name, y in zip(order, heights, strict=True):
        parts += _location(name, x, y, active, turned)
    parts += _beginning(x - _width(order[0]) / 2, heights[0])
    high = max(heights[-1] + _HIGH / 2, *taken.values()) + _MARGIN
    return Drawing(x + half + sides[True] + _MARGIN, high, tuple(parts))


def _heights(order: list[str], ways: list[_Way]) -> list[float]:
    """Where locations stand: far enough from each other for the labels of the arrows between neighbours."""
    found = [_MARGIN + _HIGH / 2]
    for k in range(1, len(order)):
        between = [w.height for w in ways if {w.source, w.target} == {k - 1, k}]
        found.append(found[-1] + max([_APART, *(h + 6 for h in between)]))
    return found


def _out(way: _Way) -> float:
    return _FIRST + _NEXT * (abs(way.target - way.source) - 1)


def _width(name: str) -> float:
    return max(_LEAST, text_width(name, 12) + 14)


def _location(name: str, x: float, y: float, active: Collection[str], turned: bool) -> Iterator[str]:
    wide, on = _width(name), name in active
    line = (RED if turned else BLACK) if on else GREY
    box = f'x="{x - wide / 2:.1f}" y="{y - _HIGH / 2:g}" width="{wide:.1f}" height="{_HIGH}" rx="11"'
    fill = LIGHT if on else "white"
    yield f'<rect {box} fill="{fill}" stroke="{line}" stroke-width="{2 if on else 1.2}"/>'
    yield text(x, y + 4, name, line if turned else BLACK, 12, bold=on)


def _beginning(x: float, y: float) -> Iterator[str]:
    """The arrow to the location where it begins."""
    yield f'<circle cx="{x - 14:.1f}" cy="{y:g}" r="3" fill="{BLACK}"/>'
    yield path(f"M {x - 14:.1f} {y:g} L {x - 2:.1f} {y:g}", BLACK, 1.2)
    yield _head(x, y, 1, 0, BLACK)


def _head(x: float, y: float, u: int, v: int, colour: str) -> str:
    """An arrow head with its tip at a point, in one of the four directions."""
    a, b = x - _HEAD * u + 3.2 * v, y - _HEAD * v + 3.2 * u
    c, d = x - _HEAD * u - 3.2 * v, y - _HEAD * v - 3.2 * u
    return path(f"M {x:.1f} {y:.1f} L {a:.1f} {b:.1f} L {c:.1f} {d:.1f} Z", colour, 1, fill=colour)

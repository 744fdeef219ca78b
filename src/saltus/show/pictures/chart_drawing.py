"""State machines with hierarchy as pictures: boxes in boxes, with arrows between them.

What stands in a state is inside of its box; the sides of a parallel state have a dashed border. Active states
are filled, transitions that are taken are red. Arrows run to the right above the boxes and to the left below.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from saltus.ir.automata.machine import Machine, State, Transition
from saltus.show.pictures.svg import BLACK, GREY, LIGHT, RED, Drawing, label, path, text, text_width

#: The words of a transition.
Words = Callable[[Transition], str]

#: Sizes in pixels: of letters, of a simple box, around what is inside, between boxes, above for titles.
_SIZE, _HIGH, _PAD, _GAP, _TITLE = 11, 30, 14, 66, 20
_LANE = 17  # between arrows


@dataclass
class _Box:
    state: State
    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        return self.x + self.width / 2


def chart_drawing(
    machine: Machine,
    words: Words,
    *,
    active: Collection[str] = (),
    taken: Collection[str] = (),
    title: str | None = None,
) -> Drawing:
    """A machine; `active` states are filled, `taken` transitions red."""
    boxes: dict[str, _Box] = {}
    right = _laid(machine, machine.root.states, _PAD, 0.0, boxes)
    bottom = max((b.y + b.height for b in boxes.values()), default=0.0)
    onward = [t for t in machine.transitions if boxes[t.target].middle >= boxes[t.source].middle]
    back = [t for t in machine.transitions if t not in onward]
    above = _TITLE + _LANE * len(onward) + 20
    parts: list[str] = []
    told: list[str] = []  # in front of all lines
    for state in machine.states:
        parts += _drawn(machine, boxes[state.name], above, state.name in active)
    for k, transition in enumerate(sorted(onward, key=lambda t: _span(boxes, t))):
        lane = above - 12.0 - _LANE * k
        parts += _arrow(boxes, transition, above, lane, transition.name in taken, up=True)
        told.append(_words(boxes, transition, words, lane, transition.name in taken))
    for k, transition in enumerate(sorted(back, key=lambda t: _span(boxes, t))):
        lane = above + bottom + 24.0 + _LANE * k
        parts += _arrow(boxes, transition, above, lane, transition.name in taken, up=False)
        told.append(_words(boxes, transition, words, lane, transition.name in taken))
    name = f"machine {machine.name}" if title is None else title
    parts += told
    parts.append(text(6, 14, name, BLACK, 12, "start", bold=True))
    widest = max((text_width(words(t), _SIZE) for t in machine.transitions), default=0.0)
    wide = max(right + _PAD, text_width(name, 12) + 12, right + widest / 2)
    return Drawing(wide, above + bottom + 24 + _LANE * (len(back) + 1), tuple(parts))


def _laid(machine: Machine, states: tuple[State, ...], x: float, y: float, boxes: dict[str, _Box]) -> float:
    """Puts states side by side; where they end."""
    for k, state in enumerate(states):
        x += _GAP / 2 if k else 0
        box = boxes[state.name] = _Box(state, x, y, 0.0, _HIGH)
        own = text_width(state.name, _SIZE) + 22
        if state.states:
            end = _laid(machine, state.states, x + _PAD, y + 24, boxes)
            inside = [boxes[s.name] for inner in state.states for s in inner.within()]
            box.height = max(b.y + b.height for b in inside) - y + _PAD
            box.width = max(end + _PAD - x, own)
        else:
            box.width = own
        x += box.width
    return x


def _drawn(machine: Machine, box: _Box, above: float, active: bool) -> Iterator[str]:
    state = box.state
    side = machine.state(machine.chain(state.name)[-2]).parallel
    fill = LIGHT if active and not state.states else "white" if not active else "#f4f8fd"
    dash = ' stroke-dasharray="5 3"' if side else ""
    place = f'x="{box.x:.1f}" y="{box.y + above:.1f}" width="{box.width:.1f}" height="{box.height:.1f}"'
    weight = 2.2 if active else 1.2
    yield f'<rect {place} rx="8" fill="{fill}" stroke="{BLACK}" stroke-width="{weight}"{dash}/>'
    y = box.y + above + (16 if state.states else box.height / 2 + 4)
    yield text(box.middle, y, state.name + (" (H)" if state.history else ""), BLACK, _SIZE, bold=active)
    around = machine.state(machine.chain(state.name)[-2])
    if around.initial == state.name and not side:
        x, y = box.x - 9, box.y + above + 9
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{BLACK}"/>'
        yield path(f"M {x:.1f} {y:.1f} L {box.x:.1f} {y:.1f}", BLACK, 1.2)


def _span(boxes: dict[str, _Box], transition: Transition) -> float:
    return abs(boxes[transition.target].middle - boxes[transition.source].middle)


def _arrow(
    boxes: dict[str, _Box],
    transition: Transition,
    above: float,
    lane: float,
    taken: bool,
    *,
    up: bool,
) -> Iterator[str]:
    source, target = boxes[transition.source], boxes[transition.target]
    colour = RED if taken else GREY
    shift = 5.0 if up else -5.0
    x1, x2 = source.middle + shift, target.middle - shift
    if source is target:
        x1, x2 = source.x + source.width * 0.3, source.x + source.width * 0.7
    y1 = above + (source.y if up else source.y + source.height)
    y2 = above + (target.y if up else target.y + target.height)
    way = f"M {x1:.1f} {y1:.1f} L {x1:.1f} {lane:.1f} L {x2:.1f} {lane:.1f} L {x2:.1f} {y2:.1f}"
    yield path(way, colour, 1.2)
    tip = y2 - (7 if up else -7)
    head = f"M {x2 - 4:.1f} {tip:.1f} L {x2:.1f} {y2:.1f} L {x2 + 4:.1f} {tip:.1f} Z"
    yield path(head, colour, 1, fill=colour)


def _words(boxes: dict[str, _Box], transition: Transition, words: Words, lane: float, taken: bool) -> str:
    """What is said at an arrow, above its lane at the left end."""
    source, target = boxes[transition.source], boxes[transition.target]
    left = min(source.middle, target.middle) if source is not target else source.x + source.width * 0.3
    colour = RED if taken else BLACK
    return label(left + 9, lane - 8, [words(transition)], [colour], _SIZE, "start")

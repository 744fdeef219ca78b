"""A picture with parts that have no place -> the sheet on which they are arranged.

A wire ends at a connector of a part; connectors inside of it, such as the pins of a plug or the signals of a
bus, are where it is. So all that is connected to one connector is one net of the drawing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from saltus.ir.picture import Affine, Colour, Picture, Placed, Text
from saltus.show.arrangement.flow import Wishes, wishes
from saltus.show.arrangement.icons import complete
from saltus.show.arrangement.poses import pose, poses
from saltus.show.arrangement.sheet import End, Net, Part, Pose, Sheet

_BLACK: Colour = (0, 0, 0)
_DARK = 190  # of the brightness of a colour: lighter ones are not those of lines


@dataclass(frozen=True)
class Drawn:
    """A sheet with what its numbers mean: the components that are its parts, and the names of the pins of
    each."""

    sheet: Sheet
    components: tuple[Placed, ...]
    pins: tuple[tuple[str, ...], ...]


def read(picture: Picture) -> Drawn:
    """All components of the picture as parts; connections without a line as wires to be found."""
    components = [complete(c, True) for c in picture.components] + [complete(c) for c in picture.unplaced]
    number = {c.name: k for k, c in enumerate(components)}
    pins: list[list[str]] = [[] for _ in components]
    ends: list[tuple[End, End] | None] = []
    for connection in picture.connections:
        both = [_end(name, components, number, pins) for name in connection.ends]
        a, b = both
        ends.append((a, b) if a is not None and b is not None and a != b else None)
    parts = tuple(
        _part(c, p, k < len(picture.components))
        for k, (c, p) in enumerate(zip(components, pins, strict=True))
    )
    nets = _nets(picture, components, pins, ends)
    wish: Wishes = wishes(components, pins, parts, nets)
    sheet = Sheet(parts, nets, wish.flow, wish.above, wish.left, wish.right, wish.low, wish.heights)
    return Drawn(sheet, tuple(components), tuple(map(tuple, pins)))


def _end(
    name: str, components: Sequence[Placed], number: dict[str, int], pins: list[list[str]]
) -> End | None:
    """Part and pin that a name means; None if they are not seen."""
    first, _, rest = name.lstrip(".").partition(".")
    part = number.get(first)
    if part is None:
        return None
    pin = "" if components[part].connector else rest.partition(".")[0]
    if pin not in pins[part]:
        if pin and components[part].icon.where(pin) is None:
            return None
        pins[part].append(pin)
    return part, pins[part].index(pin)


def _part(component: Placed, pins: Sequence[str], placed: bool) -> Part:
    if not placed:
        return Part(component.name, poses(component, pins))
    (x1, y1), (x2, y2) = component.icon.extent
    place = component.place
    centre = place(((x1 + x2) / 2, (y1 + y2) / 2))
    turn = Affine(place.a, place.b, place.c, place.d, place.e - centre[0], place.f - centre[1])
    if component.connector:
        made = [replace(p, turn=turn) for p in poses(component, pins)]
        return Part(component.name, tuple(made), centre)
    fixed: Pose = pose(component, pins, turn, 0.0)
    return Part(component.name, (fixed,), centre)


def _nets(
    picture: Picture,
    components: Sequence[Placed],
    pins: Sequence[Sequence[str]],
    ends: Sequence[tuple[End, End] | None],
) -> tuple[Net, ...]:
    """Ends that are connected, directly or through others, those of one net in the order in which they are
    met."""
    leader: dict[End, End] = {}

    def find(end: End) -> End:
        leader.setdefault(end, end)
        while leader[end] != end:
            leader[end] = leader[leader[end]]
            end = leader[end]
        return end

    for pair in ends:
        if pair is not None:
            leader[find(pair[1])] = find(pair[0])
    groups: dict[End, list[End]] = {}
    for end in leader:
        groups.setdefault(find(end), []).append(end)
    nets: list[Net] = []
    for group in groups.values():
        place = {end: k for k, end in enumerate(group)}
        wires = tuple(
            (place[pair[0]], place[pair[1]], k)
            for k, pair in enumerate(ends)
            if pair is not None and pair[0] in place and picture.connections[k].line is None
        )
        nets.append(Net(tuple(group), wires, _colour(components, pins, group)))
    return tuple(nets)


def _colour(components: Sequence[Placed], pins: Sequence[Sequence[str]], ends: Sequence[End]) -> Colour:
    """The colour of the connectors: the first that is not too light."""
    for part, pin in ends:
        component = components[part]
        name = pins[part][pin]
        connector = (
            component if not name else next((c for c in component.icon.components if c.name == name), None)
        )
        for primitive in connector.icon.primitives if connector is not None else ():
            if isinstance(primitive, Text):
                continue
            for colour in (primitive.pen.colour, getattr(primitive, "fill", None)):
                if colour is not None and 0.3 * colour[0] + 0.59 * colour[1] + 0.11 * colour[2] < _DARK:
                    return colour
    return _BLACK

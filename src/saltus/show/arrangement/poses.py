"""The ways in which a component may stand: turned by quarters, and over, with what it covers in each.

An icon as large as its coordinate system says would fill the sheet; one of 200 units is drawn with 20, as
editors place it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from saltus.ir.picture import HERE, Affine, Picture, Placed, Point, Text
from saltus.show.arrangement.sheet import Box, Pin, Pose, hull_of

#: Of a part in a diagram, and of a connector of the class itself.
_SCALE, _TERMINAL = 0.1, 0.05
#: Width of a letter as a part of its height, as drawings assume it.
_LETTER = 0.56
#: What it costs not to stand as the icon is drawn: turned over, turned by a quarter, by a quarter with one
#: end (the open air, a wall) or more than two (amplifiers, tanks), against the direction of signals. Blocks
#: and ground never turn.
_OVER, _QUARTER, _LEANING, _STANDING, _BACKWARDS = 4.0, 3.0, 24.0, 120.0, 30.0
_SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1))
_SOURCE = re.compile(
    r".*(Voltage|Battery|Source|Current|Supply|Cell)s?(Step|Sine|Ramp|Pulse)?", re.IGNORECASE
)


def is_source(component: Placed) -> bool:
    """Whether a part drives what it is connected to, as far as the name of its class shows."""
    last = component.class_name.rpartition(".")[2]
    return ".Sources." in component.class_name or _SOURCE.fullmatch(last) is not None


def natural(component: Placed) -> Affine:
    """The pose in which the icon is drawn, small, about the origin."""
    scale = _TERMINAL if component.connector else _SCALE
    (x1, y1), (x2, y2) = component.icon.extent
    x, y = (x1 + x2) / 2, (y1 + y2) / 2
    return Affine(scale, 0.0, 0.0, scale, -scale * x, -scale * y)


def poses(component: Placed, pins: Sequence[str]) -> tuple[Pose, ...]:
    """All poses in which a component without a place may stand, the usual one first."""
    if component.connector:
        return tuple(_as_terminal(component))
    small = natural(component)
    usual = pose(component, pins, small, 0.0)
    causal = {c.name for c in component.icon.components if c.causality}
    signals = bool(pins) and set(pins) <= causal
    ground = len(usual.pins) == 1 and usual.pins[0].v == 1
    ends = len(set(pins) - causal)
    found: dict[object, Pose] = {}
    for over in (False, True):
        for quarter in (0,) if signals or ground else range(4):
            turn = Affine.turned((0.0, 0.0), 90.0 * quarter)
            turn = turn.after(Affine(-1.0, 0.0, 0.0, 1.0)) if over else turn
            cost = _OVER * over + _QUARTER * (quarter % 2)
            if quarter == 2:
                cost += _OVER + 1.0  # texts are then on the other side: rather turned over
            if quarter % 2 and ends != 2:
                cost += _STANDING if ends > 2 else _LEANING
            if quarter % 2 and ends == 2 and over:
                cost -= _OVER  # the name is on the other side, which is as good
            if over and signals:
                cost += _BACKWARDS
            made = pose(component, pins, turn.after(small), cost)
            key = made.pins, made.hull
            if key not in found or made.cost < found[key].cost:
                found[key] = made
    return tuple(sorted(found.values(), key=lambda p: p.cost))


def pose(component: Placed, pins: Sequence[str], turn: Affine, cost: float) -> Pose:
    """What a component covers with this transformation."""
    icon = component.icon
    symbols = [box for c in icon.components for box in _figures(c.icon, turn.after(c.place))]
    body = hull_of([_box(icon, turn), *_figures(icon, turn), *symbols])
    labels = tuple(_labels(icon, turn, body))
    found = tuple(_pin(icon, name, turn, body) for name in pins)
    return Pose(turn, hull_of([body, *labels]), body, labels, found, cost)


def _as_terminal(component: Placed) -> Iterator[Pose]:
    """A connector of the class: its wire leaves an input to the right, and comes to an output from the
    left."""
    small = natural(component)
    body = _box(component.icon, small)
    half = (body[2] - body[0]) / 2
    labels = tuple(_labels(component.icon, small, body))
    sides = {"input": _SIDES[:1], "output": _SIDES[1:2]}.get(component.causality, _SIDES)
    for u, v in sides:
        reach = half if u else (body[3] - body[1]) / 2
        yield Pose(small, hull_of([body, *labels]), body, labels, (Pin(0.0, 0.0, u, v, reach),), 2.0 * abs(v))


def _box(icon: Picture, place: Affine) -> Box:
    (x1, y1), (x2, y2) = icon.extent
    return _around([place(p) for p in ((x1, y1), (x1, y2), (x2, y1), (x2, y2))])


def _around(points: Sequence[Point]) -> Box:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def _figures(icon: Picture, turn: Affine) -> Iterator[Box]:
    """Primitives other than texts; of what reaches far outside of the icon only a part is an obstacle."""
    for primitive in icon.primitives:
        if isinstance(primitive, Text):
            continue
        place = turn.after(primitive.place)
        if hasattr(primitive, "points"):
            yield _around([place(p) for p in primitive.points])
        else:
            (x1, y1), (x2, y2) = primitive.extent
            yield _around([place(p) for p in ((x1, y1), (x1, y2), (x2, y1), (x2, y2))])


def _labels(icon: Picture, turn: Affine, body: Box) -> Iterator[Box]:
    """Texts that are not inside of the body, as wide as their letters are."""
    for primitive in icon.primitives:
        if not isinstance(primitive, Text) or not primitive.text.strip():
            continue
        (x1, y1), (x2, y2) = primitive.extent
        lines = [line for line in primitive.text.split("\n") if line.strip()]
        height = abs(y2 - y1)
        wide = min(abs(x2 - x1), _LETTER * height * max(map(len, lines)) + 0.2 * height)
        x = (x1 + x2) / 2
        if primitive.alignment == "Left":
            x = min(x1, x2) + wide / 2
        elif primitive.alignment == "Right":
            x = max(x1, x2) - wide / 2
        place = turn.after(primitive.place)
        box = _around(
            [
                place(p)
                for p in ((x - wide / 2, y1), (x + wide / 2, y1), (x - wide / 2, y2), (x + wide / 2, y2))
            ]
        )
        if not (box[0] >= body[0] and box[1] >= body[1] and box[2] <= body[2] and box[3] <= body[3]):
            yield box


def _pin(icon: Picture, name: str, turn: Affine, body: Box) -> Pin:
    """A connector of an icon: it leaves to the nearest side."""
    at = icon.where(name)
    if at is None:
        raise ValueError(f"{icon.class_name} has no {name}")
    (x1, y1), (x2, y2) = icon.extent
    left, right = sorted((x1, x2))
    low, high = sorted((y1, y2))
    near = {
        (-1, 0): at[0] - left,
        (1, 0): right - at[0],
        (0, 1): high - at[1],
        (0, -1): at[1] - low,
    }
    if min(near.values()) > 0.25 * min(right - left, high - low):
        # In the middle: to where no name is.
        near = {side: float(_is_named(icon, side)) for side in ((0, 1), (1, 0), (-1, 0), (0, -1))}
    u, v = min(near, key=lambda side: (round(near[side], 6), side != (0, 1)))
    a, b = turn((0.0, 0.0)), turn((float(u), float(v)))
    du, dv = round((b[0] - a[0]) / turn.size), round((b[1] - a[1]) / turn.size)
    x, y = turn(at)
    out = {(1, 0): body[2] - x, (-1, 0): x - body[0], (0, 1): body[3] - y, (0, -1): y - body[1]}.get(
        (du, dv), 0.0
    )
    return Pin(x, y, du, dv, max(0.0, out))


def _is_named(icon: Picture, side: tuple[int, int]) -> bool:
    """Whether a text is in the way to this side of an icon."""
    (x1, y1), (x2, y2) = icon.extent
    x, y = (x1 + x2) / 2, (y1 + y2) / 2
    for primitive in icon.primitives:
        if isinstance(primitive, Text):
            (a, b), (c, d) = primitive.extent
            along = (c + a) / 2 - x, (d + b) / 2 - y
            if along[0] * side[0] + along[1] * side[1] > 0.1 * abs(x2 - x1) and (
                min(a, c) < x < max(a, c) if side[1] else min(b, d) < y < max(b, d)
            ):
                return True
    return False


__all__ = ["HERE", "is_source", "natural", "pose", "poses"]

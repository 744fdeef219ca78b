"""Icons that can be connected: what stands for a class that draws nothing, and where the connectors of an
icon are that no annotation places.

Inputs are at the left, outputs at the right. Of other connectors the first is at the left and the last at the
right, unless they have the names that libraries give to one end; a single one is at the top.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from saltus.ir.picture import (
    HERE,
    SHEET,
    Affine,
    Colour,
    Extent,
    Pen,
    Picture,
    Placed,
    Point,
    Primitive,
    Rectangle,
    Text,
)

_GREY: Colour = (120, 120, 120)
_BLUE: Colour = (0, 0, 255)
_WHITE: Colour = (255, 255, 255)
_PAPER: Colour = (245, 247, 250)

#: How wide a connector is in an icon, and how far apart connectors on one side are at least.
_CONNECTOR, _PITCH = 10.0, 40.0
#: How much larger than others the letters of the name of a connector are, in the units of its icon.
_TERMINAL = 2.0
_LEFT = re.compile(
    r"(.*_)?(a|p|p\d|plus|pos|positive|in|inlet|inflow|u|left|supply|plug_p|pin_p|port_a|flange_a)"
)
_RIGHT = re.compile(
    r"(.*_)?(b|n|n\d|minus|neg|negative|out|outlet|outflow|y|right|plug_n|pin_n|port_b|flange_b)"
)


def complete(component: Placed, placed: bool = False) -> Placed:
    """The component with an icon that shows something, its name, and all its connectors. The icon of one that
    is placed keeps its size, and a name is not added to it."""
    icon = component.icon
    name = component.name + component.dimensions
    if component.connector:
        icon = _with_symbol(component)
        if not placed and not _shows(icon, component.name):
            icon = replace(icon, primitives=_named(icon, component.name, name, _TERMINAL))
        return replace(component, icon=icon)
    if icon.unplaced:
        icon = _with_connectors(icon, placed)
    inner = tuple(replace(c, icon=_with_symbol(c)) if c.connector else c for c in icon.components)
    icon = replace(icon, components=inner)
    if not icon.primitives:
        icon = replace(icon, primitives=_symbol(icon, name))
    elif not placed and (component.dimensions or not _shows(icon, component.name)):
        icon = replace(icon, primitives=_named(icon, component.name, name, 1.0))
    if component.dimensions:
        icon = replace(icon, primitives=(*_stack(icon.extent), *icon.primitives))
    return replace(component, icon=icon)


def _shows(icon: Picture, name: str) -> bool:
    return any(isinstance(p, Text) and name in p.text for p in icon.primitives)


def _named(icon: Picture, name: str, shown: str, size: float) -> tuple[Primitive, ...]:
    """With the name above, as large as in icons of this size; or with the dimensions of an array after it."""
    if _shows(icon, name):
        return tuple(
            replace(p, text=shown) if isinstance(p, Text) and p.text == name else p for p in icon.primitives
        )
    return (*icon.primitives, _name(icon, shown, size))


def _name(icon: Picture, name: str, size: float) -> Text:
    """A name above an icon, or below if only above there are connectors."""
    (x1, y1), (x2, y2) = _sorted(icon.extent)
    above = any(abs(c.centre[1] - y2) < _CONNECTOR for c in icon.components)
    below = any(abs(c.centre[1] - y1) < _CONNECTOR for c in icon.components)
    x, half, high = (x1 + x2) / 2, 0.75 * max(x2 - x1, 200.0) * size, 40.0 * size
    low = y1 - 8.0 - high if above and not below else y2 + 8.0
    return Text(place=HERE, extent=((x - half, low), (x + half, low + high)), text=name, colour=_BLUE)


def _stack(extent: Extent) -> tuple[Primitive, ...]:
    """Sheets behind an icon: there are several of it."""
    (x1, y1), (x2, y2) = _sorted(extent)
    return tuple(
        Rectangle(
            place=HERE,
            extent=((x1 + 10.0 + by, y1 + 10.0 + by), (x2 - 10.0 + by, y2 - 10.0 + by)),
            pen=Pen(colour=_GREY),
            fill=_WHITE,
        )
        for by in (16.0, 8.0, 0.0)
    )


def _with_symbol(connector: Placed) -> Picture:
    """The icon of a connector; a square if it draws nothing."""
    icon = connector.icon
    return icon if icon.primitives else replace(icon, primitives=_connector_symbol(connector.causality))


def _symbol(icon: Picture, name: str) -> tuple[Primitive, ...]:
    """A box with the name and the class of a component."""
    (x1, y1), (x2, y2) = _sorted(icon.extent)
    wide, high, middle = x2 - x1, y2 - y1, (x1 + x2) / 2
    class_name = icon.class_name.rpartition(".")[2]
    box = Rectangle(
        place=HERE,
        extent=((x1 + 0.05 * wide, y1 + 0.05 * high), (x2 - 0.05 * wide, y2 - 0.05 * high)),
        pen=Pen(colour=_GREY),
        fill=_PAPER,
        radius=8.0,
    )
    half = 0.36 * wide
    kind = Text(
        place=HERE,
        extent=((middle - half, (y1 + y2) / 2 - 25), (middle + half, (y1 + y2) / 2 + 25)),
        text=class_name,
        colour=_GREY,
    )
    return box, _name(icon, name, 1.0), kind


def _connector_symbol(causality: str) -> tuple[Primitive, ...]:
    fill = _WHITE if causality == "output" else (0, 0, 127) if causality else (90, 90, 90)
    return (
        Rectangle(
            place=HERE,
            extent=((-80.0, -80.0), (80.0, 80.0)),
            pen=Pen(colour=(0, 0, 127) if causality else (60, 60, 60)),
            fill=fill,
        ),
    )


def _sorted(extent: Extent) -> Extent:
    (x1, y1), (x2, y2) = extent
    return (min(x1, x2), min(y1, y2)), (max(x1, x2), max(y1, y2))


def _with_connectors(icon: Picture, placed: bool) -> Picture:
    """The icon with its unplaced connectors on its sides; one that draws nothing is as large as they need."""
    sides = _sides([c for c in icon.unplaced if c.connector], len(icon.components))
    extent = icon.extent
    most = max(len(side) for side in sides.values())
    if not placed and not icon.primitives and not icon.components and most * _PITCH > 200.0:
        high = most * _PITCH / 2
        extent = ((-100.0, -high), (100.0, high))
    taken = [c.centre for c in icon.components]
    (x1, y1), (x2, y2) = _sorted(extent)
    found = list(icon.components)
    for side, connectors in sides.items():
        count = len(connectors)
        for number, connector in enumerate(connectors):
            part = (number + 1) / (count + 1) if count != 2 else (0.25, 0.75)[number]
            point: Point = {
                "left": (x1, y2 - part * (y2 - y1)),
                "right": (x2, y2 - part * (y2 - y1)),
                "top": (x1 + part * (x2 - x1), y2),
            }[side]
            while any(abs(point[0] - x) + abs(point[1] - y) < 2 * _CONNECTOR for x, y in taken):
                point = (point[0] + _PITCH, point[1]) if side == "top" else (point[0], point[1] - _PITCH)
            taken.append(point)
            x, y = point
            box = ((x - _CONNECTOR, y - _CONNECTOR), (x + _CONNECTOR, y + _CONNECTOR))
            found.append(replace(connector, place=Affine.onto(box, connector.icon.extent or SHEET)))
    return replace(icon, extent=extent, components=tuple(found), unplaced=())


def _sides(connectors: Sequence[Placed], others: int) -> dict[str, list[Placed]]:
    sides: dict[str, list[Placed]] = {"left": [], "right": [], "top": []}
    rest: list[Placed] = []
    for connector in connectors:
        if connector.causality:
            sides["left" if connector.causality == "input" else "right"].append(connector)
        elif len(connectors) > 1 and _LEFT.fullmatch(connector.name):
            sides["left"].append(connector)
        elif len(connectors) > 1 and _RIGHT.fullmatch(connector.name):
            sides["right"].append(connector)
        else:
            rest.append(connector)
    if len(connectors) == 1 and rest and not others:
        sides["top"] = rest
        return sides
    for connector in rest:
        sides["left" if len(sides["left"]) <= len(sides["right"]) else "right"].append(connector)
    return sides

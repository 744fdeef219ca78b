"""The diagrams of all examples are laid out as an engineer would: nothing overlaps, and every line leads from
one connector to another. Icons of all classes can be drawn."""

from __future__ import annotations

import math
from functools import cache
from itertools import combinations, pairwise
from xml.etree import ElementTree

import pytest
from library_classes import classes, example_names, library, parts, short

from saltus.finding import find_class
from saltus.ir.picture import Extent, Picture, Point, Text
from saltus.lower.annotations.graphics import Pictures
from saltus.show.pictures.drawing import diagram_svg, icon_svg

#: How far the end of a line may be from the centre of its connector, and by how much components may reach
#: into each other, in units of the sheet.
NEAR = 2.5
TOUCHING = 0.5


@cache
def pictures() -> Pictures:
    return Pictures()


def diagram(name: str) -> Picture:
    return Pictures().diagram(find_class(name))


@pytest.mark.parametrize("name", example_names(), ids=short)
def test_diagram(name: str) -> None:
    picture = diagram(name)
    faults = [
        *problems(picture),
        *overlaps(picture),
        *loose_ends(picture),
        *crooked(picture),
        *pierced(picture),
    ]
    faults += [f"{component} has no Placement" for component in picture.unplaced]
    assert not faults, f"{name}: " + "; ".join(faults)
    ElementTree.fromstring(diagram_svg(picture))


def problems(picture: Picture) -> list[str]:
    return [f"{p.message} ({p.span})" for p in picture.all_problems()]


def overlaps(picture: Picture) -> list[str]:
    """Components whose boxes have an area in common."""
    return [
        f"{a.name} overlaps {b.name}" for a, b in combinations(picture.components, 2) if _common(a.box, b.box)
    ]


def _common(a: Extent, b: Extent) -> bool:
    (x1, y1), (x2, y2) = a
    (u1, v1), (u2, v2) = b
    return min(x2, u2) - max(x1, u1) > TOUCHING and min(y2, v2) - max(y1, v1) > TOUCHING


def loose_ends(picture: Picture) -> list[str]:
    """Connections without a line, and lines that do not end at their connectors, in either order."""
    faults: list[str] = []
    for connection in picture.connections:
        what = f"connect({', '.join(connection.ends)})"
        places = [picture.where(end) for end in connection.ends]
        if connection.line is None:
            faults.append(f"{what} has no Line")
        elif None in places:
            faults.append(f"{what}: no place for {connection.ends[places.index(None)]}")
        else:
            first, last = connection.line.points[0], connection.line.points[-1]
            a, b = (p for p in places if p is not None)
            straight = max(_distance(first, a), _distance(last, b))
            turned = max(_distance(first, b), _distance(last, a))
            if min(straight, turned) > NEAR:
                faults.append(f"{what}: from {first} to {last}, the connectors are at {a} and {b}")
    return faults


def crooked(picture: Picture) -> list[str]:
    """Lines that are neither horizontal nor vertical."""
    return [
        f"connect({', '.join(c.ends)}): {p} to {q} is oblique"
        for c in picture.connections
        if c.line is not None
        for p, q in pairwise(c.line.points)
        if min(abs(p[0] - q[0]), abs(p[1] - q[1])) > 0.5
    ]


def pierced(picture: Picture) -> list[str]:
    """Lines that lead through a component that is not at one of their ends; its rim may be touched."""
    faults = []
    for connection in picture.connections:
        corners = connection.line.points if connection.line is not None else ()
        ends = {end.partition(".")[0] for end in connection.ends}
        for component in picture.components:
            (x1, y1), (x2, y2) = component.box
            rim = 0.2 * min(x2 - x1, y2 - y1)
            inside = ((x1 + rim, y1 + rim), (x2 - rim, y2 - rim))
            if component.name in ends or not any(_enters(p, q, inside) for p, q in pairwise(corners)):
                continue
            faults.append(f"connect({', '.join(connection.ends)}) leads through {component.name}")
    return faults


def _enters(p: Point, q: Point, box: Extent) -> bool:
    """Of lines that are horizontal or vertical."""
    (x1, y1), (x2, y2) = box
    left, right = sorted((p[0], q[0]))
    low, high = sorted((p[1], q[1]))
    return left < x2 and right > x1 and low < y2 and high > y1


def _distance(p: Point, q: Point) -> float:
    return math.hypot(p[0] - q[0], p[1] - q[1])


def test_every_class_has_an_icon() -> None:
    """Own or inherited. Types, functions and classes inside of models are not placed anywhere."""
    faults: list[str] = []
    for cls in classes(library()):
        if cls.kind in ("type", "function", "record") or (cls.parent and cls.parent.kind != "package"):
            continue
        picture = pictures().icon(cls)
        faults += [f"{cls.full_name}: {problem}" for problem in problems(picture)]
        if not picture.primitives:
            faults.append(f"{cls.full_name} has no icon")
        ElementTree.fromstring(icon_svg(picture))
    assert not faults, "\n".join(faults)


def test_names_are_readable() -> None:
    """The name of a component stands where no connector is, and so no line either."""
    faults: list[str] = []
    for name in parts():
        cls = find_class(name)
        picture = pictures().icon(cls)
        for text in picture.primitives:
            if isinstance(text, Text) and text.text == cls.name:
                (x1, y1), (x2, y2) = (text.place(p) for p in text.extent)
                x, wide = (x1 + x2) / 2, min(abs(x2 - x1) / 2, 40)
                box = ((x - wide, min(y1, y2)), (x + wide, max(y1, y2)))
                faults += [f"{name}: {c.name}" for c in picture.components if _common(box, c.box)]
    assert not faults, "a connector is on the name: " + ", ".join(faults)

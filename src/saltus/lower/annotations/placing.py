"""Places and lines written into the text of a class, as the annotations that would have given them.

Only what the class itself declares can be written there: what it inherits is placed in its bases.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from saltus.ir import ast
from saltus.ir.instance import ClassEntry
from saltus.ir.picture import Connection, Extent, Line, Picture, Placed, Point
from saltus.lower.annotations.literals import annotation_of

#: Characters of a line of text, before an annotation goes onto the next one.
_WIDE = 100


def with_annotations(cls: ClassEntry, before: Picture, after: Picture) -> tuple[str, int, int]:
    """The text of the file that the class is in, with annotations for what the second picture places and the
    first does not; how many components and connections got one."""
    places = {c.span.start: c for c in after.components if any(u.name == c.name for u in before.unplaced)}
    lines = {
        new.span.start: new
        for old, new in zip(before.connections, after.connections, strict=True)
        if old.line is None and new.line is not None
    }
    text = cls.source.text
    edits = [*_declarations(cls, places), *_connections(cls, lines)]
    for offset, added in sorted(edits, reverse=True):
        text = text[:offset] + added + text[offset:]
    placed = sum("Placement(" in added for _, added in edits)
    return text, placed, len(edits) - placed


def _declarations(cls: ClassEntry, places: Mapping[int, Placed]) -> Iterator[tuple[int, str]]:
    for element in cls.elements:
        if isinstance(element, ast.ComponentClause):
            for declaration in element.declarations:
                component = places.get(declaration.start)
                if component is not None and component.span.source is cls.source:
                    yield _edit(cls, declaration, "Placement", placement_text(component))


def _connections(cls: ClassEntry, lines: Mapping[int, Connection]) -> Iterator[tuple[int, str]]:
    body = cls.definition.body
    for section in body.sections if isinstance(body, ast.LongBody) else ():
        for item in _connects(section.items):
            connection = lines.get(item.start)
            if (
                connection is not None
                and connection.line is not None
                and connection.span.source is cls.source
            ):
                yield _edit(cls, item, "Line", line_text(connection.line))


def _connects(items: object) -> Iterator[ast.Connect]:
    for item in items if isinstance(items, tuple) else ():
        if isinstance(item, ast.Connect):
            yield item
        elif isinstance(item, ast.ForEquation):
            yield from _connects(item.items)
        elif isinstance(item, ast.IfEquation):
            for _, branch in item.branches:
                yield from _connects(branch)


def _edit(cls: ClassEntry, node: ast.Declaration | ast.Connect, name: str, entry: str) -> tuple[int, str]:
    """Where an entry of an annotation goes, and the text to be put there."""
    if node.annotation is not None and name not in annotation_of(cls, node.annotation):
        opened = cls.source.text.index("(", node.annotation[0]) + 1
        empty = not cls.source.text[opened : node.annotation[1] - 1].strip()
        return opened, entry if empty else f"{entry}, "
    line = cls.source.text.rfind("\n", 0, node.start) + 1
    start = cls.source.text[line : node.start]
    indent = start[: len(start) - len(start.lstrip())]
    wide = node.end - line + len(entry) + 13 > _WIDE
    return node.end, (f"\n{indent}  " if wide else " ") + f"annotation({entry})"


# ---------------------------------------------------------------- annotations as text


def placement_text(component: Placed) -> str:
    """`Placement(transformation(...))`; a rotation is one by quarters, and mirrored is left to right."""
    place = component.place
    (x1, y1), (x2, y2) = component.icon.extent
    size = place.size
    half = abs(x2 - x1) * size / 2, abs(y2 - y1) * size / 2
    over = place.a * place.d - place.b * place.c < 0
    # The x axis of a mirrored icon points the other way before it is turned.
    sign = -1.0 if over else 1.0
    angle = math.degrees(math.atan2(sign * place.b, sign * place.a)) % 360.0
    x, y = place(((x1 + x2) / 2, (y1 + y2) / 2))
    wide, high = half
    if round(angle) % 360 == 0:
        extent = ((x - wide, y - high), (x + wide, y + high))
        if over:
            extent = ((x + wide, y - high), (x - wide, y + high))
        return f"Placement(transformation(extent = {_extent(extent)}))"
    extent = ((wide, -high), (-wide, high)) if over else ((-wide, -high), (wide, high))
    origin = _point((x, y))
    turned = f"origin = {origin}, extent = {_extent(extent)}, rotation = {_short(angle)}"
    return f"Placement(transformation({turned}))"


def line_text(line: Line) -> str:
    """`Line(points = ..., color = ...)`"""
    points = ", ".join(_point(line.place(p)) for p in line.points)
    colour = ", ".join(map(str, line.pen.colour))
    return f"Line(points = {{{points}}}, color = {{{colour}}})"


def _extent(extent: Extent) -> str:
    return f"{{{_point(extent[0])}, {_point(extent[1])}}}"


def _point(point: Point) -> str:
    return f"{{{_short(point[0])}, {_short(point[1])}}}"


def _short(number: float) -> str:
    return f"{round(number, 2) + 0.0:.2f}".rstrip("0").rstrip(".")

"""Primitives of drawings from the records that describe them (section 18.6 of the specification).

Every field is checked; what is not as the specification says raises `Wrong`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from saltus.ir.picture import (
    BLACK,
    HERE,
    Affine,
    Colour,
    Ellipse,
    Extent,
    Line,
    Pen,
    Point,
    Polygon,
    Primitive,
    Rectangle,
    Text,
)
from saltus.lower.annotations.literals import Record


class Wrong(Exception):
    """An entry that is not what the specification says."""


T = TypeVar("T")


def number_of(value: Any) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    raise Wrong(f"a number is needed, not `{value}`")


def point_of(value: Any) -> Point:
    if isinstance(value, list) and len(value) == 2:
        return number_of(value[0]), number_of(value[1])
    raise Wrong(f"a point {{x, y}} is needed, not `{value}`")


def points_of(value: Any) -> tuple[Point, ...]:
    if not isinstance(value, list) or len(value) < 2:
        raise Wrong(f"two points or more are needed, not `{value}`")
    return tuple(point_of(p) for p in value)


def extent_of(value: Any) -> Extent:
    points = points_of(value)
    if len(points) != 2:
        raise Wrong(f"an extent has two points, not {len(points)}")
    return points[0], points[1]


def _colour(value: Any) -> Colour:
    if (
        isinstance(value, list)
        and len(value) == 3
        and all(isinstance(v, int) and 0 <= v <= 255 for v in value)
    ):
        return value[0], value[1], value[2]
    raise Wrong(f"a colour {{red, green, blue}} is needed, not `{value}`")


def _boolean(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    raise Wrong(f"true or false is needed, not `{value}`")


def _string(value: Any) -> str:
    if isinstance(value, str):
        return value
    raise Wrong(f"a text is needed, not `{value}`")


def _one_of(*known: str) -> Callable[[Any], str]:
    def check(value: Any) -> str:
        if value in known:
            return str(value)
        raise Wrong(f"`{value}` is none of {', '.join(known)}")

    return check


def _list_of(check: Callable[[Any], T]) -> Callable[[Any], list[T]]:
    def checked(value: Any) -> list[T]:
        if isinstance(value, list):
            return [check(v) for v in value]
        raise Wrong(f"a list is needed, not `{value}`")

    return checked


_PATTERN = _one_of("None", "Solid", "Dash", "Dot", "DashDot", "DashDotDot")
_FILL = _one_of(
    "None", "Solid", "Horizontal", "Vertical", "Cross", "Forward", "Backward", "CrossDiag",
    "HorizontalCylinder", "VerticalCylinder", "Sphere",
)  # fmt: skip
_ARROW = _one_of("None", "Open", "Filled", "Half")
_SMOOTH = _one_of("None", "Bezier")
_BORDER = _one_of("None", "Raised", "Sunken", "Engraved")
_CLOSURE = _one_of("None", "Chord", "Radial")
_ALIGNMENT = _one_of("Left", "Center", "Right")
_STYLE = _one_of("Bold", "Italic", "UnderLine")

_COMMON: dict[str, Callable[[Any], Any]] = {"visible": _boolean, "origin": point_of, "rotation": number_of}
_FILLED: dict[str, Callable[[Any], Any]] = {
    "lineColor": _colour,
    "fillColor": _colour,
    "pattern": _PATTERN,
    "fillPattern": _FILL,
    "lineThickness": number_of,
}
#: The fields that each primitive may have, and what they may be.
_FIELDS: dict[str, dict[str, Callable[[Any], Any]]] = {
    "Line": {
        "points": points_of,
        "color": _colour,
        "pattern": _PATTERN,
        "thickness": number_of,
        "arrow": _list_of(_ARROW),
        "arrowSize": number_of,
        "smooth": _SMOOTH,
    },
    "Polygon": {**_FILLED, "points": points_of, "smooth": _SMOOTH},
    "Rectangle": {**_FILLED, "extent": extent_of, "radius": number_of, "borderPattern": _BORDER},
    "Ellipse": {
        **_FILLED,
        "extent": extent_of,
        "startAngle": number_of,
        "endAngle": number_of,
        "closure": _CLOSURE,
    },
    "Text": {
        **_FILLED,
        "extent": extent_of,
        "textString": _string,
        "string": _string,
        "index": number_of,
        "fontSize": number_of,
        "textColor": _colour,
        "fontName": _string,
        "textStyle": _list_of(_STYLE),
        "horizontalAlignment": _ALIGNMENT,
    },
    "Bitmap": {"extent": extent_of, "fileName": _string, "imageSource": _string},
}
_NEEDED = {"Line": "points", "Polygon": "points"}


def primitive_of(record: Any) -> Primitive | None:
    """The primitive that a record describes; None if it is invisible, or a bitmap."""
    if not isinstance(record, Record) or record.name not in _FIELDS:
        name = record.name if isinstance(record, Record) else record
        raise Wrong(f"`{name}` is none of {', '.join(_FIELDS)}")
    known = {**_COMMON, **_FIELDS[record.name]}
    for name in record.fields:
        if name not in known:
            raise Wrong(f"`{record.name}` has no `{name}`")
    given = {name: known[name](value) for name, value in record.fields.items()}
    needed = _NEEDED.get(record.name, "extent")
    if needed not in given:
        raise Wrong(f"`{record.name}` needs `{needed}`")
    if not given.get("visible", True) or record.name == "Bitmap":
        return None
    place = Affine.turned(given.get("origin", (0.0, 0.0)), given.get("rotation", 0.0))
    if place == Affine.turned((0.0, 0.0), 0.0):
        place = HERE
    if record.name == "Line":
        arrows = given.get("arrow", ["None", "None"])
        return Line(
            place=place,
            points=given["points"],
            pen=Pen(
                colour=given.get("color", BLACK),
                pattern=given.get("pattern", "Solid"),
                thickness=given.get("thickness", 0.25),
            ),
            arrows=(arrows[0], arrows[1]) if len(arrows) == 2 else ("None", "None"),
            arrow_size=given.get("arrowSize", 3.0),
            smooth=given.get("smooth") == "Bezier",
        )
    if record.name == "Text":
        styles = given.get("textStyle", [])
        return Text(
            place=place,
            extent=given["extent"],
            text=given.get("textString", given.get("string", "")),
            colour=given.get("textColor", given.get("lineColor", BLACK)),
            font_size=given.get("fontSize", 0.0),
            bold="Bold" in styles,
            italic="Italic" in styles,
            alignment=given.get("horizontalAlignment", "Center"),
        )
    pen = Pen(
        colour=given.get("lineColor", BLACK),
        pattern=given.get("pattern", "Solid"),
        thickness=given.get("lineThickness", 0.25),
    )
    fill = given.get("fillColor", BLACK) if given.get("fillPattern", "None") != "None" else None
    if record.name == "Polygon":
        smooth = given.get("smooth") == "Bezier"
        return Polygon(place=place, points=given["points"], pen=pen, fill=fill, smooth=smooth)
    if record.name == "Rectangle":
        radius = given.get("radius", 0.0)
        return Rectangle(place=place, extent=given["extent"], pen=pen, fill=fill, radius=radius)
    angles = given.get("startAngle", 0.0), given.get("endAngle", 360.0)
    closed = angles[1] - angles[0] == 360.0
    closure = given.get("closure", "Chord" if closed else "Radial")
    return Ellipse(place=place, extent=given["extent"], pen=pen, fill=fill, angles=angles, closure=closure)

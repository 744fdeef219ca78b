"""Icons and diagrams of classes, from their annotations (sections 18.6 and 18.7 of the specification).

What a base draws comes first. Components are placed where their `Placement` says, with the icons of their
classes; connectors of a component belong to its icon. A class needs no values for that, so that partial
models, and parts with open connectors, have pictures too. `%R` in a text is the text of the value that the
declaration gives, or of the default.

A `transformation` that says nothing of an `origin` is rotated about the centre of its extent, as editors do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from saltus.core.diagnostics import Diagnostic
from saltus.ir import ast
from saltus.ir.instance import ClassEntry, Element, Layout
from saltus.ir.picture import (
    BLACK,
    HERE,
    SHEET,
    Affine,
    Colour,
    Connection,
    Ellipse,
    Extent,
    Line,
    Pen,
    Picture,
    Placed,
    Point,
    Polygon,
    Primitive,
    Rectangle,
    Text,
)
from saltus.lower.annotations.literals import (
    NotLiteral,
    Record,
    entry_of,
    fields_of,
    literal,
    place_of,
    value_of,
)
from saltus.lower.classes.layout import Layouts
from saltus.lower.classes.lookup import base_classes, resolve_class

ICON, DIAGRAM = "Icon", "Diagram"

#: How deep icons are nested: connectors of components of the class that is drawn.
_DEPTH = 4


class Wrong(Exception):
    """An entry that is not what the specification says."""


class Pictures:
    """Draws classes; icons are made once for each class and set of values."""

    def __init__(self) -> None:
        self._layouts = Layouts()
        self._layers: dict[tuple[ClassEntry, str], _Layer] = {}

    def icon(self, cls: ClassEntry) -> Picture:
        """What stands for the class where it is used. Its own name is written for `%name`, and defaults for
        parameters."""
        return self._icon(cls, {**self._values(cls), "name": cls.name}, 0)

    def diagram(self, cls: ClassEntry) -> Picture:
        """What is inside: components and connections."""
        layer = self._layer(cls, DIAGRAM)
        names = {"name": cls.name, "class": cls.name}
        layout = self._layouts.of(cls)
        components, problems, unplaced = self._components(cls, layout, DIAGRAM, {}, 0)
        connections: list[Connection] = []
        for section, lexical in layout.sections:
            if not section.algorithm:
                connections += self._connections(section.items, lexical, problems)
        return Picture(
            cls.full_name,
            layer.extent or SHEET,
            layer.drawn(names),
            components,
            tuple(connections),
            (*layer.problems, *problems),
            unplaced,
        )

    # ------------------------------------------------------------ components

    def _icon(self, cls: ClassEntry, texts: Mapping[str, str], depth: int) -> Picture:
        layer = self._layer(cls, ICON)
        components: tuple[Placed, ...] = ()
        problems: list[Diagnostic] = []
        if depth < _DEPTH:
            components, problems, _ = self._components(cls, self._layouts.of(cls), ICON, texts, depth)
        words = {**texts, "class": cls.name}
        return Picture(
            cls.full_name,
            layer.extent or SHEET,
            layer.drawn(words),
            components,
            problems=(*layer.problems, *problems),
        )

    def _components(
        self, cls: ClassEntry, layout: Layout, view: str, texts: Mapping[str, str], depth: int
    ) -> tuple[tuple[Placed, ...], list[Diagnostic], tuple[str, ...]]:
        """Components with a place in a layer; in an icon these are connectors only."""
        found: list[Placed] = []
        problems: list[Diagnostic] = []
        unplaced: list[str] = []
        for element in layout.elements.values():
            if layout.predefined is not None or (view == ICON and element.protected):
                continue
            type_ = resolve_class(element.clause.type_name, element.lexical)
            if not isinstance(type_, ClassEntry) or type_.kind in ("type", "record", "function"):
                continue
            connector = type_.kind == "connector"
            if (view == ICON and not connector) or not _may_hold(element.declaration.condition, texts):
                continue
            own = element.lexical
            try:
                entry = entry_of(own, element.declaration.annotation, "Placement")
                place = _placement(own, entry, self._system(type_), view)
            except (Wrong, NotLiteral) as error:
                problems.append(_problem(own, error, element.declaration))
                continue
            if place is None:
                unplaced += [element.name] if entry is None else []
                continue
            values = {**self._values(type_, element), "name": element.name}
            icon = self._icon(type_, values, depth + 1)
            found.append(Placed(element.name, type_.full_name, icon, place, connector, element.span))
        return tuple(found), problems, tuple(unplaced)

    def _system(self, cls: ClassEntry) -> Extent:
        return self._layer(cls, ICON).extent or SHEET

    def _values(self, cls: ClassEntry, element: Element | None = None) -> dict[str, str]:
        """Texts of the values of parameters: those of a declaration, else the defaults of the class."""
        found: dict[str, str] = {}
        for name, inner in self._layouts.of(cls).elements.items():
            given = inner.declaration.modification
            if given is not None and given.value is not None:
                found[name] = _text(inner.lexical, given.value)
            for change in reversed(inner.modifications):
                said = getattr(change.argument, "modification", None)
                if said is not None and said.value is not None:
                    found[name] = _text(change.lexical, said.value)
        if element is None:
            return found
        said_here = element.declaration.modification
        for argument in (said_here.arguments or ()) if said_here is not None else ():
            if isinstance(argument, ast.ElementModification) and argument.modification is not None:
                value = argument.modification.value
                if value is not None and len(argument.name) == 1:
                    found[argument.name[0]] = _text(element.lexical, value)
        return found

    # ------------------------------------------------------------ connections

    def _connections(
        self, items: Iterable[ast.Item], cls: ClassEntry, problems: list[Diagnostic]
    ) -> Iterator[Connection]:
        for item in items:
            if isinstance(item, ast.Connect):
                line: Line | None = None
                try:
                    entry = entry_of(cls, item.annotation, "Line")
                    if entry is not None:
                        made = _primitive(Record("Line", _evaluated(entry), item))
                        line = made if isinstance(made, Line) else None
                except (Wrong, NotLiteral) as error:
                    problems.append(_problem(cls, error, item))
                ends = (item.left.text, item.right.text)
                yield Connection(ends, line, cls.at(item))
            elif isinstance(item, ast.ForEquation):
                yield from self._connections(item.items, cls, problems)
            elif isinstance(item, ast.IfEquation):
                for _, branch in item.branches:
                    yield from self._connections(branch, cls, problems)

    # ------------------------------------------------------------ primitives

    def _layer(self, cls: ClassEntry, view: str) -> _Layer:
        """Primitives and coordinate system of a layer, inherited ones first."""
        key = cls.origin, view
        if key not in self._layers:
            self._layers[key] = _Layer()  # what inherits from itself has nothing to draw
            self._layers[key] = self._make_layer(cls, view)
        return self._layers[key]

    def _make_layer(self, cls: ClassEntry, view: str) -> _Layer:
        layer = _Layer()
        hidden = {id(e) for e in cls.elements if isinstance(e, ast.Extends) and _is_hidden(cls, e, view)}
        for key, base in base_classes(cls).items():
            inherited = self._layer(base, view)
            if key not in hidden:
                layer.primitives += inherited.primitives
                layer.problems += inherited.problems
            layer.extent = layer.extent or inherited.extent
        entry = entry_of(cls, cls.definition.annotation, view)
        fields = fields_of(entry)
        try:
            system = fields_of(fields.get("coordinateSystem"))
            if "extent" in system:
                layer.extent = _extent(value_of(system["extent"]))
        except (Wrong, NotLiteral) as error:
            layer.problems.append(_problem(cls, error, entry))
        graphics = fields["graphics"].value if "graphics" in fields else None
        if graphics is not None and not isinstance(graphics, ast.ArrayConstructor):
            layer.problems.append(_problem(cls, Wrong("`graphics` is a list in braces"), graphics))
            return layer
        for item in graphics.elements if graphics is not None else ():
            try:
                condition, item = _condition(item)
                primitive = _primitive(literal(item))
                if primitive is not None:
                    layer.primitives.append((primitive, condition))
            except (Wrong, NotLiteral) as error:
                layer.problems.append(_problem(cls, error, item))
        return layer


@dataclass
class _Layer:
    """Primitives, with the conditions under which they are seen."""

    primitives: list[tuple[Primitive, ast.Expression | None]] = field(default_factory=list)
    extent: Extent | None = None
    problems: list[Diagnostic] = field(default_factory=list)

    def drawn(self, texts: Mapping[str, str]) -> tuple[Primitive, ...]:
        """The primitives that are seen, with names and values in their texts."""
        return tuple(_named(p, texts) for p, condition in self.primitives if _may_hold(condition, texts))


def picture_of(cls: ClassEntry, *, icon: bool = False) -> Picture:
    """The icon or the diagram of a class. Raises `ModelError` if its text means nothing."""
    pictures = Pictures()
    return pictures.icon(cls) if icon else pictures.diagram(cls)


def _problem(cls: ClassEntry, error: Exception, node: ast.Node | None) -> Diagnostic:
    at = error.node if isinstance(error, NotLiteral) else node
    return Diagnostic("W206", str(error), place_of(cls, at))


def _text(cls: ClassEntry, node: ast.Node) -> str:
    return " ".join(cls.source.text[node.start : node.end].split())


def _is_hidden(cls: ClassEntry, clause: ast.Extends, view: str) -> bool:
    """`extends Base annotation(IconMap(primitivesVisible = false))`."""
    shown = fields_of(entry_of(cls, clause.annotation, f"{view}Map")).get("primitivesVisible")
    return shown is not None and shown.value is not None and literal(shown.value) is False


def _condition(item: ast.Expression) -> tuple[ast.Expression | None, ast.Expression]:
    """What `visible` of a primitive says, if parameters decide, and the primitive without it."""
    said = dict(item.named).get("visible") if isinstance(item, ast.Call) else None
    if said is None or isinstance(said, ast.Boolean) or not isinstance(item, ast.Call):
        return None, item
    return said, replace(item, named=tuple(entry for entry in item.named if entry[0] != "visible"))


def _may_hold(condition: ast.Expression | None, texts: Mapping[str, str]) -> bool:
    """Of a component or a primitive: not if it is a parameter that is known to be false."""
    match condition:
        case ast.Reference() as reference:
            return texts.get(reference.text) != "false"
        case ast.Unary(operator="not", operand=ast.Reference() as reference):
            return texts.get(reference.text) != "true"
    return True


# ---------------------------------------------------------------- placement


def _placement(cls: ClassEntry, entry: ast.Modification | None, system: Extent, view: str) -> Affine | None:
    """From the coordinates of a component to those around it; None if it is not seen. An icon has its own
    transformation, if it is given."""
    fields = fields_of(entry)
    if entry is None or ("visible" in fields and value_of(fields["visible"]) is False):
        return None
    if view == ICON and "iconVisible" in fields and value_of(fields["iconVisible"]) is False:
        return None
    inside = fields.get("iconTransformation") if view == ICON else None
    given = _evaluated(inside or fields.get("transformation"))
    if "extent" not in given:
        raise Wrong("a `transformation` needs an `extent`")
    extent = _extent(given["extent"])
    angle = _number(given.get("rotation", 0))
    if "origin" in given:
        return Affine.turned(_point(given["origin"]), angle).after(Affine.onto(extent, system))
    (x1, y1), (x2, y2) = extent
    x, y = (x1 + x2) / 2, (y1 + y2) / 2
    about = ((x1 - x, y1 - y), (x2 - x, y2 - y))
    return Affine.turned((x, y), angle).after(Affine.onto(about, system))


def _evaluated(modification: ast.Modification | None) -> dict[str, Any]:
    return {name: value_of(entry) for name, entry in fields_of(modification).items()}


# ---------------------------------------------------------------- primitives

T = TypeVar("T")


def _number(value: Any) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    raise Wrong(f"a number is needed, not `{value}`")


def _point(value: Any) -> Point:
    if isinstance(value, list) and len(value) == 2:
        return _number(value[0]), _number(value[1])
    raise Wrong(f"a point {{x, y}} is needed, not `{value}`")


def _points(value: Any) -> tuple[Point, ...]:
    if not isinstance(value, list) or len(value) < 2:
        raise Wrong(f"two points or more are needed, not `{value}`")
    return tuple(_point(p) for p in value)


def _extent(value: Any) -> Extent:
    points = _points(value)
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

_COMMON: dict[str, Callable[[Any], Any]] = {"visible": _boolean, "origin": _point, "rotation": _number}
_FILLED: dict[str, Callable[[Any], Any]] = {
    "lineColor": _colour,
    "fillColor": _colour,
    "pattern": _PATTERN,
    "fillPattern": _FILL,
    "lineThickness": _number,
}
#: The fields that each primitive may have, and what they may be.
_FIELDS: dict[str, dict[str, Callable[[Any], Any]]] = {
    "Line": {
        "points": _points,
        "color": _colour,
        "pattern": _PATTERN,
        "thickness": _number,
        "arrow": _list_of(_ARROW),
        "arrowSize": _number,
        "smooth": _SMOOTH,
    },
    "Polygon": {**_FILLED, "points": _points, "smooth": _SMOOTH},
    "Rectangle": {**_FILLED, "extent": _extent, "radius": _number, "borderPattern": _BORDER},
    "Ellipse": {
        **_FILLED,
        "extent": _extent,
        "startAngle": _number,
        "endAngle": _number,
        "closure": _CLOSURE,
    },
    "Text": {
        **_FILLED,
        "extent": _extent,
        "textString": _string,
        "string": _string,
        "index": _number,
        "fontSize": _number,
        "textColor": _colour,
        "fontName": _string,
        "textStyle": _list_of(_STYLE),
        "horizontalAlignment": _ALIGNMENT,
    },
    "Bitmap": {"extent": _extent, "fileName": _string, "imageSource": _string},
}
_NEEDED = {"Line": "points", "Polygon": "points"}


def _primitive(record: Any) -> Primitive | None:
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


_MACRO = re.compile(r"%(%|\{[^}]*\}|[A-Za-z_]\w*)")


def _named(primitive: Primitive, texts: Mapping[str, str]) -> Primitive:
    """With names and values in place of `%name`, `%class`, `%R` and `%{R}`."""
    if not isinstance(primitive, Text) or "%" not in primitive.text:
        return primitive

    def meant(match: re.Match[str]) -> str:
        word = match[1].strip("{}")
        return "%" if word == "%" else texts.get(word, word)

    return replace(primitive, text=_MACRO.sub(meant, primitive.text))

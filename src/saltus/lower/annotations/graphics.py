"""Icons and diagrams of classes, from their annotations (sections 18.6 and 18.7 of the specification).

What a base draws comes first. Components are placed where their `Placement` says, with the icons of their
classes; connectors of a component belong to its icon. A class needs no values for that, so that partial
models, and parts with open connectors, have pictures too. `%R` in a text is the text of the value that the
declaration gives, or of the default.

A `transformation` that says nothing of an `origin` is rotated about the centre of its extent, as editors do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from saltus.core.diagnostics import Diagnostic
from saltus.ir import ast
from saltus.ir.instance import ClassEntry, Element, Layout
from saltus.ir.picture import (
    HERE,
    SHEET,
    Affine,
    Connection,
    Extent,
    Line,
    Picture,
    Placed,
    Primitive,
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
from saltus.lower.annotations.primitives import (
    Wrong,
    extent_of,
    number_of,
    point_of,
    primitive_of,
)
from saltus.lower.classes.layout import Layouts
from saltus.lower.classes.lookup import base_classes, resolve_class

ICON, DIAGRAM = "Icon", "Diagram"

#: How deep icons are nested: connectors of components of the class that is drawn.
_DEPTH = 4


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
        unplaced: tuple[Placed, ...] = ()
        problems: list[Diagnostic] = []
        if depth < _DEPTH:
            components, problems, unplaced = self._components(cls, self._layouts.of(cls), ICON, texts, depth)
        words = {**texts, "class": cls.name}
        return Picture(
            cls.full_name,
            layer.extent or SHEET,
            layer.drawn(words),
            components,
            problems=(*layer.problems, *problems),
            unplaced=unplaced,
        )

    def _components(
        self, cls: ClassEntry, layout: Layout, view: str, texts: Mapping[str, str], depth: int
    ) -> tuple[tuple[Placed, ...], list[Diagnostic], tuple[Placed, ...]]:
        """Components with a place in a layer, and those without; in an icon these are connectors only."""
        found: list[Placed] = []
        problems: list[Diagnostic] = []
        unplaced: list[Placed] = []
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
            if place is None and entry is not None:
                continue
            values = {**self._values(type_, element), "name": element.name}
            icon = self._icon(type_, values, depth + 1)
            component = Placed(
                element.name,
                type_.full_name,
                icon,
                place or HERE,
                connector,
                element.span,
                causality=element.clause.causality or _causality(type_),
                dimensions=_dimensions(element),
            )
            (found if place is not None else unplaced).append(component)
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
                        made = primitive_of(Record("Line", _evaluated(entry), item))
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
                layer.extent = extent_of(value_of(system["extent"]))
        except (Wrong, NotLiteral) as error:
            layer.problems.append(_problem(cls, error, entry))
        graphics = fields["graphics"].value if "graphics" in fields else None
        if graphics is not None and not isinstance(graphics, ast.ArrayConstructor):
            layer.problems.append(_problem(cls, Wrong("`graphics` is a list in braces"), graphics))
            return layer
        for item in graphics.elements if graphics is not None else ():
            try:
                condition, item = _condition(item)
                primitive = primitive_of(literal(item))
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


def _dimensions(element: Element) -> str:
    """`[7, n]` of an array of components."""
    subscripts = (*element.declaration.subscripts, *element.clause.subscripts)
    return f"[{', '.join(_text(element.lexical, s) for s in subscripts)}]" if subscripts else ""


def _causality(cls: ClassEntry) -> str:
    """The causality of a connector: `connector RealInput = input Real`."""
    body = cls.definition.body
    if not isinstance(body, ast.ShortBody):
        return ""
    base = None if body.causality else resolve_class(body.type_name, cls.parent) if cls.parent else None
    return body.causality or (_causality(base) if isinstance(base, ClassEntry) else "")


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
    """Whether the condition of a component or a primitive may hold: not if it is a parameter that is known to
    be false."""
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
    extent = extent_of(given["extent"])
    angle = number_of(given.get("rotation", 0))
    if "origin" in given:
        return Affine.turned(point_of(given["origin"]), angle).after(Affine.onto(extent, system))
    (x1, y1), (x2, y2) = extent
    x, y = (x1 + x2) / 2, (y1 + y2) / 2
    about = ((x1 - x, y1 - y), (x2 - x, y2 - y))
    return Affine.turned((x, y), angle).after(Affine.onto(about, system))


def _evaluated(modification: ast.Modification | None) -> dict[str, Any]:
    return {name: value_of(entry) for name, entry in fields_of(modification).items()}


# ---------------------------------------------------------------- texts

_MACRO = re.compile(r"%(%|\{[^}]*\}|[A-Za-z_]\w*)")


def _named(primitive: Primitive, texts: Mapping[str, str]) -> Primitive:
    """With names and values in place of `%name`, `%class`, `%R` and `%{R}`."""
    if not isinstance(primitive, Text) or "%" not in primitive.text:
        return primitive

    def meant(match: re.Match[str]) -> str:
        word = match[1].strip("{}")
        return "%" if word == "%" else texts.get(word, word)

    return replace(primitive, text=_MACRO.sub(meant, primitive.text))

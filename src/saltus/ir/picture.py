"""Pictures of classes: icons and diagrams, as annotations describe them (chapter 18 of the specification).

A `Picture` is one layer of one class: primitives, those of its bases first; components that are placed in it,
each with the icon of its class; and the lines of its connections. Coordinates are those of the class: x to
the right, y upwards. An `Affine` map leads from the coordinates of what is placed to those around it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from saltus.core.diagnostics import Diagnostic
from saltus.core.source import Span

Point: TypeAlias = tuple[float, float]
Extent: TypeAlias = tuple[Point, Point]
Colour: TypeAlias = tuple[int, int, int]

#: The coordinate system of a class that does not say which it has.
SHEET: Extent = ((-100.0, -100.0), (100.0, 100.0))


@dataclass(frozen=True)
class Affine:
    """x' = a x + c y + e, y' = b x + d y + f."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def __call__(self, point: Point) -> Point:
        x, y = point
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    def after(self, first: Affine) -> Affine:
        """First the other map, then this one."""
        e, f = self((first.e, first.f))
        return Affine(
            self.a * first.a + self.c * first.b,
            self.b * first.a + self.d * first.b,
            self.a * first.c + self.c * first.d,
            self.b * first.c + self.d * first.d,
            e,
            f,
        )

    @property
    def size(self) -> float:
        """By how much lengths grow, in the mean of all directions."""
        return math.sqrt(abs(self.a * self.d - self.b * self.c))

    @property
    def angle(self) -> float:
        """To where the x axis points, in degrees, counter-clockwise."""
        return math.degrees(math.atan2(self.b, self.a))

    @staticmethod
    def turned(origin: Point, degrees: float) -> Affine:
        """A rotation, then a shift to the origin. Quarter turns are exact."""
        sine, cosine = _SINES.get(degrees % 360.0, (None, None))
        if sine is None or cosine is None:
            sine, cosine = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
        return Affine(cosine, sine, -sine, cosine, *origin)

    @staticmethod
    def onto(extent: Extent, system: Extent = SHEET) -> Affine:
        """From a coordinate system to a box; corners that are exchanged mirror it."""
        (x1, y1), (x2, y2) = system
        (u1, v1), (u2, v2) = extent
        a = (u2 - u1) / (x2 - x1) if x2 != x1 else 1.0
        d = (v2 - v1) / (y2 - y1) if y2 != y1 else 1.0
        return Affine(a, 0.0, 0.0, d, u1 - a * x1, v1 - d * y1)


_SINES = {0.0: (0.0, 1.0), 90.0: (1.0, 0.0), 180.0: (0.0, -1.0), 270.0: (-1.0, 0.0)}
HERE = Affine()

BLACK: Colour = (0, 0, 0)


@dataclass(frozen=True, kw_only=True)
class Pen:
    """`pattern` is that of the specification (Solid, Dash, ...); None draws nothing. Millimetres."""

    colour: Colour = BLACK
    pattern: str = "Solid"
    thickness: float = 0.25


@dataclass(frozen=True, kw_only=True)
class Line:
    place: Affine
    points: tuple[Point, ...]
    pen: Pen = Pen()
    arrows: tuple[str, str] = ("None", "None")
    arrow_size: float = 3.0
    smooth: bool = False


@dataclass(frozen=True, kw_only=True)
class Polygon:
    place: Affine
    points: tuple[Point, ...]
    pen: Pen = Pen()
    fill: Colour | None = None
    smooth: bool = False


@dataclass(frozen=True, kw_only=True)
class Rectangle:
    place: Affine
    extent: Extent
    pen: Pen = Pen()
    fill: Colour | None = None
    radius: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Ellipse:
    """From `angles[0]` to `angles[1]`, in degrees; `closure` is None, Chord or Radial."""

    place: Affine
    extent: Extent
    pen: Pen = Pen()
    fill: Colour | None = None
    angles: tuple[float, float] = (0.0, 360.0)
    closure: str = "Chord"


@dataclass(frozen=True, kw_only=True)
class Text:
    """`font_size` in points; 0 makes it as large as its extent allows."""

    place: Affine
    extent: Extent
    text: str
    colour: Colour = BLACK
    font_size: float = 0.0
    bold: bool = False
    italic: bool = False
    alignment: str = "Center"


Primitive: TypeAlias = Line | Polygon | Rectangle | Ellipse | Text


@dataclass(frozen=True)
class Placed:
    """A component: `place` leads from the coordinates of its icon to those of the picture around it.
    `causality` is that of a connector, input or output; `dimensions` are those of an array: `[7]`."""

    name: str
    class_name: str
    icon: Picture
    place: Affine
    connector: bool
    span: Span
    causality: str = ""
    dimensions: str = ""

    @property
    def box(self) -> Extent:
        """The smallest box around the icon's coordinate system, lower left corner first."""
        (x1, y1), (x2, y2) = self.icon.extent
        corners = [self.place(p) for p in ((x1, y1), (x1, y2), (x2, y1), (x2, y2))]
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        return (min(xs), min(ys)), (max(xs), max(ys))

    @property
    def centre(self) -> Point:
        (x1, y1), (x2, y2) = self.box
        return (x1 + x2) / 2, (y1 + y2) / 2


@dataclass(frozen=True)
class Connection:
    """A connect-equation and its line; None if it is not drawn. Ends are names, without subscripts."""

    ends: tuple[str, str]
    line: Line | None
    span: Span


@dataclass(frozen=True)
class Picture:
    """One layer of a class. `problems` are entries of annotations that could not be understood, and
    `unplaced` components that have no place in it: that of theirs is `HERE`."""

    class_name: str
    extent: Extent
    primitives: tuple[Primitive, ...] = ()
    components: tuple[Placed, ...] = ()
    connections: tuple[Connection, ...] = ()
    problems: tuple[Diagnostic, ...] = ()
    unplaced: tuple[Placed, ...] = ()

    def where(self, name: str) -> Point | None:
        """The centre of a component, or of a connector of a component: `R1.p`."""
        first, _, rest = name.partition(".")
        for component in self.components:
            if component.name == first:
                if not rest:
                    return component.centre
                inner = component.icon.where(rest)
                if inner is not None:
                    return component.place(inner)
                # A variable of a connector, or a part of one: where the connector is.
                return component.centre if component.connector else None
        return None

    def all_problems(self) -> Iterator[Diagnostic]:
        """Its own, and those of the icons in it, each once."""
        found = dict.fromkeys(self.problems)
        for component in self.components:
            found |= dict.fromkeys(component.icon.all_problems())
        yield from found

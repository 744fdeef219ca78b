"""Icons and diagrams of classes, drawn as SVG.

Every point is computed here, from the coordinates of the annotations to those of the drawing, so that its
text holds plain numbers: no nested transformations, which viewers treat differently. Lines keep their
thickness however small a component is drawn, and texts stay upright where a component is turned over.

A diagram is cut to what is in it; an icon shows its whole coordinate system.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from xml.sax.saxutils import escape, quoteattr

from saltus.ir import picture as ir

#: Pixels for a unit of the coordinate system, in a diagram and in an icon alone; and around the drawing.
SCALE, ICON_SCALE = 4.0, 1.5
_MARGIN = 12.0
#: Pixels for a millimetre of thickness: the usual 0.25 is a thin line.
_MILLIMETRE = 4.8
#: Width of a letter, and height of a capital one, for a font of size 1.
_LETTER, _CAPITAL = 0.56, 0.72
#: Radius of a dot where lines branch off, and how near a point has to be to a line to be on it.
_DOT, _NEAR = 2.6, 0.05
_SMALLEST_FONT, _LARGEST_FONT = 5.0, 48.0
#: What a pointer meets around a line, to tell its ends.
_UNSEEN = 'stroke="#000" stroke-opacity="0" stroke-width="6"'

_DASHES = {"Dash": (6, 4), "Dot": (1.5, 3), "DashDot": (6, 3, 1.5, 3), "DashDotDot": (6, 3, 1.5, 3, 1.5, 3)}


def diagram_svg(picture: ir.Picture) -> str:
    """A diagram as text, cut to what is in it."""
    return "\n".join(_Drawing(picture, SCALE, crop=True).elements()) + "\n"


def icon_svg(picture: ir.Picture) -> str:
    """An icon as text, with its whole coordinate system."""
    return "\n".join(_Drawing(picture, ICON_SCALE, crop=False).elements()) + "\n"


class _Drawing:
    def __init__(self, picture: ir.Picture, scale: float, *, crop: bool) -> None:
        self.picture = picture
        self.scale = scale
        content = _bounds(picture)
        box = content if crop and content is not None else _joined(picture.extent, content)
        (self.left, bottom), (right, self.top) = box
        self.width = (right - self.left) * scale + 2 * _MARGIN
        self.height = (self.top - bottom) * scale + 2 * _MARGIN
        self.to_page = ir.Affine(
            scale, 0.0, 0.0, -scale, _MARGIN - scale * self.left, _MARGIN + scale * self.top
        )

    def elements(self) -> Iterator[str]:
        w, h = _short(self.width), _short(self.height)
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}" '
            'font-family="Helvetica, Arial, sans-serif" stroke-linejoin="round" stroke-linecap="round">'
        )
        yield f"<title>{escape(self.picture.class_name)}</title>"
        yield f'<rect width="{w}" height="{h}" fill="#ffffff"/>'
        yield from self._primitives(self.picture.primitives, self.to_page)
        yield from self._connections()
        for component in self.picture.components:
            yield from self._component(component, self.to_page)
        yield "</svg>"

    def _connections(self) -> Iterator[str]:
        """Lines, and dots where those of one set branch off. Where lines of a set lie on each other there is
        one line: their edges would become darker, and the line thicker to the eye. What tells their ends
        lies over it and is not seen."""
        shared: set[int] = set()
        for lines in _sets(self.picture.connections):
            plain = [line for line in lines if _is_plain(line)]
            if len(plain) > 1:
                shared |= set(map(id, plain))
                for pen in dict.fromkeys(line.pen for line in plain):
                    ways = [[line.place(p) for p in line.points] for line in plain if line.pen == pen]
                    path = " ".join(_path([self.to_page(p), self.to_page(q)]) for p, q in _once(ways))
                    yield f'<path d="{path}" {_stroke(pen)} fill="none"/>'
        for connection in self.picture.connections:
            line = connection.line
            if line is not None:
                yield f"<g><title>{escape(' – '.join(connection.ends))}</title>"
                if id(line) in shared:
                    points = [self.to_page(line.place(p)) for p in line.points]
                    yield f'<path d="{_path(points)}" {_UNSEEN} fill="none"/>'
                else:
                    yield from self._primitives((line,), self.to_page)
                yield "</g>"
        for point, colour in branchings(self.picture.connections):
            x, y = self.to_page(point)
            yield f'<circle cx="{_short(x)}" cy="{_short(y)}" r="{_DOT}" fill="{_hex(colour)}"/>'

    def _component(self, component: ir.Placed, around: ir.Affine) -> Iterator[str]:
        name = f"{component.name}: {component.class_name}"
        yield f"<g data-component={quoteattr(component.name)}><title>{escape(name)}</title>"
        inside = around.after(component.place)
        yield from self._primitives(component.icon.primitives, inside)
        for connector in component.icon.components:
            yield from self._component(connector, inside)
        yield "</g>"

    # ------------------------------------------------------------ primitives

    def _primitives(self, primitives: Iterable[ir.Primitive], around: ir.Affine) -> Iterator[str]:
        for primitive in primitives:
            place = around.after(primitive.place)
            match primitive:
                case ir.Line():
                    yield from self._line(primitive, place)
                case ir.Polygon():
                    closed = _without_repetition(primitive.points)
                    path = _path([place(p) for p in closed], primitive.smooth, closed=True)
                    yield f'<path d="{path}" {_stroke(primitive.pen)} {_fill(primitive.fill)}/>'
                case ir.Rectangle():
                    yield self._rectangle(primitive, place)
                case ir.Ellipse():
                    yield self._ellipse(primitive, place)
                case ir.Text():
                    yield from self._text(primitive, place)

    def _line(self, line: ir.Line, place: ir.Affine) -> Iterator[str]:
        points = [place(p) for p in line.points]
        yield f'<path d="{_path(points, line.smooth)}" {_stroke(line.pen)} fill="none"/>'
        size = line.arrow_size * _MILLIMETRE * min(1.0, max(place.size / self.scale, 0.4))
        for kind, tip, before in (
            (line.arrows[0], points[0], points[1]),
            (line.arrows[1], points[-1], points[-2]),
        ):
            if kind != "None" and tip != before:
                yield _arrow(kind, tip, before, size, line.pen)

    def _rectangle(self, rectangle: ir.Rectangle, place: ir.Affine) -> str:
        (x1, y1), (x2, y2) = rectangle.extent
        look = f"{_stroke(rectangle.pen)} {_fill(rectangle.fill)}"
        if not _is_upright(place):
            corners = [place(p) for p in ((x1, y1), (x2, y1), (x2, y2), (x1, y2))]
            return f'<path d="{_path(corners, closed=True)}" {look}/>'
        (u1, v1), (u2, v2) = place((x1, y1)), place((x2, y2))
        radius = f' rx="{_short(rectangle.radius * place.size)}"' if rectangle.radius else ""
        return (
            f'<rect x="{_short(min(u1, u2))}" y="{_short(min(v1, v2))}" width="{_short(abs(u2 - u1))}" '
            f'height="{_short(abs(v2 - v1))}"{radius} {look}/>'
        )

    def _ellipse(self, ellipse: ir.Ellipse, place: ir.Affine) -> str:
        (x1, y1), (x2, y2) = ellipse.extent
        look = f"{_stroke(ellipse.pen)} {_fill(ellipse.fill)}"
        begin, end = ellipse.angles
        whole = abs(end - begin) >= 360.0
        cx, cy, rx, ry = (x1 + x2) / 2, (y1 + y2) / 2, abs(x2 - x1) / 2, abs(y2 - y1) / 2
        if whole and _is_upright(place):
            u, v = place((cx, cy))
            p, q = place((cx + rx, cy)), place((cx, cy + ry))
            horizontal, vertical = max(abs(p[0] - u), abs(q[0] - u)), max(abs(p[1] - v), abs(q[1] - v))
            return (
                f'<ellipse cx="{_short(u)}" cy="{_short(v)}" rx="{_short(horizontal)}" '
                f'ry="{_short(vertical)}" {look}/>'
            )
        steps = max(8, math.ceil(abs(end - begin) / 5))
        angles = [math.radians(begin + (end - begin) * k / steps) for k in range(steps + 1)]
        points = [place((cx + rx * math.cos(t), cy + ry * math.sin(t))) for t in angles]
        if not whole and ellipse.closure == "Radial":
            points.append(place((cx, cy)))
        return f'<path d="{_path(points, closed=whole or ellipse.closure != "None")}" {look}/>'

    def _text(self, text: ir.Text, place: ir.Affine) -> Iterator[str]:
        lines = [line for line in text.text.split("\n") if line.strip()]
        if not lines:
            return
        box = _text_box(text, place, lines)
        if box is None:
            return
        (x, y), size, anchor, angle = box
        style = ' font-weight="bold"' * text.bold + ' font-style="italic"' * text.italic
        turned = f' transform="rotate({_short(-angle)} {_short(x)} {_short(y)})"' if angle else ""
        for number, line in enumerate(lines):
            shift = (number - (len(lines) - 1) / 2) * 1.2 * size + _CAPITAL * size / 2
            yield (
                f'<text x="{_short(x)}" y="{_short(y + shift)}" font-size="{_short(size)}" '
                f'text-anchor="{anchor}" fill="{_hex(text.colour)}"{style}{turned}>{escape(line)}</text>'
            )


def _text_box(
    text: ir.Text, place: ir.Affine, lines: Sequence[str]
) -> tuple[ir.Point, float, str, float] | None:
    """Where a text stands, its size, its anchor, and by how much it is turned (counter-clockwise)."""
    (x1, y1), (x2, y2) = text.extent
    a, b = place((x1, y1)), place((x2, y1))
    width, height = math.hypot(b[0] - a[0], b[1] - a[1]), abs(y2 - y1) * math.hypot(place.c, place.d)
    # On the page y points down.
    angle = math.degrees(math.atan2(-place.b, place.a)) % 180.0
    angle = 0.0 if min(angle, 180.0 - angle) < 1e-6 else angle - 180.0 if angle > 90.0 + 1e-6 else angle
    size = text.font_size * SCALE / 3
    if size == 0.0:
        size = height / (_CAPITAL + 0.28 + 1.2 * (len(lines) - 1))
        longest = max(map(len, lines)) * _LETTER
        if width > 0.0:
            size = min(size, width / longest)
        size = min(max(size, _SMALLEST_FONT), _LARGEST_FONT)
    if size <= 0.0:
        return None
    centre = place(((x1 + x2) / 2, (y1 + y2) / 2))
    if text.alignment == "Center":
        return centre, size, "middle", angle
    # Its left is where its lines begin, also in a component that is turned over.
    turn = math.radians(angle)
    along = (math.cos(turn), -math.sin(turn))
    sign = -1.0 if text.alignment == "Left" else 1.0
    edge = (centre[0] + sign * along[0] * width / 2, centre[1] + sign * along[1] * width / 2)
    return edge, size, "start" if text.alignment == "Left" else "end", angle


def _arrow(kind: str, tip: ir.Point, before: ir.Point, size: float, pen: ir.Pen) -> str:
    """The head of an arrow that points from `before` to `tip`."""
    length = math.hypot(tip[0] - before[0], tip[1] - before[1])
    ux, uy = (tip[0] - before[0]) / length, (tip[1] - before[1]) / length
    back = (tip[0] - size * ux, tip[1] - size * uy)
    half = 0.35 * size
    left, right = (back[0] - half * uy, back[1] + half * ux), (back[0] + half * uy, back[1] - half * ux)
    solid = _stroke(replace(pen, pattern="Solid"))
    if kind == "Filled":
        return f'<path d="{_path([left, tip, right], closed=True)}" {solid} {_fill(pen.colour)}/>'
    points = [left, tip] if kind == "Half" else [left, tip, right]
    return f'<path d="{_path(points)}" {solid} fill="none"/>'


# ---------------------------------------------------------------- bounds


def _bounds(picture: ir.Picture) -> ir.Extent | None:
    """A box around all that is drawn."""
    points = list(_points_of(picture, ir.HERE))
    for connection in picture.connections:
        if connection.line is not None:
            points += [connection.line.place(p) for p in connection.line.points]
    if not points:
        return None
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return (min(xs), min(ys)), (max(xs), max(ys))


def _points_of(picture: ir.Picture, around: ir.Affine) -> Iterator[ir.Point]:
    for primitive in picture.primitives:
        place = around.after(primitive.place)
        if isinstance(primitive, ir.Text):
            yield from _corners_of_text(primitive, place)
        elif isinstance(primitive, ir.Line | ir.Polygon):
            yield from map(place, primitive.points)
        else:
            (x1, y1), (x2, y2) = primitive.extent
            yield from map(place, ((x1, y1), (x2, y1), (x2, y2), (x1, y2)))
    for component in picture.components:
        yield from _points_of(component.icon, around.after(component.place))


def _corners_of_text(text: ir.Text, place: ir.Affine) -> Iterator[ir.Point]:
    """The corners of a text as wide as its letters need, not as its extent allows."""
    if not text.text.strip():
        return
    (x1, y1), (x2, y2) = text.extent
    height = abs(y2 - y1)
    wide = min(abs(x2 - x1), _LETTER * height * len(text.text))
    x = (x1 + x2) / 2
    x1, x2 = (x - wide / 2, x + wide / 2) if text.alignment == "Center" else (x1, x2)
    yield from map(place, ((x1, y1), (x2, y1), (x2, y2), (x1, y2)))


def _joined(extent: ir.Extent, other: ir.Extent | None) -> ir.Extent:
    points = [*extent, *(other or ())]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return (min(xs), min(ys)), (max(xs), max(ys))


# ---------------------------------------------------------------- where lines branch off


def branchings(connections: Iterable[ir.Connection]) -> list[tuple[ir.Point, ir.Colour]]:
    """Points from which lines of one connection set go in three directions or more."""
    found: list[tuple[ir.Point, ir.Colour]] = []
    for lines in _sets(connections):
        corners = [[line.place(p) for p in line.points] for line in lines if not line.smooth]
        sides = [side for points in corners for side in pairwise(points) if side[0] != side[1]]
        for point in dict.fromkeys(p for points in corners for p in points):
            directions = {_rounded(d) for side in sides for d in _directions(point, side)}
            if len(directions) > 2:
                found.append((point, lines[0].pen.colour))
    return found


def _sets(connections: Iterable[ir.Connection]) -> list[list[ir.Line]]:
    """The lines of each connection set."""
    sets: list[tuple[set[str], list[ir.Line]]] = []
    for connection in connections:
        ends, lines = set(connection.ends), [connection.line] if connection.line is not None else []
        for known in [s for s in sets if s[0] & ends]:
            sets.remove(known)
            ends, lines = ends | known[0], known[1] + lines
        sets.append((ends, lines))
    return [lines for _, lines in sets]


def _once(ways: Iterable[Sequence[ir.Point]]) -> list[tuple[ir.Point, ir.Point]]:
    """The stretches that lines cover, each of them once: horizontal and vertical ones are put together."""
    oblique: dict[frozenset[ir.Point], tuple[ir.Point, ir.Point]] = {}
    straight: dict[tuple[bool, float], list[tuple[float, float]]] = {}
    for p, q in (side for way in ways for side in pairwise(way)):
        level = abs(p[1] - q[1]) < 1e-6
        if level or abs(p[0] - q[0]) < 1e-6:
            along, across = (0, 1) if level else (1, 0)
            ends = min(p[along], q[along]), max(p[along], q[along])
            straight.setdefault((level, round(p[across], 6)), []).append(ends)
        else:
            oblique.setdefault(frozenset((p, q)), (p, q))
    found = list(oblique.values())
    for (level, at), pieces in straight.items():
        joined: list[tuple[float, float]] = []
        for first, last in sorted(pieces):
            if joined and first <= joined[-1][1] + 1e-6:
                joined[-1] = joined[-1][0], max(last, joined[-1][1])
            else:
                joined.append((first, last))
        found += [((a, at), (b, at)) if level else ((at, a), (at, b)) for a, b in joined]
    return found


def _is_plain(line: ir.Line) -> bool:
    """Whether a line may lie on another one without being seen as a second one."""
    return not line.smooth and line.arrows == ("None", "None") and line.pen.pattern == "Solid"


def _directions(point: ir.Point, side: tuple[ir.Point, ir.Point]) -> Iterator[ir.Point]:
    """In which directions one goes from a point along a side, if it lies on it."""
    (x, y), ((x1, y1), (x2, y2)) = point, side
    length = math.hypot(x2 - x1, y2 - y1)
    u, v = (x2 - x1) / length, (y2 - y1) / length
    along, beside = (x - x1) * u + (y - y1) * v, (x - x1) * v - (y - y1) * u
    if abs(beside) < _NEAR:
        if -_NEAR < along < length - _NEAR:
            yield u, v
        if _NEAR < along < length + _NEAR:
            yield -u, -v


def _rounded(direction: ir.Point) -> ir.Point:
    return round(direction[0], 2) + 0.0, round(direction[1], 2) + 0.0


# ---------------------------------------------------------------- SVG


def _is_upright(place: ir.Affine) -> bool:
    """Whether axes stay horizontal and vertical."""
    small = 1e-9 * max(abs(place.a), abs(place.b), abs(place.c), abs(place.d))
    return (abs(place.b) <= small and abs(place.c) <= small) or (
        abs(place.a) <= small and abs(place.d) <= small
    )


def _without_repetition(points: tuple[ir.Point, ...]) -> tuple[ir.Point, ...]:
    """The last point of a polygon is often its first."""
    return points[:-1] if len(points) > 2 and points[0] == points[-1] else points


def _path(points: Sequence[ir.Point], smooth: bool = False, closed: bool = False) -> str:
    """Straight, or smooth: then the lines between the middles of its sides are arcs that the corners draw."""
    if not smooth or len(points) < 3:
        return "M" + " L".join(map(_pair, points)) + (" Z" if closed else "")
    if closed:
        ring = [*points, points[0]]
        middles = [_middle(p, q) for p, q in pairwise(ring)]
        arcs = [f"Q{_pair(p)} {_pair(m)}" for p, m in zip(points, middles, strict=True)]
        return f"M{_pair(middles[-1])} " + " ".join(arcs) + " Z"
    middles = [_middle(p, q) for p, q in pairwise(points)]
    arcs = [f"Q{_pair(p)} {_pair(m)}" for p, m in zip(points[1:-1], middles[1:], strict=True)]
    return f"M{_pair(points[0])} L{_pair(middles[0])} " + " ".join(arcs) + f" L{_pair(points[-1])}"


def _middle(p: ir.Point, q: ir.Point) -> ir.Point:
    return (p[0] + q[0]) / 2, (p[1] + q[1]) / 2


def _pair(point: ir.Point) -> str:
    return f"{_short(point[0])},{_short(point[1])}"


def _short(number: float) -> str:
    """At most two digits after the point, and no negative zero."""
    return f"{round(number, 2) + 0.0:.2f}".rstrip("0").rstrip(".")


def _hex(colour: ir.Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def _stroke(pen: ir.Pen) -> str:
    if pen.pattern == "None":
        return 'stroke="none"'
    dashes = _DASHES.get(pen.pattern)
    pattern = f' stroke-dasharray="{" ".join(map(_short, dashes))}"' if dashes else ""
    width = _short(max(0.5, pen.thickness * _MILLIMETRE))
    return f'stroke="{_hex(pen.colour)}" stroke-width="{width}"{pattern}'


def _fill(colour: ir.Colour | None) -> str:
    return 'fill="none"' if colour is None else f'fill="{_hex(colour)}"'

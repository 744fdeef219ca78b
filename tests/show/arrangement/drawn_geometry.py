"""What a drawing shows, read off its own lines and shapes: nothing here knows how it was made."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from xml.etree import ElementTree

_SVG = "{http://www.w3.org/2000/svg}"
#: Pixels: how far a wire may be from the middle of a connector, how deep it may be in a part (its rim), what
#: counts as one line, by how little wires go aside where they should be straight.
NEAR, RIM, SAME, LITTLE = 0.6, 6.0, 0.3, 32.0

Point = tuple[float, float]
Box = tuple[float, float, float, float]


@dataclass
class Shown:
    """A component as it is drawn: the box of its figures, with its connectors and without; those of its
    texts; and where its connectors are."""

    body: Box
    inner: Box
    texts: list[Box] = field(default_factory=list)
    connectors: dict[str, Point] = field(default_factory=dict)


@dataclass
class Drawn:
    """Components by name; wires with the names of both ends."""

    parts: dict[str, Shown]
    wires: list[tuple[str, str, list[Point]]]


def read(text: str) -> Drawn:
    """The drawing that a text is."""
    root = ElementTree.fromstring(text)
    drawn = Drawn({}, [])
    for group in root.findall(f"{_SVG}g"):
        name = group.get("data-component")
        if name is not None:
            drawn.parts[name] = _shown(group)
            continue
        title, path = group.find(f"{_SVG}title"), group.find(f"{_SVG}path")
        assert title is not None and path is not None
        first, second = str(title.text).split(" – ")
        drawn.wires.append((first, second, _numbers(str(path.get("d")))))
    return drawn


def _numbers(path: str) -> list[Point]:
    numbers = [float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", path)]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def _shown(group: ElementTree.Element) -> Shown:
    figures = [p for element in group if element.tag != f"{_SVG}g" for p in _points(element)]
    box = _around(figures) if figures else (0.0, 0.0, 0.0, 0.0)
    shown = Shown(box, box)
    for inner in group.findall(f"{_SVG}g"):
        # The corners of a connector's own shapes; what is nested deeper does not count.
        corners = [p for element in inner if element.tag != f"{_SVG}g" for p in _points(element)]
        (left, top, right, bottom) = _around(corners)
        shown.connectors[str(inner.get("data-component"))] = ((left + right) / 2, (top + bottom) / 2)
        figures += corners
    shown.body = _around(figures)
    shown.texts = [_text_box(element) for element in group.iter(f"{_SVG}text")]
    return shown


def _around(points: list[Point]) -> Box:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def _points(element: ElementTree.Element) -> Iterator[Point]:
    kind = element.tag.removeprefix(_SVG)
    known = ("x", "y", "width", "height", "cx", "cy", "rx", "ry")
    at = {key: float(value) for key, value in element.attrib.items() if key in known}
    if kind == "path":
        yield from _numbers(str(element.get("d")))
    elif kind == "rect":
        yield at["x"], at["y"]
        yield at["x"] + at["width"], at["y"] + at["height"]
    elif kind == "ellipse":
        yield at["cx"] - at["rx"], at["cy"] - at["ry"]
        yield at["cx"] + at["rx"], at["cy"] + at["ry"]


def _text_box(element: ElementTree.Element) -> Box:
    """Around the letters, as wide as those of a narrow font are."""
    x, y, size = (float(str(element.get(key))) for key in ("x", "y", "font-size"))
    wide = 0.5 * size * len(str(element.text))
    left = {"start": x, "middle": x - wide / 2, "end": x - wide}[str(element.get("text-anchor"))]
    corners = [(left, y - 0.7 * size), (left + wide, y - 0.7 * size), (left, y), (left + wide, y)]
    turn = re.match(r"rotate\((\S+) (\S+) (\S+)\)", element.get("transform") or "")
    if turn is not None:
        angle, cx, cy = math.radians(float(turn[1])), float(turn[2]), float(turn[3])
        c, s = math.cos(angle), math.sin(angle)
        corners = [(cx + c * (u - cx) - s * (v - cy), cy + s * (u - cx) + c * (v - cy)) for u, v in corners]
    return _around(corners)


# ---------------------------------------------------------------- what must hold


def faults(drawn: Drawn) -> list[str]:
    """All that is wrong with a drawing."""
    return [*overlaps(drawn), *loose_ends(drawn), *pierced(drawn), *confused(drawn)]


def overlaps(drawn: Drawn) -> Iterator[str]:
    """Parts that cover each other, or each other's names."""
    for (a, first), (b, second) in combinations(drawn.parts.items(), 2):
        boxes = [(p, q) for p in (first.body, *first.texts) for q in (second.body, *second.texts)]
        if any(_common(p, q) for p, q in boxes):
            yield f"{a} and {b} overlap"


def _common(p: Box, q: Box) -> bool:
    return min(p[2], q[2]) - max(p[0], q[0]) > SAME and min(p[3], q[3]) - max(p[1], q[1]) > SAME


def where(drawn: Drawn, end: str) -> Point:
    """Where the wires of a connector end: `part.pin`, or a connector of the class itself."""
    first, _, rest = end.partition(".")
    shown = drawn.parts[first]
    pin = rest.partition(".")[0]
    if pin in shown.connectors:
        return shown.connectors[pin]
    assert not shown.connectors, end
    left, top, right, bottom = shown.body
    return (left + right) / 2, (top + bottom) / 2


def loose_ends(drawn: Drawn) -> Iterator[str]:
    """Wires that do not lead from connector to connector, or are oblique."""
    for first, second, points in drawn.wires:
        for end, at in ((first, points[0]), (second, points[-1])):
            if math.dist(where(drawn, end), at) > NEAR:
                yield f"{first} – {second} ends at {at}, {end} is at {where(drawn, end)}"
        for p, q in pairwise(points):
            if min(abs(p[0] - q[0]), abs(p[1] - q[1])) > 0.02:
                yield f"{first} – {second} is oblique: {p} to {q}"


def asides(drawn: Drawn) -> Iterator[str]:
    """Connectors whose wire soon goes aside by a little, and then on in the same direction."""
    for first, second, points in drawn.wires:
        for end, way in ((first, points), (second, points[::-1])):
            if len(way) < 4:
                continue
            (u, v), (x, y), (m, n) = [(q[0] - p[0], q[1] - p[1]) for p, q in pairwise(way[:4])]
            if math.hypot(x, y) <= LITTLE and u * m + v * n > 0:
                yield end


def pierced(drawn: Drawn) -> Iterator[str]:
    """Wires that run through parts or names."""
    for first, second, points in drawn.wires:
        for name, shown in drawn.parts.items():
            own = name in (first.partition(".")[0], second.partition(".")[0])
            left, top, right, bottom = shown.inner if own else shown.body
            inside = (left + RIM, top + RIM, right - RIM, bottom - RIM)
            if own and not shown.connectors:
                continue  # a connector of the class itself, in the middle of which its wires end
            for p, q in pairwise(points):
                box = _around([p, q])
                if _crosses(box, inside):
                    yield f"{first} – {second} runs through {name}"
                if any(_crosses(box, text) for text in shown.texts):
                    yield f"{first} – {second} runs through the name of {name}"


def _crosses(side: Box, box: Box) -> bool:
    return side[0] < box[2] and side[2] > box[0] and side[1] < box[3] and side[3] > box[1]


def confused(drawn: Drawn) -> Iterator[str]:
    """Wires of different nets that share more than a crossing, at which both go straight on."""
    net: dict[str, str] = {}

    def find(end: str) -> str:
        net.setdefault(end, end)
        while net[end] != end:
            end = net[end]
        return end

    places: dict[str, str] = {}
    for first, second, points in drawn.wires:
        net[find(first)] = find(second)
        # What ends at one point belongs together: signals of a bus, pins of a plug.
        for end, at in ((first, points[0]), (second, points[-1])):
            key = f"{at[0]:.1f} {at[1]:.1f}"
            net[find(end)] = find(places.setdefault(key, end))
    for (a, _, one), (b, _, other) in combinations(drawn.wires, 2):
        if find(a) == find(b):
            continue
        for p, q in pairwise(one):
            for r, s in pairwise(other):
                first, second = _around([p, q]), _around([r, s])
                wide = min(first[2], second[2]) - max(first[0], second[0])
                high = min(first[3], second[3]) - max(first[1], second[1])
                if wide < -SAME or high < -SAME:
                    continue
                level = abs(p[1] - q[1]) < SAME, abs(r[1] - s[1]) < SAME
                meeting = (max(first[0], second[0]), max(first[1], second[1]))
                corners = [c for c in (*one, *other) if math.dist(c, meeting) < SAME]
                if level[0] == level[1] or corners:
                    yield f"{a} and {b} cannot be told apart at {meeting}"

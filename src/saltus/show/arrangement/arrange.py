"""The driver: a picture with parts that have no place, or connections that have no line -> the same with all.

What annotations place stays where it is. Of several placements the one with the best wires is taken; where
wires find no way, parts move apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from saltus.ir.picture import HERE, Affine, Connection, Line, Pen, Picture, Placed, Point
from saltus.show.arrangement.apart import centred, separated, spread
from saltus.show.arrangement.estimate import Costs
from saltus.show.arrangement.icons import complete
from saltus.show.arrangement.placement import placed
from saltus.show.arrangement.reading import Drawn, read
from saltus.show.arrangement.routing import Wiring, routed
from saltus.show.arrangement.sheet import Sheet, State

#: Up to how many parts so many beginnings are followed; beyond them, one.
_BEGINNINGS = ((10, 5), (16, 4), (24, 2))
_ROUNDS, _WIDER = 5, 1.2  # how often parts move apart, and how far


def needs_arranging(picture: Picture) -> bool:
    """Whether something of the picture has no place."""
    return bool(picture.unplaced) or any(c.line is None for c in picture.connections)


def arranged(picture: Picture) -> Picture:
    """The picture with a place for every component and a line for every connection."""
    if not needs_arranging(picture):
        return replace(picture, components=tuple(complete(c, True) for c in picture.components))
    drawn = read(picture)
    sheet = drawn.sheet
    if not sheet.parts:
        return picture
    lines = [c.line.points for c in picture.connections if c.line is not None and not c.line.smooth]
    best: tuple[float, State, Wiring] | None = None
    starts = next((k for most, k in _BEGINNINGS if len(sheet.parts) <= most), 1)
    for state in placed(sheet, starts):
        centred(sheet, state)
        apart = separated(sheet, state)
        wiring = routed(sheet, state, lines)
        for _ in range(_ROUNDS):
            if apart and not wiring.missing:
                break
            spread(sheet, state, _WIDER)
            apart = separated(sheet, state)
            wiring = routed(sheet, state, lines)
        cost = wiring.cost + Costs(sheet, state).wishes()
        if best is None or cost < best[0]:
            best = cost, state, wiring
    assert best is not None
    return _finished(picture, drawn, best[1], best[2])


def _finished(picture: Picture, drawn: Drawn, state: State, wiring: Wiring) -> Picture:
    components = tuple(
        replace(component, place=_place(drawn.sheet, state, k))
        for k, component in enumerate(drawn.components)
    )
    colours = {k: net.colour for net in drawn.sheet.nets for _, _, k in net.wires}
    connections: list[Connection] = []
    for number, connection in enumerate(picture.connections):
        points = wiring.lines.get(number)
        if number in wiring.missing:
            points = _direct(picture, connection, components)
        if points is not None and connection.line is None:
            line = Line(place=HERE, points=tuple(points), pen=Pen(colour=colours[number]))
            connection = replace(connection, line=line)
        connections.append(connection)
    return replace(picture, components=components, connections=tuple(connections), unplaced=())


def _place(sheet: Sheet, state: State, part: int) -> Affine:
    turn = sheet.parts[part].poses[state.pose[part]].turn
    return replace(turn, e=turn.e + state.x[part], f=turn.f + state.y[part])


def _direct(picture: Picture, connection: Connection, components: Sequence[Placed]) -> list[Point] | None:
    """From pin to pin through whatever is in between: better than a connection that is not seen."""
    all_placed = replace(picture, components=tuple(components))
    ends = [p for p in map(all_placed.where, connection.ends) if p is not None]
    return ends if len(ends) == 2 else None

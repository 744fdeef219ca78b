"""The driver: a picture with parts that have no place, or connections that have no line -> the same with all.

What annotations place stays where it is. Of several placements the one with the best wires is taken; where
wires find no way, parts move apart, and where one goes aside by a little, the part at its end moves, so that
it is straight.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from saltus.ir.picture import HERE, Affine, Connection, Line, Pen, Picture, Placed, Point
from saltus.show.arrangement.estimate import Costs
from saltus.show.arrangement.icons import complete
from saltus.show.arrangement.placement import placed
from saltus.show.arrangement.reading import Drawn, read
from saltus.show.arrangement.routing import Wiring, routed
from saltus.show.arrangement.sheet import GAP, Sheet, State

#: The largest number of parts for which this many initial placements are followed; beyond it, one.
_BEGINNINGS = ((10, 5), (16, 4), (24, 2))
_ROUNDS, _WIDER = 5, 1.2  # how often parts move apart, and how far
#: How far a wire goes aside where a reader asks why it is not straight, and how many moves may fail.
_ASIDE, _MOVES = 8.0, 24


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
        _centred(sheet, state)
        apart = _separated(sheet, state)
        wiring = routed(sheet, state, lines)
        for _ in range(_ROUNDS):
            if apart and not wiring.missing:
                break
            _spread(sheet, state, _WIDER)
            apart = _separated(sheet, state)
            wiring = routed(sheet, state, lines)
        cost = wiring.cost + Costs(sheet, state).wishes()
        if best is None or cost < best[0]:
            best = cost, state, wiring
    assert best is not None
    return _finished(picture, drawn, best[1], _straightened(sheet, best[1], best[2], lines))


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


# ---------------------------------------------------------------- moved apart


def _centred(sheet: Sheet, state: State) -> None:
    """Moves everything to the middle of the coordinate system, if nothing has a place."""
    if any(part.fixed is not None for part in sheet.parts):
        return
    hulls = Costs(sheet, state).hull_now()
    x, y = (hulls[:, 0].min() + hulls[:, 2].max()) / 2, (hulls[:, 1].min() + hulls[:, 3].max()) / 2
    dx, dy = 10.0 * round(float(x) / 10), 10.0 * round(float(y) / 10)
    state.x[:], state.y[:] = [v - dx for v in state.x], [v - dy for v in state.y]


def _spread(sheet: Sheet, state: State, factor: float) -> None:
    """Moves all parts without a place away from each other, so that wires have more room."""
    for k, part in enumerate(sheet.parts):
        if part.fixed is None:
            state.x[k], state.y[k] = (
                round(state.x[k] * factor / 2) * 2.0,
                round(state.y[k] * factor / 2) * 2.0,
            )


def _separated(sheet: Sheet, state: State) -> bool:
    """Pushes parts that still overlap away from each other; whether none is left that does."""
    costs = Costs(sheet, state)
    for _ in range(400):
        hulls = costs.hull_now()
        worst: tuple[float, int, int, float, float] | None = None
        for a in range(len(hulls)):
            for b in range(a + 1, len(hulls)):
                wide = min(hulls[a][2], hulls[b][2]) - max(hulls[a][0], hulls[b][0]) + GAP / 2
                high = min(hulls[a][3], hulls[b][3]) - max(hulls[a][1], hulls[b][1]) + GAP / 2
                if wide > 1e-6 and high > 1e-6 and (worst is None or min(wide, high) > worst[0]):
                    worst = min(wide, high), a, b, wide, high
        if worst is None:
            return True
        _, a, b, wide, high = worst
        movable = [k for k in (b, a) if sheet.parts[k].fixed is None]
        if not movable:
            return False
        k = movable[0]
        other = a if k == b else b
        wide, high = 2.0 * math.ceil(wide / 2), 2.0 * math.ceil(high / 2)
        if wide <= high:
            state.x[k] += wide if state.x[k] >= state.x[other] else -wide
        else:
            state.y[k] += high if state.y[k] >= state.y[other] else -high
    return False


# ---------------------------------------------------------------- made straight


def _straightened(sheet: Sheet, state: State, wiring: Wiring, drawn: Sequence[Sequence[Point]]) -> Wiring:
    """Moves parts by as little as a wire goes aside, wherever all wires and wishes together are the better
    for it; the wires that there are then."""
    cost = wiring.cost + Costs(sheet, state).wishes()
    refused: set[tuple[int, float, float]] = set()
    while move := next((m for m in _small_moves(sheet, wiring) if m not in refused), None):
        if len(refused) == _MOVES:
            break
        part, dx, dy = move
        there = state.copy()
        there.x[part] += dx
        there.y[part] += dy
        again = routed(sheet, there, drawn) if _has_room(sheet, there, part) else wiring
        less = again.cost + Costs(sheet, there).wishes()
        if again is wiring or again.missing or less >= cost - 1e-6:
            refused.add(move)
            continue
        state.x[part], state.y[part], wiring, cost = there.x[part], there.y[part], again, less
    return wiring


def _small_moves(sheet: Sheet, wiring: Wiring) -> Iterator[tuple[int, float, float]]:
    """Parts from which a wire soon goes aside by a little, and on in the same direction; and by how much."""
    for net in sheet.nets:
        for a, b, connection in net.wires:
            points = wiring.lines.get(connection, [])
            for (part, _), way in ((net.ends[a], points), (net.ends[b], points[::-1])):
                if len(way) < 4 or sheet.parts[part].fixed is not None:
                    continue
                (before, turn, back, after) = way[:4]
                first, aside, on = _from_to(before, turn), _from_to(turn, back), _from_to(back, after)
                if math.hypot(*aside) <= _ASIDE and first[0] * on[0] + first[1] * on[1] > 0:
                    yield part, *aside


def _from_to(p: Point, q: Point) -> tuple[float, float]:
    return round(q[0] - p[0], 6), round(q[1] - p[1], 6)


def _has_room(sheet: Sheet, state: State, part: int) -> bool:
    """Whether a part stands as far from all others as names and wires need."""
    left, low, right, high = Costs(sheet, state).hull_now().T
    over = (right - left[part] > -GAP / 2) & (right[part] - left > -GAP / 2)
    over &= (high - low[part] > -GAP / 2) & (high[part] - low > -GAP / 2)
    return int(over.sum()) == 1

"""Wires for the nets of a sheet: horizontal and vertical lines around parts and names.

Every net grows as a tree: the next pin is joined to what there is of it by the cheapest path of an orthogonal
grid, found by A* over pairs of a point and a direction, where lengths, bends and crossings cost (Wybrow,
Marriott, Stuckey, "Orthogonal connector routing", Graph Drawing 2009; the order of nets is made good by
routing each of them again, as in Dees and Karger, "Automated rip-up and reroute techniques", DAC 1982). Wires
of different nets may cross where both go straight on, and have no other point in common. The line of a
connection is the way from pin to pin in the tree, so that lines of one net lie on each other where they run
together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import pairwise

from saltus.ir.picture import Point
from saltus.show.arrangement.grid import CLOSED, Grid, gate, grid_for
from saltus.show.arrangement.sheet import Pin, Sheet, State

_BEND, _CROSSING, _AT_GATE, _JOIN = 12.0, 24.0, 4.0, 2.0
#: Wires of different nets keep this far from each other, if that is not too far around.
_APART, _TOO_NEAR = 3.8, 3.0
_AGAIN = 2
#: Directions: right, up, left, down.
_DIRECTION = {(1, 0): 0, (0, 1): 1, (-1, 0): 2, (0, -1): 3}


@dataclass
class Wiring:
    """Lines by the number of their connection, and what they cost. `missing` are connections that found no
    way."""

    lines: dict[int, list[Point]] = field(default_factory=dict)
    cost: float = 0.0
    missing: list[int] = field(default_factory=list)


def routed(sheet: Sheet, state: State, drawn: Iterable[Sequence[Point]] = ()) -> Wiring:
    """Wires for all nets; `drawn` are lines that are there already."""
    return _Router(sheet, state, drawn).run()


@dataclass
class _Tree:
    """The wires of one net on the grid: edges between neighbouring vertices."""

    gates: list[int]
    near: dict[int, list[int]] = field(default_factory=dict)
    cost: float = 0.0
    loose: bool = False

    def join(self, path: Sequence[int]) -> None:
        for a, b in pairwise(path):
            self.near.setdefault(a, []).append(b)
            self.near.setdefault(b, []).append(a)


class _Router:
    def __init__(self, sheet: Sheet, state: State, drawn: Iterable[Sequence[Point]]) -> None:
        self.sheet, self.state = sheet, state
        self.old = [list(points) for points in drawn]
        self.pins: list[list[Pin]] = []
        self.at: list[list[Point]] = []
        gates: list[list[Point]] = []
        for net in sheet.nets:
            own = [sheet.parts[part].poses[state.pose[part]].pins[pin] for part, pin in net.ends]
            places = [(state.x[part], state.y[part]) for part, _ in net.ends]
            self.pins.append(own)
            self.at.append([(p.x + x, p.y + y) for p, (x, y) in zip(own, places, strict=True)])
            gates.append([gate(p, x, y) for p, (x, y) in zip(own, places, strict=True)])
        wanted = [p for own in gates for p in own] + [p for points in self.old for p in points]
        self.grid: Grid = grid_for(sheet, state, wanted)
        self.gates = [[self.grid.vertex(*p) for p in own] for own in gates]
        count = len(self.grid.xs) * len(self.grid.ys)
        #: The net of the wire that runs through a vertex horizontally, and vertically, counted from 1.
        self.level, self.upright = [0] * count, [0] * count
        #: Gates belong to their nets.
        self.owner = [0] * count
        for number, vertices in enumerate(self.gates):
            for vertex in vertices:
                self.owner[vertex] = number + 1
        rows = self.grid.rows
        self.step = (rows, 1, -rows, -1)
        self.extra_right, self.extra_up = [0.0] * count, [0.0] * count
        for points in self.old:
            self._block(points)

    def run(self) -> Wiring:
        order = sorted(range(len(self.sheet.nets)), key=self._length)
        trees: dict[int, _Tree] = {}
        for net in order:
            trees[net] = self._grow(net)
            self._mark(net, trees[net], 1)
        for _ in range(_AGAIN):
            for net in order:
                self._mark(net, trees[net], -1)
                again = self._grow(net)
                if again.loose and not trees[net].loose:
                    again = trees[net]
                trees[net] = again
                self._mark(net, again, 1)
        wiring = Wiring()
        for net, tree in sorted(trees.items()):
            wiring.cost += tree.cost
            for a, b, connection in self.sheet.nets[net].wires:
                way = _way(tree.near, tree.gates[a], tree.gates[b])
                if way is None:
                    wiring.missing.append(connection)
                    continue
                points = [self.at[net][a], *map(self.grid.point, way), self.at[net][b]]
                wiring.lines[connection] = _corners(points)
        return wiring

    def _length(self, net: int) -> tuple[int, float, int]:
        """Short nets of two pins are easy, and straight if they come first."""
        xs, ys = [x for x, _ in self.at[net]], [y for _, y in self.at[net]]
        return len(xs) > 2, max(xs) - min(xs) + max(ys) - min(ys), net

    # ------------------------------------------------------------ one net

    def _grow(self, net: int) -> _Tree:
        gates, pins = self.gates[net], self.pins[net]
        tree = _Tree(gates)
        wired = sorted({k for a, b, _ in self.sheet.nets[net].wires for k in (a, b)})
        if not wired:
            return tree
        points = {k: self.grid.point(gates[k]) for k in wired}
        apart = {
            (a, b): abs(points[a][0] - points[b][0]) + abs(points[a][1] - points[b][1])
            for a in wired
            for b in wired
            if a < b
        }
        first = min(apart, key=lambda pair: (apart[pair], pair))[0] if apart else wired[0]
        inside = {gates[first]}
        tree.near[gates[first]] = []
        begun = {gates[first]: first}
        left = [k for k in wired if gates[k] != gates[first]]
        while left:
            box = self._box(inside)
            nearest = min(left, key=lambda k: (_outside(points[k], box), k))
            left.remove(nearest)
            if gates[nearest] in inside:
                continue
            alone = pins[begun[gates[first]]] if len(inside) == 1 else None
            found = self._path(net, gates[nearest], pins[nearest], inside, box, alone, set(gates))
            if found is None:
                tree.loose = True
                tree.cost += 1000.0
                continue
            path, cost = found
            tree.join(path)
            tree.cost += cost
            inside.update(path)
        return tree

    def _box(self, vertices: Iterable[int]) -> tuple[float, float, float, float]:
        points = [self.grid.point(v) for v in vertices]
        xs, ys = [x for x, _ in points], [y for _, y in points]
        return min(xs), min(ys), max(xs), max(ys)

    def _path(
        self,
        net: int,
        start: int,
        pin: Pin,
        goal: set[int],
        box: tuple[float, float, float, float],
        alone: Pin | None,
        gates: set[int],
    ) -> tuple[list[int], float] | None:
        """The cheapest way from a pin to any vertex of a set, and its cost. If the set is one pin `alone`,
        the wire has to come to it from outside."""
        grid, rows, step = self.grid, self.grid.rows, self.step
        xs, ys = grid.xs, grid.ys
        right, up, extra_right, extra_up = grid.right, grid.up, self.extra_right, self.extra_up
        level, upright, owner = self.level, self.upright, self.owner
        name = net + 1
        into = (_DIRECTION[(alone.u, alone.v)] + 2) % 4 if alone is not None else None
        left, low, most, high = box
        begin = start * 4 + _DIRECTION[(pin.u, pin.v)]
        best: dict[int, float] = {begin: 0.0}
        came: dict[int, int] = {}
        heap: list[tuple[float, int]] = [(0.0, begin)]
        done: set[int] = set()
        while heap:
            _, state = heappop(heap)
            if state in done:
                continue
            done.add(state)
            vertex, direction = state >> 2, state & 3
            cost = best[state]
            if vertex in goal:
                path = [vertex]
                while state in came:
                    state = came[state]
                    if state >> 2 != path[-1]:
                        path.append(state >> 2)
                return path[::-1], cost
            crossing = vertex != start and (
                level[vertex] not in (0, name) or upright[vertex] not in (0, name)
            )
            for turn in (0,) if crossing else (0, 1, 3):
                towards = (direction + turn) % 4
                other = vertex + step[towards]
                if towards == 0:
                    price = right[vertex] + extra_right[vertex]
                elif towards == 1:
                    price = up[vertex] + extra_up[vertex]
                elif towards == 2:
                    price = right[other] + extra_right[other]
                else:
                    price = up[other] + extra_up[other]
                if price == CLOSED:
                    continue
                along, across = (level, upright) if towards % 2 == 0 else (upright, level)
                if along[other] not in (0, name) or owner[other] not in (0, name):
                    continue
                total = cost + price + (_BEND if turn else 0.0)
                if across[other] not in (0, name):
                    total += _CROSSING
                if other in goal:
                    if across[other] not in (0, name):
                        continue
                    if into is None:
                        total += _AT_GATE if other in gates else _JOIN
                    elif towards != into:
                        total += _BEND
                key = other * 4 + towards
                if total < best.get(key, CLOSED) - 1e-9:
                    best[key] = total
                    came[key] = state
                    x, y = xs[other // rows], ys[other % rows]
                    ahead = max(left - x, 0.0, x - most) + max(low - y, 0.0, y - high)
                    heappush(heap, (total + ahead, key))
        return None

    # ------------------------------------------------------------ what is taken

    def _mark(self, net: int, tree: _Tree, sign: int) -> None:
        """Takes the vertices of a tree for its net, or gives them back."""
        rows, name = self.grid.rows, (net + 1 if sign > 0 else 0)
        for a, others in tree.near.items():
            for b in others:
                if b < a:
                    continue
                if b - a == 1:
                    self.upright[a] = self.upright[b] = name
                    self._nearby(a, b, sign, False)
                else:
                    self.level[a] = self.level[b] = name
                    self._nearby(a, b, sign, True)
        for vertex in tree.near:
            # A corner, and the end of a wire, are in no other wire's way.
            if len(tree.near[vertex]) != 2 or abs(tree.near[vertex][0] - tree.near[vertex][1]) not in (
                2,
                2 * rows,
            ):
                self.level[vertex] = self.upright[vertex] = name

    def _nearby(self, a: int, b: int, sign: int, level: bool) -> None:
        """Makes edges beside an edge dearer, or cheap again."""
        rows = self.grid.rows
        column, row = divmod(a, rows)
        lines, at = (self.grid.ys, row) if level else (self.grid.xs, column)
        length = (
            self.grid.xs[column + 1] - self.grid.xs[column]
            if level
            else self.grid.ys[row + 1] - self.grid.ys[row]
        )
        extra = self.extra_right if level else self.extra_up
        for way in (1, -1):
            other = at + way
            while 0 <= other < len(lines) and abs(lines[other] - lines[at]) < _APART:
                extra[a + (other - at) * (1 if level else rows)] += sign * _TOO_NEAR * length
                other += way

    def _block(self, points: Sequence[Point]) -> None:
        """Takes what a line that is there already covers, as far as it is horizontal or vertical."""
        taken = len(self.sheet.nets) + 1
        rows = self.grid.rows
        for p, q in pairwise(points):
            if abs(p[0] - q[0]) > 0.01 and abs(p[1] - q[1]) > 0.01:
                continue
            a, b = self.grid.vertex(*p), self.grid.vertex(*q)
            pace = 1 if abs(p[0] - q[0]) <= 0.01 else rows
            for vertex in range(min(a, b), max(a, b) + 1, pace):
                (self.upright if pace == 1 else self.level)[vertex] = taken


def _outside(point: Point, box: tuple[float, float, float, float]) -> float:
    x, y = point
    return max(box[0] - x, 0.0, x - box[2]) + max(box[1] - y, 0.0, y - box[3])


def _way(near: dict[int, list[int]], start: int, end: int) -> list[int] | None:
    """The way from one vertex of a tree to another."""
    came = {start: start}
    queue = [start] if start in near else []
    for vertex in queue:
        if vertex == end:
            way = [end]
            while way[-1] != start:
                way.append(came[way[-1]])
            return way[::-1]
        for other in near[vertex]:
            if other not in came:
                came[other] = vertex
                queue.append(other)
    return None


def _corners(points: Sequence[Point]) -> list[Point]:
    """The points at which a line bends, and its ends."""
    found: list[Point] = []
    for point in points:
        if found and abs(found[-1][0] - point[0]) < 1e-3 and abs(found[-1][1] - point[1]) < 1e-3:
            continue
        if len(found) > 1:
            (ax, ay), (bx, by) = found[-2], found[-1]
            if abs((bx - ax) * (point[1] - by) - (by - ay) * (point[0] - bx)) < 1e-3:
                found.pop()
        found.append(point)
    return found

"""Where the elements of a graph stand: cells of a grid, so that names have room and lines few directions.

First distances: in the plane elements are to be as far apart as they are along the graph (stress
majorisation, `arrangement.stress`). The picture is turned so that its longest extent lies flat, and each
element goes to the nearest free cell. Then elements are moved to other cells, or change places, as long as
that makes lines shorter, crosses fewer of them, or leads fewer of them through elements. Nothing is random:
the same graph has the same picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from saltus.show.arrangement.stress import Array, distances, majorised, upright

Indices: TypeAlias = NDArray[np.intp]
Cell: TypeAlias = tuple[int, int]

_PASSES = 8  # over all elements
#: What a crossing, a line through an element and a slanted line cost, in squares of cells.
_CROSSING, _THROUGH, _SLANTED = 6.0, 40.0, 1.5
_REACH = 2  # how far an element may be moved at a time


def cells(count: int, edges: Sequence[tuple[int, int]]) -> list[Cell]:
    """A cell for each of `count` nodes. All different, the smallest column and row are zero."""
    if count == 0 or not edges:
        return [(k, 0) for k in range(count)]
    points = upright(majorised(distances(count, edges)))
    placed = _snapped(points)
    _improve(placed, edges)
    left, top = min(x for x, _ in placed), min(y for _, y in placed)
    return [(x - left, y - top) for x, y in placed]


def _snapped(points: Array) -> list[Cell]:
    """The nearest free cell for each, those in the middle first."""
    taken: set[Cell] = set()
    found: dict[int, Cell] = {}
    for node in np.argsort(np.linalg.norm(points, axis=1), kind="stable"):
        x, y = points[node]
        around = product(range(round(x) - 8, round(x) + 9), range(round(y) - 8, round(y) + 9))
        free = [c for c in around if c not in taken]
        cell = min(free, key=lambda c: ((c[0] - x) ** 2 + (c[1] - y) ** 2, c))
        taken.add(cell)
        found[int(node)] = cell
    return [found[node] for node in range(len(points))]


def _improve(placed: list[Cell], edges: Sequence[tuple[int, int]]) -> None:
    own: list[list[int]] = [[] for _ in placed]
    for number, (a, b) in enumerate(edges):
        own[a].append(number)
        own[b].append(number)
    for _ in range(_PASSES):
        moved = False
        for node in range(len(placed)):
            moved |= _better(placed, node, edges, own)
            moved |= _together(placed, node, edges, own)
        if not moved:
            return


def _better(placed: list[Cell], node: int, edges: Sequence[tuple[int, int]], own: list[list[int]]) -> bool:
    """Moves one node, or changes places with another, if that is better."""
    holder = {cell: other for other, cell in enumerate(placed)}
    x, y = here = placed[node]
    best, chosen = -1e-9, here
    for dx, dy in product(range(-_REACH, _REACH + 1), repeat=2):
        cell = (x + dx, y + dy)
        if cell == here:
            continue
        other = holder.get(cell)
        touched = sorted({*own[node], *(own[other] if other is not None else ())})
        before = _cost(placed, edges, touched, (node, other))
        _swap(placed, node, other, cell)
        gain = _cost(placed, edges, touched, (node, other)) - before
        _swap(placed, node, other, here, cell)
        if gain < best:
            best, chosen = gain, cell
    if chosen == here:
        return False
    _swap(placed, node, holder.get(chosen), chosen)
    return True


def _together(placed: list[Cell], node: int, edges: Sequence[tuple[int, int]], own: list[list[int]]) -> bool:
    """Moves a node and all that hangs on it alone, if that is better."""
    ends = [end for number in own[node] for end in edges[number] if end != node]
    group = [node, *(end for end in ends if len(own[end]) == 1)]
    if len(group) == 1:
        return False
    taken = {cell for other, cell in enumerate(placed) if other not in group}
    touched = sorted({number for member in group for number in own[member]})
    here = [placed[member] for member in group]
    best, chosen = _cost(placed, edges, touched, group) - 1e-9, here
    for dx, dy in product(range(-_REACH, _REACH + 1), repeat=2):
        there = [(x + dx, y + dy) for x, y in here]
        if taken.isdisjoint(there):
            _put(placed, group, there)
            cost = _cost(placed, edges, touched, group)
            if cost < best:
                best, chosen = cost, there
    _put(placed, group, chosen)
    return chosen != here


def _put(placed: list[Cell], nodes: Sequence[int], where: Sequence[Cell]) -> None:
    for node, cell in zip(nodes, where, strict=True):
        placed[node] = cell


def _swap(placed: list[Cell], node: int, other: int | None, cell: Cell, back: Cell | None = None) -> None:
    """Puts a node into a cell, and what is there into that of the node; or both back."""
    if other is not None:
        placed[other] = placed[node] if back is None else back
    placed[node] = cell


def _cost(
    placed: list[Cell], edges: Sequence[tuple[int, int]], touched: Sequence[int], nodes: Sequence[int | None]
) -> float:
    """What these edges cost: their lengths, crossings, and elements in their way; and what the nodes are in
    the way of."""
    points = np.array(placed, dtype=float)
    ends = np.array(edges)
    tails, heads = points[ends[:, 0]], points[ends[:, 1]]
    some = np.array(touched, dtype=int)
    along = heads[some] - tails[some]
    total = float((along**2).sum() + _SLANTED * (along != 0).all(axis=1).sum())
    total += _CROSSING * _crossings(tails, heads, ends, some)
    total += _THROUGH * _in_the_way(tails[some], heads[some], ends[some], points, np.arange(len(points)))
    others = np.setdiff1d(np.arange(len(edges)), some)
    moved = np.array([n for n in nodes if n is not None])
    return total + _THROUGH * _in_the_way(tails[others], heads[others], ends[others], points[moved], moved)


def _crossings(tails: Array, heads: Array, ends: Indices, some: Indices) -> int:
    """How many edges some of them cross that have no end in common with them."""

    def side(p: Array, q: Array, r: Array) -> Array:
        found: Array = (q[..., 0] - p[..., 0]) * (r[..., 1] - p[..., 1])
        return found - (q[..., 1] - p[..., 1]) * (r[..., 0] - p[..., 0])

    a, b = tails[some][:, None], heads[some][:, None]
    first = side(a, b, tails[None]) * side(a, b, heads[None]) < 0
    second = side(tails[None], heads[None], a) * side(tails[None], heads[None], b) < 0
    common = (ends[some][:, None, :, None] == ends[None, :, None, :]).any(axis=(2, 3))
    return int((first & second & ~common).sum())


def _in_the_way(tails: Array, heads: Array, ends: Indices, points: Array, names: Indices) -> int:
    """How often an element is nearer to a line than half a cell, its own lines not counted."""
    along = heads - tails
    length = np.maximum((along**2).sum(axis=1), 1e-9)
    from_tail = points[None] - tails[:, None]
    place = (from_tail * along[:, None]).sum(axis=2) / length[:, None]
    inside = (place > 0.01) & (place < 0.99)
    apart = ((from_tail - place[..., None] * along[:, None]) ** 2).sum(axis=2)
    own = (ends[:, :, None] == names[None, None]).any(axis=1)
    return int((inside & (apart < 0.2) & ~own).sum())

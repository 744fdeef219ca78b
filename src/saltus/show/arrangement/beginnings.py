"""Where parts stand before any of them is moved.

Stress majorisation says how far they are from each other. If signals have a direction, what comes first is
further left; in circuits, what is at a higher potential is further up; and the whole is turned or mirrored so
that wishes are granted best.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from saltus.show.arrangement.sheet import Sheet, State
from saltus.show.arrangement.stress import Array, distances, majorised, upright

_TALL = 2.5  # how many parts high a circuit is, at first
_EDGE = 46.0  # between parts that are connected, at first
_FOLLOW = 0.02  # how much a connection that has no direction counts, beside one that has


def beginnings(sheet: Sheet) -> list[State]:
    """States to begin with, those that promise most first."""
    count = len(sheet.parts)
    edges: list[tuple[int, int]] = []
    hubs = count
    for net in sheet.nets:
        owners = list(dict.fromkeys(part for part, _ in net.ends))
        if len(owners) == 2:
            edges.append((owners[0], owners[1]))
        elif len(owners) > 2:
            edges += [(owner, hubs) for owner in owners]
            hubs += 1
    if not edges:
        wide = max(1, round(count**0.5 * 1.3))
        rows: Array = np.array([(k % wide, -(k // wide)) for k in range(count)], dtype=float)
        return [anchored(sheet, rows * _EDGE)]
    lengths = distances(hubs, edges)
    lengths[count:, :] *= 0.75
    lengths[:, count:] *= 0.75
    points = upright(majorised(lengths))[:count] * _EDGE
    ways: list[tuple[float, int, Array]] = []
    for swap, sx, sy in product((False, True), (1.0, -1.0), (1.0, -1.0)):
        moved: Array = (points[:, ::-1] if swap else points) * (sx, sy)
        ways.append((_displeasure(sheet, moved) + 30.0 * swap, len(ways), moved))
    found: list[Array] = [moved for _, _, moved in sorted(ways, key=lambda w: w[:2])]
    across = _levels(sheet, hubs, edges)
    if across is not None:
        layered: Array = majorised(lengths, across)[:count] * _EDGE
        flipped = layered * (1.0, -1.0)
        better = _displeasure(sheet, layered) <= _displeasure(sheet, flipped)
        found.insert(0, layered if better else flipped)
    if sheet.heights:
        standing = _by_height(sheet, lengths)
        flipped = standing * (-1.0, 1.0)
        better = _displeasure(sheet, standing) <= _displeasure(sheet, flipped)
        found.insert(0, standing if better else flipped)
    return [anchored(sheet, points) for points in found]


def _by_height(sheet: Sheet, lengths: Array) -> Array:
    """Circuits: what is at a high potential is at the top."""
    count = len(sheet.parts)
    heights: list[list[float]] = [[] for _ in range(count)]
    hubs: list[float] = []
    for net, height in zip(sheet.nets, sheet.heights, strict=True):
        owners = dict.fromkeys(part for part, _ in net.ends)
        for part in owners:
            heights[part].append(height)
        if len(owners) > 2:
            hubs.append(height)
    own = [sum(h) / len(h) if h else 0.5 for h in heights]
    up = _TALL * np.array([*own, *hubs])
    there: Array = majorised(lengths, up)[:count, ::-1] * _EDGE
    return there


def _levels(sheet: Sheet, count: int, edges: Sequence[tuple[int, int]]) -> Array | None:
    """How far to the right parts should be, from what comes before what: x with x(b) - x(a) = 1 for a before
    b, and 0 for what is connected otherwise, by least squares (Carmel, Harel, Koren, "Drawing directed graphs
    using one-dimensional optimization", GD 2002)."""
    if not sheet.flow:
        return None
    matrix, right = 1e-6 * np.eye(count), np.zeros(count)
    arcs = [(a, b, 1.0, 1.0) for a, b in sheet.flow] + [(a, b, 0.0, _FOLLOW) for a, b in edges]
    for a, b, apart, weight in arcs:
        matrix[[a, b], [a, b]] += weight
        matrix[[a, b], [b, a]] -= weight
        right[a] -= weight * apart
        right[b] += weight * apart
    levels: Array = np.linalg.solve(matrix, right).astype(np.float64)
    return levels


def anchored(sheet: Sheet, points: Array) -> State:
    """Points as a state, with even coordinates; shifted to the parts that have a place."""
    x, y = (2.0 * np.round(points[:, 0] / 2)).tolist(), (2.0 * np.round(points[:, 1] / 2)).tolist()
    anchors = [(k, part.fixed) for k, part in enumerate(sheet.parts) if part.fixed is not None]
    if anchors:
        dx = float(np.mean([fixed[0] - x[k] for k, fixed in anchors]))
        dy = float(np.mean([fixed[1] - y[k] for k, fixed in anchors]))
        x, y = [v + 2.0 * round(dx / 2) for v in x], [v + 2.0 * round(dy / 2) for v in y]
        for k, fixed in anchors:
            x[k], y[k] = fixed
    return State(x, y, [0] * len(sheet.parts))


def _displeasure(sheet: Sheet, points: Array) -> float:
    x, y = points[:, 0], points[:, 1]
    total = sum(float(np.clip(x[a] + _EDGE - x[b], 0.0, 200.0)) for a, b in sheet.flow)
    total += sum(float(x[k] - x.mean()) for k in sheet.left)
    total -= sum(float(x[k] - x.mean()) for k in sheet.right)
    total += 0.7 * sum(float(y[k] - y.mean()) for k in sheet.low)
    for k, part in enumerate(sheet.parts):
        if part.fixed is not None:
            total += 0.5 * (abs(part.fixed[0] - x[k]) + abs(part.fixed[1] - y[k]))
    return total

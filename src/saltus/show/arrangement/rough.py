"""Wires before anything is routed: what they cost and where they run if nothing is in their way.

A wire between two pins bends as often as the directions of the pins demand: never if they face each other,
once at a right angle, twice beside each other or past each other, and more often if it has to go around its
own part. A net of more pins is a trunk, horizontal or vertical, with a branch to each pin.

`net` answers for one net where it is, `moved` for many places of some of its pins at a time; the costs of a
trunk differ a little between them, since `moved` takes the ends of the trunk for those that the other pins
have.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]
#: A horizontal or vertical stretch: x1 <= x2, y1 <= y2.
Stretch: TypeAlias = tuple[float, float, float, float]
#: A point outside a part and the direction in which a wire continues there: x, y, u, v.
Start: TypeAlias = tuple[float, float, float, float]

#: What a bend costs, in units of length; how far a wire goes straight on before it bends.
BEND, STUB = 14.0, 8.0
#: Bends of a branch: of a pin that faces its trunk, one that does not, one beside it, one that looks along
#: the trunk and away from it.
_TOWARDS, _AWAY, _BESIDE, _OUTWARD = 0.5, 2.5, 1.2, 2.0
_LEVEL = 0.01


def net(pins: Sequence[Start]) -> tuple[float, list[Stretch]]:
    """What the wires of a net cost, and where they run."""
    if len(pins) < 2:
        return 0.0, []
    if len(pins) == 2:
        first, second = np.array([pins[0]]), np.array(pins[1])
        return float(_pair(first, second)[0]), list(_of_pair(pins[0], pins[1]))
    turned = [(y, x, v, u) for x, y, u, v in pins]
    (level, height), (upright, across) = _best_trunk(pins), _best_trunk(turned)
    if level <= upright:
        return level, list(_of_trunk(pins, height))
    return upright, [(y1, x1, y2, x2) for x1, y1, x2, y2 in _of_trunk(turned, across)]


def moved(others: Sequence[Start], own: Array) -> Array:
    """What a net costs with some pins where they are, and others at many places: (many, pins, 4)."""
    many, count = own.shape[:2]
    if len(others) + count < 2:
        return np.zeros(many)
    if len(others) + count == 2:
        return _pair(own[:, 0], np.array(others[0]) if others else own[:, 1])
    fixed = np.array(others).reshape(-1, 4)
    swap = [1, 0, 3, 2]
    return np.minimum(_trunk(fixed, own), _trunk(fixed[:, swap], own[:, :, swap]))


def _pair(p: Array, q: Array) -> Array:
    dx, dy = q[..., 0] - p[:, 0], q[..., 1] - p[:, 1]
    ahead_p = p[:, 2] * dx + p[:, 3] * dy
    ahead_q = -(q[..., 2] * dx + q[..., 3] * dy)
    aside = np.abs(dx * p[:, 3] - dy * p[:, 2])
    dot = p[:, 2] * q[..., 2] + p[:, 3] * q[..., 3]
    straight = aside < _LEVEL
    facing = np.where(
        ahead_p >= STUB,
        np.where(straight, 0.0, 2.0),
        np.where(ahead_p >= 0.0, np.where(straight, 0.5, 3.0), 4.0),
    )
    least = np.minimum(ahead_p, ahead_q)
    corner = np.where(least >= STUB, 1.0, np.where(least >= 0, 2.0, 3.0))
    beside = np.where(aside >= STUB, 2.0, 4.0)
    bends = np.where(dot < -0.5, facing, np.where(dot > 0.5, beside, corner))
    around = np.maximum(0.0, STUB - ahead_p) + np.maximum(0.0, STUB - ahead_q)
    around = np.where(bends == 0.0, 0.0, np.where(dot < 0.5, around, 2 * STUB))
    total: Array = np.abs(dx) + np.abs(dy) + BEND * bends + around
    return total


def _branches(x: Array, y: Array, u: Array, v: Array, height: Array, least: Array, most: Array) -> Array:
    """What it costs to lead pins to trunks; arrays have the shape of the answer, or are broadcast to it."""
    rise = height - y
    far = np.abs(rise)
    inward = np.where(u > 0, x < most, x > least)
    across = np.where(far >= _LEVEL, _BESIDE, np.where(inward, 0.0, _OUTWARD))
    along = np.where(rise * v >= STUB - _LEVEL, _TOWARDS, _AWAY)
    cost: Array = far + BEND * np.where(np.abs(v) > 0.5, along, across)
    return cost


def _trunk(fixed: Array, own: Array) -> Array:
    """The cheapest horizontal trunk."""
    x, y, u, v = (own[:, :, k] for k in range(4))
    fx, fy, fu, fv = (fixed[:, k] for k in range(4))
    least, most = x.min(axis=1), x.max(axis=1)
    best = np.full(len(own), math.inf)
    if len(fixed):
        least, most = np.minimum(least, fx.min()), np.maximum(most, fx.max())
        heights = fy + STUB * fv
        # What the pins that stay cost at the heights of pins that stay is the same for all places.
        theirs = _branches(
            fx[None], fy[None], fu[None], fv[None], heights[:, None], fx.min() - 1.0, fx.max() + 1.0
        ).sum(axis=1)
        total = np.broadcast_to(theirs, (len(own), len(heights))).copy()
        for k in range(own.shape[1]):
            total += _branches(
                x[:, k, None], y[:, k, None], u[:, k, None], v[:, k, None], heights[None],
                least[:, None], most[:, None],
            )  # fmt: skip
        best = total.min(axis=1)
    for k in range(own.shape[1]):
        height = y[:, k] + STUB * v[:, k]
        cost = np.zeros(len(own))
        if len(fixed):
            cost = _branches(
                fx[None], fy[None], fu[None], fv[None], height[:, None], least[:, None], most[:, None]
            ).sum(axis=1)
        for other in range(own.shape[1]):
            cost += _branches(x[:, other], y[:, other], u[:, other], v[:, other], height, least, most)
        best = np.minimum(best, cost)
    found: Array = best + (most - least)
    return found


def _best_trunk(pins: Sequence[Start]) -> tuple[float, float]:
    """Cost and height of the cheapest horizontal trunk, for one net."""
    least, most = min(p[0] for p in pins), max(p[0] for p in pins)
    best, chosen = math.inf, 0.0
    for height in dict.fromkeys(y + STUB * v for _, y, _, v in pins):
        cost = most - least
        for x, y, u, v in pins:
            rise = height - y
            cost += abs(rise)
            if v:
                cost += BEND * (_TOWARDS if rise * v >= STUB - _LEVEL else _AWAY)
            elif abs(rise) >= _LEVEL:
                cost += BEND * _BESIDE
            elif not (x < most if u > 0 else x > least):
                cost += BEND * _OUTWARD
        if cost < best - 1e-9:
            best, chosen = cost, height
    return best, chosen


def _stretch(x1: float, y1: float, x2: float, y2: float) -> Stretch:
    return min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)


def _of_pair(p: Start, q: Start) -> Iterator[Stretch]:
    (x1, y1, u1, v1), (x2, y2, u2, v2) = p, q
    if u1 and u2:
        middle = (x1 + x2) / 2 if u1 != u2 else (max(x1, x2) + STUB if u1 > 0 else min(x1, x2) - STUB)
        corners = [(x1, y1), (middle, y1), (middle, y2), (x2, y2)]
    elif v1 and v2:
        middle = (y1 + y2) / 2 if v1 != v2 else (max(y1, y2) + STUB if v1 > 0 else min(y1, y2) - STUB)
        corners = [(x1, y1), (x1, middle), (x2, middle), (x2, y2)]
    else:
        corners = [(x1, y1), (x2, y1) if u1 else (x1, y2), (x2, y2)]
    for (a, b), (c, d) in pairwise(corners):
        if (a, b) != (c, d):
            yield _stretch(a, b, c, d)


def _of_trunk(pins: Sequence[Start], height: float) -> Iterator[Stretch]:
    yield _stretch(min(p[0] for p in pins), height, max(p[0] for p in pins), height)
    for x, y, _, _ in pins:
        if abs(y - height) > _LEVEL:
            yield _stretch(x, y, x, height)

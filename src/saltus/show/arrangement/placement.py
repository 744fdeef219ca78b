"""Places and poses for the parts of a sheet.

From a beginning (`beginnings`) one part after the other moves to the place and the pose that cost least while
all others stay, until none moves any more: a descent in the manner of Davidson and Harel ("Drawing graphs
nicely using simulated annealing", ACM Transactions on Graphics 15, 1996), whose criteria it has, but without
chance: places that are tried are those at which a pin faces a pin it is connected to, is at a right angle to
it, or stands beside it, so that straight wires are found and not guessed. Overlapping costs little at first
and then more and more; thus parts can pass each other. What a person would like of the result is what HOLA
measured (Kieffer, Dwyer, Marriott, Wybrow, IEEE TVCG 22, 2016): few bends and crossings, straight chains,
compact.
"""

from __future__ import annotations

from itertools import product
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from saltus.show.arrangement.beginnings import anchored, beginnings
from saltus.show.arrangement.board import Board
from saltus.show.arrangement.groups import regrouped
from saltus.show.arrangement.rough import Array, Start
from saltus.show.arrangement.sheet import Sheet, State

#: The weight of overlaps, pass after pass; the pass from which crossings count.
_STRICT, _LOOK = (0.5, 1.0, 2.0, 5.0, 10.0, 20.0), 2
_ROUNDS, _PASSES = 3, 3  # of moving groups, and of single parts after it
_LARGE = 40  # parts, beyond which there is one such round
_LOOKED_AT = 8  # places whose wires are evaluated
_NETWORK = 5  # pins of a net that a part is moved to
#: Places that are tried: anywhere near the pins that a part is connected to, near where it is, in front of
#: another pin, and beside it.
_GRID = tuple(product((-60.0, -40.0, -20.0, 0.0, 20.0, 40.0, 60.0), repeat=2))
_NEAR = tuple(product((-10.0, -4.0, 0.0, 4.0, 10.0), repeat=2))
_AHEAD = (16.0, 22.0, 30.0, 44.0, 64.0)
_ASIDE = (-64.0, -48.0, -36.0, -28.0, 28.0, 36.0, 48.0, 64.0)

#: A pin of a part, and where the wire of a pin begins that it is connected to.
Target: TypeAlias = tuple[int, Start]


def placed(sheet: Sheet, starts: int = 3) -> list[State]:
    """The states that several beginnings lead to, cheapest first."""
    found: list[tuple[float, int, State]] = []
    if all(part.fixed is not None and len(part.poses) == 1 for part in sheet.parts):
        return [anchored(sheet, np.zeros((len(sheet.parts), 2)))]
    for number, state in enumerate(beginnings(sheet)[:starts]):
        board = Board(sheet, state)
        _settle(board)
        found.append((board.total(_STRICT[-1]), number, board.state))
    return [state for _, _, state in sorted(found, key=lambda f: f[:2])]


# ---------------------------------------------------------------- the descent


def _settle(board: Board) -> None:
    # Those with many neighbours first: the others gather around them.
    order = sorted(board.free, key=lambda k: (-len(board.costs.nets_of[k]), k))
    for number, strict in enumerate(_STRICT):
        _pass(board, order, strict, number >= _LOOK, number <= _LOOK)
    for _ in range(_ROUNDS if len(order) <= _LARGE else 1):
        if not regrouped(board, _STRICT[-1]):
            break
        for _ in range(_PASSES):
            if not _pass(board, order, _STRICT[-1], True, False):
                break


def _pass(board: Board, order: list[int], strict: float, look: bool, far: bool) -> bool:
    """Moves each part once, in the other direction than the last time."""
    moved = False
    for part in order:
        moved |= _improve(board, part, strict, look, far)
    order.reverse()
    return moved


def _improve(board: Board, part: int, strict: float, look: bool, far: bool) -> bool:
    """Moves a part to the best of the places that are tried. If we `look`, crossings count for those that
    promise most."""
    state = board.state
    pose, x, y = _candidates(board, part, far)
    cost = board.costs.of(part, pose, x, y, strict)
    before = state.pose[part], state.x[part], state.y[part]
    ranks = np.argsort(np.round(cost, 6), kind="stable")[: _LOOKED_AT if look else 1].tolist()
    chosen, least = before, float(cost[0]) + (board.disorder(part) if look else 0.0)
    for k in ranks:
        if cost[k] >= least - 1e-6:
            break
        place = int(pose[k]), float(x[k]), float(y[k])
        board.put(part, *place)
        found = float(cost[k]) + (board.disorder(part) if look else 0.0)
        if found < least - 1e-6:
            chosen, least = place, found
    if chosen != (state.pose[part], state.x[part], state.y[part]):
        board.put(part, *chosen)
    return chosen != before


# ---------------------------------------------------------------- what is tried


def _candidates(board: Board, part: int, far: bool) -> tuple[NDArray[np.intp], Array, Array]:
    """Poses and places to be tried, that of now first; also `far` from it."""
    state, own = board.state, board.sheet.parts[part]
    here = np.array([[state.x[part], state.y[part]]])
    poses, places = [np.array([state.pose[part]])], [here]
    targets = _targets(board, part)
    around = [here + np.array(_NEAR)]
    if far and targets:
        centre = np.mean([s[:2] for _, s in targets], axis=0)
        around.append(np.round(centre[None] / 10) * 10 + np.array(_GRID))
    for pose in range(len(own.poses)):
        if own.fixed is not None:
            tried = [here]
        else:
            starts = board.costs.starts[part][pose]
            tried = [*around, *(_facing(starts[pin], target) for pin, target in targets)]
            tried += [_level(here, starts[pin], target) for pin, target in targets]
        there = np.concatenate(tried)
        places.append(there)
        poses.append(np.full(len(there), pose))
    where = np.concatenate(places)
    return np.concatenate(poses), where[:, 0], where[:, 1]


def _targets(board: Board, part: int) -> list[Target]:
    """What a part is connected to; of a large net only the nearest."""
    found: list[Target] = []
    x, y = board.state.x[part], board.state.y[part]
    for net in board.costs.nets_of[part]:
        ends, starts = board.sheet.nets[net].ends, board.costs.net_starts(net)
        others = [
            (abs(start[0] - x) + abs(start[1] - y), k, start)
            for k, ((other, _), start) in enumerate(zip(ends, starts, strict=True))
            if other != part
        ]
        near = [start for _, _, start in sorted(others)[:_NETWORK]]
        found += [(pin, start) for owner, pin in ends if owner == part for start in near]
    return found


def _level(here: Array, pin: Start, target: Start) -> Array:
    """Places beside that of now, and above or below it, at which two pins are in line."""
    places: Array = np.array([[target[0] - pin[0], here[0, 1]], [here[0, 0], target[1] - pin[1]]])
    return places


def _facing(pin: Start, target: Start) -> Array:
    """Places of a part at which its pin stands well to another one."""
    (px, py, pu, pv), (x, y, u, v) = pin, target
    if (pu, pv) == (-u, -v):
        there = [(x + d * u, y + d * v) for d in _AHEAD]
        there += [(x + d * u + s * v, y + d * v + s * u) for d in (22.0, 44.0) for s in (-30.0, 30.0)]
    elif (pu, pv) == (u, v):
        there = [(x + s * v, y + s * u) for s in _ASIDE]
    else:
        there = [(x + a * u - b * pu, y + a * v - b * pv) for a in _AHEAD[:4] for b in _AHEAD[:4]]
    places: Array = np.array(there) - (px, py)
    return places

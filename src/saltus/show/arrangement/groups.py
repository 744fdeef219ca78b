"""Many parts moved at once, where moving one alone would first make things worse: a row or a column that
straight wires hold together, everything on one side of a gap, two parts that change places, and all of them
mirrored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from saltus.ir.picture import Affine
from saltus.show.arrangement.board import Board
from saltus.show.arrangement.sheet import GAP, Part

Shift: TypeAlias = tuple[float, float]

_STEPS = (-60.0, -40.0, -20.0, -10.0, 10.0, 20.0, 40.0, 60.0)
_LEVELLED = 10  # shifts that bring two pins to one height
_SWAPPED, _PAIRS = 120.0, 3  # how far parts may be from each other to change places; pairs for each part
_CLOSED = (GAP, 14.0, 20.0)  # what is left of a gap
_FAR = 400.0
_BETTER = 1e-3


def regrouped(board: Board, strict: float) -> bool:
    """Moves groups as long as that is better; whether it was."""
    total, before = board.total(strict), board.keep()
    begun = total
    for group, shifts in _groups(board):
        before, best, chosen = board.keep(), total - _BETTER, None
        for shift in shifts:
            board.shift(group, *shift)
            found = board.total(strict)
            board.restore(before)
            if found < best:
                best, chosen = found, shift
        if chosen is not None:
            board.shift(group, *chosen)
            total = best
    for change in (*_mirrors(board), *_swaps(board)):
        before = board.keep()
        change()
        found = board.total(strict)
        if found < total - _BETTER:
            total = found
        else:
            board.restore(before)
    return total < begun - _BETTER


# ---------------------------------------------------------------- rows, columns, sides


def _groups(board: Board) -> Iterator[tuple[list[int], list[Shift]]]:
    """Groups with the shifts that are tried."""
    movable = set(board.movable)
    for axis in (0, 1):
        for chain in _chains(board, axis):
            if len(chain) > 1 and movable.issuperset(chain):
                steps = [*_STEPS, *_levelling(board, chain, axis)]
                yield chain, [(0.0, d) if axis == 0 else (d, 0.0) for d in steps]
        for cut in sorted(set(board.state.x if axis == 0 else board.state.y))[1:]:
            where = board.state.x if axis == 0 else board.state.y
            group = [k for k in board.movable if where[k] >= cut - 1e-6]
            gap = _gap(board, group, axis)
            closed = [-2.0 * ((gap - d) // 2) for d in _CLOSED if gap > d + 2.0]
            if group and closed:
                yield group, [(d, 0.0) if axis == 0 else (0.0, d) for d in closed]


def _chains(board: Board, axis: int) -> list[list[int]]:
    """Parts that straight wires in one direction join."""
    leader = list(range(len(board.sheet.parts)))

    def find(k: int) -> int:
        while leader[k] != k:
            k = leader[k]
        return k

    for number, net in enumerate(board.sheet.nets):
        starts = board.costs.net_starts(number)
        for a, (part, _) in enumerate(net.ends):
            for b in range(a + 1, len(net.ends)):
                level = abs(starts[a][1 - axis] - starts[b][1 - axis]) < 0.01
                if level and abs(starts[a][3 - axis]) < 0.5:
                    leader[find(part)] = find(net.ends[b][0])
    groups: dict[int, list[int]] = {}
    for k in range(len(leader)):
        groups.setdefault(find(k), []).append(k)
    return list(groups.values())


def _levelling(board: Board, chain: Sequence[int], axis: int) -> list[float]:
    """Shifts across a chain that bring one of its pins to the height of a pin outside that it is connected
    to."""
    own, found = set(chain), set[float]()
    for number in dict.fromkeys(n for k in chain for n in board.costs.nets_of[k]):
        starts = list(zip(board.sheet.nets[number].ends, board.costs.net_starts(number), strict=True))
        inside = [s for (k, _), s in starts if k in own]
        outside = [s for (k, _), s in starts if k not in own]
        found.update(round(q[1 - axis] - p[1 - axis], 4) for p in inside for q in outside)
    return [d for d in sorted(found, key=lambda d: (abs(d), d)) if d][:_LEVELLED]


def _gap(board: Board, group: Sequence[int], axis: int) -> float:
    """How far a group is from the others on its lower side, where they face each other; 0 if they do not."""
    hulls, own, gap = board.costs.hull_now().tolist(), set(group), _FAR
    for k in group:
        for other, hull in enumerate(hulls):
            if other not in own:
                low = max(hulls[k][1 - axis], hull[1 - axis])
                high = min(hulls[k][3 - axis], hull[3 - axis])
                if high - low > -GAP:
                    gap = min(gap, hulls[k][axis] - hull[2 + axis])
    return gap if gap < _FAR else 0.0


# ---------------------------------------------------------------- mirrors and swaps


def _mirrors(board: Board) -> Iterator[Callable[[], None]]:
    """Everything turned over, if nothing has a place of its own."""
    parts, state = board.sheet.parts, board.state
    if len(board.movable) < len(parts):
        return

    def mirror(turn: Affine) -> None:
        for k, part in enumerate(parts):
            state.x[k], state.y[k] = turn((state.x[k], state.y[k]))
            state.pose[k] = _mirrored(part, state.pose[k], turn)
        board.draw(range(len(board.sheet.nets)))

    yield lambda: mirror(Affine(-1.0, 0.0, 0.0, 1.0))
    yield lambda: mirror(Affine(1.0, 0.0, 0.0, -1.0))


def _mirrored(part: Part, pose: int, turn: Affine) -> int:
    """The pose in which pins are where they are in a mirror; if there is none, that which comes nearest."""
    wanted = [(*turn((p.x, p.y)), *turn((p.u, p.v))) for p in part.poses[pose].pins]

    def apart(other: int) -> float:
        pins = [(p.x, p.y, p.u, p.v) for p in part.poses[other].pins]
        return sum(abs(a - b) for p, q in zip(pins, wanted, strict=True) for a, b in zip(p, q, strict=True))

    return min(range(len(part.poses)), key=lambda k: (round(apart(k), 3), part.poses[k].cost, k))


def _swaps(board: Board) -> Iterator[Callable[[], None]]:
    """Two parts near each other in each other's places."""
    x, y, movable = board.state.x, board.state.y, board.movable
    near = [
        (abs(x[a] - x[b]) + abs(y[a] - y[b]), a, b)
        for n, a in enumerate(movable)
        for b in movable[n + 1 :]
        if abs(x[a] - x[b]) + abs(y[a] - y[b]) < _SWAPPED
    ]

    def swap(a: int, b: int) -> None:
        x[a], x[b], y[a], y[b] = x[b], x[a], y[b], y[a]
        board.draw(dict.fromkeys((*board.costs.nets_of[a], *board.costs.nets_of[b])))

    for _, a, b in sorted(near)[: _PAIRS * len(movable)]:
        yield lambda a=a, b=b: swap(a, b)  # type: ignore[misc]

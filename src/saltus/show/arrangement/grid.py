"""The points at which wires may run and bend: an uneven grid with a line through every pin.

Vertices are numbers: column times the number of rows, plus row. An edge leads from a vertex to the next one
to the right or upwards; it has a cost per use, and is closed if it leads into a body.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from saltus.show.arrangement.sheet import Box, Pin, Sheet, State, shifted

#: How far a wire goes from a part before it may bend, how near it may come to a body and to a name, and from
#: where on that costs something.
GATE, _CLEAR, _NAME, _NEAR = 2.0, 1.4, 0.4, 4.6
_PITCH, _APART = 5.0, 1.9
_BESIDE, _ON_NAME = 0.6, 150.0
_MARGIN = 40.0
CLOSED = float("inf")


@dataclass
class Grid:
    """`right` and `up` are what edges cost."""

    xs: list[float]
    ys: list[float]
    right: list[float]
    up: list[float]

    @property
    def rows(self) -> int:
        return len(self.ys)

    def vertex(self, x: float, y: float) -> int:
        """The vertex at a point that a line was laid through."""
        return _index(self.xs, x) * self.rows + _index(self.ys, y)

    def point(self, vertex: int) -> tuple[float, float]:
        column, row = divmod(vertex, self.rows)
        return self.xs[column], self.ys[row]


def gate(pin: Pin, x: float, y: float) -> tuple[float, float]:
    """Where the wire of a pin is outside of its part, which stands at a point."""
    reach = pin.out + GATE
    return round(x + pin.x + pin.u * reach, 4), round(y + pin.y + pin.v * reach, 4)


def grid_for(sheet: Sheet, state: State, lines: Iterable[tuple[float, float]]) -> Grid:
    """A grid around all parts; `lines` are points that must be on it."""
    poses = [part.poses[k] for part, k in zip(sheet.parts, state.pose, strict=True)]
    places = list(zip(state.x, state.y, strict=True))
    bodies = [shifted(pose.body, x, y) for pose, (x, y) in zip(poses, places, strict=True)]
    labels = [shifted(box, x, y) for pose, (x, y) in zip(poses, places, strict=True) for box in pose.labels]
    wanted = list(lines)
    xs = _lines([x for x, _ in wanted], [(b[0], b[2]) for b in (*bodies, *labels)])
    ys = _lines([y for _, y in wanted], [(b[1], b[3]) for b in (*bodies, *labels)])
    across, along = np.array(xs), np.array(ys)
    right = np.repeat(np.diff(across)[:, None], len(ys), axis=1)
    up = np.repeat(np.diff(along)[None, :], len(xs), axis=0)
    for reach, boxes, factor, extra in (
        (_NEAR, bodies, _BESIDE, 0.0),
        (_NAME, labels, 0.0, _ON_NAME),
        (_CLEAR, bodies, 0.0, CLOSED),
    ):
        for box in boxes:
            left, low, most, high = box[0] - reach, box[1] - reach, box[2] + reach, box[3] + reach
            columns = (across[1:] > left) & (across[:-1] < most)
            rows = (along > low) & (along < high)
            right[np.ix_(columns, rows)] += factor * np.diff(across)[columns][:, None] + extra
            columns = (across > left) & (across < most)
            rows = (along[1:] > low) & (along[:-1] < high)
            up[np.ix_(columns, rows)] += factor * np.diff(along)[rows][None, :] + extra
    # Both arrays have a cost for every vertex; the last edges lead nowhere.
    full_right = np.full((len(xs), len(ys)), CLOSED)
    full_right[:-1] = right
    full_up = np.full((len(xs), len(ys)), CLOSED)
    full_up[:, :-1] = up
    return Grid(xs, ys, full_right.ravel().tolist(), full_up.ravel().tolist())


def _lines(wanted: Sequence[float], sides: Sequence[tuple[float, float]]) -> list[float]:
    """Coordinates of lines: all that are wanted, and others that are not too near to them."""
    found = np.array(sorted({round(v, 4) for v in wanted}))
    low = min([*(a for a, _ in sides), *found]) - _MARGIN
    high = max([*(b for _, b in sides), *found]) + _MARGIN
    extra = sorted({*np.arange(_PITCH * (low // _PITCH), high, _PITCH).tolist()})
    kept = [v for v in extra if not len(found) or np.min(np.abs(found - v)) >= _APART]
    return sorted({*found.tolist(), *kept})


def _index(lines: Sequence[float], value: float) -> int:
    at = int(np.searchsorted(np.array(lines), value - 1e-3))
    if at == len(lines) or abs(lines[at] - value) > 2e-3:
        raise ValueError(f"there is no line at {value}")
    return at


def box_contains(box: Box, x: float, y: float) -> bool:
    """Whether a point is inside of a box."""
    return box[0] < x < box[2] and box[1] < y < box[3]

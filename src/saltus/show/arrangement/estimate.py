"""What a placement costs, before anything is routed: rough wires, parts that overlap, wishes that are not
granted. All is computed for many places of one part at a time, or for all parts where they are.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from saltus.show.arrangement.rough import Array, Start, moved
from saltus.show.arrangement.sheet import GAP, Sheet, State

#: What it costs that two parts overlap: at all, and by an area.
_OVERLAP, _AREA = 40.0, 0.25
#: What comes later should be so far to the right, or it costs that much per unit.
_AHEAD, _FLOW, _FLOW_MOST = 34.0, 1.5, 160.0
#: A pin at a higher potential should be above.
_ABOVE, _ABOVE_MOST = 1.2, 20.0
#: Sources and sinks of signals, and ground, are drawn to the edges.
_EDGE, _LOW = 0.6, 0.35
#: How high a circuit is, and what it costs not to be at the height of a potential.
_TALL, _LEVEL = 110.0, 0.12


class Costs:
    """The costs of the parts of a sheet in a state that is changed from outside."""

    def __init__(self, sheet: Sheet, state: State) -> None:
        self.sheet, self.state = sheet, state
        #: Where wires begin, by part, pose and pin; as numbers, and as arrays.
        self.starts: list[list[list[Start]]] = [
            [
                [(p.x + p.u * p.out, p.y + p.v * p.out, float(p.u), float(p.v)) for p in pose.pins]
                for pose in part.poses
            ]
            for part in sheet.parts
        ]
        self.pins: list[Array] = [np.array(poses).reshape(len(poses), -1, 4) for poses in self.starts]
        self.hulls: list[Array] = [np.array([pose.hull for pose in part.poses]) for part in sheet.parts]
        self.usual: list[Array] = [np.array([pose.cost for pose in part.poses]) for part in sheet.parts]
        count = len(sheet.parts)
        self.nets_of: list[list[int]] = [[] for _ in sheet.parts]
        for number, net in enumerate(sheet.nets):
            for part in dict.fromkeys(part for part, _ in net.ends):
                self.nets_of[part].append(number)
        self.before: list[list[int]] = [[] for _ in range(count)]
        self.after: list[list[int]] = [[] for _ in range(count)]
        for a, b in sheet.flow:
            self.after[a].append(b)
            self.before[b].append(a)
        self.above = {k: (a, b, d) for k, a, b, d in sheet.above}
        #: Pin and height of pins whose nets have one.
        self.heights: list[list[tuple[int, float]]] = [[] for _ in range(count)]
        for net, height in zip(sheet.nets, sheet.heights, strict=False):
            for part, pin in net.ends:
                self.heights[part].append((pin, height * _TALL))
        self.edge = np.zeros(count)
        self.edge[list(sheet.left)] += _EDGE
        self.edge[list(sheet.right)] -= _EDGE
        self.sink = np.zeros(count)
        self.sink[list(sheet.low)] += _LOW

    def hull_now(self) -> Array:
        """The hulls of all parts where they are."""
        found = np.array([hulls[k] for hulls, k in zip(self.hulls, self.state.pose, strict=True)])
        shift = np.column_stack([self.state.x, self.state.y, self.state.x, self.state.y])
        there: Array = found + shift
        return there

    def net_starts(self, net: int) -> list[Start]:
        """Where the wires of a net begin."""
        xs, ys, poses = self.state.x, self.state.y, self.state.pose
        found: list[Start] = []
        for part, pin in self.sheet.nets[net].ends:
            x, y, u, v = self.starts[part][poses[part]][pin]
            found.append((x + xs[part], y + ys[part], u, v))
        return found

    def of(self, part: int, pose: NDArray[np.intp], x: Array, y: Array, strict: float) -> Array:
        """The costs of a part in poses at places; `strict` says how much overlapping matters."""
        total: Array = self.usual[part][pose].astype(float)
        pins = self.pins[part][pose] + np.column_stack([x, y, np.zeros((len(x), 2))])[:, None, :]
        for net in self.nets_of[part]:
            ends, starts = self.sheet.nets[net].ends, self.net_starts(net)
            others = [s for (owner, _), s in zip(ends, starts, strict=True) if owner != part]
            own = [pin for owner, pin in ends if owner == part]
            total += moved(others, pins[:, own])
        hull = self.hulls[part][pose] + np.column_stack([x, y, x, y])
        others_hulls = np.delete(self.hull_now(), part, axis=0)
        total += strict * _overlaps(hull, others_hulls).sum(axis=1)
        xs = self.state.x
        for other in self.after[part]:
            total += _FLOW * np.clip(x + _AHEAD - xs[other], 0.0, _FLOW_MOST)
        for other in self.before[part]:
            total += _FLOW * np.clip(xs[other] + _AHEAD - x, 0.0, _FLOW_MOST)
        if part in self.above:
            a, b, difference = self.above[part]
            up = pins[:, a, 1] - pins[:, b, 1]
            total -= _ABOVE * difference * np.clip(up, -_ABOVE_MOST, _ABOVE_MOST)
        for pin, height in self.heights[part]:
            total += _LEVEL * np.abs(pins[:, pin, 1] - height)
        total += self.edge[part] * x + self.sink[part] * y
        return total

    def overlapping(self, strict: float) -> float:
        """What it costs that parts overlap."""
        hulls = self.hull_now()
        cost = _overlaps(hulls, hulls)
        np.fill_diagonal(cost, 0.0)
        return strict * float(cost.sum()) / 2

    def wishes(self) -> float:
        """What it costs that wishes are not granted and poses are unusual."""
        state = self.state
        x, y = state.x, state.y
        found = sum(part.poses[k].cost for part, k in zip(self.sheet.parts, state.pose, strict=True))
        for a, b in self.sheet.flow:
            found += _FLOW * min(max(x[a] + _AHEAD - x[b], 0.0), _FLOW_MOST)
        for k, a, b, difference in self.sheet.above:
            pins = self.starts[k][state.pose[k]]
            found -= _ABOVE * difference * min(max(pins[a][1] - pins[b][1], -_ABOVE_MOST), _ABOVE_MOST)
        for part, heights in enumerate(self.heights):
            pins = self.starts[part][state.pose[part]]
            for pin, height in heights:
                found += _LEVEL * abs(pins[pin][1] + y[part] - height)
        across, up = np.array(x), np.array(y)
        edges = self.edge * (across - across.mean()) + self.sink * (up - up.mean())
        return found + float(edges.sum())


def _overlaps(some: Array, others: Array) -> Array:
    wide = np.minimum(some[:, None, 2], others[None, :, 2]) - np.maximum(some[:, None, 0], others[None, :, 0])
    high = np.minimum(some[:, None, 3], others[None, :, 3]) - np.maximum(some[:, None, 1], others[None, :, 1])
    area = np.maximum(wide + GAP, 0.0) * np.maximum(high + GAP, 0.0)
    cost: Array = _AREA * area + _OVERLAP * (area > 0.0)
    return cost

"""What a reader expects: signals run to the right, sources are at the left, ground is at the bottom, and of
two pins the one with the higher potential is above.

Inputs and outputs determine the order of blocks; arcs that lead back, such as those of a control loop, are
found by the order of a depth-first search and do not count. Potentials are those of the circuit in which
every source gives one volt and everything else is a resistor of one ohm (nodal analysis): nobody knows the
real ones before a run, and these order the nets as a reader does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from saltus.ir.picture import Placed
from saltus.show.arrangement.poses import is_source
from saltus.show.arrangement.sheet import Net, Part

_STIFF = 20.0  # a source, where all else is 1
_SURE = 2.5  # a difference of this part of the largest is as good as that
_SMALL = 1e-3  # to ground, so that what floats has a potential, too
_SINK = re.compile(r".*(Scope|Display|Sink|Terminator|Terminate|Meter)", re.IGNORECASE)


@dataclass(frozen=True)
class Wishes:
    """What is asked of a placement besides short wires; fields as in `Sheet`."""

    flow: tuple[tuple[int, int], ...]
    above: tuple[tuple[int, int, int, float], ...]
    left: tuple[int, ...]
    right: tuple[int, ...]
    low: tuple[int, ...]
    heights: tuple[float, ...]


def wishes(
    components: Sequence[Placed], pins: Sequence[Sequence[str]], parts: Sequence[Part], nets: Sequence[Net]
) -> Wishes:
    """What is known of parts and nets."""
    arcs = _forward(len(parts), _arcs(components, pins, nets))
    low = tuple(k for k, part in enumerate(parts) if _is_ground(components[k], part))
    left = [k for k, c in enumerate(components) if is_source(c) or c.causality == "input"]
    right = [k for k, c in enumerate(components) if c.causality == "output" or _SINK.fullmatch(c.class_name)]
    above, heights = _above(components, pins, parts, nets, low)
    return Wishes(tuple(arcs), tuple(above), tuple(left), tuple(right), low, heights)


def _is_ground(component: Placed, part: Part) -> bool:
    own = part.poses[0].pins
    return not component.connector and len(own) == 1 and own[0].v == 1


def _causality(component: Placed, pin: str) -> str:
    """The causality of a pin as other parts see it: an input of the class itself is a source of signals."""
    if not pin:
        return {"input": "output", "output": "input"}.get(component.causality, "")
    return next((c.causality for c in component.icon.components if c.name == pin), "")


def _arcs(
    components: Sequence[Placed], pins: Sequence[Sequence[str]], nets: Sequence[Net]
) -> list[tuple[int, int]]:
    found: dict[tuple[int, int], None] = {}
    for net in nets:
        ends = [(part, _causality(components[part], pins[part][pin])) for part, pin in net.ends]
        for a, first in ends:
            for b, second in ends:
                if first == "output" and second == "input" and a != b:
                    found[a, b] = None
    return list(found)


def _forward(count: int, arcs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The arcs without those that close a circle, seen from where nothing comes in."""
    out: list[list[int]] = [[] for _ in range(count)]
    entered = [0] * count
    for a, b in arcs:
        out[a].append(b)
        entered[b] += 1
    state = [0] * count
    back: set[tuple[int, int]] = set()
    for root in sorted(range(count), key=lambda k: (entered[k] > 0, k)):
        stack = [(root, 0)] if not state[root] else []
        while stack:
            node, at = stack.pop()
            state[node] = 1
            if at == len(out[node]):
                state[node] = 2
                continue
            stack.append((node, at + 1))
            other = out[node][at]
            if state[other] == 1:
                back.add((node, other))
            elif state[other] == 0:
                stack.append((other, 0))
    return [arc for arc in arcs if arc not in back]


def _above(
    components: Sequence[Placed],
    pins: Sequence[Sequence[str]],
    parts: Sequence[Part],
    nets: Sequence[Net],
    low: Sequence[int],
) -> tuple[list[tuple[int, int, int, float]], tuple[float, ...]]:
    """Pairs of pins with the difference of their potentials, the largest being 1; and the potentials of nets,
    between 0 and 1."""
    net_of = {end: k for k, net in enumerate(nets) for end in net.ends}
    ends: dict[int, tuple[int, int]] = {}
    for k, component in enumerate(components):
        physical = [
            pin
            for pin, name in enumerate(pins[k])
            if not component.connector and not _causality(component, name)
        ]
        if len(physical) == 2 and net_of[k, physical[0]] != net_of[k, physical[1]]:
            ends[k] = physical[0], physical[1]
    edges = [(k, net_of[k, a], net_of[k, b]) for k, (a, b) in ends.items()]
    ground = {net_of[k, 0] for k in low}
    sources = {k for k, _, _ in edges if is_source(components[k])}
    if not ground or not sources:
        return [], ()
    matrix = _SMALL * np.eye(len(nets))
    right = np.zeros(len(nets))
    for k, a, b in edges:
        weight = _STIFF if k in sources else 1.0
        matrix[[a, b], [a, b]] += weight
        matrix[[a, b], [b, a]] -= weight
        if k in sources:
            # The first pin that is named need not be the positive one: its name decides.
            sign = _sign(parts[k], *ends[k])
            right[a] += weight * sign
            right[b] -= weight * sign
    for net in ground:
        matrix[net, net] += 1e3
    potential = np.linalg.solve(matrix, right)
    most = max(abs(potential[a] - potential[b]) for _, a, b in edges)
    if most <= 0.0:
        return [], ()
    known = {net for _, a, b in edges for net in (a, b)} | ground
    least, high = min(potential[k] for k in known), max(potential[k] for k in known)
    heights = np.clip((potential - least) / max(high - least, 1e-9), 0.0, 1.0)
    for net in range(len(nets)):
        if net not in known:
            heights[net] = 0.5
    pairs = [
        (k, *ends[k], float(np.clip(_SURE * (potential[a] - potential[b]) / most, -1, 1)))
        for k, a, b in edges
    ]
    return pairs, tuple(heights.tolist())


def _sign(part: Part, a: int, b: int) -> float:
    """1 if the first pin is the left one in the icon, which is positive in all libraries."""
    first, second = part.poses[0].pins[a], part.poses[0].pins[b]
    return 1.0 if (first.x, -first.y) <= (second.x, -second.y) else -1.0

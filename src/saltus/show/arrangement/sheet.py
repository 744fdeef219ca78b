"""Nouns of the arrangement: parts that may stand in several poses, their pins, and nets that join pins.

Parts, pins and nets are numbers here; names come back at the border (`arrange`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from saltus.ir.picture import Affine, Colour, Point

#: Left, bottom, right, top.
Box: TypeAlias = tuple[float, float, float, float]
#: Of a net: part and pin.
End: TypeAlias = tuple[int, int]

#: How far parts and their names keep from each other: room for wires between them.
GAP = 8.0


@dataclass(frozen=True)
class Pin:
    """Where a wire begins, in which direction it leaves, and how far it has to go to be outside of the
    part."""

    x: float
    y: float
    u: int
    v: int
    out: float = 0.0


@dataclass(frozen=True)
class Pose:
    """One way in which a part may stand, seen from its own origin. `hull` is all it covers, names included;
    `body` and `labels` are where no wire may run. `cost` says how unusual it is."""

    turn: Affine
    hull: Box
    body: Box
    labels: tuple[Box, ...]
    pins: tuple[Pin, ...]
    cost: float = 0.0


@dataclass(frozen=True)
class Part:
    """`fixed` is the place of one that annotations place."""

    name: str
    poses: tuple[Pose, ...]
    fixed: Point | None = None


@dataclass(frozen=True)
class Net:
    """Pins that wires join, each once. `wires` are the pairs that are connected, by the place of their ends
    in `ends`, with the number of the connection; `colour` is that of its lines."""

    ends: tuple[End, ...]
    wires: tuple[tuple[int, int, int], ...]
    colour: Colour = (0, 0, 0)


@dataclass(frozen=True)
class Sheet:
    """Wishes pull gently: `flow` are pairs of parts of which the first should stand left of the second,
    `above` pairs of pins of one part of which the first should be higher: part, pin, pin, how much. `left`,
    `right` and `low` are parts that belong to an edge; `heights` are those of nets between 0 and 1, or
    empty."""

    parts: tuple[Part, ...]
    nets: tuple[Net, ...]
    flow: tuple[tuple[int, int], ...] = ()
    above: tuple[tuple[int, int, int, float], ...] = ()
    left: tuple[int, ...] = ()
    right: tuple[int, ...] = ()
    low: tuple[int, ...] = ()
    heights: tuple[float, ...] = ()


@dataclass
class State:
    """Where each part stands, and in which of its poses."""

    x: list[float]
    y: list[float]
    pose: list[int] = field(default_factory=list)

    def copy(self) -> State:
        return State(list(self.x), list(self.y), list(self.pose))


def shifted(box: Box, x: float, y: float) -> Box:
    """The box seen from elsewhere."""
    return box[0] + x, box[1] + y, box[2] + x, box[3] + y


def hull_of(boxes: list[Box]) -> Box:
    """The smallest box around boxes."""
    return (
        min(b[0] for b in boxes),
        min(b[1] for b in boxes),
        max(b[2] for b in boxes),
        max(b[3] for b in boxes),
    )

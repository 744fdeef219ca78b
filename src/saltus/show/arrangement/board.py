"""A placement with its rough wires, kept up to date while parts move."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from saltus.show.arrangement.estimate import Costs
from saltus.show.arrangement.rough import Array, Stretch, net
from saltus.show.arrangement.sheet import Sheet, State

#: What it costs that two wires cross, and that a wire runs through a part.
_CROSSING, _THROUGH = 22.0, 60.0


@dataclass(frozen=True)
class Kept:
    """A board as it was."""

    state: State
    prices: list[float]
    wires: list[list[Stretch]]


class Board:
    """The parts of a sheet where they are, with the wires of each net and what they cost."""

    def __init__(self, sheet: Sheet, state: State) -> None:
        self.sheet, self.state = sheet, state
        self.costs = Costs(sheet, state)
        self.free = [k for k, part in enumerate(sheet.parts) if part.fixed is None or len(part.poses) > 1]
        self.movable = [k for k, part in enumerate(sheet.parts) if part.fixed is None]
        self.prices = [0.0 for _ in sheet.nets]
        self.wires: list[list[Stretch]] = [[] for _ in sheet.nets]
        self._bodies = [np.array([pose.body for pose in part.poses]) for part in sheet.parts]
        self.draw(range(len(sheet.nets)))

    def draw(self, nets: Iterable[int]) -> None:
        """Draws the wires of nets anew."""
        for number in nets:
            self.prices[number], self.wires[number] = net(self.costs.net_starts(number))

    def put(self, part: int, pose: int, x: float, y: float) -> None:
        """Moves a part."""
        self.state.pose[part], self.state.x[part], self.state.y[part] = pose, x, y
        self.draw(self.costs.nets_of[part])

    def shift(self, group: Iterable[int], dx: float, dy: float) -> None:
        """Moves parts together."""
        own = set(group)
        for k in own:
            self.state.x[k] += dx
            self.state.y[k] += dy
        for number in sorted({n for k in own for n in self.costs.nets_of[k]}):
            if all(part in own for part, _ in self.sheet.nets[number].ends):
                self.wires[number] = [(a + dx, b + dy, c + dx, d + dy) for a, b, c, d in self.wires[number]]
            else:
                self.draw((number,))

    def keep(self) -> Kept:
        """The board as it is, to be restored."""
        return Kept(self.state.copy(), list(self.prices), list(self.wires))

    def restore(self, kept: Kept) -> None:
        """Takes everything back to how it was."""
        state = kept.state
        self.state.x[:], self.state.y[:], self.state.pose[:] = state.x, state.y, state.pose
        self.prices[:], self.wires[:] = kept.prices, kept.wires

    # ------------------------------------------------------------ costs

    def total(self, strict: float) -> float:
        """The cost of everything, each net and overlap counted once."""
        return sum(self.prices) + self.costs.overlapping(strict) + self.costs.wishes() + self._all_disorder()

    def _all_disorder(self) -> float:
        every = np.array([s for wires in self.wires for s in wires]).reshape(-1, 4)
        owner = np.array([k for k, wires in enumerate(self.wires) for _ in wires])
        if not len(every):
            return 0.0
        crossings = _meet(every, every) & (owner[:, None] != owner[None])
        through = _meet(every, self._shrunk())
        return _THROUGH * float(through.sum()) + _CROSSING * float(crossings.sum()) / 2

    def disorder(self, part: int) -> float:
        """Crossings of the wires of a part with others, and wires that run through bodies, as far as they
        depend on where the part is."""
        own = self.costs.nets_of[part]
        mine = np.array([s for number in own for s in self.wires[number]]).reshape(-1, 4)
        owner = np.array([number for number in own for _ in self.wires[number]])
        rest = [s for number, wires in enumerate(self.wires) if number not in own for s in wires]
        others = np.array(rest).reshape(-1, 4)
        bodies = self._shrunk()
        crossings = float(_meet(mine, others).sum())
        if len(mine):
            crossings += float((_meet(mine, mine) & (owner[:, None] != owner[None])).sum()) / 2
        through = float(_meet(mine, bodies).sum()) + float(_meet(others, bodies[part : part + 1]).sum())
        return _THROUGH * through + _CROSSING * crossings

    def _shrunk(self) -> Array:
        """The bodies where they are, without their rims, where wires end."""
        state = self.state
        now = np.array([bodies[k] for bodies, k in zip(self._bodies, state.pose, strict=True)])
        shift = np.column_stack([state.x, state.y, state.x, state.y])
        shrunk: Array = now + shift + (1.0, 1.0, -1.0, -1.0)
        return shrunk


def _meet(some: Array, boxes: Array) -> NDArray[np.bool_]:
    """Which boxes, or stretches, have a point in common."""
    meets: NDArray[np.bool_] = (
        (some[:, None, 0] < boxes[None, :, 2] + 1e-6)
        & (some[:, None, 2] > boxes[None, :, 0] - 1e-6)
        & (some[:, None, 1] < boxes[None, :, 3] + 1e-6)
        & (some[:, None, 3] > boxes[None, :, 1] - 1e-6)
    )
    return meets

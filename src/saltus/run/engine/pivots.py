"""Pivots: whether the states that a program has chosen still determine the rest well.

Each pivot of the choice has a guard, a relation that is true as long as the pivot is above its floor
(`saltus.analyse.index.pivot_guards`). Where one falls, the run continues with other states.
"""

from __future__ import annotations

from saltus.ir.structure import PIVOT_FLOOR
from saltus.run.engine.continuous import Continuous
from saltus.run.memory.memory import Memory
from saltus.run.memory.relations import Relations

#: A small pivot may fall by this part of itself in one step.
PART_OF_PIVOT = 0.1


class Pivots:
    """The pivots of one program's choice of states."""

    def __init__(self, memory: Memory, relations: Relations, continuous: Continuous) -> None:
        self._memory, self._relations, self._continuous = memory, relations, continuous
        self._guards = memory.structure.pivot_guards
        #: The relations that guard them.
        self.guards = [guard.relation for guard in self._guards]
        #: Whether even the best choice has a small pivot here.
        self.near_singular = False

    def fallen(self) -> list[int]:
        """The guards, by their places among all, whose pivots have become too small."""
        cells, truth = self._memory.cells, self._relations.truth
        return [k for k, index in enumerate(self.guards) if not cells[truth + index]]

    def presume_large(self) -> None:
        """All guards are true, until floors are set."""
        cells, relations = self._memory.cells, self._relations
        for index in self.guards:
            cells[relations.truth + index] = cells[relations.signs + index] = 1.0

    def set_floors(self) -> float:
        """Puts the floor under each pivot: lower than usual where the pivot is small already, although no
        better one was found. Gives the smallest pivot. To be called when all values are computed."""
        memory, cells, relations = self._memory, self._memory.cells, self._relations
        for guard in self._guards:
            memory.store(guard.floor, 0.0)
        self._continuous.relations()
        pivots = [cells[relations.residues + index] for index in self.guards]
        for guard, pivot in zip(self._guards, pivots, strict=True):
            memory.store(guard.floor, min(PIVOT_FLOOR, 0.5 * pivot))
        self.presume_large()
        self._continuous.relations()
        smallest = min(pivots, default=1.0)
        self.near_singular = smallest < PIVOT_FLOOR
        return smallest

    def _computed(self) -> list[float]:
        """The pivots as they were last computed."""
        residues, numbers = self._memory.section("residues"), self._memory.array
        floors = (self._memory.slot(guard.floor) for guard in self._guards)
        return [float(residues[k] + numbers[slot]) for k, slot in zip(self.guards, floors, strict=True)]

    def recovered(self) -> bool:
        """Whether the pivots, as the integrator saw them last, are large enough for the usual floors."""
        return min(self._computed()) > PIVOT_FLOOR

    def longest_step(self, largest: float, probe: float) -> float:
        """The `largest` step, or a shorter one. Where a pivot is small, no step may be so long that it could
        fall to zero: it might rise again before anybody looks, with a singular position in between. How fast
        it falls is seen along a small step `probe`. To be called when all values are computed."""
        if self.near_singular:
            before, pivots = self._memory.array.copy(), self._computed()
            self._continuous.advance(probe)
            if not self._continuous.crossings():
                after = self._computed()
                fall = max(abs(b - a) / a for a, b in zip(pivots, after, strict=True)) / probe
                largest = min(largest, PART_OF_PIVOT / fall) if fall > 0.0 else largest
            self._memory.array[:] = before
        return largest

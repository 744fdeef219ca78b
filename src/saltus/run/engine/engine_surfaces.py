"""Surfaces as one program sees them: those on which it keeps the model, and the sides of others.

When a run comes to a surface, and when it leaves it, is decided in `saltus.run.surfaces`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from saltus.run.engine.continuous import Continuous
from saltus.run.memory.memory import Memory
from saltus.run.memory.relations import Relations


class EngineSurfaces:
    """The surfaces of one program. Others are given by their relations (see `Surface.relations`)."""

    def __init__(self, memory: Memory, relations: Relations, continuous: Continuous) -> None:
        self._memory, self._relations, self._continuous = memory, relations, continuous
        surfaces = memory.structure.surfaces
        #: The surfaces on which this program keeps the model.
        self.on = frozenset(s.wanted for s in surfaces)
        #: Relations that hold as long as the model stays on them.
        self.exits = [index for s in surfaces for index in s.exits]
        #: The parameters that keep the program there; the model itself has none of them.
        self.hidden = [
            p for s in surfaces for p in (s.side, *s.directions.values(), *filter(None, (s.place,)))
        ]

    def presume_kept(self) -> None:
        """The model is on all surfaces of this program: their exits hold."""
        cells, relations = self._memory.cells, self._relations
        for index in self.exits:
            cells[relations.truth + index] = cells[relations.signs + index] = 1.0

    def drifts(self, surface: Mapping[int, int], step: float) -> tuple[float, float] | None:
        """How fast the residue of a surface changes with the truths of its positive side, and with those of
        its negative side: differences along a small step in time. None where that cannot be computed, and for
        the empty surface, that of a relation of time. The memory stays as it is."""
        if not surface:
            return None
        memory, relations, continuous = self._memory, self._relations, self._continuous
        cells, leader = memory.cells, relations.residues + next(iter(surface))
        evaluate = memory.routines["evaluate"]
        before, found = memory.array.copy(), []
        for side in (1, -1):
            for index, sign in surface.items():
                cells[relations.truth + index] = relations.truth_on(index, side * sign)
            failed = evaluate() or continuous.crossings()
            first = cells[leader]
            continuous.advance(step)
            failed = failed or continuous.crossings()
            rate = (cells[leader] - first) / step
            memory.array[:] = before
            if failed or not math.isfinite(rate):
                return None
            found.append(rate)
        return found[0], found[1]

    def influence(self, surface: Mapping[int, int]) -> NDArray[np.float64]:
        """By how much the derivatives of states are larger on the positive side of a surface than on its
        negative side. The memory stays as it is."""
        memory, relations = self._memory, self._relations
        before, found = memory.array.copy(), []
        for side in (1, -1):
            for index, sign in surface.items():
                memory.cells[relations.truth + index] = relations.truth_on(index, side * sign)
            memory.routines["evaluate"]()
            found.append(self._continuous.derivatives.copy())
            memory.array[:] = before
        return found[0] - found[1]

    def side_of(self, surface: Mapping[int, int]) -> int:
        """The side of a surface whose truths its first relation has."""
        index, relations = next(iter(surface)), self._relations
        above = self._memory.cells[relations.truth + index] == relations.truth_on(index, 1.0)
        return 1 if above else -1

    def changes_to(self, surface: Mapping[int, int], side: int) -> list[tuple[int, float]]:
        """The relations of a surface that have not the truths of a side, with their signs there."""
        cells, relations = self._memory.cells, self._relations
        return [
            (index, float(side * sign))
            for index, sign in surface.items()
            if cells[relations.truth + index] != relations.truth_on(index, side * sign)
        ]

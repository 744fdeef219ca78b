"""What varies continuously in one program: states, derivatives and algebraic variables, and how they are
computed."""

from __future__ import annotations

import math

import numpy as np

from saltus.ir.native.contract import TIME_SLOT, Counter
from saltus.run.failures import unsolved
from saltus.run.memory.dependence import mode_slots
from saltus.run.memory.memory import Memory

#: Numbers that are summed one by one rather than handed to NumPy.
ONE_BY_ONE = 64


class Continuous:
    """The continuous variables in a memory. Routines that every event needs are bound once; each gives a
    status, 0 if all went well."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self.states = memory.section("states")
        self.derivatives = memory.section("derivatives")
        self.outputs = memory.routines["outputs"]
        self.relations = memory.routines["relations"]
        self.crossings = memory.routines["crossings"]
        #: Where a routine that was called back leaves the status of its failure.
        self.status_slot = memory.first("counters") + Counter.STATUS
        #: Slots of what only events change and the derivatives depend on.
        self.mode_slots = mode_slots(memory.structure, memory.layout)
        #: States, derivatives and algebraic variables lie side by side: the first slot, and how many.
        self.first = memory.first("states")
        self.count = memory.first("algebraics") + memory.length("algebraics") - self.first
        self._all = memory.array[self.first : self.first + self.count]

    def compute(self) -> None:
        """All continuous unknowns, from the states."""
        status = self.outputs()
        if status:
            raise unsolved.failure(self._memory, status)

    def advance(self, step: float) -> None:
        """Time and states a small step further, along the derivatives. Nothing is computed."""
        self._memory.cells[TIME_SLOT] += step
        self.states += step * self.derivatives

    @property
    def is_finite(self) -> bool:
        """Whether all continuous variables have finite values."""
        # The sum of anything that is not finite is not finite either, and is found more quickly. Infinities
        # of both signs have no sum, which is no news.
        if self.count <= ONE_BY_ONE and math.isfinite(sum(self._all.tolist())):
            return True
        with np.errstate(invalid="ignore", over="ignore"):
            total = self._all.sum()
        return math.isfinite(total) or bool(np.isfinite(self._all).all())

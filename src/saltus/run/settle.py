"""Consistent truths for the relations, also where the presumed ones make a loop singular.

A pass (`settle`, native) solves all blocks with the truths that relations had before, then looks at the
relations. If a loop has no solution with truths that no longer hold, the pass ends before they can be
corrected: a switch is thought open that is closed by now, and so a current has nowhere to flow. What stands
before the loop has been computed, though, and the truths that follow from it are right. They are taken over,
and everything is done again; only a loop that fails with truths that agree with all that is known has failed.
"""

from __future__ import annotations

import numpy as np

from saltus.ir.program import SETTLE_FAILED
from saltus.run.memory import Memory


class Settling:
    """The routine `settle` or `settle_initial`, to be called like it."""

    def __init__(self, memory: Memory, name: str) -> None:
        self._memory = memory.array
        self._settle = memory.routines[name]
        self._look, self._update = memory.routines["relations"], memory.routines[f"{name}_update"]
        self._truths = memory.section("relations")
        self._found = [memory.section(s) for s in ("relations", "signs", "zero_since")]

    def __call__(self) -> int:
        """The status of the last attempt; the memory is as that has left it."""
        memory, status = self._memory, 0
        for _ in range(len(self._truths) + 1):
            before = memory.copy()
            status = self._settle()
            if status in (0, SETTLE_FAILED):
                break
            failed = memory.copy()
            unseen = self._look() or self._update()
            corrected = [section.copy() for section in self._found]
            memory[:] = failed
            if unseen or np.array_equal(corrected[0], self._truths):
                break
            memory[:] = before  # without what an unsuccessful iteration left
            for section, values in zip(self._found, corrected, strict=True):
                section[:] = values
        return status

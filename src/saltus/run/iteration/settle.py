"""Consistent truths for the relations, and values for what is presumed.

A pass (`settle`, native) solves all blocks with the truths that relations had before, then looks at the
relations; it is repeated until nothing changes. Two things may go wrong. If a loop has no solution with
truths that no longer hold, the pass ends before they can be corrected: a switch is thought open that is
closed by now, and so a current has nowhere to flow. What stands before the loop has been computed, though,
and the truths that follow from it are right. They are taken over, and everything is done again; only a loop
that fails with truths that agree with all that is known has failed.

If truths keep changing, or the last truths make linear equations singular, other choices are searched for
(`search`). What was found to be singular is kept: the choice may be one that holds for this instant only,
since with the truths that were presumed the equations have another structure (`modes`).
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from saltus.functions.external.random import undisturbed
from saltus.ir.program import SETTLE_FAILED
from saltus.ir.sorted.blocks import Linear
from saltus.run.iteration.search import Search
from saltus.run.memory.memory import Memory
from saltus.run.memory.trail import Trail


class Settling:
    """The routine `settle` or `settle_initial`, to be called like it."""

    def __init__(self, memory: Memory, name: str) -> None:
        self._memory, self._whole = memory.array, memory
        self._trail = memory.trail if name == "settle" else None
        self._settle = memory.routines[name]
        self._look, self._update = memory.routines["relations"], memory.routines[f"{name}_update"]
        self._truths = memory.section("relations")
        self._found = [memory.section(s) for s in ("relations", "presumed", "signs", "zero_since")]
        self._failures = memory.program.failures
        self._new_search = partial(Search, memory, name)
        #: The status of a singular block and the memory then, where a search has found other truths.
        self.avoided: tuple[int, NDArray[np.float64]] | None = None

    def __call__(self) -> int:
        """The status of the last attempt; the memory is as that has left it."""
        memory, status = self._memory, 0
        before = memory
        for _ in range(len(self._truths) + 1):
            before = memory.copy()
            if self._trail is not None:
                with undisturbed():
                    self._tell_passes(self._trail)
            status = self._settle()
            if status in (0, SETTLE_FAILED):
                break
            failed = memory.copy()
            unseen = self._look() or self._update()
            corrected = [section.copy() for section in self._found]
            memory[:] = failed
            agree = zip(self._found[:2], corrected[:2], strict=True)
            if unseen or all(np.array_equal(new, old) for new, old in agree):
                break
            memory[:] = before  # without what an unsuccessful iteration left
            for section, values in zip(self._found, corrected, strict=True):
                section[:] = values
        return self._searched(before, status) if status else 0

    def _tell_passes(self, trail: Trail) -> None:
        """Makes the passes that native code is about to make, one by one, for a trail. The memory stays as it
        is. A mode without solution has no values; where modes cycle, each occurs once."""
        memory, cells, evaluate = self._memory, self._whole.cells, self._whole.routines["evaluate"]
        before, changed, seen = memory.copy(), self._whole.first("scratch"), set[bytes]()
        while not evaluate():
            taken = b"".join(section.tobytes() for section in self._found[:2])
            if taken in seen:
                break
            seen.add(taken)
            trail.tries(self._whole)
            cells[changed] = 0.0
            if self._look() or self._update():
                break
            if not cells[changed]:
                trail.stays()
                break
        memory[:] = before

    def _searched(self, before: NDArray[np.float64], status: int) -> int:
        """The status after a search that begins where `settle` began."""
        singular = isinstance(self._failures.get(status), Linear)
        if not (singular or status == SETTLE_FAILED):
            return status
        search, memory = self._new_search(), self._memory
        failed = memory.copy()
        memory[:] = before
        if search and not search():
            self.avoided = (status, failed) if singular else self.avoided
            return 0
        memory[:] = failed
        return status

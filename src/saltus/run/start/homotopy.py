"""The way from the simplified initial system to the actual one (the operator `homotopy`).

The simplified system, lambda = 0, is solved from the start values. Each later one is solved from the solution
before it. The first step is a quarter of the way; a step that fails is halved and one that succeeds is
doubled, so an easy model takes four solutions of its initial system.

The simplified system comes first even where the actual one could be solved from the start values: it has
often several solutions, and with the operator the user says which one is meant.
"""

from __future__ import annotations

import numpy as np

from saltus.ir.program import ROW_SECTIONS
from saltus.run.iteration.settle import Settling
from saltus.run.memory.memory import Memory

FIRST_STEP = 0.25
SMALLEST_STEP = 1e-4
MOST_STEPS = 300

#: Where the way begins: the equations may be sorted such that lambda = 0 itself is singular (an unknown that
#: the simplified expression does not contain).
BEGINNINGS = (0.0, 0.001, 0.1)


def follow_homotopy(memory: Memory) -> int:
    """Solves the initial system on the way from lambda = 0 to 1. Gives the number of steps that were tried; 0
    where the way has no end, then memory is as it was, with lambda = 1."""
    start = memory.array.copy()
    for beginning in BEGINNINGS:
        memory.array[:] = start
        if _solved(memory, beginning):
            steps = _follow(memory, beginning)
            if steps:
                return steps
    memory.array[:] = start
    memory.cells[memory.first("homotopy")] = 1.0
    return 0


def _follow(memory: Memory, reached: float) -> int:
    width = FIRST_STEP
    good = memory.array.copy()
    for step in range(1, MOST_STEPS + 1):
        goal = min(1.0, reached + width)
        if _solved(memory, goal):
            if goal == 1.0:
                return step
            reached, good, width = goal, memory.array.copy(), 2.0 * width
        else:
            memory.array[:] = good
            width *= 0.5
            if width < SMALLEST_STEP:
                break
    return 0


def _solved(memory: Memory, at: float) -> bool:
    memory.cells[memory.first("homotopy")] = at
    if Settling(memory, "settle_initial")():
        return False
    return all(bool(np.isfinite(memory.section(name)).all()) for name in ROW_SECTIONS)

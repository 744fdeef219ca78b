"""A mode to start in, where no initial system agrees with the mode that it was made for.

The initial system of a mode determines values for that mode alone. The start values may contradict what the
mode demands: a body is told to move, while it is presumed to stick. Or each mode leads to another: it is at
rest, but pushed so hard that it is about to move. Then the start values are taken for left limits of the
first instant, and modes are entered and chosen as at every other event: impulses and derivatives say which
way to go (`saltus.run.modes`). What is fixed must be the same afterwards: at the start nothing jumps.
"""

from __future__ import annotations

import numpy as np

from saltus.core.diagnostics import RunError
from saltus.run.engine import Engine
from saltus.run.initialise import presume_start, remember_start
from saltus.run.memory import Memory
from saltus.run.modes import Modes

#: How far a value may be from its fixed start value, relative to its size, as for redundant start values.
_CONSISTENT = 1e-6


def entered_at_start(modes: Modes, engine: Engine, time: float) -> Engine | None:
    """The engine of a mode in which the start values hold, with all values computed; None if there is none.
    `engine` is any engine, with parameters."""
    if engine.structure.model.initial_equations:
        return None  # they hold in a mode that is known, not before it
    presume_start(engine.memory, time)
    if not engine.structure.mode.fixed:
        _follow_starts(engine.memory)
    try:
        found = modes.settled(engine)
    except RunError:
        return None
    if not _keeps_starts(found.memory):
        return None
    remember_start(found.memory)
    return found


def drifted_at_start(modes: Modes, engine: Engine) -> Engine:
    """The engine to start in when an initial system has been solved. Its mode may be one of the first instant
    only: residues are zero, but about to be positive or negative, or a source is zero that is shorted. Then
    another one is taken in which nothing jumps; where something does, that is the event at the start."""
    before = engine.memory.array.copy()
    found = modes.settled(engine)
    if any(weight for _, weight in found.impulses()):
        engine.memory.array[:] = before
        return engine
    remember_start(found.memory)
    return found


def _follow_starts(memory: Memory) -> None:
    """Gives variables that follow from start values, whatever the mode, their values: in the general program
    these are computed before anything that a mode has to determine."""
    before = memory.array.copy()
    memory.routines["evaluate"]()
    computed = memory.section("algebraics").copy()
    memory.array[:] = before
    known = np.isfinite(computed)
    memory.section("algebraics")[known] = computed[known]


def _keeps_starts(memory: Memory) -> bool:
    """Whether all that is fixed has its start value."""
    model = memory.structure.model
    for v in (*model.states, *model.algebraics):
        slot = memory.slot(v.symbol)
        if v.fixed and v.start is not None and slot is not None:
            start = memory.number(v.start, 0.0)
            if abs(memory.cells[slot] - start) > _CONSISTENT * (1.0 + abs(start)):
                return False
    return True

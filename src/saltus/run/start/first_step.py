"""The first instant of what a formula of fixed steps determines (`saltus.analyse.inline`).

    x = c + weight*der(x)

What a switch may determine cannot begin as a state does. In a mode with `x = 0`, the value at the start does
not determine der(x), and nothing else does. So the value at the start is that of c, and x is a step later:
one that is shorter than the others by far, so that modes are those of the start, not of a step after it. Then
c becomes what it has to be for x to be where it begins, with steps of the full length; what had to jump does
so with these as well.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from saltus.expr.nodes import ref
from saltus.ir.hybrid import Inlined
from saltus.ir.inline import INSTANT, STEP
from saltus.ir.structure import Structure
from saltus.run.engine.engine import Engine
from saltus.run.schedule.settings import Settings

#: The first step, as a part of the others.
PART_OF_OTHERS = 1e-3

#: So often c is made anew, since derivatives depend on x.
_TIMES = 3


def with_first_step(structure: Structure, settings: Settings) -> Settings:
    """The settings with a first step that is short, where something is not held at events."""
    if settings.step is None or all(note.held for note in _begun(structure)):
        return settings
    return replace(settings, overrides={**settings.overrides, STEP: PART_OF_OTHERS * settings.step})


def with_whole_step(engine: Engine, settings: Settings) -> None:
    """Steps of the full length from here on."""
    memory, structure = engine.memory, engine.structure
    begun, inlining = _begun(structure), structure.model.inlining
    if not begun:
        return
    assert inlining is not None and settings.step is not None
    slots, array = memory.layout.slots, memory.array
    rate_of = {v.symbol.derivative_of: v.symbol for v in structure.model.algebraics}
    carriers = [slots[ref(note.carrier)] for note in begun]
    rates = [slots[ref(rate_of[note.symbol])] for note in begun]
    ahead = inlining.formula.weight * settings.step
    weights = np.array([ahead * INSTANT if note.held else ahead for note in begun])
    began = array[carriers].copy()
    memory.store(inlining.length, settings.step)
    memory.routines["parameters"]()
    for _ in range(_TIMES):
        array[carriers] = began - weights * array[rates]
        engine.continuous.compute()


def _begun(structure: Structure) -> list[Inlined]:
    """What begins with the value of its carrier."""
    inlining = structure.model.inlining
    if inlining is None or inlining.ahead is None:
        return []
    return [note for note in inlining.variables if note.late]

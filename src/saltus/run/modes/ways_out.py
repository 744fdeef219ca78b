"""Ways out of modes that cannot be: where searches have led from there, part by part.

A transistor is switched on while the diode beside it conducts: the equations of both contradict each other,
and a search finds that the diode blocks. That has nothing to do with other converters. So it is kept for the
part of the system whose equations contradicted each other, under the values that its guards had, and tried
first when that part is there again, whatever other parts do. A part of its own has few such values; all parts
together have as many as there are combinations. What is given at the instant behind the guards belongs to
these values: two valves of a half-bridge, each of which conducts if it is switched on or its diode conducts,
contradict each other in the same way whichever is switched on, but the way out is another.

What is tried is a presumption like any other: the mode has to reproduce itself. The driver knows the same
ways (`saltus.emit.driver.entering`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from saltus.expr.nodes import Type
from saltus.ir.sorted.blocks import Leading
from saltus.run.engine.engine import Engine
from saltus.run.modes.deciding import behind, guards_in
from saltus.run.modes.singular import refuted_rows

#: The largest number of ways kept for an engine: a large part has too many to be found again.
MOST_KEPT = 1000


class Way(NamedTuple):
    """Where guards have these values, and what is given at an instant these truths, relations and guards get
    those: pairs of slot and number."""

    guards: tuple[tuple[int, float], ...]
    truths: tuple[tuple[int, float], ...]


class WaysOut:
    """The ways out of the modes of each engine."""

    def __init__(self) -> None:
        self._of: dict[Engine, dict[tuple[tuple[int, float], ...], Way]] = {}
        #: How often something was learnt.
        self.learnt = 0

    def learn(self, engine: Engine, block: Leading, numbers: NDArray[np.float64], found: Engine) -> None:
        """A system had no solution with the numbers that an engine had, and a search has led to another, or
        to the same with other truths, which has one."""
        ways = self._of.setdefault(engine, {})
        guards, relations_behind = frozenset(engine.structure.model.mode_guards()), behind(engine)
        for rows in refuted_rows(engine, block, numbers):
            if len(ways) >= MOST_KEPT:
                break
            own = guards_in(guards, [block.equations[row] for row in rows])
            kept = [guard for guard in own if guard.type is not Type.REAL]
            slots = [engine.mode.guards.slot(guard) for guard in kept]
            first = engine.memory.first("relations")
            slots += (first + k for k in relations_behind.inputs(own))
            key = tuple((slot, float(numbers[slot])) for slot in sorted(set(slots)))
            # Guards that are discrete variables follow truths later than the system needs them.
            truths = {engine.mode.guards.slot(x): float(found.mode.guards.value(x)) for x in kept}
            # What follows from time alone is an input of the instant, even at its own edge: no way turns it.
            turned = (k for k in relations_behind(own) if k not in engine.structure.given)
            truths |= {first + k: float(found.mode.truths[k]) for k in turned}
            if any(numbers[slot] != truth for slot, truth in truths.items()):
                ways[key] = Way(key, tuple(truths.items()))
                self.learnt += 1

    def take(self, engine: Engine, numbers: NDArray[np.float64]) -> bool:
        """Gives an engine the numbers with which a system had no solution, with other truths for the parts of
        which a way out is known; whether there are such parts."""
        taken = [way for way in self.of(engine) if all(numbers[slot] == value for slot, value in way.guards)]
        if not taken:
            return False
        engine.memory.array[:] = numbers
        for way in taken:
            for slot, truth in way.truths:
                engine.memory.cells[slot] = truth
        return True

    def of(self, engine: Engine) -> list[Way]:
        """The ways that are known."""
        return list(self._of.get(engine, {}).values())

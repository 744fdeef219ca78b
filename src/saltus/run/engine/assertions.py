"""What a model says of its own run: assertions that must hold, and `terminate`."""

from __future__ import annotations

import numpy as np

from saltus.core.diagnostics import Diagnostic
from saltus.run.engine.engine import Engine
from saltus.run.failures import given_up


class Assertions:
    """Looks at them where values are new. `warnings` is the list that those of the run go to; of an assertion
    that only warns, this is done once, and `warned` holds the numbers of those of which it has been done."""

    def __init__(self, warnings: list[Diagnostic], warned: set[int]) -> None:
        self.warnings = warnings
        self.warned = warned
        self.ended = False  # by terminate

    def look(self, engine: Engine, now: float) -> None:
        """At the values of the engine's last row. Raises E406 where one is violated."""
        if not engine.checks.any_active():
            return
        memory = engine.memory
        for index in np.flatnonzero(memory.section("checks")).tolist():
            self.violated(engine, index, now)
        active = np.flatnonzero(memory.section("endings")).tolist()
        if active:
            self._end(engine, active[0], now)

    def after_event(self, engine: Engine, now: float) -> None:
        """What became false, and what asked for the end, while an event was iterated."""
        iteration = engine.iteration
        for index in iteration.take_warned():
            self.violated(engine, index, now)
        if iteration.endings:
            self._end(engine, iteration.endings[0], now)

    def violated(self, engine: Engine, index: int, now: float) -> None:
        """Raises an error for a violated assertion, or a warning, as its level says."""
        memory, check = engine.memory, engine.structure.model.checks[index]
        if not check.warning:
            raise given_up.violated(memory, check)
        if index not in self.warned:
            self.warned.add(index)
            text = f"{memory.message(check.message)} (at time {now:.6g})"
            self.warnings.append(Diagnostic("W401", text, check.span, origin=check.origin))

    def _end(self, engine: Engine, index: int, now: float) -> None:
        if not self.ended:
            self.ended = True
            ending = engine.structure.model.endings[index]
            text = f"{engine.memory.message(ending.message)} (terminate at time {now:.6g})"
            self.warnings.append(Diagnostic("W402", text, ending.span, origin=ending.origin))

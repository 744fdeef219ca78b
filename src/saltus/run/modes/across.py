"""An event that may lead from one program to another: rounds that are decided by the choice of a mode.

The steps are those of every event (`saltus.ir.native.steps`). Only what Python alone knows is added to them:
impulses, and what is struck.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from saltus.expr.nodes import Symbol
from saltus.ir.native.steps import EVENT
from saltus.result.log.records import Round
from saltus.run.engine.engine import Engine
from saltus.run.iteration.carried import Carried
from saltus.run.iteration.events import Happening
from saltus.run.iteration.following import followed


@dataclass(frozen=True)
class Outcome:
    """The outcome of an event: the engine in which the run continues, what happened in each round, relations
    of time that fired with it, and impulses by name."""

    engine: Engine
    rounds: tuple[Round, ...]
    timed: list[int]
    impulses: tuple[tuple[str, float], ...]


class Chosen(Protocol):
    """What is asked of the modes of a run, which are `saltus.run.modes.modes.Modes`."""

    def settled(self, engine: Engine, fired: Sequence[tuple[int, float]], /) -> Engine: ...

    def stays(self, engine: Engine, /) -> bool: ...

    def deciding(self, engine: Engine, /) -> list[int]: ...


class _Across(Happening):
    """One event while it happens, in whichever engine it has come to."""

    def __init__(
        self,
        modes: Chosen,
        carried: Carried,
        tolerance: float,
        engine: Engine,
        fired: Sequence[tuple[int, float]],
        due: Sequence[int],
    ) -> None:
        super().__init__(engine.iteration, fired, due, len(engine.structure.relations))
        self._modes, self._carried, self._tolerance = modes, carried, tolerance
        self._struck: list[tuple[Symbol, float]] = []
        #: Where it has come to.
        self.engine = engine
        #: Impulses so far, by name.
        self.impulses: dict[str, float] = {}

    def leave_room(self) -> None:
        """Relations that are away from zero have bands as usual."""
        self.engine.at_zero.leave_room()

    def presume(self) -> None:
        """What has fired has the truth of the side it moves to; so have relations that held the run on a
        surface which it leaves. These fire in no other way."""
        super().presume()
        cells, relations = self.engine.memory.cells, self.engine.relations
        for k, side in self._fired if self.engine.structure.surfaces else ():
            cells[relations.truth + k] = relations.truth_on(k, side)

    def stays_settled(self) -> bool:
        """Whether this is a further round, and nothing is decided anew in it."""
        return bool(self.written) and not self._struck and _is_settled(self._modes, self.engine)

    def settled(self) -> None:
        """The mode that reproduces itself."""
        self.engine = self._modes.settled(self.engine, () if self.written else self._fired)
        self._iteration = self.engine.iteration

    def log_round(self) -> None:
        for name, weight in self.engine.mode.impulses():
            self.impulses[name] = self.impulses.get(name, 0.0) + weight
        super().log_round()

    def commit(self) -> None:
        self._struck = self.engine.mode.struck()
        super().commit()
        for state, value in self._struck:
            self.engine.memory.store(state, value)

    def carry(self) -> None:
        """What follows from states that were reinitialised goes with them before the next round chooses a
        mode: taken for a left limit, what it was before would contradict the mode, and other states would
        have to give way. Where these states are tied to others, those do not go with them."""
        engine, memory = self.engine, self.engine.memory
        jumped = memory.section("jumped")
        if not self._struck and not jumped.any():
            return
        if engine.mode.is_tied:
            states = zip(engine.structure.states, jumped.tolist(), strict=True)
            moved = [state for state, _ in self._struck] + [v.symbol for v, jumps in states if jumps]
            self._carried.carry(memory, moved)
            return
        if not engine.mode.carries:
            return
        before = memory.array.copy()
        if engine.continuous.outputs():
            memory.array[:] = before  # in another mode, perhaps, there are values

    def nothing_changed(self) -> bool:
        return super().nothing_changed() and not self._struck and not self._is_left_at_once()

    def _is_left_at_once(self) -> bool:
        """Whether impulses have decided for a mode that the values after them contradict: a tooth that was
        struck moves away. What follows happens in the next round."""
        if not any(weight for _, weight in self.engine.mode.impulses()):
            return False
        engine, memory = self.engine, self.engine.memory
        residues, bands, truths = (memory.section(s) for s in ("residues", "bands", "relations"))
        return any(
            abs(residues[k]) > bands[k] and truths[k] != engine.relations.truth_on(k, residues[k])
            for k in self._modes.deciding(engine)
        )

    def make_room(self) -> None:
        """Relations that leave zero without speed have room, if modes depend on one that has changed."""
        deciding = self._modes.deciding(self.engine)
        changed = any(self._before[k] != self._left[k] for k in deciding)
        self.engine.at_zero.make_room(deciding if changed else (), self._tolerance)


_follow = followed(EVENT, _Across, across=True)


def event_across(
    modes: Chosen,
    carried: Carried,
    tolerance: float,
    engine: Engine,
    fired: Sequence[tuple[int, float]],
    due: Sequence[int],
) -> Outcome:
    """One event, from the left limits that an engine has, all computed: the relations that fired, with the
    signs of the sides they move to, and the clocks that tick."""
    event = _Across(modes, carried, tolerance, engine, fired, due)
    _follow(event)
    impulses = tuple((name, weight) for name, weight in event.impulses.items() if weight)
    return Outcome(event.engine, tuple(event.written), event.timed, impulses)


def _is_settled(modes: Chosen, engine: Engine) -> bool:
    """Whether nothing is decided anew in a further round, which begins with values after the instant: the
    mode stays, and so do all truths, if nothing was reinitialised."""
    memory = engine.memory
    if memory.section("jumped").any():
        return False
    before = memory.array.copy()
    truths, count = memory.section("relations"), len(engine.structure.relations)
    old = truths[:count].copy()
    discretes = memory.section("discretes").copy()
    if not memory.routines["settle"]() and modes.stays(engine) and engine.continuous.is_finite:
        same = np.array_equal(truths[:count], old)
        depends = engine.structure.entry is not None
        if same and not (depends and (memory.section("discretes") != discretes).any()):
            engine.mode.no_impulses()
            return True
    memory.array[:] = before
    return False

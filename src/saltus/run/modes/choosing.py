"""The choice of a mode at one instant, step by step (`saltus.ir.native.steps`).

Where that does not end, or comes to a dead end, others are searched for (`mode_search`), and where a search
has led is remembered.
"""

from __future__ import annotations

from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from saltus.core.diagnostics import RunError
from saltus.ir.native.contract import MOST_ENTRIES, MOST_TURNS, MOST_WAYS_OUT
from saltus.ir.native.steps import ENTERED, SETTLED
from saltus.ir.sorted.blocks import Leading
from saltus.run.engine.engine import Engine
from saltus.run.iteration.following import followed
from saltus.run.modes.entering import Impossible, Instant
from saltus.run.modes.mode_search import ModeSearch, Searched
from saltus.run.modes.ways_out import WaysOut

_Truths: TypeAlias = NDArray[np.float64]


class Entered(Searched, Protocol):
    """What is asked of the modes of a run, which are `saltus.run.modes.modes.Modes`."""

    def belonging(self, instant: Instant, engine: Engine, /) -> Engine: ...

    def take_left(self, instant: Instant, new: Engine, presumed: Engine, /, *, holding: bool) -> None: ...

    def stays(self, engine: Engine, /) -> bool: ...

    def knows_too_little(self, engine: Engine, found: Impossible, /) -> bool: ...

    def accept(self, instant: Instant, engine: Engine, /) -> None: ...


class Choosing:
    """Chooses modes for a run."""

    def __init__(self, modes: Entered) -> None:
        self._modes = modes
        self._search = ModeSearch(modes)
        self.forget()

    def forget(self) -> None:
        """Other guards are fixed from now on: searches may lead elsewhere."""
        #: Where searches have led from modes that cannot be, which is tried first when a run is there again:
        #: part by part where a system finds its structure by numbers, and for the whole model elsewhere.
        self.ways_out = WaysOut()
        self._of_all: dict[tuple[Engine, bytes], _Truths] = {}

    def found_from(self, engine: Engine) -> list[tuple[_Truths, _Truths]]:
        """Where searches have led from modes of an engine: all truths there, and those found."""
        known = [(ended, truths) for (of, ended), truths in self._of_all.items() if of is engine]
        return [(np.frombuffer(ended), truths) for ended, truths in known]

    def __call__(self, instant: Instant, engine: Engine) -> Engine:
        """The engine of the mode that reproduces itself, where the truths of another are presumed first."""
        try:
            return self._chosen(instant, engine)
        except RunError as error:
            # Where bodies come to rest in ever smaller collisions, the last ones are errors of integration.
            try:
                return self._chosen(instant, instant.forgive())
            except RunError:
                raise error from None

    def strictly(self, instant: Instant, engine: Engine) -> Engine:
        """The engine of the chosen mode, without tolerance for small contradictions."""
        return self._chosen(instant, engine)

    def _chosen(self, instant: Instant, engine: Engine) -> Engine:
        """Where a system that finds its structure numerically has no solution, another mode is tried first:
        one in which a capacitor is shorted for the instant between two diodes needs no program of its own,
        since it does not stay. Only where there is no other, or one that holds for this instant only, guards
        are fixed with their values."""
        choice = _Choice(self._modes, instant, engine, self._leads_out, learns=False)
        try:
            found = self._ended(choice)
            if not choice.has_postponed or not self._is_given_up(found):
                return found
        except RunError:
            if not choice.has_postponed:
                raise
        choice = _Choice(self._modes, instant, instant.restored(), self._leads_out, learns=True)
        return self._ended(choice)

    def _is_given_up(self, engine: Engine) -> bool:
        """Whether a mode is left as soon as time advances: a residue at zero moves, perhaps gently at first,
        to the side on which its relation has the other truth. A body that has been stopped would fall
        again."""
        cells, relations = engine.memory.cells, engine.relations
        states = set(relations.of_states)
        among = [k for k in self._modes.deciding(engine) if k in states and cells[relations.signs + k] == 0.0]
        moves = engine.at_zero.departures(among).items()
        return any(move and cells[relations.truth + k] != relations.truth_on(k, move) for k, move in moves)

    def _ended(self, choice: _Choice) -> Engine:
        try:
            _settled(choice)
        except _NoneReproducesItself:
            choice.engine = self._searched(choice)
            choice.accept()
        return choice.engine

    def _leads_out(self, engine: Engine, problem: Impossible, *, of_parts: bool) -> bool:
        """Whether a way is known out of a mode of an engine that cannot be; then the truths that a search has
        found there are presumed. It is one of parts of the model, or one of the whole."""
        if of_parts:
            if not isinstance(problem.block, Leading) or problem.numbers is None:
                return False
            return self.ways_out.take(engine, problem.numbers)
        truths = self._of_all.get((engine, engine.mode.truths.tobytes()))
        if truths is None:
            return False
        # What follows from time alone was an input there, and is another one here.
        given = engine.structure.given
        searched = [k for k in range(len(engine.structure.relations)) if k not in given]
        engine.mode.truths[searched] = truths[searched]
        return True

    def _searched(self, choice: _Choice) -> Engine:
        instant, engine, problem = choice.instant, choice.engine, choice.problem
        ended = engine.mode.truths.tobytes()
        self._search.learns, self._search.has_postponed = choice.learns, False
        try:
            found = self._search(instant, engine, problem)
        finally:
            choice.has_postponed |= self._search.has_postponed
        if problem is None or (choice.has_postponed and self._is_given_up(found)):
            return found  # a way that leads nowhere is not kept
        if isinstance(problem.block, Leading) and problem.numbers is not None:
            self.ways_out.learn(engine, problem.block, problem.numbers, found)
        else:
            self._of_all[engine, ended] = found.mode.truths.copy()
        return found


class _LeadsOut(Protocol):
    """Presumes truths that lead out of a mode that cannot be, if such are known."""

    def __call__(self, engine: Engine, problem: Impossible, /, *, of_parts: bool) -> bool: ...


class _NoneReproducesItself(Exception):
    """The usual way to a mode has come to an end."""


class _Entering:
    """A mode that is entered tentatively: the steps of `ENTERED`."""

    def __init__(self, modes: Entered, instant: Instant, engine: Engine) -> None:
        self._modes, self._instant = modes, instant
        self._there = engine
        self._has_followed = False
        self._tries = 0
        #: The one that it has come to.
        self.engine = engine

    def belonging(self) -> None:
        """Finds the engine that the guards belong to."""
        self._there = self._modes.belonging(self._instant, self.engine)

    def take_left(self) -> None:
        """Gives it the left limits, and the truths that are presumed."""
        self._modes.take_left(self._instant, self._there, self.engine, holding=True)
        self.engine = self._there

    def settle_truths(self) -> None:
        """Lets truths follow from values."""
        try:
            self._has_followed = self._instant.settle(self.engine, self._modes.stays)
        except Impossible as found:
            if not self._modes.knows_too_little(self.engine, found):
                raise

    def is_entered(self) -> bool:
        """Whether truths have followed from values, or that was tried often enough."""
        self._tries += 1
        return self._has_followed or self._tries >= MOST_ENTRIES


#: Enters a mode tentatively, from the engine and the truths that are presumed.
enter = followed(ENTERED, _Entering)


class _Choice:
    """The choice of a mode at one instant: the steps of `SETTLED`."""

    def __init__(
        self, modes: Entered, instant: Instant, engine: Engine, leads_out: _LeadsOut, *, learns: bool
    ) -> None:
        self._modes, self.instant, self._leads_out = modes, instant, leads_out
        #: Whether guards are fixed where a system by numbers has no solution; if not, whether that was so.
        self.learns, self.has_postponed = learns, False
        self._ways_taken = 0
        self._turned: dict[int, int] = {}  # how often relations were decided by their derivatives
        self._wrong: list[int] = []  # of them, those that have just been
        self._seen: set[bytes] = set()
        self._is_entered = False
        self._entries = 0
        #: The engine that it has come to, and why it did not get any further, if a mode cannot be.
        self.engine = engine
        self.problem: Impossible | None = None
        self._trail = engine.memory.trail

    def freeze(self) -> None:
        """The left limits are those of the instant, which may have to be gone through again."""
        if self._trail is not None:
            self._trail.begin_choice()

    def entered(self) -> None:
        """Enters the mode that guards belong to; where that is not possible, the next attempt begins with
        what has been learnt, or with the truths that a search has found here before."""
        self._wrong, self._is_entered = [], False
        start = self.engine
        try:
            entering = _Entering(self._modes, self.instant, start)
            enter(entering)
            self.engine, self._is_entered = entering.engine, True
        except Impossible as found:
            self.engine = engine = found.engine or start
            if self._ways_taken < MOST_WAYS_OUT and self._leads_out(engine, found, of_parts=True):
                self._ways_taken += 1
                return
            if self._has_learnt(engine, found):
                return
            self.problem, ended = found, engine.mode.truths.tobytes()
            if ended in self._seen or not self._leads_out(engine, found, of_parts=False):
                raise _NoneReproducesItself from None
            self._seen.add(ended)

    def _has_learnt(self, engine: Engine, found: Impossible) -> bool:
        if isinstance(found.block, Leading) and not self.learns:
            self.has_postponed = True
            return False
        return found.block is not None and self._modes.learn(engine, found.block, found.numbers)

    def stays(self) -> bool:
        """Whether the guards belong to the program that was entered."""
        return self._is_entered and self._modes.stays(self.engine)

    def release(self) -> bool:
        """Whether what was held agrees with the states; if not, it has changed."""
        return self.instant.release(self.engine)

    def leans_nowhere(self) -> bool:
        """Whether nothing that is zero leans to the side on which it has the other truth; if not, it is
        turned, unless that was done often enough."""
        astray = self.instant.astray(self.engine, self._modes.deciding(self.engine))
        self._wrong = [k for k in astray if self._turned.get(k, 0) < MOST_TURNS]
        for k in self._wrong:
            self._turned[k] = self._turned.get(k, 0) + 1
            self.engine.at_zero.turn(k)
        if self._trail is not None and not self._wrong:
            self._trail.stays()
        return not self._wrong

    def wanders(self) -> None:
        """Gives up what goes round in a circle, or does not end."""
        if self._is_entered:
            state = self.engine.mode.truths.tobytes()
            state += self.engine.memory.section("discretes").tobytes()
            if not self._wrong and state in self._seen:
                raise _NoneReproducesItself
            self._seen.add(state)
        self._entries += 1
        if self._entries >= MOST_ENTRIES:
            raise _NoneReproducesItself

    def accept(self) -> None:
        """States are exactly as the entry has them."""
        self._modes.accept(self.instant, self.engine)


_settled = followed(SETTLED, _Choice)

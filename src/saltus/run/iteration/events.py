"""Event iteration: from the left limits at an instant to consistent values after it.

Following papers 000 and 001. `approach` (native) gives relations that rest at zero the truth of zero. The
truth of those that fired is presumed to be that of the side they move to; `settle` (native) repeats the
evaluation until the relations agree with the values they produce, states and pre values frozen; `commit`
(native) then makes the new values the pre values and applies reinit. That is one round; rounds are repeated
until a commit changes nothing. Clocks are true for the first rounds only and are then taken back, so that
their edges are armed again. The order of all this is in `saltus.ir.native.steps`, for native code as well.

An event costs some ten microseconds of Python, so everything it touches is bound in advance.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from saltus.core.diagnostics import RunError
from saltus.expr.nodes import Op
from saltus.expr.traversal import leaves
from saltus.ir.native.contract import Counter
from saltus.ir.native.drive import RESIDUE, SIGN
from saltus.ir.native.steps import EVENT
from saltus.result.log.records import TRACE_SECTIONS, Round, traced_round
from saltus.run.failures import flips, given_up, unsolved
from saltus.run.iteration.following import followed
from saltus.run.iteration.rounds import Rounds
from saltus.run.iteration.settle import Settling
from saltus.run.memory.memory import Memory

#: The number of further rounds to see which variables keep changing.
WATCHED_ROUNDS = 12


class Trace:
    """The truths and residues of the first relations, and all discrete variables, one after the other."""

    def __init__(self, relations: int) -> None:
        self.relations = relations

    def __call__(self, memory: Memory) -> NDArray[np.float64]:
        truths, residues, discretes = (memory.section(s) for s in TRACE_SECTIONS)
        return np.concatenate([truths[: self.relations], residues[: self.relations], discretes])


class EventIteration:
    """What the steps of an event do to one machine. Call `iterate` with memory at the left limits."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self._cells = memory.cells
        routines = memory.routines
        self._depart = routines["depart"]
        #: Gives relations that rest at zero the truth of zero.
        self.approach = routines["approach"]
        self._presume, self._fire = routines["presume"], routines["fire"]
        self._settling = Settling(memory, "settle")
        self._commit = routines["commit"]
        self._checks = routines["checks"]
        self._changed = memory.first("counters") + Counter.CHANGED
        self._continuation = memory.first("counters") + Counter.CONTINUATION
        self._scratch = memory.first("scratch")
        self._clocks = memory.first("clocks")
        self._directions = memory.section("directions")
        relations = memory.structure.model.relations
        self._timed = np.array([r.is_time_event for r in relations], dtype=bool)
        self._has_timed = bool(self._timed.any())
        self._truths = memory.section("relations")
        self._signs, self._residues = memory.section("signs"), memory.section("residues")
        self._watch = _Watch(memory)
        #: Whether assertions or terminations may be active for single rounds.
        self.watches = self._watch.needed
        #: Where loops begin in the next iteration, after the left limits are remembered: slots and values.
        self.leap: tuple[Sequence[int], Sequence[float]] | None = None
        #: Messages of terminate() that became active.
        self.endings: list[int] = []

    def beginning(self) -> Round:
        """Residues and signs of all relations, for the record of the start."""
        both = ((RESIDUE, self._residues), (SIGN, self._signs))
        rows = [(what, k, x, x) for what, values in both for k, x in enumerate(values.tolist())]
        return np.array(rows, dtype=np.float64).reshape(-1, 4)

    def iterate(
        self, fired: Sequence[tuple[int, float]] = (), clocks: Sequence[int] = ()
    ) -> tuple[tuple[Round, ...], list[int]]:
        """One event within this program: the relations that fired (with the sign of the side they move to)
        and the clocks that tick. Gives the trace of the rounds, and the relations of time that fired with
        them."""
        self._settling.avoided = None
        event = Happening(self, fired, clocks, len(self._truths))
        _follow(event)
        return tuple(event.written), event.timed

    @property
    def avoided(self) -> tuple[int, NDArray[np.float64]] | None:
        """The status of a block that was singular in the last iteration until other truths were found, and
        the memory then."""
        return self._settling.avoided

    def depart(self) -> None:
        """States and others get their values before the event; a loop whose solution has ended leaps."""
        self._cells[self._continuation] = 1.0
        self._depart()
        if self.leap is not None:
            slots, values = self.leap
            self.memory.array[slots] = values
            self.leap = None

    def presume(self, fired: Sequence[tuple[int, float]]) -> None:
        """Relations that fired get the truth of the side they move to."""
        for index, sign in fired:
            self._directions[index] = sign
        self._presume()
        self._directions[:] = 0.0

    def fires(self) -> bool:
        """Gives relations of time whose crossing has come the truth after it; whether one of them changed."""
        if not self._has_timed:
            return False
        self._cells[self._scratch] = 0.0
        self._fire()
        return self._cells[self._scratch] != 0.0

    def timed_since(self, truths: NDArray[np.float64]) -> list[int]:
        """The relations of time that have other truths than these."""
        count = len(truths)
        return np.flatnonzero((self._truths[:count] != truths) & self._timed[:count]).tolist()

    def tick(self, clocks: Sequence[int], value: float) -> None:
        """Clocks are true, or false again, so that their edges are armed."""
        for clock in clocks:
            self._cells[self._clocks + clock] = value

    def end(self) -> None:
        """Nothing more happens at this instant."""
        self._cells[self._continuation] = 0.0

    def settle(self) -> None:
        """Passes until relations agree with the values that they produce."""
        status = self._settling()
        if status:
            raise unsolved.failure(self.memory, status)

    def commit(self) -> bool:
        """The end of a round: new values become `pre` values. Whether some have changed."""
        if self.memory.trail is not None:
            self.memory.trail.ends_round(self.memory)
        status = self._commit()
        if status:
            raise unsolved.failure(self.memory, status)
        return self._cells[self._changed] != 0.0

    def endless(self, rounds: int) -> RunError:
        """Raises an error for rounds that do not end, after a number of them."""
        return flips.discretes_flip(self.memory, self._still_changing(), rounds)

    def _still_changing(self) -> NDArray[np.bool_]:
        """Which discrete variables change in some further rounds."""
        discretes = self.memory.section("discretes")
        changing = np.zeros(len(discretes), dtype=bool)
        for _ in range(WATCHED_ROUNDS):
            before = discretes.copy()
            if self._settling():
                raise flips.relations_flip(self.memory)
            changing |= before != discretes
            self._commit()
        return changing

    def check_round(self) -> None:
        """Assertions and terminations inside when-clauses hold for one round only: look now."""
        self._checks()
        violated, endings = self._watch.momentary()
        for index in violated:
            check = self.memory.structure.model.checks[index]
            if not check.warning:
                raise given_up.violated(self.memory, check)
            self._watch.warned.append(index)
        self.endings += endings

    def take_warned(self) -> list[int]:
        """Assertions of warning level that failed in when-clauses since the last call."""
        warned, self._watch.warned = self._watch.warned, []
        return warned


class Happening:
    """One event while it happens, within one program. Its methods are the steps of `saltus.ir.native.steps`;
    the relations that fired have the signs of the sides they move to, and `due` are the clocks that tick."""

    def __init__(
        self,
        iteration: EventIteration,
        fired: Sequence[tuple[int, float]],
        due: Sequence[int],
        relations: int,
    ) -> None:
        self._iteration, self._fired, self._due = iteration, fired, due
        self._trace = Trace(relations)
        self._left = self._before = iteration.memory.array[:0]
        self._causes: Sequence[int] = ()
        self._count = Rounds()
        self._again = False
        #: What happened in each round.
        self.written: list[Round] = []
        #: The relations of time that fired with the others.
        self.timed: list[int] = []

    # ------------------------------------------------------------ begin_event

    def trace(self) -> None:
        """Keeps what the log compares with."""
        self._left = self._before = self._trace(self._iteration.memory)

    def depart(self) -> None:
        """Values at the left limits are those before the event."""
        self._iteration.depart()

    def approach(self) -> None:
        """What rests at zero is compared as zero."""
        self._iteration.approach()

    def presume(self) -> None:
        """What has fired has the truth of the side it moves to."""
        self._iteration.presume(self._fired)

    def fire(self) -> None:
        """Relations of time whose crossing has come get the truth after it. If one of them has changed, it
        has to be looked at what follows from it."""
        self._again |= self._iteration.fires()

    def log_causes(self) -> None:
        """Notes who fired."""
        if self._again:
            self.timed = self._iteration.timed_since(self._left[: self._trace.relations])
        self._causes = [*(index for index, _ in self._fired), *self.timed]

    def tick(self) -> None:
        """Clocks that tick are true."""
        self._iteration.tick(self._due, 1.0)

    # ------------------------------------------------------------ rounds

    def settle(self) -> None:
        """Relations agree with the values that they produce."""
        self._iteration.settle()

    def log_round(self) -> None:
        """Notes what the round has changed."""
        after = self._trace(self._iteration.memory)
        self.written.append(traced_round(self._before, after, self._trace.relations, self._causes))
        self._before, self._causes = after, ()

    def checks(self) -> None:
        """Assertions and terminations inside when-clauses hold for one round only: looks now."""
        if self._iteration.watches:
            self._iteration.check_round()

    def commit(self) -> None:
        """New values become `pre` values."""
        self._again = self._iteration.commit()

    def nothing_changed(self) -> bool:
        """Whether no further round has to follow."""
        return not self._again

    def endless(self) -> None:
        """Raises an error if rounds would never end."""
        if self._count.endless(self._iteration.memory):
            raise self._iteration.endless(self._count.done)

    # ------------------------------------------------------------ the end

    def clocks_tick(self) -> bool:
        """Whether this is the tick of a clock."""
        return bool(self._due)

    def end_ticks(self) -> None:
        """Clocks are true for the first rounds only; those that follow are counted anew."""
        self._iteration.tick(self._due, 0.0)
        self._count = Rounds()

    def end(self) -> None:
        """Nothing more happens at this instant."""
        self._iteration.end()


_follow = followed(EVENT, Happening)


class _Watch:
    """Checks whose guard is an edge (it speaks of pre values), and endings."""

    def __init__(self, memory: Memory) -> None:
        model = memory.structure.model
        self._edges = [
            i for i, c in enumerate(model.checks) if any(leaf.op is Op.PRE for leaf in leaves(c.guard))
        ]
        self._n_endings = len(model.endings)
        self._cells = memory.cells
        self._first_check = memory.first("checks")
        self._first_ending = memory.first("endings")
        self.needed = bool(self._edges or self._n_endings)
        self.warned: list[int] = []

    def momentary(self) -> tuple[list[int], list[int]]:
        cells = self._cells
        violated = [i for i in self._edges if cells[self._first_check + i]]
        endings = [i for i in range(self._n_endings) if cells[self._first_ending + i]]
        return violated, endings

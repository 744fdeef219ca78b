"""Event iteration: from the left limits at an instant to consistent values after it.

Following papers 000 and 001. `approach` (native) gives relations that rest at zero the truth of zero. The
truth of those that fired is presumed to be that of the side they move to; `settle` (native) repeats the
evaluation until the relations agree with the values they produce, states and pre values frozen; `commit`
(native) then makes the new values the pre values and applies reinit. That is one round; rounds are repeated
until a commit changes nothing. Clocks are true for the first rounds only and are then taken back, so that
their edges are armed again.

An event costs some ten microseconds of Python, so everything it touches is bound in advance.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from saltus.core.diagnostics import RunError
from saltus.expr.nodes import Op, leaves
from saltus.ir.contract import Counter
from saltus.ir.drive import RESIDUE, SIGN
from saltus.result.log.records import TRACE_SECTIONS, Round, traced_round
from saltus.run.failures import diagnose
from saltus.run.iteration.rounds import Rounds
from saltus.run.iteration.settle import Settling
from saltus.run.memory.memory import Memory

#: Further rounds, to see which variables go on changing.
WATCHED_ROUNDS = 12


class Trace:
    """The truths and residues of the first relations, and all discrete variables, one after the other."""

    def __init__(self, relations: int) -> None:
        self.relations = relations

    def __call__(self, memory: Memory) -> NDArray[np.float64]:
        truths, residues, discretes = (memory.section(s) for s in TRACE_SECTIONS)
        return np.concatenate([truths[: self.relations], residues[: self.relations], discretes])


class EventIteration:
    """The iteration, bound to one machine. Call `iterate` with memory at the left limits."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._cells = memory.cells
        routines = memory.routines
        self._depart, self._approach = routines["depart"], routines["approach"]
        self._presume, self._fire = routines["presume"], routines["fire"]
        self._settle = Settling(memory, "settle")
        self._commit = routines["commit"]
        self._checks = routines["checks"]
        self._changed = memory.first("counters") + Counter.CHANGED
        self._continuation = memory.first("counters") + Counter.CONTINUATION
        self._scratch = memory.first("scratch")
        self._clocks = memory.first("clocks")
        self._directions = memory.section("directions")
        relations = memory.structure.model.relations
        self._timed = np.array([r.is_time_event for r in relations], dtype=bool)
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
        """One event: the relations that fired (with the sign of the side they move to) and the clocks that
        tick. Gives the trace of the rounds, and the relations of time that fired with them."""
        trace = Trace(len(self._truths))
        self._settle.avoided = None
        before, timed = self.begin(fired, clocks, trace)
        rounds: list[Round] = []
        causes = [*(index for index, _ in fired), *timed]
        before = self._repeat(before, rounds, causes, trace)
        if clocks:
            self.end_ticks(clocks)
            self._repeat(before, rounds, (), trace)
        self.end()
        return tuple(rounds), timed

    @property
    def avoided(self) -> tuple[int, NDArray[np.float64]] | None:
        """The status of a block that was singular in the last iteration until other truths were found, and
        the memory then."""
        return self._settle.avoided

    def begin(
        self, fired: Sequence[tuple[int, float]], clocks: Sequence[int], trace: Trace
    ) -> tuple[NDArray[np.float64], list[int]]:
        """What is presumed first. Gives the trace of the left limits, and relations of time that fired."""
        cells = self._cells
        cells[self._continuation] = 1.0
        self._depart()
        before = trace(self._memory)
        if self.leap is not None:
            slots, values = self.leap
            self._memory.array[slots] = values
            self.leap = None
        self._approach()
        for index, sign in fired:
            self._directions[index] = sign
        self._presume()
        self._directions[:] = 0.0
        for clock in clocks:
            cells[self._clocks + clock] = 1.0
        timed: list[int] = []
        if self._fires():
            count = trace.relations
            changed = self._truths[:count] != before[:count]
            timed = np.flatnonzero(changed & self._timed[:count]).tolist()
        return before, timed

    def end_ticks(self, clocks: Sequence[int]) -> None:
        """Clocks are true for the first rounds only."""
        for clock in clocks:
            self._cells[self._clocks + clock] = 0.0

    def end(self) -> None:
        """Nothing more happens at this instant."""
        self._cells[self._continuation] = 0.0

    def _fires(self) -> bool:
        """Gives relations of time whose crossing has come the truth after it; whether one of them changed."""
        self._cells[self._scratch] = 0.0
        self._fire()
        return self._cells[self._scratch] != 0.0

    def _repeat(
        self, before: NDArray[np.float64], rounds: list[Round], fired: Sequence[int], trace: Trace
    ) -> NDArray[np.float64]:
        """Rounds until nothing changes; the trace at their end."""
        count = Rounds()
        while True:
            status = self._settle()
            if status:
                raise diagnose.failure(self._memory, status)
            after = trace(self._memory)
            rounds.append(traced_round(before, after, trace.relations, fired))
            before, fired = after, ()
            if not self.commit():
                return before
            if count.endless(self._memory):
                raise self.endless(count.done)

    def commit(self) -> bool:
        """The end of a round: new values become `pre` values. Whether another round has to follow."""
        if self.watches:
            self._check_round()
        status = self._commit()
        if status:
            raise diagnose.failure(self._memory, status)
        return self._cells[self._changed] != 0.0 or self._fires()

    def endless(self, rounds: int) -> RunError:
        """So many rounds were done, and they do not end."""
        return diagnose.discretes_flip(self._memory, self._still_changing(), rounds)

    def _still_changing(self) -> NDArray[np.bool_]:
        """Which discrete variables change in some further rounds."""
        discretes = self._memory.section("discretes")
        changing = np.zeros(len(discretes), dtype=bool)
        for _ in range(WATCHED_ROUNDS):
            before = discretes.copy()
            if self._settle():
                raise diagnose.relations_flip(self._memory)
            changing |= before != discretes
            self._commit()
        return changing

    def _check_round(self) -> None:
        """Assertions and terminations inside when-clauses hold for one round only: look now."""
        self._checks()
        violated, endings = self._watch.momentary()
        for index in violated:
            check = self._memory.structure.model.checks[index]
            if not check.warning:
                raise diagnose.violated(self._memory, check)
            self._watch.warned.append(index)
        self.endings += endings

    def take_warned(self) -> list[int]:
        """Assertions of warning level that failed in when-clauses since the last call."""
        warned, self._watch.warned = self._watch.warned, []
        return warned


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

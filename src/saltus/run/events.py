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

from saltus.expr.nodes import Op, leaves
from saltus.ir.flat import Variability
from saltus.ir.hybrid import Relation
from saltus.result.records import TRACE_SECTIONS
from saltus.run import diagnose
from saltus.run.memory import CHANGED, CONTINUATION, Memory, Snapshot, pre_algebraics
from saltus.run.settle import Settling

#: Rounds at one instant before the iteration is taken for endless.
MAX_ROUNDS = 100

#: Further rounds, to see which variables go on changing.
WATCHED_ROUNDS = 12

#: Bytes of round-by-round traces kept; after that, only the first and last of each event.
TRACE_LIMIT = 256 * 2**20


class TimeEvents:
    """Relations `slope * time + offset op 0`: scheduled at their crossing times, which `relations` computes.

    At its crossing a relation takes the truth it has after it, whatever the rounding of its residue says:
    `time > 1` and `time >= 1` both become true by the event at 1."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._cells = memory.cells
        crossing, truth, signs = (memory.first(s) for s in ("crossing_times", "relations", "signs"))
        fixed = {
            v.symbol
            for v in (*memory.structure.model.constants, *memory.structure.model.parameters)
            if v.variability <= Variability.PARAMETER
        }
        # (index, crossing slot, truth slot, sign slot, direction or None if it may change, relation)
        self._items: list[tuple[int, int, int, int, float | None, Relation]] = []
        for i, relation in enumerate(memory.structure.model.relations):
            if relation.slope is None:
                continue
            constant = all(leaf.op is Op.REF and leaf.data in fixed for leaf in leaves(relation.slope))
            direction = self._direction(relation) if constant else None
            self._items.append((i, crossing + i, truth + i, signs + i, direction, relation))
        self._crossings = np.array([item[1] for item in self._items], dtype=np.intp)

    def __bool__(self) -> bool:
        return bool(self._items)

    def _direction(self, relation: Relation) -> float:
        assert relation.slope is not None
        return 1.0 if float(self._memory.evaluate(relation.slope)) > 0.0 else -1.0

    def next_time(self, now: float) -> float:
        """The first crossing after now."""
        if len(self._items) > 32:
            times = self._memory.array[self._crossings]
            return float(np.min(times, where=times > now, initial=np.inf))
        found = float("inf")
        cells = self._cells
        for item in self._items:
            time = cells[item[1]]
            if now < time < found:
                found = time
        return found

    def fire(self, now: float) -> list[int]:
        """Gives the relations whose crossing has come the truth after it; which of them changed."""
        fired = []
        cells = self._cells
        for index, crossing, truth, sign, direction, relation in self._items:
            if cells[crossing] <= now:
                to = self._direction(relation) if direction is None else direction
                after = 1.0 if (to > 0.0) == (relation.op in (Op.GT, Op.GE)) else 0.0
                if cells[truth] != after:
                    cells[truth] = after
                    cells[sign] = to
                    fired.append(index)
        return fired


class EventIteration:
    """The iteration, bound to one machine. Call `iterate` with memory at the left limits."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._cells = memory.cells
        self._approach = memory.routines["approach"]
        self._settle = Settling(memory, "settle")
        self._commit = memory.routines["commit"]
        self._checks = memory.routines["checks"]
        self._changed = memory.first("counters") + CHANGED
        self._continuation = memory.first("counters") + CONTINUATION
        self._truth = memory.first("relations")
        self._signs = memory.first("signs")
        self._zero_since = memory.first("zero_since")
        self._clocks = memory.first("clocks")
        self._pre_states = memory.section("pre_states")
        self._states = memory.section("states")
        self._left, self._current = pre_algebraics(memory)
        self._trace = Snapshot(memory.array, memory.layout, TRACE_SECTIONS)
        self._traced = 0
        self.time_events = TimeEvents(memory)
        relations = memory.structure.model.relations
        #: Truth of each relation for a positive residue; for a negative one it is the opposite.
        self.truth_above = [1.0 if r.op in (Op.GT, Op.GE) else 0.0 for r in relations]
        self._watch = _Watch(memory)
        #: Whether assertions or terminations may be active for single rounds.
        self.watches = self._watch.needed
        #: Messages of terminate() that became active.
        self.endings: list[int] = []

    def iterate(
        self, now: float, fired: Sequence[tuple[int, float]] = (), clocks: Sequence[int] = ()
    ) -> tuple[tuple[bytes, ...], list[int]]:
        """One event: the relations that fired (with the sign of the side they move to) and the clocks that
        tick. Gives the trace of the rounds, and the time relations that fired with them."""
        cells = self._cells
        cells[self._continuation] = 1.0
        self._pre_states[:] = self._states
        if self._left.size:
            array = self._memory.array
            array[self._left] = array[self._current]
        rounds = [self._trace.take()]
        self._approach()
        for index, sign in fired:
            above = self.truth_above[index]
            cells[self._truth + index] = above if sign > 0 else 1.0 - above
            cells[self._signs + index] = sign
            cells[self._zero_since + index] = now  # inside its band it keeps this truth, for this event
        for clock in clocks:
            cells[self._clocks + clock] = 1.0
        timed = self.time_events.fire(now) if self.time_events else []
        self._repeat(now, rounds)
        if clocks:
            for clock in clocks:
                cells[self._clocks + clock] = 0.0
            self._repeat(now, rounds)
        self._traced += len(rounds) * len(rounds[0])
        if self._traced > TRACE_LIMIT:
            rounds = [rounds[0], rounds[-1]]
        cells[self._continuation] = 0.0
        return tuple(rounds), timed

    def _repeat(self, now: float, rounds: list[bytes]) -> None:
        cells, changed, take = self._cells, self._changed, self._trace.take
        settle, commit = self._settle, self._commit
        time_events = self.time_events if self.time_events else None
        for _ in range(MAX_ROUNDS):
            status = settle()
            if status:
                raise diagnose.failure(self._memory, status)
            rounds.append(take())
            if self.watches:
                self._check_round()
            status = commit()
            if status:
                raise diagnose.failure(self._memory, status)
            if cells[changed] == 0.0 and not (time_events is not None and time_events.fire(now)):
                return
        raise diagnose.discretes_flip(self._memory, self._still_changing(), MAX_ROUNDS)

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

"""Where the solution of a loop that the run follows ends, and where it continues.

The solutions of nonlinear equations form branches as time goes on, and a branch may end: it turns back in
time (a fold), or bends back at a kink. An amplifier with positive feedback is the usual case. Its output
stays at one rail until the input has gone far enough, and then there is no solution near that rail any more.
What a circuit does there is to leap to the other rail, in no time if nothing in the model has a memory of its
own there. States stay, loops get other values.

Between events Newton's method only follows a branch, so that it never jumps by accident. Where it fails, this
module looks for the last instant at which it does not (by bisection, on the states that the integrator
interpolates), and then for another solution right after it, by continuation
(`saltus.emit.loops.continuation`). Its curve must not begin at the end of the branch itself: what is left of
the equations is rounding there, and gives no direction. It begins with earlier values of the branch, or with
values apart from its end, more and more.

Nothing is found where there is no other solution, or where the one found is the one that Newton's method
should have found. The run ends there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from saltus.expr.nodes import Expr
from saltus.ir.native.contract import LOCATED, TIME_SLOT, Counter
from saltus.ir.sorted.blocks import Nonlinear
from saltus.run.engine.engine import Engine

#: How far ahead of an integrator that gave up the cause may be: a multiple of its last attempt, or this
#: fraction of the run.
FURTHER, AHEAD = 1024.0, 1e-6

#: Values that differ by this part of their size are others: for the beginning of a curve, and for a leap.
APART = 1e-2
OTHER = 1e-6

#: How far from its end, as parts of the size of values, curves begin.
PARTS = (0.01, 0.1, 1.0, 10.0, 100.0, 1000.0)

#: The number of rows examined for the start of a curve.
MOST_ROWS = 100

_Numbers = NDArray[np.float64]


class Crossing(NamedTuple):
    """Relations have crossed before anything ended: the memory is at the left limits of that event."""

    time: float
    fired: tuple[tuple[int, float], ...]


class Leap(NamedTuple):
    """A branch ends: the memory is at the left limits. The loop continues with other values of its slots."""

    time: float
    unknowns: tuple[Expr, ...]
    slots: list[int]
    values: list[float]


class Follower:
    """Looks for the end of a branch in the last step of an engine, whose driver or integrator has failed."""

    def __init__(self, engine: Engine, since: float) -> None:
        """`since` is the time of the last event: the branch has been followed from there."""
        assert engine.driver is not None
        self._engine, self._driver = engine, engine.driver
        self._standing = engine.driver.standing
        self._memory, self._array = engine.memory, engine.memory.array
        self._continuation = engine.memory.first("counters") + Counter.CONTINUATION
        self._failed_at, self._since = engine.memory.time, since
        self._rates = engine.memory.layout.section("derivatives")
        self._line: tuple[float, _Numbers, _Numbers] | None = None  # a time, states and slopes there
        self.start = self._array  # everything at the last time that was all right, before the search

    def find(self) -> Crossing | Leap | None:
        """What happens before the failure, if that can be said."""
        good = self._accepted()
        if good is None:
            return None
        self.start = self._array.copy()
        bad = self._failing(good)
        if bad is None:
            return None
        found, last = self.start, good
        while bad - last > self.least(bad):
            middle = 0.5 * (last + bad)
            if not last < middle < bad:
                break
            if self._is_good(middle, found):
                found, last = self._array.copy(), middle
            else:
                bad = middle
        # Right at the end it depends on where Newton's method begins whether it is satisfied: on a bit.
        further = self.least(bad)
        while not (status := self._evaluated(bad, found)):
            fired = self._crossed()
            if fired:
                return Crossing(bad, fired)
            found, bad, further = self._array.copy(), bad + further, 2.0 * further
            if bad > self._standing.limit:
                return None
        leap = self._leap(bad, status, found)
        if leap is not None:
            self._array[:] = found
            self._memory.cells[TIME_SLOT] = bad
        return leap

    def goes_to(self, time: float) -> bool:
        """Brings the memory to a time before the end."""
        return not self._evaluated(time, self.start)

    def least(self, time: float) -> float:
        """Times closer to each other than this cannot be distinguished."""
        return LOCATED * max(abs(time), self._engine.span)

    # ------------------------------------------------------------ along the branch

    def _accepted(self) -> float | None:
        """The last time at which all was right; the memory has all values of it."""
        rows, standing, last = self._engine.rows, self._standing, self._array.copy()
        recorded = float(rows.times[-1])
        for time in standing.accepted:
            if time <= recorded:
                rows.recall(rows.count - 1)
                self._memory.cells[TIME_SLOT] = recorded
                return recorded if self._is_solved() else None
            # Loops have the values with which they were solved last, as a rule.
            if not self._evaluated(time, last):
                return time
        # A step that was accepted may end beyond the end of the branch, by what the tolerance allows. There
        # are no derivatives there; those that were computed last are from right before.
        self._line = self._line_through(standing.reached, last, last[self._rates])
        step = self.least(standing.reached)
        while step < standing.reached - recorded:
            if not self._evaluated(standing.reached - step, last):
                return standing.reached - step
            step *= 2.0
        return None

    def _failing(self, good: float) -> float | None:
        """A later time at which something has ended or crossed."""
        has_states = self._engine.continuous.states.size
        reached = max(self._standing.reached, good) if has_states else self._failed_at
        for time in sorted({self._failed_at, reached}):
            if time > good and not self._is_good(time, self.start):
                return time
        # The integrator stops before the failure; its last attempt shows how far.
        step = max(self._failed_at - reached, self.least(reached))
        limit = min(self._standing.limit, reached + max(FURTHER * step, AHEAD * self._engine.span))
        while reached + step <= limit:
            if not self._is_good(reached + step, self.start):
                return reached + step
            step *= 2.0
        return None

    def _is_good(self, time: float, known: _Numbers) -> bool:
        return not self._evaluated(time, known) and not self._crossed()

    def _evaluated(self, time: float, known: _Numbers) -> int:
        """Goes to a time from what is known of an earlier one; the status of what cannot be solved."""
        reached = self._standing.reached
        if self._line is None and time > reached and self._engine.continuous.states.size:
            self._put(reached, self.start)
            self._engine.continuous.outputs()
            self._line = self._line_through(reached, self.start, self._array[self._rates].copy())
        self._put(time, known)
        return self._status()

    def _is_solved(self) -> bool:
        return not self._status()

    def _status(self) -> int:
        status = self._engine.continuous.outputs()
        if not status:
            self._engine.continuous.relations()
        return status

    def _put(self, time: float, known: _Numbers) -> None:
        """Time and states into the memory, and everything else as it is known."""
        self._array[:] = known
        if self._line is None:
            self._driver.put_states(time)
        else:
            at, states, slopes = self._line
            self._engine.continuous.states[:] = states + (time - at) * slopes
            self._memory.cells[TIME_SLOT] = time

    def _line_through(
        self, time: float, known: _Numbers, slopes: _Numbers
    ) -> tuple[float, _Numbers, _Numbers]:
        """Where the integrator cannot interpolate, states follow a straight line, for a tiny part of a
        step."""
        self._put(time, known)
        return time, self._engine.continuous.states.copy(), slopes

    def _crossed(self) -> tuple[tuple[int, float], ...]:
        """The relations that are on the other side than they were, with that side."""
        cells, engine = self._memory.cells, self._engine
        found = []
        for k in engine.relations.of_states:
            sign, residue = cells[engine.relations.signs + k], cells[engine.relations.residues + k]
            if sign != 0.0 and residue * sign < 0.0:
                found.append((k, -sign))
        return tuple(found)

    # ------------------------------------------------------------ to another one

    def _leap(self, time: float, status: int, known: _Numbers) -> Leap | None:
        """Another solution of the block that has failed; what it depends on is in the memory."""
        block = self._memory.program.failures.get(status)
        if not isinstance(block, Nonlinear):
            return None
        slots = [self._memory.layout.slots[x] for x in block.unknowns]
        weights = np.maximum(np.abs(known[slots]), self._nominals(block))
        state = self._array.copy()
        for values in self._origins(slots, known, weights):
            self._array[:] = state
            self._array[slots] = values
            self._memory.cells[self._continuation] = 1.0
            failed = self._engine.continuous.outputs() == status  # another loop may fail after this one
            self._memory.cells[self._continuation] = 0.0
            found = self._array[slots].copy()
            if failed or not np.all(np.isfinite(found)):
                continue
            if np.any(np.abs(found - known[slots]) > OTHER * weights):
                return Leap(time, block.unknowns, slots, found.tolist())
        return None

    def _nominals(self, block: Nonlinear) -> _Numbers:
        found = np.abs([self._memory.number(e, 1.0) for e in block.nominals])
        return np.where(found > 0.0, found, 1.0)

    def _origins(self, slots: list[int], known: _Numbers, weights: _Numbers) -> Iterator[_Numbers]:
        """Where curves may begin: the branch as it was, then values farther and farther from its end: the way
        it came, and on both sides. Sides of a kink differ, and a curve need not lead round it."""
        end, rows = known[slots], self._engine.rows
        places = [slot - rows.first for slot in slots]
        directions = [weights]
        if min(places) >= 0 and max(places) < rows.width:
            first = max(rows.count - MOST_ROWS, int(np.searchsorted(rows.times, self._since, "right")) - 1, 0)
            for row in rows.values[first:, places][::-1]:
                way = (end - row) / weights
                if np.max(np.abs(way)) > APART:
                    yield row
                    directions.append(way / np.max(np.abs(way)) * weights)
                    break
        for part in PARTS:
            for direction in directions:
                yield end + part * direction
                yield end - part * direction


def show_failure(engine: Engine) -> None:
    """Computes once more what cannot be computed: loops are left where they failed, for the message."""
    memory = engine.memory
    cells, place = memory.cells, memory.first("counters") + Counter.CONTINUATION
    before = memory.array.copy()
    cells[place] = 1.0
    if not engine.continuous.outputs():
        memory.array[:] = before
    cells[place] = 0.0

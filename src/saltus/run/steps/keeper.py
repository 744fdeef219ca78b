"""All events of a run, with what they have passed through.

What Python does it sees: a trail goes along (`saltus.run.memory.trail`). Of an event that native code does,
the left limits are kept when it begins. When the run is over Python goes through these events again, by the
same steps (`saltus.ir.native.steps`), and comes through the same modes. So the run itself is the one that it
would have been, to the last bit: nothing is computed for the steps while it lasts, no program is made and
nothing is learnt. Native code does not tell its modes, and could not tell all of them: it goes round some
(`saltus.emit.events.detours`).

The past of delays cannot be put back, so that events of programs that remember are all Python's.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from saltus.core.diagnostics import RunError
from saltus.functions.external.random import STATE, undisturbed
from saltus.ir.native.contract import TIME_SLOT
from saltus.result.steps.passed import Passed
from saltus.result.trajectories.recording import Part, Recording
from saltus.run.engine.engine import Engine
from saltus.run.memory.trail import Trail
from saltus.run.modes.engines import Engines
from saltus.run.steps.footprints import Footprints, Step

_Numbers = NDArray[np.float64]


class Happens(NamedTuple):
    """An event that begins: in which engine, when, what may change of its memory, at the left limits, the
    state of what draws random numbers, the relations that fired with the signs of the sides they move to, and
    the clocks that tick."""

    engine: Engine
    time: float
    numbers: _Numbers
    random: _Numbers
    fired: tuple[tuple[int, float], ...]
    due: tuple[int, ...]


class Kept(NamedTuple):
    """A step of an event."""

    event: int
    time: float
    step: Step


@dataclass(frozen=True, eq=False)
class Stored:
    """Steps for a checkpoint: plain data, and arrays by name."""

    values: dict[str, Any]
    arrays: dict[str, _Numbers]


class StepKeeper:
    """The steps of one run with these engines. `iterated` does an event by Python, from left limits in the
    memory of an engine."""

    def __init__(
        self,
        engines: Engines,
        iterated: Callable[[Engine, Sequence[tuple[int, float]], Sequence[int]], object],
    ) -> None:
        self._engines, self._iterated = engines, iterated
        #: To be given to the memory of the first engine.
        self.trail = Trail()
        self._footprints = Footprints()
        self._left: tuple[Engine, _Numbers] | None = None
        self._witnesses: list[object] = []  # the callback that receives events from native code
        self._begun: list[Happens] = []  # in its present call
        self._native: dict[int, Happens] = {}  # by the numbers of events
        self._kept: list[Kept] = []
        self._trouble: BaseException | None = None  # what was raised meanwhile
        #: Whether some events were not gone through again.
        self.interrupted = False

    # ------------------------------------------------------------ events by Python

    def begin(self, engine: Engine) -> None:
        """An event begins, or is begun anew: the left limits are in the memory of an engine."""
        self._left = engine, engine.memory.array.copy()
        self.trail.begin()

    def keep(self, number: int, time: float) -> None:
        """Keeps an event that is over, with its number."""
        of_memory = {id(engine.memory): engine for engine in self._engines}
        found = [(of_memory[id(one.memory)], one) for one in self.trail.end()]
        if found and self._left is not None:
            self._kept += [Kept(number, time, step) for step in self._footprints.steps(self._left, found)]
        self._left = None

    # ------------------------------------------------------------ events by native code

    def watch(self, engine: Engine) -> None:
        """Native code reports events in an engine, when they begin."""
        assert engine.driver is not None
        witness = partial(self._happens, engine)
        self._witnesses.append(witness)
        engine.driver.tell_events(witness)

    def _happens(self, engine: Engine, _: int, time: float, crossing: int) -> None:
        driver, memory = engine.driver, engine.memory
        if self._trouble is None and driver is not None:
            fired, due = driver.crossed() if crossing else (), driver.ticking(time)
            numbers = memory.array[memory.first("states") :].copy()
            self._begun.append(Happens(engine, time, numbers, STATE.copy(), fired, due))

    @contextmanager
    def listening(self) -> Iterator[None]:
        """A context for native code. It cannot propagate an exception raised in the callback for an event, by
        Ctrl-C for instance: the exception is raised afterwards."""
        usual = sys.unraisablehook

        def heard(raised: sys.UnraisableHookArgs) -> None:
            if any(raised.object is witness for witness in self._witnesses):
                self._trouble = self._trouble or raised.exc_value
            else:
                usual(raised)

        sys.unraisablehook = heard
        try:
            yield
        finally:
            sys.unraisablehook = usual

    def number(self, first: int, past: int) -> None:
        """Native code has come back: the events with these numbers are over. One that it has left to Python
        has begun in vain."""
        self._native.update(zip(range(first, past), self._begun, strict=False))
        self._begun.clear()
        trouble, self._trouble = self._trouble, None
        if trouble is not None:
            raise trouble

    def _goes_through(self, number: int, event: Happens) -> None:
        """Repeats an event in Python."""
        engine, memory = event.engine, event.engine.memory
        memory.array[memory.first("states") :] = event.numbers
        memory.cells[TIME_SLOT] = event.time
        self.begin(engine)
        try:
            with undisturbed(event.random):
                self._iterated(engine, event.fired, event.due)
        except RunError:
            return  # where only native code finds a detour, there are no modes to report
        self.keep(number, event.time)

    # ------------------------------------------------------------ for a checkpoint

    def stored(self) -> Stored:
        """What there is, as plain data and as arrays, for `load`. Native code is not at work."""
        places = {engine: place for place, engine in enumerate(self._engines)}
        events, kept = self._native, self._kept
        native = [(n, places[e.engine], e.time, e.fired, e.due) for n, e in events.items()]
        steps = [(k.event, places[k.step.engine], k.time, k.step.kind, k.step.impulses) for k in kept]
        arrays = {}
        for engine, place in places.items():
            own = [k.step for k in kept if k.step.engine is engine]
            begun = [event for event in events.values() if event.engine is engine]
            arrays[f"begun_{place}"] = _table(event.numbers for event in begun)
            arrays[f"random_{place}"] = _table(event.random for event in begun)
            arrays[f"rows_{place}"] = _table(step.row for step in own)
            arrays[f"truths_{place}"] = _table(step.truths for step in own)
        return Stored({"native": native, "kept": steps}, arrays)

    def load(self, stored: Stored) -> None:
        """Continues with what was stored; there are the same engines, in the same order."""
        engines = list(self._engines)
        rows = {name: iter(array) for name, array in stored.arrays.items()}
        for number, place, time, fired, due in stored.values["native"]:
            who = tuple((int(index), float(side)) for index, side in fired)
            numbers, state = next(rows[f"begun_{place}"]), next(rows[f"random_{place}"])
            self._native[number] = Happens(engines[place], time, numbers, state, who, tuple(due))
        for event, place, time, kind, impulses in stored.values["kept"]:
            weights = tuple((str(name), float(x)) for name, x in impulses)
            row, truths = next(rows[f"rows_{place}"]), next(rows[f"truths_{place}"])
            self._kept.append(Kept(event, time, Step(engines[place], kind, row, truths, weights)))

    # ------------------------------------------------------------ all of them

    def passed(self, first: Part, count: int) -> Passed:
        """What the first so many events of the run have passed through; `first` is the part of its recording
        with which it began. The run is over: numbers in the memories are lost."""
        try:
            for number, event in self._native.items():
                if number < count:
                    self._goes_through(number, event)
        except KeyboardInterrupt:
            self.interrupted = True
        kept = sorted((one for one in self._kept if one.event < count), key=attrgetter("event"))
        return Passed(
            self._recording(first, kept),
            np.array([one.event for one in kept], dtype=np.intp),
            tuple(one.step.kind for one in kept),
            np.array([one.step.truths for one in kept]).reshape(len(kept), len(first.structure.relations)),
            tuple(one.step.impulses for one in kept),
        )

    def _recording(self, first: Part, kept: Sequence[Kept]) -> Recording:
        """The rows of steps."""
        wholes = dict.fromkeys((first, *(one.step.engine.part for one in kept)))
        places = {part: place for place, part in enumerate(wholes)}
        parts = []
        for whole in wholes:
            own = [one for one in kept if one.step.engine.part is whole]
            values = np.array([one.step.row for one in own]).reshape(len(own), whole.rows.width)
            rows = whole.rows.others(np.array([one.time for one in own]), values)
            parts.append(Part(whole.structure, rows))
        turns, recorded = [(0, 0, 0)], dict.fromkeys(wholes, 0)
        for number, one in enumerate(kept):
            part = one.step.engine.part
            if turns[-1][2] != places[part]:
                turns.append((number, recorded[part], places[part]))
            recorded[part] += 1
        return Recording.of(parts, turns)


def _table(rows: Iterable[_Numbers]) -> _Numbers:
    """Rows of the same length as one array."""
    found = list(rows)
    return np.array(found) if found else np.zeros((0, 0))

"""The effects of events on a run, and which engine takes over. Where the chosen states become singular
(`saltus.analyse.index.pivot_guards`), the run continues with others: another program, in an engine of its
own. The same happens where an event leads to a mode in which the equations have another structure
(`saltus.run.modes.modes`).

After an event the integrator restarts only if the event changed a state, or something the differential
equations depend on (`saltus.run.memory.dependence`). A relation that leaves its zero band towards the side it
was presumed to be on changes nothing at all, and is no event.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace

import numpy as np

from saltus.core.diagnostics import Diagnostic, RunError
from saltus.expr.traversal import leaves
from saltus.ir.native.contract import TIME_SLOT
from saltus.ir.sorted.blocks import Linear
from saltus.ir.sorted.surfaces import OnSurface
from saltus.ir.structure import Structure
from saltus.result.log import records
from saltus.result.log.records import EventRecord
from saltus.run.course.state import RunState
from saltus.run.engine.driver import MOST_STEPS, Driver
from saltus.run.engine.engine import Engine
from saltus.run.engine.open_warnings import tell_open
from saltus.run.failures import given_up, invalid_numbers
from saltus.run.integrators.integrator import NativeMachine, make_integrator
from saltus.run.integrators.step_watch import StepWatch
from saltus.run.integrators.sundials import SundialsError
from saltus.run.modes.across import Outcome
from saltus.run.modes.choices import Programs
from saltus.run.schedule.settings import Settings
from saltus.run.steps.keeper import StepKeeper

#: The least number of steps for a model with delays.
LEAST_STEPS = 50

#: Models whose states are watched are integrated at least this accurately. One large step might lead to a
#: singular position and back, unnoticed: the coordinate x of a pendulum is as smooth
#: where the mass passes the side as where it turns round there.
GUARDED_TOLERANCE = 1e-4

#: The step, as a fraction of the run, over which the direction of a residue is determined.
PROBE_SPAN = 1e-10


#: Fixed steps are short: the number taken in one call; and where they keep pace, the longest duration of a
#: call in seconds.
FIXED_STEPS, PAUSE = 20_000, 0.2


def _steps_of_call(settings: Settings) -> int:
    """The number of steps that native code may take before Ctrl-C is noticed."""
    if settings.formula is None or settings.step is None:
        return MOST_STEPS
    seconds = settings.step / settings.speed if settings.speed else 0.0
    return max(1, min(FIXED_STEPS, int(PAUSE / seconds))) if seconds else FIXED_STEPS


class Course(RunState):
    """One run, from instant to instant."""

    def __init__(
        self, structure: Structure, machine: NativeMachine, settings: Settings, programs: Programs | None
    ) -> None:
        super().__init__(structure, machine, settings, programs)
        if settings.steps:
            self.steps = StepKeeper(self.choices.engines, self.iterated)
            self.engine.memory.trail = self.steps.trail
        #: Who looks at the clock, if steps are to be measured.
        self.step_watch: StepWatch | None = None
        if settings.speed is not None and settings.step is not None:
            span = settings.stop_time - settings.start_time
            self.step_watch = StepWatch(span / settings.step, settings.step, settings.speed)
        self._divided = self.modes.guards.fixing  # as it was when drivers learned which events they handle
        self.may_learn = programs is not None
        self._probe = PROBE_SPAN * (settings.stop_time - settings.start_time)

    def equip(self, engine: Engine) -> None:
        """Gives an engine, in which all values are computed, its integrator and driver."""
        settings = self.settings
        if engine.pivots.guards:
            settings = replace(settings, tolerance=min(settings.tolerance, GUARDED_TOLERANCE))
        largest = min(settings.max_step or math.inf, self.histories.largest_step)
        if self.histories:
            # Where a delay varies, the present is part of the past that is used, and no error shows it.
            largest = min(largest, (settings.stop_time - settings.start_time) / LEAST_STEPS)
        self.histories.limit(largest)
        max_step = largest if math.isfinite(largest) else 0.0
        memory, machine = engine.memory, engine.machine
        engine.driver = Driver(
            engine,
            make_integrator(memory, machine, settings, max_step, stiff=engine.stiff, watch=self.step_watch),
            settings.stop_time,
            self._probe,
            settings.tolerance,
            largest_step=largest,
            by_hand=self._is_by_hand(engine),
            across=not engine.mode.is_left_natively(self.modes.guards.fixing),
            book=self.histories.book,
            resolution=settings.event_resolution,
            most_steps=_steps_of_call(settings),
        )
        if self.steps is not None:
            self.steps.watch(engine)
        self.modes.passages.connect(engine)
        engine.driver.resume(self.now, restarted=True)
        tell_open(engine, self.choices.engines)

    def _is_by_hand(self, engine: Engine) -> bool:
        """Whether events are beyond the driver's reach, even those that stay in their program."""
        special = bool(engine.pivots.guards or engine.surfaces.exits)
        special |= self.steps is not None and engine.machine.program.remembers
        return (
            special or self.choices.carried.is_by_hand(engine.mode) or self.choices.jumps.lacking_in(engine)
        )

    # ------------------------------------------------------------ events

    def event(
        self,
        kind: str,
        fired: Sequence[tuple[int, float]],
        due: Sequence[int],
        ended: tuple[str, ...] = (),
        left: int | None = None,
    ) -> None:
        """One event, from left limits already computed to a decision about a restart. Where a loop leaps, the
        solution for variables of these names has `ended`. The left limits are in the row with the number
        `left`, if they have been recorded."""
        now, before = self.now, self.engine
        recorded = left is not None
        if left is None:
            before.rows.append(now)
            left = len(self.recording) - 1
        # What may be reinitialised must be a state; on a surface, nothing is.
        if not before.surfaces.exits and self.choices.jumps.lacking_in(before):
            self.change_to(self.choices.jumps.taken_over(before))
        engine = self.engine
        array = engine.memory.array
        engine.continuous.relations()
        states, mode = engine.continuous.states.copy(), array[engine.continuous.mode_slots]
        outcome = self.iterated(engine, fired, due)
        causes = (*(index for index, _ in fired if index not in engine.pivots.guards), *outcome.timed)
        changed = outcome.engine is not engine
        if changed:
            self.turn_to(outcome.engine)
            engine, array = outcome.engine, outcome.engine.memory.array
        self.histories.event()
        engine.rows.append(now)
        last = engine.rows.count - 1
        right = self.recording.offset + last
        self.records.append(
            EventRecord(now, kind, causes, tuple(due), left, right, outcome.rounds, outcome.impulses, ended)
        )
        if self.steps is not None:
            self.steps.keep(len(self.records) - 1, now)
        self.check_values(last if changed or recorded or not last else last - 1)
        if engine.iteration.watches:
            self.assertions.after_event(engine, now)
        if (changed or ended) or not (
            np.array_equal(engine.continuous.states, states)
            and np.array_equal(array[engine.continuous.mode_slots], mode)
        ):
            if changed:
                self.driver.limit_steps()
            self.begin_anew()
            self.driver.begin_natively()
        else:
            self.driver.resume(now, restarted=False)
        if changed:
            self.modes_entered += 1
        elif engine is not before or (engine.pivots.guards and engine.pivots.fallen()):
            self.choose_states(before, right if engine is before else left)
        self.grid.pass_(now)
        if self.modes.guards.fixing is not self._divided:
            self._divided = self.modes.guards.fixing
            for known in self.choices.engines:
                if known.driver is not None:
                    across = not known.mode.is_left_natively(self._divided)
                    known.driver.leave_events(self._is_by_hand(known), across=across)

    def iterated(self, engine: Engine, fired: Sequence[tuple[int, float]], due: Sequence[int]) -> Outcome:
        """What an event comes to, from the left limits that an engine has. Where a block turns out to be
        singular, it has to be done once more: the guards in it make modes of their own."""
        if self.steps is not None:
            self.steps.begin(engine)
        if self.modes.is_bound:
            return self.modes.event(engine, fired, due)
        if not self.modes and not self.may_learn:
            return Outcome(engine, *engine.iteration.iterate(fired, due), ())
        if not self.modes and engine.structure.entry is None:
            left = engine.memory.array.copy()
            try:
                outcome = Outcome(engine, *engine.iteration.iterate(fired, due), ())
            except RunError as error:
                if not error.status or not self.modes.guards.learns(engine, error.status):
                    raise
            else:
                if not self._learns_from_search(engine):
                    return outcome
            engine.memory.array[:] = left
            if self.steps is not None:
                self.steps.begin(engine)
        return self.modes.event(engine, fired, due)

    def outcome(self, fired: Sequence[tuple[int, float]], due: Sequence[int]) -> Engine:
        """The engine to which one event leads, with the values after it; only the present one's numbers have
        to be put back, and nothing is written down."""
        return self.iterated(self.engine, fired, due).engine

    def bound(
        self, surfaces: frozenset[OnSurface], told: Callable[[Engine], None]
    ) -> AbstractContextManager[None]:
        """In this context events lead to modes on these surfaces, whatever the run is on, and small
        contradictions are not tolerated; `told` sets up how an engine is held on its surfaces."""
        return self.modes.bound(surfaces, told)

    def _learns_from_search(self, engine: Engine) -> bool:
        """Whether an iteration has gone round a singular block and come to truths that hold for this instant
        only: a current that is just zero would be taken over by what it leaves again at once. What was
        presumed is a mode of its own then, and is learnt."""
        if engine.iteration.avoided is None:
            return False
        status, numbers = engine.iteration.avoided
        block = engine.memory.program.failures.get(status)
        if not isinstance(block, Linear):
            return False
        relations = engine.structure.relations
        inside = [
            k for k in engine.relations.of_states if set(block.unknowns) & set(leaves(relations[k].residue))
        ]
        drifting = engine.at_zero.drifting(inside, self.settings.tolerance)
        return bool(drifting) and self.modes.learn(engine, block, numbers)

    # ------------------------------------------------------------ engines

    def turn_to(self, engine: Engine) -> None:
        """Another engine, in which everything is computed, takes over from here."""
        self.engine = engine
        self.histories.attach(engine.memory, engine.machine)
        self.recording.turn(engine.part)
        if engine.driver is None:
            self.equip(engine)

    def change_to(self, engine: Engine, *, recorded: bool = True) -> None:
        """Another engine, which has all values, takes over from here. They are recorded unless they mean
        nothing before an event has happened."""
        self.turn_to(engine)
        if recorded:
            engine.rows.append(self.now)
            self.check_values(engine.rows.count - 1)

    def choose_states(self, before: Engine, left: int | None = None) -> None:
        """Continues with the states that are best here, where those of `before` no longer determine the rest
        well. `left` is the number of its last row, if this instant is recorded already."""
        best = self.choices.best(self.engine)
        if best is not before and left is None:
            before.rows.append(self.now)
            left = len(self.recording) - 1
        if best is not self.engine:
            self.change_to(best)
        self.driver.limit_steps()
        self.begin_anew()
        if best is not before and left is not None:
            right = len(self.recording) - 1
            self.records.append(EventRecord(self.now, records.STATES, (), (), left, right, ()))
            self.choices_made += 1

    def look_at_pivots(self) -> None:
        """Away from a singular position the run takes its usual steps again."""
        if not self.engine.pivots.near_singular:
            return
        self.driver.arrive()
        self.engine.continuous.relations()
        if self.engine.pivots.recovered():
            self.choose_states(self.engine)

    def arrive(self) -> None:
        """The engine has all values at the present time."""
        self.driver.arrive()

    def restart(self) -> None:
        """The integrator begins anew with the values of the engine."""
        self.driver.limit_steps()
        self.begin_anew()

    def begin_anew(self, *, probes: bool = True) -> None:
        """Starts the integrator anew where the run is; see `Driver.restart`."""
        try:
            self.driver.restart(self.now, probes=probes)
        except SundialsError as error:
            raise RunError(Diagnostic("E405", f"restart at time {self.now:.9g} failed: {error}")) from error

    # ------------------------------------------------------------ checks

    def _check_finite(self, since: int) -> None:
        """The rows from the one numbered `since` on must hold finite numbers."""
        rows, memory = self.engine.rows, self.engine.memory
        row = rows.first_not_finite(since)
        if row is None:
            return
        self.now = float(rows.times[row])
        memory.cells[TIME_SLOT] = self.now
        rows.restore(row)
        self.records.forget(len(self.recording))
        if self.engine.pivots.near_singular:
            raise given_up.singular_position(memory, self.engine.structure.pivot_guards)
        culprit = invalid_numbers.not_finite(memory, memory.blocks)
        raise culprit or RunError(Diagnostic("E407", f"a state is not finite at time {self.now:.9g}"))

    def check_values(self, since: int) -> None:
        """The rows just recorded must hold finite numbers, and assertions must hold."""
        self._check_finite(since)
        self.assertions.look(self.engine, self.now)

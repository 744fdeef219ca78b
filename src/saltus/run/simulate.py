"""The loop of a simulation: integrate to the next output point or time event, or until a crossing fires.

Rows are recorded at the output points (start + k * interval, computed without drift) and twice at every
event: its left and its right limit, at the same time. An output point that falls on an event gives no row
of its own.

Where the chosen states fail (`saltus.analyse.index.pivot_guards`), the run goes on with others: another
program, in an engine of its own. So it does where an event leads to a mode in which the equations have
another structure (`saltus.run.modes.modes`).

With a checkpoint, a run is divided into stretches of about the same amount of work. At the end of each the
run begins anew from its memory, as one does that goes on from a checkpoint (`saltus.run.resume.snapshot`).

After an event the integrator starts anew only if the event changed a state, or something the differential
equations depend on (`saltus.run.memory.dependence`). A relation that leaves its zero band towards the side it
was presumed to be on changes nothing at all, and is no event.
"""

from __future__ import annotations

import math
import time as clock
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from saltus.core.collection import put_off
from saltus.core.diagnostics import Diagnostic, RunError
from saltus.expr.nodes import Expr, Type, leaves
from saltus.expr.show import show
from saltus.ir.balance import Sizes
from saltus.ir.native.contract import TIME_SLOT, Flag
from saltus.ir.native.drive import Code
from saltus.ir.program import Program
from saltus.ir.structure import Linear, Structure
from saltus.result.log import records
from saltus.result.log.records import EventRecord, Records
from saltus.result.result import Result
from saltus.result.trajectories.recording import Recording
from saltus.run.engine.assertions import Assertions
from saltus.run.engine.driver import Driver
from saltus.run.engine.engine import Engine
from saltus.run.engine.loop_branches import Crossing, Follower, Leap, show_failure
from saltus.run.engine.open_warnings import tell_open
from saltus.run.engine.parting import has_parted, parts_at
from saltus.run.engine.progress import Headway, Progress
from saltus.run.failures import flips, given_up, invalid_numbers, unsolved
from saltus.run.failures.standstill import standstill
from saltus.run.integrators.integrator import NativeMachine, make_integrator
from saltus.run.integrators.sundials import SundialsError
from saltus.run.memory.dependence import uses_terminal
from saltus.run.memory.memory import typed
from saltus.run.modes.across import Outcome
from saltus.run.modes.choices import Choices, Programs
from saltus.run.modes.modes import Modes
from saltus.run.past.histories import Histories, Past
from saltus.run.resume.checkpoint import Checkpoint, Saved
from saltus.run.resume.snapshot import Moment, identity, restored, saved
from saltus.run.schedule.grid import Grid
from saltus.run.schedule.settings import Settings
from saltus.run.sizes.unsized import without_size
from saltus.run.start.initialise import Start, make_clocks
from saltus.run.start.starting import Starting
from saltus.run.surfaces.sliding import Surfaces
from saltus.run.uniqueness.uniqueness import Uniqueness

#: A model with delays is integrated in so many steps at least.
LEAST_STEPS = 50

#: Models whose states are watched are integrated at least this accurately. One large step might lead to a
#: singular position and back, unnoticed: the coordinate x of a pendulum is as smooth
#: where the mass passes the side as where it turns round there.
GUARDED_TOLERANCE = 1e-4

#: The step, as a part of the run, along which the direction of a residue is looked at.
PROBE_SPAN = 1e-10

#: A stretch between two checkpoints is so many steps, rows and events, fewer in large models: so many numbers
#: of the memory, divided by its size.
LONGEST_STRETCH = 10_000
SHORTEST_STRETCH = 500
STRETCH_NUMBERS = 2_000_000


def simulate(
    structure: Structure,
    program: Program,
    machine: NativeMachine,
    settings: Settings,
    progress: Progress | None = None,
    programs: Programs | None = None,
    checkpoint: Checkpoint | None = None,
) -> Result:
    """Runs the model and gives its result. When the run fails, the `RunError` has what was computed so far
    in its `partial`; when it is interrupted from the keyboard, the result says so. Without `programs` a run
    ends where its states fail. With a `checkpoint` that is there already, it goes on from it; the caller
    removes it at the end."""
    settings.verify()
    assert machine.program is program
    run = _Run(structure, machine, settings, progress, programs, checkpoint)
    try:
        try:
            run.start_or_resume()
            run.loop()
        except KeyboardInterrupt:
            run.interrupted = True
            run.warnings.append(Diagnostic("W402", f"interrupted at time {run.now:.6g}"))
        return run.result()
    except RunError as error:
        error.partial = run.result()
        raise
    finally:
        run.close()


class _Run:
    """Everything a run holds while it lasts."""

    def __init__(
        self,
        structure: Structure,
        machine: NativeMachine,
        settings: Settings,
        progress: Progress | None,
        programs: Programs | None,
        checkpoint: Checkpoint | None,
    ) -> None:
        self.settings = settings
        self._general = structure
        self.now = settings.start_time
        span = settings.stop_time - settings.start_time
        self.engine = Engine(structure, machine, span)
        self._choices = Choices(self.engine, programs)
        self._modes = Modes(self._choices, settings.tolerance)
        self._divided = self._modes.guards.fixing  # as it was when drivers were told which events they do
        self._may_learn = programs is not None
        self.recording = Recording(self.engine.part)
        self.records = Records()
        self._assertions = Assertions([], set())
        self.interrupted = False
        self._sizes: Sizes | None = None
        self._began = clock.perf_counter()
        self._headway = Headway(settings, progress)
        self._probe = PROBE_SPAN * span
        self._homotopy_steps = 0
        self._choices_made = 0
        self._modes_entered = 0
        self._surfaces = Surfaces(self, self._choices)
        self._uniqueness = Uniqueness(self._modes, settings.tolerance, may_wait=checkpoint is None)
        self._leapt: dict[tuple[Expr, ...], float] = {}  # up to when a loop may not leap again
        self._checkpoint = checkpoint
        self._work = 0  # of this stretch
        stretch = STRETCH_NUMBERS // max(self.engine.memory.array.size, 1)
        self._stretch = min(max(stretch, SHORTEST_STRETCH), LONGEST_STRETCH)

    @property
    def warnings(self) -> list[Diagnostic]:
        """The warnings of the run itself, in their order."""
        return self._assertions.warnings

    @property
    def _driver(self) -> Driver:
        """The driver of the present engine, which is equipped by now."""
        driver = self.engine.driver
        assert driver is not None
        return driver

    # ------------------------------------------------------------ start and end

    def start_or_resume(self) -> None:
        """The beginning of the run, or of what is left of it."""
        if self._checkpoint is not None:
            self._identity = identity(self.engine, self.settings)
            found = self._checkpoint.read(self._identity)
            if found is not None:
                self._resume(found)
                return
        self.start()

    @put_off()
    def start(self) -> None:
        """Parameters, start values, the initial system, and the event at the start."""
        settings = self.settings
        start = self._initialised()
        memory = self.engine.memory
        self._homotopy_steps = start.homotopy_steps
        for index in start.violated:
            self._assertions.violated(self.engine, index, self.now)
        self._clocks = make_clocks(memory, settings.start_time)
        self._grid = Grid(settings)
        if self.engine.pivots.guards and self.engine.pivots.fallen():
            # The start values by which states were chosen were guesses, and the position is another.
            self.engine = self._choices.best(self.engine)
        self.recording = Recording(self.engine.part)
        engine = self.engine
        self._histories.attach(engine.memory, engine.machine)
        self._histories.begin()
        engine.rows.append(self.now)
        engine.continuous.relations()
        beginning = engine.iteration.beginning()
        outcome = self._iterated((), due := self._clocks.due(self.now))
        outcome.engine.iteration.endings[:0] = start.endings
        if outcome.engine is not engine:
            self._turn_to(outcome.engine)
            engine = outcome.engine
        rows = engine.rows
        self._histories.event()
        rows.append(self.now)
        self._check_values(rows.count - 1)
        if len(self.recording) == 2 and rows.count == 2 and rows.last_two_equal():
            rows.drop_last()
        last = len(self.recording) - 1
        rounds = (beginning, *outcome.rounds)
        self.records.append(
            EventRecord(
                self.now,
                records.INITIAL,
                tuple(outcome.timed),
                tuple(due),
                0,
                last,
                rounds,
                outcome.impulses,
            )
        )
        self._assertions.after_event(engine, self.now)
        self._uniqueness.look(engine, within=not self._modes)
        self._equip(engine)
        self._driver.limit_steps()
        if engine.pivots.guards and engine.pivots.fallen():
            self._choose_states(engine, last)

    def _initialised(self) -> Start:
        """Solves the initial system, in the mode that its solution belongs to."""
        beginning = Starting(
            self.engine, self._choices, self._modes, self.settings, may_learn=self._may_learn
        )
        start = beginning.solved()
        self.engine, self._histories = beginning.engine, beginning.histories
        self._sizes = beginning.sizes
        self.warnings.extend(beginning.warnings)
        return start

    def _equip(self, engine: Engine) -> None:
        """Gives an engine, in which all values are computed, its integrator and driver."""
        settings = self.settings
        if engine.pivots.guards:
            settings = replace(settings, tolerance=min(settings.tolerance, GUARDED_TOLERANCE))
        largest = min(settings.max_step or math.inf, self._histories.largest_step)
        if self._histories:
            # Where a delay varies, the present is part of the past that is asked for, and no error tells.
            largest = min(largest, (settings.stop_time - settings.start_time) / LEAST_STEPS)
        self._histories.limit(largest)
        max_step = largest if math.isfinite(largest) else 0.0
        memory, machine = engine.memory, engine.machine
        engine.driver = Driver(
            engine,
            make_integrator(memory, machine, settings, max_step, stiff=engine.stiff),
            settings.stop_time,
            self._probe,
            settings.tolerance,
            largest_step=largest,
            by_hand=self._is_by_hand(engine),
            across=not engine.mode.is_left_natively(self._modes.guards.fixing),
            book=self._histories.book,
            resolution=settings.event_resolution,
        )
        self._modes.passages.connect(engine)
        engine.driver.resume(self.now, restarted=True)
        tell_open(engine, self._choices.engines)

    def _is_by_hand(self, engine: Engine) -> bool:
        """Whether events are beyond the driver's reach, even those that stay in their program."""
        special = bool(engine.pivots.guards or engine.surfaces.exits)
        return special or engine.mode.may_be_struck or self._choices.jumps.lacking_in(engine)

    def close(self) -> None:
        """Frees the integrators."""
        self._choices.engines.close()

    def result(self) -> Result:
        """The result so far."""
        memory, model = self.engine.memory, self.engine.structure.model
        parameters = {}
        for v in (*model.constants, *model.parameters):
            slot = memory.slot(v.symbol)
            if v.symbol.type is Type.STRING:
                if v.binding is not None:
                    parameters[v.name] = memory.message(v.binding)
            elif slot is not None and v.symbol.type is not Type.OBJECT:
                parameters[v.name] = typed(v.symbol.type, float(memory.array[slot]))
        problem = self._checkpoint.problem if self._checkpoint is not None else None
        found = Result(
            recording=self.recording,
            values=parameters,
            records=self.records,
            warnings=[*self.warnings, *self._choices.engines.warnings(), *([problem] if problem else [])],
            statistics={
                **self._choices.engines.statistics(),
                **({"homotopy steps": self._homotopy_steps} if self._homotopy_steps else {}),
                "events": len(self.records),
                "state_choices": 1 + self._choices_made,
                "programs": len(self._choices.engines),
                **({"modes entered": self._modes_entered} if self._modes_entered else {}),
                **self._modes.statistics(),
                **self._surfaces.statistics(),
                "seconds": clock.perf_counter() - self._began,
            },
            interrupted=self.interrupted,
            general=self._general,
            programs=[engine.structure for engine in self._choices.engines],
            sizes=self._sizes,
        )
        found.warnings.extend(without_size(found))
        return found

    # ------------------------------------------------------------ stretches

    def _end_stretch(self) -> None:
        """Begins anew where the run is, and may write a checkpoint of that."""
        checkpoint, engine = self._checkpoint, self.engine
        assert checkpoint is not None
        while (told := self._driver.remember()) is not Code.ON:
            if told is Code.ROUTINE_FAILED:
                raise unsolved.failure(engine.memory, self._driver.standing.status)
            self._histories.make_room()
        self._driver.arrive()
        self._choices.engines.give_up_integrators()
        self._modes.passages.forget()
        moment = self._moment()
        if checkpoint.is_due():
            checkpoint.write(self._identity, saved(moment, self._choices), self.result())
        self._begin_stretch(moment.pasts)

    def _begin_stretch(self, pasts: Sequence[Past]) -> None:
        """All values are computed; what is made here depends on nothing that is not saved."""
        self._work = 0
        self._clocks.begin_anew(self._clocks.ticks)
        engine, first = self.engine, self.recording.parts[0]
        self._histories = histories = Histories(engine.memory, self.settings)
        if histories:
            began = next(e for e in self._choices.engines if e.part is first)
            histories.attach(began.memory, began.machine)
            histories.measure()
            histories.attach(engine.memory, engine.machine)
            histories.go_on(pasts)
        self._equip(engine)
        self._driver.limit_steps()
        self._driver.begin_natively()

    def _moment(self) -> Moment:
        return Moment(
            now=self.now,
            engine=self.engine,
            recording=self.recording,
            records=self.records,
            clocks=self._clocks,
            grid=self._grid,
            warnings=self.warnings,
            warned=self._assertions.warned,
            homotopy_steps=self._homotopy_steps,
            choices_made=self._choices_made,
            pasts=self._histories.save(),
            surfaces=self._surfaces.stored(),
            modes={
                **self._modes.stored(),
                "entered": self._modes_entered,
                "unique": self._uniqueness.stored(),
            },
            seconds=clock.perf_counter() - self._began,
        )

    def _resume(self, found: Saved) -> None:
        moment = restored(found, self._choices, self.settings)
        self.now, self.engine = moment.now, moment.engine
        self.recording, self.records = moment.recording, moment.records
        self._clocks, self._grid = moment.clocks, moment.grid
        self._assertions = Assertions(moment.warnings, moment.warned)
        self._homotopy_steps, self._choices_made = moment.homotopy_steps, moment.choices_made
        self._surfaces = Surfaces(self, self._choices)  # which reads the records
        self._surfaces.load(moment.surfaces)
        self._modes.load(moment.modes)
        self._modes_entered = moment.modes["entered"]
        self._uniqueness.load(moment.modes["unique"])
        self._began -= moment.seconds
        self._begin_stretch(moment.pasts)

    # ------------------------------------------------------------ the loop

    def loop(self) -> None:
        """From the start time to the stop time, or to an end that the model asks for."""
        while not self._assertions.ended:
            engine = self.engine
            begun_by = self._driver
            # Call-backs leave a trace of failures that were overcome.
            engine.memory.cells[engine.continuous.status_slot] = 0.0
            most, known = self._surfaces.watch.patience, len(self.records)
            self._modes.passages.prepare_rows()
            until = self._surfaces.motion.until
            code = begun_by.drive(self._grid, self._clocks, self.records, len(self.recording), most, until)
            first = self._take_rows(begun_by)
            engine = self.engine
            driver = self._driver
            driver.tell_integrator()
            self.now = driver.standing.now
            match code:
                case Code.FINISHED:
                    if self.now >= self.settings.stop_time:
                        self._surfaces.refuse_penetration()
                        break
                    self._surfaces.motion.come_to_the_point()
                case Code.SLICE:
                    if self._headway.crawls(engine, begun_by) and not self._leaps(engine):
                        raise self._failure(engine)
                    still = self._headway.stands_still(engine, begun_by)
                    if still is not None and not self._surfaces.ends_in_a_point() and still.hopeless:
                        driver.arrive()
                        raise standstill(engine.memory, still.steps, still.passed, self.settings.tolerance)
                case Code.LOOK:
                    if not self._parts(engine):
                        self._check_values(first)
                case Code.CROSSING | Code.SCHEDULED:
                    self._event_by_hand(code)
                case Code.STIFF:
                    self._becomes_stiff(engine)
                case Code.ROOM:
                    self._histories.make_room()
                case Code.RESTART:
                    self._restart(self.now, probes=driver.standing.probes)
                case Code.UNRESOLVED:
                    if not self._surfaces.unresolved(driver.standing.unresolved):
                        raise flips.unresolved_events(engine.memory, driver.standing.unresolved)
                case Code.FAILED:
                    if not self._leaps(engine):
                        raise self._failure(engine)
                case Code.ROUTINE_FAILED:
                    if not self._leaps(engine):
                        raise unsolved.failure(engine.memory, driver.standing.status)
            self._look_at_pivots()
            if len(self.records) > known and self.records.time(len(self.records) - 1) == self.now:
                self._uniqueness.look(self.engine, within=not self._modes)
            self._look_at_events()
            self._headway.report(self.now, len(self.records))
            self._headway.refuse_endless(self.records, self.now, self.engine.memory)
            self._work += begun_by.last.work
            if self._checkpoint is not None and self._work >= self._stretch and not self._assertions.ended:
                self._end_stretch()
        self._uniqueness.finish()
        if not self._assertions.ended and uses_terminal(self.engine.structure):
            memory = self.engine.memory
            memory.cells[memory.first("flags") + Flag.TERMINAL] = 1.0
            self._happens(records.TERMINAL, (), ())

    def _becomes_stiff(self, engine: Engine) -> None:
        """An engine goes on with an implicit method, from where the run is: the last step does not count."""
        self._driver.arrive()
        self._choices.engines.give_up_integrator(engine)
        engine.stiff = True
        self._equip(engine)
        self._driver.limit_steps()
        self._driver.begin_natively()

    def _take_rows(self, driver: Driver) -> int:
        """Takes the rows of a driver's last call, of all engines to which the run has turned in it. The first
        of those that the present engine has written, by its number there."""
        own, stays = driver.last.stays
        self.engine.rows.take(own)
        if stays is not None:
            engines = self._modes.passages.engines
            gates, counts = stays
            self.recording.follow([engine.part for engine in engines], gates, counts)
            self.engine = engines[gates[-1]]
            self._modes_entered += len(gates)
            self._modes.take_counts()
            own = int(counts[-1])
        return self.engine.rows.count - own

    def _event_by_hand(self, code: Code) -> None:
        """An event that the driver has left to Python; the memory is at its left limits."""
        engine = self.engine
        fired = self._driver.crossed()
        left = [index for index, _ in fired if index in engine.surfaces.exits]
        if left:
            for index in left:
                engine.memory.cells[engine.relations.truth + index] = 0.0
            self._surfaces.motion.leave(fired)
            return
        if fired and all(index in engine.pivots.guards for index, _ in fired):
            for index, _ in fired:
                engine.memory.cells[engine.relations.truth + index] = 0.0
            self._choose_states(engine)
            return
        kind = records.STATE if code is Code.CROSSING else records.TIME
        if self._parts(engine):
            return  # what was to happen now comes after that, if it still does
        rows, before = engine.rows.count, engine.memory.array.copy()
        try:
            self._happens(kind, fired, self._clocks.due(self.now))
        except RunError as failure:
            # Impacts that are too slow to be told from none may be those of a series that comes to its end.
            if self.engine is not engine or failure.diagnostics[0].code != "E404":
                raise
            reached = engine.memory.array.copy()
            engine.memory.array[:] = before
            taken = engine.rows.take_back(rows)
            if not any(self._surfaces.unresolved(index) for index, _ in fired):
                engine.memory.array[:] = reached
                engine.rows.put_back(taken)
                raise

    def _happens(self, kind: str, fired: Sequence[tuple[int, float]], due: Sequence[int]) -> None:
        """One event, on a surface or not."""
        if self.engine.surfaces.exits:
            self._surfaces.motion.event(kind, fired, due)
        else:
            self.event(kind, fired, due)

    def _leaps(self, engine: Engine) -> bool:
        """After a failure: whether a loop has another solution to go on with, where the one that was followed
        ends; or whether something else happens before that. If not, the memory is as it was, but for loops:
        these have the values with which they failed, for the message."""
        memory = engine.memory
        before = memory.array.copy()
        found = None
        if not engine.surfaces.exits and not engine.pivots.near_singular:
            follower = Follower(engine, self.records.time(len(self.records) - 1))
            found = follower.find()
        if isinstance(found, Leap) and found.time <= self._leapt.get(found.unknowns, -math.inf):
            found = None  # it has just done so, and that did not help
        if found is None or not self._reaches(follower, found):
            memory.array[:] = before
            show_failure(engine)
            return False
        self.now = found.time
        due = self._clocks.due(found.time)
        if isinstance(found, Crossing):
            self._happens(records.STATE, found.fired, due)
            return True
        self._leapt[found.unknowns] = found.time + follower.least(found.time)
        engine.iteration.leap = found.slots, found.values
        self.event(records.LEAP, (), due, tuple(show(x) for x in found.unknowns))
        return True

    def _parts(self, engine: Engine) -> bool:
        """Whether equations that the mode has in excess have parted since the last row in which they agreed:
        then the mode is chosen anew at the instant at which they did so."""
        rows, memory, now = engine.rows, engine.memory, self.now
        if engine.structure.surfaces or engine.structure.model.delays or not has_parted(engine):
            return False
        kept, last = memory.array.copy(), self.records.time(len(self.records) - 1)
        is_row = rows.count > 1 and rows.times[-1] == now
        if now <= last or rows.count <= is_row:
            return False  # an event has just chosen the mode, or there is nothing to begin with
        if is_row:
            rows.drop_last()
        before = float(rows.times[-1])
        rows.recall(rows.count - 1)
        memory.cells[TIME_SLOT] = before
        time = None
        if last <= before < now and not engine.continuous.outputs() and not has_parted(engine):
            time = parts_at(engine, now, self.settings.tolerance)
        if time is None:
            memory.array[:] = kept
            if is_row:
                rows.append(now)
            return False
        self.now = time
        engine.continuous.relations()
        self._grid.go_back_to(time)
        self.event(records.STATE, (), self._clocks.due(time))
        return True

    def _reaches(self, follower: Follower, found: Crossing | Leap) -> bool:
        """Output points and histories up to what was found; the memory stays as it is."""
        engine, memory = self.engine, self.engine.memory
        left = memory.array.copy()
        for point in self._grid.before(found.time):
            if not follower.goes_to(point):
                return False
            engine.rows.append(point)
        while (told := self._driver.remember(found.time)) is not Code.ON:
            if told is Code.ROUTINE_FAILED:
                return False
            self._histories.make_room()
        memory.array[:] = left
        return True

    def _failure(self, engine: Engine) -> RunError:
        """Why the integrator gave up."""
        if engine.pivots.near_singular:
            return given_up.singular_position(engine.memory, engine.structure.pivot_guards)
        return given_up.integration_failure(engine.memory, self._driver.integrator)

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
        if not before.surfaces.exits and self._choices.jumps.lacking_in(before):
            self.change_to(self._choices.jumps.taken_over(before))
        engine = self.engine
        array = engine.memory.array
        engine.continuous.relations()
        states, mode = engine.continuous.states.copy(), array[engine.continuous.mode_slots]
        outcome = self._iterated(fired, due)
        causes = (*(index for index, _ in fired if index not in engine.pivots.guards), *outcome.timed)
        changed = outcome.engine is not engine
        if changed:
            self._turn_to(outcome.engine)
            engine, array = outcome.engine, outcome.engine.memory.array
        self._histories.event()
        engine.rows.append(now)
        last = engine.rows.count - 1
        right = self.recording.offset + last
        self.records.append(
            EventRecord(now, kind, causes, tuple(due), left, right, outcome.rounds, outcome.impulses, ended)
        )
        self._check_values(last if changed or recorded or not last else last - 1)
        if engine.iteration.watches:
            self._assertions.after_event(engine, now)
        if (changed or ended) or not (
            np.array_equal(engine.continuous.states, states)
            and np.array_equal(array[engine.continuous.mode_slots], mode)
        ):
            if changed:
                self._driver.limit_steps()
            self._restart(now)
            self._driver.begin_natively()
        else:
            self._driver.resume(now, restarted=False)
        if changed:
            self._modes_entered += 1
        elif engine is not before or (engine.pivots.guards and engine.pivots.fallen()):
            self._choose_states(before, right if engine is before else left)
        self._grid.pass_(now)
        if self._modes.guards.fixing is not self._divided:
            self._divided = self._modes.guards.fixing
            for known in self._choices.engines:
                if known.driver is not None:
                    across = not known.mode.is_left_natively(self._divided)
                    known.driver.leave_events(self._is_by_hand(known), across=across)

    def _iterated(self, fired: Sequence[tuple[int, float]], due: Sequence[int]) -> Outcome:
        """What an event comes to. Where a block turns out to be singular, it has to be done once more: the
        guards in it make modes of their own."""
        engine = self.engine
        if not self._modes and not self._may_learn:
            return Outcome(engine, *engine.iteration.iterate(fired, due), ())
        if not self._modes and engine.structure.entry is None:
            left = engine.memory.array.copy()
            try:
                outcome = Outcome(engine, *engine.iteration.iterate(fired, due), ())
            except RunError as error:
                if not error.status or not self._modes.guards.learns(engine, error.status):
                    raise
            else:
                if not self._learns_from_search(engine):
                    return outcome
            engine.memory.array[:] = left
        return self._modes.event(engine, fired, due)

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
        return bool(drifting) and self._modes.learn(engine, block, numbers)

    def _turn_to(self, engine: Engine) -> None:
        """Another engine, in which all is computed, goes on from here."""
        self.engine = engine
        self._histories.attach(engine.memory, engine.machine)
        self.recording.turn(engine.part)
        if engine.driver is None:
            self._equip(engine)

    def _choose_states(self, before: Engine, left: int | None = None) -> None:
        """Goes on with the states that are best here, where those of `before` no longer determine the rest
        well. `left` is the number of its last row, if this instant is recorded already."""
        best = self._choices.best(self.engine)
        if best is not before and left is None:
            before.rows.append(self.now)
            left = len(self.recording) - 1
        if best is not self.engine:
            self.change_to(best)
        self._driver.limit_steps()
        self._restart(self.now)
        if best is not before and left is not None:
            right = len(self.recording) - 1
            self.records.append(EventRecord(self.now, records.STATES, (), (), left, right, ()))
            self._choices_made += 1

    def _look_at_pivots(self) -> None:
        """Away from a singular position the run takes its usual steps again."""
        if not self.engine.pivots.near_singular:
            return
        self._driver.arrive()
        self.engine.continuous.relations()
        if self.engine.pivots.recovered():
            self._choose_states(self.engine)

    def change_to(self, engine: Engine, *, recorded: bool = True) -> None:
        """Another engine, which has taken over all values, goes on from here. They are recorded unless they
        mean nothing before an event has happened."""
        self._turn_to(engine)
        if recorded:
            engine.rows.append(self.now)
            self._check_values(engine.rows.count - 1)

    def restart(self) -> None:
        """The integrator begins anew with the values of the engine."""
        self._driver.limit_steps()
        self._restart(self.now)

    def outcome(self, fired: Sequence[tuple[int, float]], due: Sequence[int]) -> Engine:
        """The engine to which one event leads, with the values after it; only the present one's numbers have
        to be put back, and nothing is written down."""
        return self._iterated(fired, due).engine

    @property
    def has_modes(self) -> bool:
        """Whether an event may lead to the program of another mode."""
        return bool(self._modes)

    def pass_points(self, until: float) -> None:
        """Output points up to a time are done with."""
        self._grid.pass_(until)

    def next_time_event(self) -> float:
        """When something happens whatever the states do."""
        crossings = self.engine.memory.section("crossing_times")
        timed = np.min(crossings, where=crossings > self.now, initial=np.inf)
        return min(self._clocks.next_time, float(timed))

    def _look_at_events(self) -> None:
        """Chattering and accumulating events lead elsewhere."""
        if self._surfaces.watch.is_due and not self._assertions.ended:
            self._surfaces.look()
        self._surfaces.refuse_penetration()

    def arrive(self) -> None:
        """The engine has all values at the present time."""
        self._driver.arrive()

    def _restart(self, now: float, *, probes: bool = True) -> None:
        """Starts the integrator anew where the run is; see `Driver.restart`."""
        try:
            self._driver.restart(now, probes=probes)
        except SundialsError as error:
            raise RunError(Diagnostic("E405", f"restart at time {now:.9g} failed: {error}")) from error

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

    def _check_values(self, since: int) -> None:
        """The rows just recorded must hold finite numbers, and assertions must hold."""
        self._check_finite(since)
        self._assertions.look(self.engine, self.now)

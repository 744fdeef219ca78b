"""The loop of a simulation: integrate to the next output point or time event, or until a crossing fires.

Rows are recorded at the output points (start + k * interval, computed without drift) and twice at every
event: its left and its right limit, at the same time. An output point that falls on an event gives no row
of its own.

`saltus.run.course` has the effects of events on a run, `saltus.run.surfaces` those of surfaces.

With a checkpoint, a run is divided into stretches of about the same amount of work. At the end of each the
run restarts from its memory, like one that resumes from a checkpoint (`saltus.run.resume.snapshot`).
"""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Sequence
from contextlib import nullcontext

from saltus.core.collection import put_off
from saltus.core.diagnostics import Diagnostic, RunError
from saltus.core.option import usage_error
from saltus.functions.external.objects import ExternalError
from saltus.ir.balance import Sizes
from saltus.ir.native.contract import Flag
from saltus.ir.native.drive import Code
from saltus.ir.program import Program
from saltus.ir.structure import Structure
from saltus.result.log import records
from saltus.result.log.records import EventRecord
from saltus.result.modes.recorded import listed_modes
from saltus.result.result import Result
from saltus.result.trajectories.recording import Recording
from saltus.run.course.breaks import Breaks
from saltus.run.course.course import Course
from saltus.run.course.outflow import Outflow, Outlet
from saltus.run.engine.assertions import Assertions
from saltus.run.engine.driver import MOST_EVENTS, Driver
from saltus.run.engine.engine import Engine
from saltus.run.engine.progress import Headway, Progress
from saltus.run.exchange.meetings import Meetings
from saltus.run.failures import flips, given_up, unsolved
from saltus.run.failures.standstill import standstill
from saltus.run.integrators.integrator import NativeMachine
from saltus.run.memory.dependence import uses_terminal
from saltus.run.memory.memory import parameter_values
from saltus.run.modes.choices import Choices, Programs
from saltus.run.modes.modes import prepare
from saltus.run.past.histories import Histories, Past
from saltus.run.resume.checkpoint import Checkpoint, Saved
from saltus.run.resume.snapshot import Moment, identity, restored, saved
from saltus.run.schedule.grid import Grid
from saltus.run.schedule.settings import Settings
from saltus.run.sizes.unsized import without_size
from saltus.run.start.first_step import with_first_step, with_whole_step
from saltus.run.start.initialise import Start, make_clocks
from saltus.run.start.starting import Starting
from saltus.run.surfaces.sliding import Surfaces
from saltus.run.uniqueness.uniqueness import Uniqueness

#: The number of steps, rows and events in a stretch between two checkpoints, fewer in large models: the
#: numbers of the memory, divided by its size.
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
    at_end: Callable[[Course], None] | None = None,
    outlet: Outlet | None = None,
    meetings: Meetings | None = None,
    at_start: Callable[[Course], None] | None = None,
) -> Result:
    """Runs the model and gives its result. If the run fails, the `partial` of the `RunError` holds the
    results so far; if it is interrupted from the keyboard, the result says so. Without `programs` a run ends
    where its states fail. From an existing `checkpoint` it resumes; the caller removes it at the end.
    `at_start` may inspect a run that has begun, `at_end` one that has come to its end, and continue it. With
    an `outlet` a long run sends finished rows away. At `meetings` values are exchanged between two steps."""
    settings.verify()
    assert machine.program is program
    assert outlet is None or (checkpoint is None and not settings.steps), "which need all rows"
    if settings.formula is not None:
        refuse_fixed_steps(settings.method, program, checkpoint is not None)
    run = _Run(structure, machine, settings, progress, programs, checkpoint)
    run.meetings = meetings
    if outlet is not None:
        run.outflow = Outflow(run.course, outlet, run.result)
    try:
        try:
            run.start_or_resume()
            if at_start is not None:
                at_start(run.course)
            # A collection of garbage takes longer than many steps: there is none while steps are measured.
            with put_off() if settings.speed is not None else nullcontext():
                run.loop()
            if at_end is not None:
                at_end(run.course)
        except KeyboardInterrupt:
            run.interrupted = True
            run.course.warnings.append(Diagnostic("W402", f"interrupted at time {run.course.now:.6g}"))
        return run.result(is_over=True)
    except RunError as error:
        error.partial = run.result(is_over=True)
        raise
    finally:
        run.close()


def refuse_fixed_steps(method: str, program: Program, has_checkpoint: bool) -> None:
    """Refuses what cannot be done with steps of a fixed length."""
    reason = None
    if program.remembers:
        reason = "the model has a delay or a transport, whose past is known between steps by others only"
    elif has_checkpoint:
        reason = "no checkpoints are written of such runs"
    if reason is not None:
        raise usage_error(f"method {method} cannot run this: {reason}", hint="choose another method")


def _programs_made(choices: Choices) -> int:
    """How many programs there are of the model, those of other runs among them."""
    return len(choices.programs) if choices.programs is not None else 1


class _Run:
    """What a run does from its start to its end."""

    def __init__(
        self,
        structure: Structure,
        machine: NativeMachine,
        settings: Settings,
        progress: Progress | None,
        programs: Programs | None,
        checkpoint: Checkpoint | None,
    ) -> None:
        self._general = structure
        self.course = course = Course(structure, machine, settings, programs)
        self.interrupted = False
        self._sizes: Sizes | None = None
        self._began = clock.perf_counter()
        self._headway = Headway(settings, progress)
        self._homotopy_steps = 0
        self._made = _programs_made(course.choices)  # programs, when the run has started
        self._surfaces = Surfaces(course, course.choices)
        #: Whether chattering and accumulating events are detected: there is at most one event per fixed step.
        self._looks = settings.formula is None
        self._breaks = Breaks(course, self._happens)
        self._uniqueness = Uniqueness(course.modes, settings.tolerance, may_wait=checkpoint is None)
        self._checkpoint = checkpoint
        self.outflow: Outflow | None = None
        self.meetings: Meetings | None = None
        self._work = 0  # of this stretch
        stretch = STRETCH_NUMBERS // max(course.engine.memory.array.size, 1)
        self._stretch = min(max(stretch, SHORTEST_STRETCH), LONGEST_STRETCH)

    # ------------------------------------------------------------ start and end

    def start_or_resume(self) -> None:
        """The beginning of the run, or of what is left of it."""
        if self._checkpoint is not None:
            self._identity = identity(self.course.engine, self.course.settings)
            found = self._checkpoint.read(self._identity)
            if found is not None:
                self._resume(found)
                return
        self.start()

    def _carry_out(self) -> None:
        """What functions of the start have written and said."""
        carry_out = self.course.engine.structure.model.carry_out
        try:
            if carry_out is not None:
                carry_out()
        except ExternalError as error:
            raise RunError(Diagnostic(error.code, str(error))) from None

    @put_off()
    def start(self) -> None:
        """Parameters, start values, the initial system, and the event at the start."""
        course = self.course
        settings = course.settings
        self._carry_out()
        start = self._initialised()
        memory = course.engine.memory
        self._homotopy_steps = start.homotopy_steps
        for index in start.violated:
            course.assertions.violated(course.engine, index, course.now)
        course.clocks = make_clocks(memory, settings.start_time)
        course.grid = Grid(settings)
        if course.engine.pivots.guards and course.engine.pivots.fallen():
            # The start values by which states were chosen were guesses, and the position is another.
            course.engine = course.choices.best(course.engine)
        if settings.modes:
            self._list_modes()
        course.recording = Recording(course.engine.part)
        engine = course.engine
        course.histories.attach(engine.memory, engine.machine)
        course.histories.begin()
        engine.rows.append(course.now)
        engine.continuous.relations()
        beginning = engine.iteration.beginning()
        outcome = course.iterated(engine, (), due := course.clocks.due(course.now))
        outcome.engine.iteration.endings[:0] = start.endings
        if outcome.engine is not engine:
            course.turn_to(outcome.engine)
            engine = outcome.engine
        rows = engine.rows
        course.histories.event()
        rows.append(course.now)
        course.check_values(rows.count - 1)
        if len(course.recording) == 2 and rows.count == 2 and rows.last_two_equal():
            rows.drop_last()
        last = len(course.recording) - 1
        rounds = (beginning, *outcome.rounds)
        course.records.append(
            EventRecord(
                course.now,
                records.INITIAL,
                tuple(outcome.timed),
                tuple(due),
                0,
                last,
                rounds,
                outcome.impulses,
            )
        )
        if course.steps is not None:
            course.steps.keep(0, course.now)
        course.assertions.after_event(engine, course.now)
        self._uniqueness.look(engine, within=not course.modes)
        course.equip(engine)
        course.driver.limit_steps()
        if engine.pivots.guards and engine.pivots.fallen():
            course.choose_states(engine, last)
        self._made = _programs_made(course.choices)

    def _list_modes(self) -> None:
        """Makes programs for the modes that the run is expected to visit."""
        course = self.course
        guards = course.modes.guards
        needed = {*guards.fixing.guards(), *guards.local}
        modes = listed_modes(self._general, needed, course.settings.listed)
        guards.list_modes(course.engine, modes)
        prepare(course.modes, course.engine)

    def _initialised(self) -> Start:
        """Solves the initial system, in the mode that its solution belongs to."""
        course = self.course
        settings = with_first_step(course.engine.structure, course.settings)
        beginning = Starting(
            course.engine, course.choices, course.modes, settings, may_learn=course.may_learn
        )
        try:
            start = beginning.solved()
        except RunError as error:
            # A parameter that has no value may be the reason.
            error.diagnostics += tuple(w for w in beginning.warnings if w.code == "W403")
            raise
        course.engine, course.histories = beginning.engine, beginning.histories
        self._sizes = beginning.sizes
        with_whole_step(course.engine, course.settings)
        course.warnings.extend(beginning.warnings)
        return start

    def close(self) -> None:
        """Frees the integrators."""
        self.course.choices.engines.close()

    def result(self, *, is_over: bool = False) -> Result:
        """The result so far. What events have passed through is known when the run is over."""
        course = self.course
        if is_over and self.outflow is not None:
            self.outflow.finish()
        parameters = parameter_values(course.engine.memory)
        problem = self._checkpoint.problem if self._checkpoint is not None else None
        found = Result(
            recording=course.recording,
            values=parameters,
            records=course.records,
            warnings=[*course.warnings, *course.choices.engines.warnings(), *([problem] if problem else [])],
            statistics={
                **course.choices.engines.statistics(),
                **({"homotopy steps": self._homotopy_steps} if self._homotopy_steps else {}),
                "events": len(course.records),
                "state_choices": 1 + course.choices_made,
                "programs": len(course.choices.engines),
                **({"modes listed": len(course.modes.guards.listed)} if course.settings.modes else {}),
                "programs compiled during the run": _programs_made(course.choices) - self._made,
                **({"modes entered": course.modes_entered} if course.modes_entered else {}),
                **course.modes.books.statistics(),
                **self._surfaces.statistics(),
                "seconds": clock.perf_counter() - self._began,
            },
            interrupted=self.interrupted,
            general=self._general,
            programs=[engine.structure for engine in course.choices.engines],
            sizes=self._sizes,
            listed=course.modes.guards.listed,
        )
        if course.step_watch is not None:
            found.step_times = course.step_watch.times
        if is_over and course.steps is not None:
            found.passed = course.steps.passed(course.recording.parts[0], len(course.records))
            if course.steps.interrupted:
                found.interrupted = True
                found.warnings.append(Diagnostic("W402", "interrupted before all steps were found"))
        if is_over and not found.interrupted:  # else it has not shown how large anything becomes
            found.warnings.extend(without_size(found, course.settings.tolerance))
        return found

    # ------------------------------------------------------------ stretches

    def _end_stretch(self) -> None:
        """Begins anew where the run is, and may write a checkpoint of that."""
        course = self.course
        checkpoint, engine = self._checkpoint, course.engine
        assert checkpoint is not None
        while (told := course.driver.remember()) is not Code.ON:
            if told is Code.ROUTINE_FAILED:
                raise unsolved.failure(engine.memory, course.driver.standing.status)
            course.histories.make_room()
        course.driver.arrive()
        course.choices.engines.give_up_integrators()
        course.modes.passages.forget()
        moment = self._moment()
        if checkpoint.is_due():
            checkpoint.write(self._identity, saved(moment, course.choices), self.result())
        self._begin_stretch(moment.pasts)

    def _begin_stretch(self, pasts: Sequence[Past]) -> None:
        """All values are computed; what is made here depends on nothing that is not saved."""
        course = self.course
        self._work = 0
        course.clocks.begin_anew(course.clocks.ticks)
        engine, first = course.engine, course.recording.parts[0]
        course.histories = histories = Histories(engine.memory, course.settings)
        if histories:
            began = next(e for e in course.choices.engines if e.part is first)
            histories.attach(began.memory, began.machine)
            histories.measure()
            histories.attach(engine.memory, engine.machine)
            histories.go_on(pasts)
        course.equip(engine)
        course.driver.limit_steps()
        course.driver.begin_natively()

    def _moment(self) -> Moment:
        course = self.course
        return Moment(
            now=course.now,
            engine=course.engine,
            recording=course.recording,
            records=course.records,
            clocks=course.clocks,
            grid=course.grid,
            warnings=course.warnings,
            warned=course.assertions.warned,
            homotopy_steps=self._homotopy_steps,
            choices_made=course.choices_made,
            pasts=course.histories.save(),
            surfaces=self._surfaces.stored(),
            modes={
                **course.modes.guards.stored(),
                **course.modes.books.stored(),
                "entered": course.modes_entered,
                "unique": self._uniqueness.stored(),
            },
            steps=course.steps.stored() if course.steps is not None else None,
            seconds=clock.perf_counter() - self._began,
        )

    def _resume(self, found: Saved) -> None:
        course = self.course
        moment = restored(found, course.choices, course.settings)
        course.now, course.engine = moment.now, moment.engine
        course.recording, course.records = moment.recording, moment.records
        course.clocks, course.grid = moment.clocks, moment.grid
        course.assertions = Assertions(moment.warnings, moment.warned)
        self._homotopy_steps, course.choices_made = moment.homotopy_steps, moment.choices_made
        self._surfaces = Surfaces(course, course.choices)  # which reads the records
        self._surfaces.load(moment.surfaces)
        course.modes.guards.load(moment.modes)
        course.modes.books.load(moment.modes)
        course.modes_entered = moment.modes["entered"]
        self._uniqueness.load(moment.modes["unique"])
        if course.steps is not None and moment.steps is not None:
            course.steps.load(moment.steps)
        self._began -= moment.seconds
        self._begin_stretch(moment.pasts)
        self._made = _programs_made(course.choices)

    # ------------------------------------------------------------ the loop

    def loop(self) -> None:
        """From the start time to the stop time, or to an end that the model asks for."""
        course = self.course
        while not course.assertions.ended:
            engine = course.engine
            begun_by = course.driver
            # Call-backs leave a trace of failures that were overcome.
            engine.memory.cells[engine.continuous.status_slot] = 0.0
            watch, known = self._surfaces.watch, len(course.records)
            course.modes.passages.prepare_rows()
            until = self._surfaces.motion.until
            if self.meetings is not None:
                until = min(until, self.meetings.before_step(course))
            with course.steps.listening() if course.steps is not None else nullcontext():
                code = begun_by.drive(
                    course.grid,
                    course.clocks,
                    course.records,
                    len(course.recording),
                    watch.patience if self._looks else MOST_EVENTS,
                    until,
                    watch.seeks_rest and self._looks,
                )
            watch.low_hop = begun_by.last.was_low_hop
            first = self._take_rows(begun_by)
            if course.steps is not None:
                course.steps.number(known, len(course.records))
            engine = course.engine
            driver = course.driver
            driver.tell_integrator()
            course.now = driver.standing.now
            match code:
                case Code.FINISHED:
                    if course.now >= course.settings.stop_time:
                        self._surfaces.refuse_penetration()
                        break
                    if self.meetings is None or not self.meetings.is_next(course):
                        self._surfaces.motion.come_to_the_point()
                case Code.SLICE if self._looks:
                    if self._headway.crawls(engine, begun_by) and not self._breaks.leaps(engine):
                        raise self._failure(engine)
                    still = self._headway.stands_still(engine, begun_by)
                    if still is not None and not self._surfaces.ends_in_a_point() and still.hopeless:
                        driver.arrive()
                        raise standstill(engine.memory, still.steps, still.passed, course.settings.tolerance)
                case Code.LOOK:
                    if not self._breaks.parts(engine):
                        course.check_values(first)
                case Code.CROSSING | Code.SCHEDULED:
                    self._event_by_hand(code)
                case Code.STIFF:
                    self._becomes_stiff(engine)
                case Code.ROOM:
                    course.histories.make_room()
                case Code.RESTART:
                    course.begin_anew(probes=driver.standing.probes)
                case Code.UNRESOLVED:
                    if not self._surfaces.unresolved(driver.standing.unresolved):
                        raise flips.unresolved_events(engine.memory, driver.standing.unresolved)
                case Code.FAILED:
                    if not self._breaks.leaps(engine):
                        raise self._failure(engine)
                case Code.ROUTINE_FAILED:
                    if not self._looks or not self._breaks.leaps(engine):
                        raise unsolved.failure(engine.memory, driver.standing.status)
            course.look_at_pivots()
            if len(course.records) > known and course.records.time(len(course.records) - 1) == course.now:
                self._uniqueness.look(course.engine, within=not course.modes)
            self._look_at_events()
            self._headway.report(course.now, len(course.records))
            self._headway.refuse_endless(course.records, course.now, course.engine.memory)
            if self.outflow is not None:
                self.outflow.flow()
            self._work += begun_by.last.work
            if self._checkpoint is not None and self._work >= self._stretch and not course.assertions.ended:
                self._end_stretch()
        self._uniqueness.finish()
        if self.meetings is not None:
            self.meetings.at_end(course)
        if not course.assertions.ended and uses_terminal(course.engine.structure):
            memory = course.engine.memory
            memory.cells[memory.first("flags") + Flag.TERMINAL] = 1.0
            self._happens(records.TERMINAL, (), ())

    def _becomes_stiff(self, engine: Engine) -> None:
        """An engine continues with an implicit method, from the present point: the last step does not
        count."""
        course = self.course
        course.driver.arrive()
        course.choices.engines.give_up_integrator(engine)
        engine.stiff = True
        course.equip(engine)
        course.driver.limit_steps()
        course.driver.begin_natively()

    def _take_rows(self, driver: Driver) -> int:
        """Takes the rows of a driver's last call, of all engines to which the run has turned in it. The first
        of those that the present engine has written, by its number there."""
        course = self.course
        own, stays = driver.last.stays
        course.engine.rows.take(own)
        if stays is not None:
            engines = course.modes.passages.engines
            gates, counts = stays
            course.recording.follow([engine.part for engine in engines], gates, counts)
            course.engine = engines[gates[-1]]
            course.modes_entered += len(gates)
            course.modes.take_counts()
            own = int(counts[-1])
        return course.engine.rows.count - own

    def _event_by_hand(self, code: Code) -> None:
        """An event that the driver has left to Python; the memory is at its left limits."""
        course = self.course
        engine = course.engine
        fired = course.driver.crossed()
        left = [index for index, _ in fired if index in engine.surfaces.exits]
        if left:
            for index in left:
                engine.memory.cells[engine.relations.truth + index] = 0.0
            self._surfaces.motion.leave(fired)
            return
        if fired and all(index in engine.pivots.guards for index, _ in fired):
            for index, _ in fired:
                engine.memory.cells[engine.relations.truth + index] = 0.0
            course.choose_states(engine)
            return
        kind = records.STATE if code is Code.CROSSING else records.TIME
        if self._breaks.parts(engine):
            return  # what was to happen now comes after that, if it still does
        rows, before = engine.rows.count, engine.memory.array.copy()
        try:
            self._happens(kind, fired, course.clocks.due(course.now))
        except RunError as failure:
            # Impacts too slow to be recognised may be those of a series that comes to its end.
            if course.engine is not engine or failure.diagnostics[0].code != "E404":
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
        if self.course.engine.surfaces.exits:
            self._surfaces.motion.event(kind, fired, due)
        elif not (self.course.has_modes and self._surfaces.motion.turns(kind, fired, due)):
            self.course.event(kind, fired, due)

    def _failure(self, engine: Engine) -> RunError:
        """Why the integrator gave up."""
        if engine.pivots.near_singular:
            return given_up.singular_position(engine.memory, engine.structure.pivot_guards)
        return given_up.integration_failure(engine.memory, self.course.driver.integrator)

    def _look_at_events(self) -> None:
        """Chattering and accumulating events lead elsewhere."""
        if not self._looks:
            return
        if self._surfaces.watch.is_due and not self.course.assertions.ended:
            self._surfaces.look()
        self._surfaces.refuse_penetration()

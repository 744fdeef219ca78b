"""The loop of a simulation: integrate to the next output point or time event, or until a crossing fires.

Rows are recorded at the output points (start + k * interval, computed without drift) and twice at every
event: its left and its right limit, at the same time. An output point that falls on an event gives no row
of its own.

Where the chosen states fail (`saltus.analyse.guards`), the run goes on with others: another program, in an
engine of its own.

After an event the integrator starts anew only if the event changed a state, or something the differential
equations depend on (`saltus.run.dependence`). A relation that leaves its zero band towards the side it was
presumed to be on changes nothing at all, and is no event.
"""

from __future__ import annotations

import math
import time as clock
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from saltus.core.diagnostics import Diagnostic, RunError
from saltus.expr.nodes import Type
from saltus.ir.program import CHECK_ACTIVE, ROUTINE_FAILED, Program
from saltus.ir.structure import Structure
from saltus.result import records
from saltus.result.recording import Recording
from saltus.result.records import EventRecord
from saltus.result.result import Result
from saltus.run import diagnose
from saltus.run.choices import Choices, Reselect
from saltus.run.dependence import uses_terminal
from saltus.run.engine import Engine, Unresolved
from saltus.run.grid import Grid
from saltus.run.initialise import make_clocks, set_parameters, set_starts, solve_initial
from saltus.run.integrator import Integrator, NativeMachine, make_integrator
from saltus.run.memory import TERMINAL_FLAG, TIME_SLOT, typed
from saltus.run.settings import Settings
from saltus.run.sliding import Surfaces
from saltus.run.sundials import ROOT_RETURN, SUCCESS, TOO_MUCH_WORK, TSTOP_RETURN, SundialsError

#: Called now and then with the part of the time span that is done, and the number of events so far.
Progress: TypeAlias = Callable[[float, int], None]

#: Output points computed by one native call; between calls progress is told and Ctrl-C heard.
SWEEP_POINTS = 256

#: Seconds between two calls of the progress function.
PROGRESS_EVERY = 0.1

#: A model with crossing functions is integrated in at least so many steps, so that two crossings of the
#: same function seldom fall into one step, where they would not be seen.
MIN_STEPS = 50

#: Models whose states are watched are integrated at least this accurately. One large step might lead to a
#: singular position and back, and nobody would have seen it: the coordinate x of a pendulum is as smooth
#: where the mass passes the side as where it turns round there.
GUARDED_TOLERANCE = 1e-4

#: So many events in a row without time passing, or so many crossings within a hundred-thousandth of the
#: run, are taken for endless: at that rate a run would need hundreds of millions of events.
ENDLESS_EVENTS = 2000
ENDLESS_SPAN = 1e-5

#: A residue that has been inside its zero band for this part of the run rests there; one that moves is
#: through the band, 1e-10 wide, much sooner.
REST_SPAN = 1e-6

#: The step, as a part of the run, along which the direction of a residue is looked at.
PROBE_SPAN = 1e-10

#: Steps of one call that fail now and then and together cover no more than this part of the run lead nowhere.
CRAWL_SPAN = 1e-9

_ULPS = 8 * float(np.finfo(float).eps)


def simulate(
    structure: Structure,
    program: Program,
    machine: NativeMachine,
    settings: Settings,
    progress: Progress | None = None,
    reselect: Reselect | None = None,
) -> Result:
    """Runs the model and gives its result. When the run fails, the `RunError` has what was computed so far
    in its `partial`; when it is interrupted from the keyboard, the result says so. Without `reselect` a run
    ends where its states fail."""
    settings.verify()
    assert machine.program is program
    run = _Run(structure, machine, settings, progress, reselect)
    try:
        try:
            run.start()
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
        reselect: Reselect | None,
    ) -> None:
        self.settings = settings
        self.now = settings.start_time
        span = settings.stop_time - settings.start_time
        self.engine = Engine(structure, machine, REST_SPAN * span)
        self._choices = Choices(self.engine, reselect)
        self.recording = Recording(self.engine.part)
        self.records: list[EventRecord] = []
        self.warnings: list[Diagnostic] = []
        self.interrupted = False
        self._ended = False
        self._warned: set[int] = set()
        self._began = clock.perf_counter()
        self._progress = progress
        self._reported = self._began
        self._endless_span = ENDLESS_SPAN * span
        self._crawl = CRAWL_SPAN * span
        self._restarted = False
        self._probe = PROBE_SPAN * span
        self._homotopy_steps = 0
        self._surfaces = Surfaces(self, self._choices)

    # ------------------------------------------------------------ start and end

    def start(self) -> None:
        """Parameters, start values, the initial system, and the event at the start."""
        settings, memory = self.settings, self.engine.memory
        self.warnings += set_parameters(memory, settings.overrides)
        set_starts(memory, settings.start_time)
        start = solve_initial(memory)
        self._homotopy_steps = start.homotopy_steps
        for index in start.violated:
            self._violated(index)
        self._clocks = make_clocks(memory, settings.start_time)
        self._grid = Grid(settings)
        if self.engine.guards and self.engine.fallen():
            # The start values by which states were chosen were guesses, and the position is another.
            self.engine = self._choices.best(self.engine)
            self.recording = Recording(self.engine.part)
        engine = self.engine
        rows, iteration = engine.rows, engine.iteration
        rows.append(self.now)
        rounds, timed = iteration.iterate(self.now, (), due := self._clocks.due(self.now))
        rows.append(self.now)
        self._check_values(0)
        if rows.last_two_equal():
            rows.drop_last()
        last = rows.count - 1
        self.records.append(
            EventRecord(self.now, records.INITIAL, tuple(timed), tuple(due), 0, last, rounds)
        )
        iteration.endings[:0] = start.endings
        self._after_event()
        engine.cvode = self._integrator(engine)
        engine.limit_steps(self._probe)
        if engine.guards and engine.fallen():
            self._choose_states(engine, last)

    def _integrator(self, engine: Engine) -> Integrator:
        settings, states = self.settings, engine.structure.states
        n_roots = 2 * len(engine.state_relations)
        if engine.guards:
            settings = replace(settings, tolerance=min(settings.tolerance, GUARDED_TOLERANCE))
        span = settings.stop_time - settings.start_time
        largest = settings.max_step or math.inf
        if n_roots:
            largest = min(largest, span / MIN_STEPS)
            if not states and settings.output_interval > 0.0:
                largest = min(largest, settings.output_interval)
        engine.largest_step = largest
        max_step = largest if math.isfinite(largest) else 0.0
        return make_integrator(engine.memory, engine.machine, settings, n_roots, max_step)

    def close(self) -> None:
        """Frees the integrators."""
        self._choices.close()

    def result(self) -> Result:
        """What there is so far."""
        memory, model = self.engine.memory, self.engine.structure.model
        parameters = {}
        for v in (*model.constants, *model.parameters):
            slot = memory.slot(v.symbol)
            if v.symbol.type is Type.STRING:
                if v.binding is not None:
                    parameters[v.name] = memory.message(v.binding)
            elif slot is not None:
                parameters[v.name] = typed(v.symbol.type, float(memory.array[slot]))
        return Result(
            recording=self.recording,
            values=parameters,
            records=self.records,
            warnings=self.warnings,
            statistics={
                **self._choices.statistics(),
                **({"homotopy steps": self._homotopy_steps} if self._homotopy_steps else {}),
                "events": len(self.records),
                "state_choices": 1 + sum(1 for r in self.records if r.kind == records.STATES),
                "programs": len(self._choices),
                **self._surfaces.statistics(),
                "seconds": clock.perf_counter() - self._began,
            },
            interrupted=self.interrupted,
        )

    # ------------------------------------------------------------ the loop

    def loop(self) -> None:
        """From the start time to the stop time, or to an end that the model asks for."""
        grid, stop = self._grid, self.settings.stop_time
        # Without states and crossing functions nothing happens between events.
        moves = bool(self.engine.states.size or self.engine.state_relations)
        stop_set = math.nan
        stride = 1
        next_event = self._next_time_event()
        while not self._ended and (self.now < stop or next_event <= self.now):
            engine = self.engine
            cvode = engine.cvode
            assert cvode is not None
            if self._restarted:
                self._restarted, stop_set = False, math.nan
            limit = next_event if next_event < stop else stop
            target = grid.next if grid.next < limit - grid.near else limit
            if moves and target - self.now > _ULPS * abs(target):
                if stop_set != limit:
                    if not cvode.set_stop_time(limit):
                        # The integrator has run ahead of an event that has only now been scheduled.
                        engine.arrive(self.now)
                        self._restart(self.now)
                        cvode.set_stop_time(limit)
                    stop_set = limit
                # Call-backs leave a trace of failures that were overcome.
                engine.memory.cells[engine.status] = 0.0
                # One point at a time while events come quickly, then more and more of them at once.
                if stride > 1 and target < limit:
                    flag = self._sweep(limit, stride)
                    if flag == SUCCESS:
                        stride = min(2 * stride, SWEEP_POINTS)
                        self._look_at_pivots()
                        self._report()
                        continue
                else:
                    flag = cvode.advance(target)
                    stride = 2
                if flag == ROOT_RETURN:
                    stride = 1
                    self.now = cvode.time
                    if self._crossing():
                        next_event = self._next_time_event()
                    self._report()
                    continue
                if flag == TOO_MUCH_WORK:
                    failing = bool(engine.memory.cells[engine.status])
                    least = _ULPS * abs(cvode.time)
                    if cvode.time - self.now <= (max(least, self._crawl) if failing else least):
                        # The right-hand side fails right ahead, and every step stops short of that.
                        raise self._failure(engine)
                    self.now = cvode.time
                    self._report()
                    continue
                if flag not in (SUCCESS, TSTOP_RETURN):
                    raise self._failure(engine)
            self.now = target
            if target == limit:
                stop_set = math.nan  # the integrator forgets a stop time that it has reached
            if target == next_event:
                engine.arrive(target)
                self._happens(records.TIME, (), self._clocks.due(target))
                next_event = self._next_time_event()
            else:
                engine.arrive(target)
                engine.rows.append(target)
                self._check_values(engine.rows.count - 1)
                grid.pass_(target)
                self._look_at_pivots()
            self._report()
        if not self._ended and uses_terminal(self.engine.structure):
            memory = self.engine.memory
            memory.cells[memory.first("flags") + TERMINAL_FLAG] = 1.0
            self._happens(records.TERMINAL, (), ())

    def _failure(self, engine: Engine) -> RunError:
        """Why the integrator gave up."""
        assert engine.cvode is not None
        if engine.near_singular:
            return diagnose.singular_position(engine.memory, engine.structure.guards)
        return diagnose.integration_failure(engine.memory, engine.cvode)

    def _sweep(self, limit: float, most: int) -> int:
        """Output points before `limit`, in native code: nothing happens there but the recording of a row."""
        engine = self.engine
        cvode, rows, machine = engine.cvode, engine.rows, engine.machine
        assert cvode is not None
        points = self._grid.before(limit, most)
        address = machine.address(cvode.sweep_function)
        flag, done = cvode.sweep(address, points, rows.room(len(points)), machine.pointer)
        if done:
            rows.take(points[:done])
            self._grid.skip(done)
            self.now = float(points[done - 1])
            self._check_finite(rows.count - done)
        if flag == ROUTINE_FAILED:
            raise diagnose.failure(engine.memory, int(engine.memory.cells[engine.status]))
        if flag == CHECK_ACTIVE:
            self._check_values(rows.count - 1)
            return SUCCESS
        return flag

    def _next_time_event(self) -> float:
        clocks = self._clocks.next_time
        timed = self.engine.iteration.time_events
        crossing = timed.next_time(self.now) if timed else math.inf
        found = min(clocks, crossing)
        return found if found <= self.settings.stop_time else math.inf

    def _report(self) -> None:
        if self._progress is None:
            return
        moment = clock.perf_counter()
        if moment - self._reported > PROGRESS_EVERY:
            self._reported = moment
            span = self.settings.stop_time - self.settings.start_time
            self._progress((self.now - self.settings.start_time) / span, len(self.records))

    # ------------------------------------------------------------ events

    def _crossing(self) -> bool:
        """Crossing functions fired. False if nothing comes of it: a relation has left its band towards
        the side it was presumed to be on."""
        engine = self.engine
        try:
            fired = engine.fired()
        except Unresolved as problem:
            if self._surfaces.unresolved(problem.index):
                return True
            raise
        if not fired:
            return False
        engine.arrive(self.now)
        if any(index in engine.exits for index, _ in fired):
            for index, _ in fired:
                if index in engine.exits:
                    engine.memory.cells[engine.truth + index] = 0.0
            self._surfaces.leave(fired)
        elif all(index in engine.guards for index, _ in fired):
            for index, _ in fired:
                engine.memory.cells[engine.truth + index] = 0.0
            self._choose_states(engine)
        else:
            self._happens(records.STATE, fired, ())
        return True

    def _happens(self, kind: str, fired: Sequence[tuple[int, float]], due: Sequence[int]) -> None:
        """One event, on a surface or not, and what follows from many of them."""
        if self.engine.exits:
            self._surfaces.event(kind, fired, due)
        else:
            self.event(kind, fired, due)
        if self._surfaces.is_due:
            self._surfaces.look()

    def event(self, kind: str, fired: Sequence[tuple[int, float]], due: Sequence[int]) -> None:
        """One event, from left limits already computed to a decision about a restart."""
        now, before = self.now, self.engine
        before.rows.append(now)
        left = len(self.recording) - 1
        # What may be reinitialised must be a state; on a surface, nothing is.
        if not before.exits and self._choices.lacks_jumps(before):
            self.change_to(self._choices.for_jumps(before))
        engine = self.engine
        rows, array = engine.rows, engine.memory.array
        assert engine.cvode is not None
        engine.relations()
        states = engine.state_bytes.take()
        # A root return makes the integrator evaluate its crossing functions anew; any other does not.
        watched = engine.mode if engine.cvode.flag == ROOT_RETURN else engine.mode_and_crossings
        mode = array.take(watched).tobytes() if watched.size else b""
        rounds, timed = engine.iteration.iterate(now, fired, due)
        rows.append(now)
        causes = (*(index for index, _ in fired if index not in engine.guards), *timed)
        last = rows.count - 1
        right = self.recording.offset + last
        self.records.append(EventRecord(now, kind, causes, tuple(due), right - 1, right, rounds))
        self._check_values(last - 1)
        if engine.iteration.watches:
            self._after_event()
        if engine.state_bytes.take() != states or (watched.size and array.take(watched).tobytes() != mode):
            self._restart(now)
            engine.find_headings(fired, self._probe)
        if engine is not before or (engine.guards and engine.fallen()):
            self._choose_states(before, right if engine is before else left)
        if self._grid.next <= now + self._grid.near:
            self._grid.pass_(now)
        if len(self.records) > ENDLESS_EVENTS:
            self._refuse_endless(now)

    def _choose_states(self, before: Engine, left: int | None = None) -> None:
        """Goes on with the states that are best here, where those of `before` no longer determine the rest
        well. `left` is the number of its last row, if this instant is recorded already."""
        best = self._choices.best(self.engine)
        if best is not before and left is None:
            before.rows.append(self.now)
            left = len(self.recording) - 1
        if best is not self.engine:
            self.change_to(best)
        best.limit_steps(self._probe)
        self._restart(self.now)
        if best is not before and left is not None:
            right = len(self.recording) - 1
            self.records.append(EventRecord(self.now, records.STATES, (), (), left, right, ()))

    def _look_at_pivots(self) -> None:
        """Away from a singular position the run takes its usual steps again."""
        if self.engine.near_singular and self.engine.recovered():
            self._choose_states(self.engine)

    def change_to(self, engine: Engine) -> None:
        """Another engine, which has taken over all values, goes on from here."""
        self.engine = engine
        self.recording.turn(engine.part)
        engine.rows.append(self.now)
        self._check_values(engine.rows.count - 1)
        if engine.cvode is None:
            engine.cvode = self._integrator(engine)

    def restart(self) -> None:
        """The integrator begins anew with the values of the engine."""
        self.engine.limit_steps(self._probe)
        self._restart(self.now)

    def pass_points(self, until: float) -> None:
        """Output points up to a time are done with."""
        while self._grid.next <= until + self._grid.near:
            self._grid.pass_(self._grid.next)

    def next_time_event(self) -> float:
        """When something happens whatever the states do."""
        return self._next_time_event()

    def _restart(self, now: float) -> None:
        cvode = self.engine.cvode
        assert cvode is not None
        if self.engine.states.size:
            cvode.y[:] = self.engine.states
        self._restarted = True
        try:
            cvode.reinit(now)
        except SundialsError as error:
            raise RunError(Diagnostic("E405", f"restart at time {now:.9g} failed: {error}")) from error

    def _refuse_endless(self, now: float) -> None:
        passed = now - self.records[-ENDLESS_EVENTS].time
        if passed > self._endless_span:
            return
        recent = self.records[-ENDLESS_EVENTS:]
        crossings = (records.STATE, *records.TURNS)
        if passed <= 4 * _ULPS * abs(now) or all(r.kind in crossings for r in recent):
            fired = sorted({index for r in recent for index in r.fired})
            raise diagnose.endless_events(self.engine.memory, fired, ENDLESS_EVENTS, passed)

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
        culprit = diagnose.not_finite(memory, self.engine.structure.blocks)
        raise culprit or RunError(Diagnostic("E407", f"a state is not finite at time {self.now:.9g}"))

    def _check_values(self, since: int) -> None:
        """The rows just recorded must hold finite numbers, and assertions must hold."""
        self._check_finite(since)
        engine = self.engine
        if not engine.no_checks:
            return
        memory = engine.memory
        memory.routines["checks"]()
        if engine.check_bytes.take() == engine.no_checks:
            return
        for index in np.flatnonzero(memory.section("checks")).tolist():
            self._violated(index)
        active = np.flatnonzero(memory.section("endings")).tolist()
        if active:
            self._end(active[0])

    def _violated(self, index: int) -> None:
        memory, check = self.engine.memory, self.engine.structure.model.checks[index]
        if not check.warning:
            raise diagnose.violated(memory, check)
        if index not in self._warned:
            self._warned.add(index)
            text = f"{memory.message(check.message)} (at time {self.now:.6g})"
            self.warnings.append(Diagnostic("W401", text, check.span))

    def _after_event(self) -> None:
        iteration = self.engine.iteration
        for index in iteration.take_warned():
            self._violated(index)
        if iteration.endings:
            self._end(iteration.endings[0])

    def _end(self, index: int) -> None:
        if not self._ended:
            self._ended = True
            ending = self.engine.structure.model.endings[index]
            text = f"{self.engine.memory.message(ending.message)} (terminate at time {self.now:.6g})"
            self.warnings.append(Diagnostic("W402", text, ending.span))

"""The loop of a simulation: integrate to the next output point or time event, or until a crossing fires.

Rows are recorded at the output points (start + k * interval, computed without drift) and twice at every
event: its left and its right limit, at the same time. An output point that falls on an event gives no row
of its own.

After an event the integrator starts anew only if the event changed a state, or something the differential
equations depend on (`saltus.run.dependence`). A relation that leaves its zero band towards the side it was
presumed to be on changes nothing at all, and is no event.
"""

from __future__ import annotations

import math
import time as clock
from collections.abc import Callable
from typing import Protocol, TypeAlias

import numpy as np

from saltus.core.diagnostics import Diagnostic, RunError
from saltus.emit.machine import Machine
from saltus.expr.nodes import Type
from saltus.ir.program import CHECK_ACTIVE, ROUTINE_FAILED, Program
from saltus.ir.structure import Structure
from saltus.result import records
from saltus.result.records import EventRecord
from saltus.result.result import Result
from saltus.result.rows import Rows
from saltus.run import diagnose
from saltus.run.cvode import Cvode
from saltus.run.dependence import crossing_slots, mode_slots, uses_terminal
from saltus.run.events import EventIteration
from saltus.run.grid import Grid
from saltus.run.initialise import make_clocks, set_parameters, set_starts, solve_initial
from saltus.run.linear_solvers import DenseSolver, LinearSolver, SparseSolver, choose
from saltus.run.memory import REST, STATUS, TERMINAL_FLAG, TIME_SLOT, Memory, Snapshot, typed
from saltus.run.settings import Settings
from saltus.run.still import still_rhs
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

#: The smallest step, as a part of the run. Far below the resolution of time nothing is gained any more, and
#: where a step becomes so small that products with it vanish, CVODE takes a point for reached that is not.
MIN_STEP_SPAN = 1e-30

#: So many events in a row without time passing, or so many crossings within a hundred-thousandth of the
#: run, are taken for endless: at that rate a run would need hundreds of millions of events.
ENDLESS_EVENTS = 2000
ENDLESS_SPAN = 1e-5

#: A residue that has been inside its zero band for this part of the run rests there; one that moves is
#: through the band, 1e-10 wide, much sooner.
REST_SPAN = 1e-6

#: The step, as a part of the run, along which the direction of a residue is looked at; and the part of a band
#: below which a difference of residues may be rounding.
PROBE_SPAN = 1e-10
ROUNDING_OF_BAND = 1e-5

_ULPS = 8 * float(np.finfo(float).eps)


class NativeMachine(Machine, Protocol):
    """A machine whose call-backs CVODE can call."""

    @property
    def pointer(self) -> int:
        """Address of the memory."""

    def address(self, name: str) -> int:
        """Address of a compiled function."""


def simulate(
    structure: Structure,
    program: Program,
    machine: NativeMachine,
    settings: Settings,
    progress: Progress | None = None,
) -> Result:
    """Runs the model and gives its result. When the run fails, the `RunError` has what was computed so far
    in its `partial`; when it is interrupted from the keyboard, the result says so."""
    settings.verify()
    assert machine.program is program
    run = _Run(structure, machine, settings, progress)
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
        self, structure: Structure, machine: NativeMachine, settings: Settings, progress: Progress | None
    ) -> None:
        self.structure = structure
        self.machine = machine
        self.settings = settings
        self.memory = memory = Memory(structure, machine)
        self.now = settings.start_time
        self.rows = Rows(memory.array, memory.layout)
        self.records: list[EventRecord] = []
        self.warnings: list[Diagnostic] = []
        self.interrupted = False
        self._ended = False
        self._warned: set[int] = set()
        self._began = clock.perf_counter()
        self._progress = progress
        self._reported = self._began
        self._cvode: Cvode | None = None
        self._states = memory.section("states")
        self._outputs = memory.routines["outputs"]
        self._relations = memory.routines["relations"]
        self._state_bytes = Snapshot(memory.array, memory.layout, ("states",))
        self._check_bytes = Snapshot(memory.array, memory.layout, ("checks", "endings"))
        n_checks = memory.length("checks") + memory.length("endings")
        self._no_checks = bytes(8 * n_checks)
        self._endless_span = ENDLESS_SPAN * (settings.stop_time - settings.start_time)
        self._restarted = False
        self._headings: dict[int, float] = {}  # of relations that move away from their presumed side
        self._mode = mode_slots(structure, memory.layout)
        self._mode_and_crossings = np.union1d(self._mode, crossing_slots(structure, memory.layout))
        self._state_relations = [
            i for i, r in enumerate(structure.model.relations) if not r.is_time_event
        ]
        self._truth, self._signs = memory.first("relations"), memory.first("signs")
        self._residues, self._bands = memory.first("residues"), memory.first("bands")
        self._derivatives = memory.section("derivatives")
        self._crossings = memory.routines["crossings"]
        self._probe = PROBE_SPAN * (settings.stop_time - settings.start_time)

    # ------------------------------------------------------------ start and end

    def start(self) -> None:
        """Parameters, start values, the initial system, and the event at the start."""
        memory, settings = self.memory, self.settings
        memory.array[:] = 0.0
        memory.cells[memory.first("counters") + REST] = REST_SPAN * (settings.stop_time - settings.start_time)
        self.warnings += set_parameters(memory, settings.overrides)
        set_starts(memory, settings.start_time)
        violated, endings = solve_initial(memory)
        for index in violated:
            self._violated(index)
        self._iteration = EventIteration(memory)
        self._clocks = make_clocks(memory, settings.start_time)
        self._grid = Grid(settings)
        self.rows.append(self.now)
        rounds, timed = self._iteration.iterate(self.now, (), due := self._clocks.due(self.now))
        self.rows.append(self.now)
        self._check_values(0)
        if self.rows.last_two_equal():
            self.rows.drop_last()
        last = self.rows.count - 1
        self.records.append(
            EventRecord(self.now, records.INITIAL, tuple(timed), tuple(due), 0, last, rounds)
        )
        self._iteration.endings[:0] = endings
        self._after_event()
        self._cvode = self._integrator()

    def _integrator(self) -> Cvode:
        memory, settings = self.memory, self.settings
        states = self.structure.states
        nominals = [abs(memory.number(v.nominal, 1.0)) or 1.0 for v in states] or [1.0]
        if states:
            memory.section("scales")[:] = nominals
        n_roots = 2 * len(self._state_relations)
        span = settings.stop_time - settings.start_time
        largest = settings.max_step or math.inf
        if n_roots:
            largest = min(largest, span / MIN_STEPS)
            if not states and settings.output_interval > 0.0:
                largest = min(largest, settings.output_interval)
        return Cvode(
            self.machine.address("saltus_rhs") if states else still_rhs(),
            self._states if states else np.zeros(1),
            settings.start_time,
            relative=settings.tolerance,
            absolute=settings.tolerance * np.array(nominals),
            user_data=self.machine.pointer,
            roots=self.machine.address("saltus_roots") if n_roots else 0,
            n_roots=n_roots,
            max_step=largest if math.isfinite(largest) else 0.0,
            min_step=MIN_STEP_SPAN * span,
            solver=self._linear_solver(),
        )

    def _linear_solver(self) -> LinearSolver | None:
        jacobian, address = self.structure.jacobian, self.machine.address
        if jacobian is None:
            return None
        if choose(jacobian, self.settings.linear_solver) == "dense":
            return DenseSolver(address("saltus_jacobian"))
        functions = ("saltus_system", "saltus_factorise", "saltus_solve")
        return SparseSolver(jacobian, *map(address, functions))

    def close(self) -> None:
        """Frees the integrator."""
        if self._cvode is not None:
            self._cvode.close()

    def result(self) -> Result:
        """What there is so far."""
        counts = self._cvode.statistics() if self._cvode is not None else {}
        memory, model = self.memory, self.structure.model
        parameters = {}
        for v in (*model.constants, *model.parameters):
            slot = memory.slot(v.symbol)
            if v.symbol.type is Type.STRING:
                if v.binding is not None:
                    parameters[v.name] = memory.message(v.binding)
            elif slot is not None:
                parameters[v.name] = typed(v.symbol.type, float(memory.array[slot]))
        return Result(
            structure=self.structure,
            rows=self.rows,
            values=parameters,
            records=self.records,
            warnings=self.warnings,
            statistics={
                **counts,
                "events": len(self.records),
                "seconds": clock.perf_counter() - self._began,
            },
            interrupted=self.interrupted,
        )

    # ------------------------------------------------------------ the loop

    def loop(self) -> None:
        """From the start time to the stop time, or to an end that the model asks for."""
        cvode = self._cvode
        assert cvode is not None
        grid, settings, memory = self._grid, self.settings, self.memory
        moves = bool(self._states.size or self._state_relations)  # otherwise nothing between events
        stop = settings.stop_time
        stop_set = math.nan
        stride = 1
        status = memory.first("counters") + STATUS
        next_event = self._next_time_event()
        while not self._ended and (self.now < stop or next_event <= self.now):
            limit = next_event if next_event < stop else stop
            target = grid.next if grid.next < limit - grid.near else limit
            if moves and target - self.now > _ULPS * abs(target):
                if stop_set != limit:
                    if not cvode.set_stop_time(limit):
                        # The integrator has run ahead of an event that has only now been scheduled.
                        self._arrive()
                        self._restart(self.now)
                        cvode.set_stop_time(limit)
                    stop_set = limit
                memory.cells[status] = 0.0  # call-backs leave a trace of failures that were overcome
                # One point at a time while events come quickly, then more and more of them at once.
                if stride > 1 and target < limit:
                    flag = self._sweep(limit, stride)
                    if flag == SUCCESS:
                        stride = min(2 * stride, SWEEP_POINTS)
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
                    if self._restarted:
                        self._restarted, stop_set = False, math.nan
                    self._report()
                    continue
                if flag == TOO_MUCH_WORK:
                    if cvode.time - self.now <= _ULPS * abs(cvode.time):
                        # Steps below the resolution of time: the right-hand side fails right ahead.
                        raise diagnose.integration_failure(memory, cvode)
                    self.now = cvode.time
                    self._report()
                    continue
                if flag not in (SUCCESS, TSTOP_RETURN):
                    raise diagnose.integration_failure(memory, cvode)
            self.now = target
            if target == limit:
                stop_set = math.nan  # CVODE forgets a stop time that it has reached
            if target == next_event:
                self._time_event()
                next_event = self._next_time_event()
            else:
                self._arrive()
                self.rows.append(target)
                self._check_values(self.rows.count - 1)
                grid.pass_(target)
            self._report()
        if not self._ended and uses_terminal(self.structure):
            memory.cells[memory.first("flags") + TERMINAL_FLAG] = 1.0
            self._event(records.TERMINAL, (), ())

    def _sweep(self, limit: float, most: int) -> int:
        """Output points before `limit`, in native code: nothing happens there but the recording of a row."""
        assert self._cvode is not None
        points = self._grid.before(limit, most)
        address = self.machine.address("saltus_sweep")
        flag, done = self._cvode.sweep(address, points, self.rows.room(len(points)), self.machine.pointer)
        if done:
            self.rows.take(points[:done])
            self._grid.skip(done)
            self.now = float(points[done - 1])
            self._check_finite(self.rows.count - done)
        if flag == ROUTINE_FAILED:
            raise diagnose.failure(self.memory, int(self.memory.section("counters")[STATUS]))
        if flag == CHECK_ACTIVE:
            self._check_values(self.rows.count - 1)
            return SUCCESS
        return flag

    def _next_time_event(self) -> float:
        clocks = self._clocks.next_time
        timed = self._iteration.time_events
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

    def _arrive(self) -> None:
        """The memory at the point where the integrator has stopped, with everything computed."""
        assert self._cvode is not None
        self.memory.cells[TIME_SLOT] = self.now
        if self._states.size:
            self._states[:] = self._cvode.y
        status = self._outputs()
        if status:
            raise diagnose.failure(self.memory, status)

    # ------------------------------------------------------------ events

    def _crossing(self) -> bool:
        """Crossing functions fired. False if nothing comes of it: a relation has left its band towards
        the side it was presumed to be on."""
        assert self._cvode is not None
        cells, truth_above = self.memory.cells, self._iteration.truth_above
        fired: list[tuple[int, float]] = []
        roots = self._cvode.root_info()
        # NumPy finds the few of many; of a few, Python does so sooner.
        hits = roots.nonzero()[0].tolist() if roots.size > 64 else range(roots.size)
        for k in hits:
            direction = roots.item(k)
            if not direction:
                continue
            index = self._state_relations[k >> 1]
            sign = float(direction)
            truth = truth_above[index] if sign > 0 else 1.0 - truth_above[index]
            heading = self._headings.pop(index, sign)
            if cells[self._truth + index] != truth:
                fired.append((index, sign))
            elif heading != sign:
                # It set out for one side and left on the other: out and back within one step.
                raise diagnose.unresolved_events(self.memory, index)
            else:
                cells[self._signs + index] = sign
        if not fired:
            return False
        self._arrive()
        self._event(records.STATE, tuple(fired), ())
        return True

    def _find_headings(self, fired: tuple[tuple[int, float], ...]) -> None:
        """Notes which of the relations that fired are inside their bands and, since the event made states
        jump or equations change, now move away from the side that they are presumed to be on."""
        memory, cells = self.memory, self.memory.cells
        inside = [index for index, _ in fired if cells[self._signs + index] == 0.0]
        if not inside:
            return
        before = memory.array.copy()
        cells[TIME_SLOT] += self._probe
        self._states += self._probe * self._derivatives
        failed = self._crossings()
        moved = [cells[self._residues + index] - before.item(self._residues + index) for index in inside]
        memory.array[:] = before
        if failed:
            return
        for index, way in zip(inside, moved, strict=True):
            above = self._iteration.truth_above[index]
            there = above if way > 0.0 else 1.0 - above
            rounding = ROUNDING_OF_BAND * cells[self._bands + index]
            if abs(way) > rounding and cells[self._truth + index] != there:
                self._headings[index] = 1.0 if way > 0.0 else -1.0

    def _time_event(self) -> None:
        self._arrive()
        self._event(records.TIME, (), self._clocks.due(self.now))

    def _event(self, kind: str, fired: tuple[tuple[int, float], ...], due: list[int] | tuple[()]) -> None:
        """One event, from left limits already computed to a decision about a restart."""
        now, rows, array = self.now, self.rows, self.memory.array
        assert self._cvode is not None
        self._relations()
        rows.append(now)
        states = self._state_bytes.take()
        # A root return makes the integrator evaluate its crossing functions anew; any other does not.
        watched = self._mode if self._cvode.flag == ROOT_RETURN else self._mode_and_crossings
        mode = array.take(watched).tobytes() if watched.size else b""
        rounds, timed = self._iteration.iterate(now, fired, due)
        rows.append(now)
        causes = (*(index for index, _ in fired), *timed)
        last = rows.count - 1
        self.records.append(EventRecord(now, kind, causes, tuple(due), last - 1, last, rounds))
        self._check_values(last - 1)
        if self._iteration.watches:
            self._after_event()
        if self._state_bytes.take() != states or (watched.size and array.take(watched).tobytes() != mode):
            self._restart(now)
            self._headings.clear()
            self._find_headings(fired)
        if self._grid.next <= now + self._grid.near:
            self._grid.pass_(now)
        if len(self.records) > ENDLESS_EVENTS:
            self._refuse_endless(now)

    def _restart(self, now: float) -> None:
        assert self._cvode is not None
        if self._states.size:
            self._cvode.y[:] = self._states
        self._restarted = True
        try:
            self._cvode.reinit(now)
        except SundialsError as error:
            raise RunError(Diagnostic("E405", f"restart at time {now:.9g} failed: {error}")) from error

    def _refuse_endless(self, now: float) -> None:
        passed = now - self.records[-ENDLESS_EVENTS].time
        if passed > self._endless_span:
            return
        recent = self.records[-ENDLESS_EVENTS:]
        if passed <= 4 * _ULPS * abs(now) or all(r.kind == records.STATE for r in recent):
            fired = sorted({index for r in recent for index in r.fired})
            raise diagnose.endless_events(self.memory, fired, ENDLESS_EVENTS, passed)

    # ------------------------------------------------------------ checks

    def _check_finite(self, since: int) -> None:
        """The rows from the one numbered `since` on must hold finite numbers."""
        row = self.rows.first_not_finite(since)
        if row is None:
            return
        self.now = float(self.rows.times[row])
        self.memory.cells[TIME_SLOT] = self.now
        self.rows.restore(row)
        culprit = diagnose.not_finite(self.memory, self.structure.blocks)
        raise culprit or RunError(Diagnostic("E407", f"a state is not finite at time {self.now:.9g}"))

    def _check_values(self, since: int) -> None:
        """The rows just recorded must hold finite numbers, and assertions must hold."""
        self._check_finite(since)
        if not self._no_checks:
            return
        self.memory.routines["checks"]()
        if self._check_bytes.take() == self._no_checks:
            return
        model = self.structure.model
        for index in np.flatnonzero(self.memory.section("checks")).tolist():
            self._violated(index)
        active = np.flatnonzero(self.memory.section("endings")).tolist()
        if active:
            self._end(self.memory.message(model.endings[active[0]].message), active[0])

    def _violated(self, index: int) -> None:
        check = self.structure.model.checks[index]
        if not check.warning:
            raise diagnose.violated(self.memory, check)
        if index not in self._warned:
            self._warned.add(index)
            text = f"{self.memory.message(check.message)} (at time {self.now:.6g})"
            self.warnings.append(Diagnostic("W401", text, check.span))

    def _after_event(self) -> None:
        for index in self._iteration.take_warned():
            self._violated(index)
        if self._iteration.endings and not self._ended:
            index = self._iteration.endings[0]
            self._end(self.memory.message(self.structure.model.endings[index].message), index)

    def _end(self, message: str, index: int) -> None:
        if not self._ended:
            self._ended = True
            span = self.structure.model.endings[index].span
            text = f"{message} (terminate at time {self.now:.6g})"
            self.warnings.append(Diagnostic("W402", text, span))

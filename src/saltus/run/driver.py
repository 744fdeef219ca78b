"""The native driver (`saltus.emit.driver`) of one engine: its context filled in, and its results taken out.

Between two calls everything that the run shares among engines is Python's: the rows, the output grid, the
ticks of the clocks, the log. A call gets room for them and gives back how much it has used."""

from __future__ import annotations

import ctypes
import math
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from saltus.expr.nodes import Op
from saltus.ir.drive import FIELDS, LOG_HEAD, Code
from saltus.result.records import Records
from saltus.run.clocks import Clocks, TickTable
from saltus.run.events import MAX_ROUNDS
from saltus.run.grid import Grid
from saltus.run.histories import REMEMBER, REMEMBER_EVENT
from saltus.run.memory import CHANGED, CONTINUATION, TIME_SLOT

if TYPE_CHECKING:
    from saltus.run.engine import Engine

#: Steps, events and output points of one call; between calls progress is told, Ctrl-C heard, and the latest
#: events are looked at.
MOST_STEPS = 1000
FEWEST_STEPS, STEP_NUMBERS = 20, 20_000_000
MOST_EVENTS = 64
MOST_ROWS = 1024

#: Bytes of rows that one call may write, where rows are long.
ROW_BYTES = 2**22

#: Numbers of the log that one call may write, at least.
LOG_NUMBERS = 2**15

#: What CVODE counts and forgets at a restart.
LOST_COUNTERS = ("steps", "rhs_evaluations", "rhs_evaluations_for_jacobians", "jacobians")

_TYPES: dict[str, Any] = {"ptr": ctypes.c_void_p, "i64": ctypes.c_int64, "double": ctypes.c_double}


class _Context(ctypes.Structure):
    _fields_ = [(name, _TYPES[kind]) for name, kind in FIELDS]


_Drive = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)
_Arrive = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_double)
_Remember = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_double)
_Numbers: TypeAlias = NDArray[Any]


class Driver:
    """Drives one engine. `code` and the fields of the context say how the last call ended."""

    def __init__(
        self, engine: Engine, stop: float, probe_step: float, *, by_hand: bool, book: int = 0
    ) -> None:
        """`probe_step` is the small step along which slopes are measured after events. With `by_hand`, every
        event is left to Python. `book` is the address of that of the histories, if there are any."""
        self._engine = engine
        self._arrays: list[_Numbers] = []  # kept alive for the context
        self._context = context = _Context()
        self._address = ctypes.addressof(context)
        machine, memory = engine.machine, engine.memory
        assert engine.cvode is not None
        for name, value in engine.cvode.handles(machine.address).items():
            setattr(context, name, value)
        self._call = _Drive(machine.address("saltus_drive"))
        self._arrive = _Arrive(context.arrive)
        self._remember = _Remember(machine.address("saltus_remember_to"))
        context.memory = machine.pointer
        context.memory_size = memory.array.size
        context.backup = self._room(memory.array.size)
        routines = ("outputs", "depart", "approach", "presume", "fire", "settle", "commit", "checks")
        for name in routines:
            setattr(context, name, machine.address(name))
        context.derivatives_routine = machine.address("derivatives")
        context.relations_routine = machine.address("relations")
        context.crossings = machine.address("watch" if "watch" in machine.program.routines else "crossings")
        self._places()
        relations = engine.structure.model.relations
        watched = self._watched = np.array(engine.state_relations, dtype=np.int64)
        context.watched, context.n_watched = self._keep(watched), len(watched)
        context.n_sloped = sum(1 for k in watched.tolist() if k not in engine.guards)
        above = [engine.iteration.truth_above[k] for k in watched.tolist()]
        self._above = np.array(above, dtype=np.float64)
        context.truth_above = self._keep(self._above)
        of_zero = [float(relations[k].op in (Op.GE, Op.LE)) for k in watched.tolist()]
        context.truth_of_zero = self._keep(np.array(of_zero, dtype=np.float64))
        timed = np.array([k for k, r in enumerate(relations) if r.is_time_event], dtype=np.int64)
        context.timed, context.n_timed = self._keep(timed), len(timed)
        mode = engine.mode.astype(np.int64)
        context.mode, context.n_mode = self._keep(mode), len(mode)
        ends = ("z0", "z1", "d0", "d1")
        for name in (*ends, "z_lo", "z_hi", "z_mid", "side", "allowance", "at_zero", "followed", "heading"):
            setattr(context, name, self._room(len(watched)))
        program = machine.program
        context.moves = int(bool(engine.states.size or len(watched) or program.remembers))
        if program.remembers:
            context.remembers, context.book = 1, book
            context.remember = machine.address(REMEMBER)
            context.remember_event = machine.address(REMEMBER_EVENT)
        self.leave_events(by_hand)
        context.momentary = int(engine.iteration.watches)
        context.max_rounds = MAX_ROUNDS
        context.stop, context.probe_step = stop, probe_step
        room = 4 * (2 * len(relations) + context.n_discretes) + LOG_HEAD
        self._log = np.empty(max(LOG_NUMBERS, 8 * (room + len(relations) + context.n_clocks)))
        context.log, context.log_size = self._keep(self._log), len(self._log)
        context.traced = self._room(2 * len(relations) + context.n_discretes)
        self._ticks: TickTable | None = None
        self._events = np.empty(MOST_EVENTS, dtype=np.int64)
        context.event_places, context.max_events = self._keep(self._events), MOST_EVENTS
        self._rows_at_once = max(4, min(MOST_ROWS, ROW_BYTES // (8 * max(engine.rows.width, 1))))

    def _places(self) -> None:
        """Where things are in the memory."""
        context, memory, rows = self._context, self._engine.memory, self._engine.rows
        names = ("states", "relations", "signs", "residues", "bands", "directions", "crossing_times")
        for name in (*names, "derivatives", "discretes", "clocks"):
            setattr(context, name, memory.first(name))
        for name in ("states", "relations", "discretes", "clocks"):
            setattr(context, f"n_{name}", memory.length(name))
        context.checks_first = memory.first("checks")
        context.n_checks = memory.length("checks") + memory.length("endings")
        counters = memory.first("counters")
        context.changed_slot, context.continuation = counters + CHANGED, counters + CONTINUATION
        context.scratch_slot = memory.first("scratch")
        context.row_first, context.row_length = rows.first, rows.width

    def leave_events(self, by_hand: bool) -> None:
        """Whether all events are left to Python from now on."""
        self._context.by_hand = int(by_hand)

    def _keep(self, array: _Numbers) -> int:
        self._arrays.append(array)
        return int(array.ctypes.data)

    def _room(self, count: int) -> int:
        return self._keep(np.zeros(max(count, 1)))

    # ------------------------------------------------------------ driving

    def resume(self, now: float, *, restarted: bool) -> None:
        """To be called after an event by hand, and at the start: the run is at `now`, all values computed. If
        the integrator was `restarted`, it is there, too."""
        context, engine = self._context, self._engine
        engine.relations()
        residues = engine.memory.section("residues")[self._watched]
        ctypes.memmove(context.z0, residues.ctypes.data, residues.nbytes)
        engine.memory.section("directions")[:] = 0.0
        context.now = context.begun = context.remembered = now
        context.probe = 1
        if restarted:
            context.reached, context.stop_set, context.restart = now, math.nan, 0

    def drive(
        self, grid: Grid, clocks: Clocks, records: Records, offset: int, most_events: int = MOST_EVENTS
    ) -> Code:
        """Goes on until somebody has to look, at the latest after so many events. Rows and records get what
        has been computed; `offset` is that of the engine's rows in the recording."""
        context, engine = self._context, self._engine
        rows = engine.rows
        context.grid_start, context.grid_interval, context.grid_near = grid.start, grid.interval, grid.near
        context.grid_k, context.grid_last = grid.k, grid.last
        # Near a singular position the pivots are looked at after every row.
        most = 2 if engine.near_singular else self._rows_at_once
        context.rows, context.row_times = rows.room(most)
        context.n_rows, context.max_rows = 0, most
        table, used = clocks.table()
        if table is not self._ticks:
            self._ticks = table
            columns = (table.times, table.first, table.clocks)
            context.tick_times, context.tick_first, context.tick_clocks = (c.ctypes.data for c in columns)
            context.n_ticks = len(table)
        context.tick = used
        context.log_length = context.n_events = 0
        context.max_events = min(most_events, MOST_EVENTS)
        context.steps_left = self.most_steps
        context.status = 0
        code = Code(self._call(self._address))
        if context.n_events:
            places = self._events[: context.n_events].copy()
            records.append_log(self._log[: context.log_length].copy(), places, offset + rows.count)
        rows.take(context.n_rows)
        grid.skip_to(context.grid_k)
        clocks.skip_to(context.tick)
        assert engine.cvode is not None
        engine.cvode.told(context.flag, context.reached)
        return code

    def arrive(self) -> None:
        """Brings the memory to `now`, with everything computed: between two calls it may be anywhere in the
        step that the driver was looking at."""
        context, engine = self._context, self._engine
        # Where the integrator has just begun anew, or still has to, the states are there. But other values
        # may be those of a place where the driver has looked which way things move.
        stands = context.restart or math.isnan(context.stop_set)
        if context.moves and not stands:
            self._arrive(self._address, min(context.now, context.reached))
        engine.memory.cells[TIME_SLOT] = context.now
        engine.compute()
        engine.relations()
        self._sign()

    def _sign(self) -> None:
        """Relations that are out of their bands on the presumed sides have signs again. The driver sees to
        that after each step, and here the run is inside of one."""
        memory, watched = self._engine.memory, self._watched
        truths, signs, residues, bands = (
            memory.section(name)[watched] for name in ("relations", "signs", "residues", "bands")
        )
        presumed = np.where(truths == self._above, 1.0, -1.0)
        out = (signs == 0.0) & (residues * presumed > bands)
        memory.section("signs")[watched[out]] = presumed[out]

    def remember(self) -> Code:
        """Tells histories all up to `now`. Code.ROOM if there must be more room first."""
        return Code(self._remember(self._address, self._context.now))

    def begin_natively(self) -> None:
        """The integrator, just made, will be started by the driver, with a first step as after events."""
        self._context.restart = int(self._engine.states.size and not self._context.restart_by_hand)

    @property
    def now(self) -> float:
        """Up to where the run has come."""
        return float(self._context.now)

    @property
    def reached(self) -> float:
        """Up to where the integrator has come."""
        return float(self._context.reached)

    @property
    def status(self) -> int:
        """Of the routine that failed, if one did."""
        return int(self._context.status)

    @property
    def used(self) -> tuple[int, int]:
        """Rows and events of the last call."""
        return self._context.n_rows, self._context.n_events

    def first_step(self) -> float:
        """The step with which the integrator should start anew; 0 if that is left to it."""
        step, self._context.shorter = float(self._context.shorter), 0.0
        return step

    @property
    def most_steps(self) -> int:
        """Steps that a call may take; fewer in large models, whose steps take long. It must not depend on how
        long they do take: with checkpoints, what is done in a call has to be the same each time."""
        return min(MOST_STEPS, max(FEWEST_STEPS, STEP_NUMBERS // self._engine.memory.array.size))

    @property
    def steps(self) -> int:
        """Steps of the last call."""
        return self.most_steps - int(self._context.steps_left)

    @property
    def work(self) -> int:
        """Steps, rows and events of the last call, and the call itself."""
        return 1 + self.steps + sum(self.used)

    @property
    def unresolved(self) -> int:
        """The relation that could not be resolved, if there was one."""
        return int(self._context.unresolved)

    def crossed(self) -> tuple[tuple[int, float], ...]:
        """The relations that cross, with the signs of the sides they move to."""
        directions = self._engine.memory.section("directions")
        return tuple((k, float(directions[k])) for k in np.flatnonzero(directions).tolist())

    def statistics(self) -> dict[str, int]:
        """What CVODE had counted when the driver started it anew; it does not do that with IDA."""
        context = self._context
        names = () if context.restart_by_hand else LOST_COUNTERS
        return {name: int(getattr(context, name)) for name in names}

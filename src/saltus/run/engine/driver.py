"""The native driver (`saltus.emit.driver`) of one engine: its context filled in, and its results taken out.

Between two calls everything that the run shares among engines is Python's: the rows, the output grid, the
ticks of the clocks, the log. A call gets room for them and gives back how much it has used."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Sequence
from time import thread_time
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from saltus.ir.native.contract import (
    ARRIVE_EVENT,
    BAND,
    DRIVE,
    EVENT_IN_PART,
    MARCH,
    MAX_ROUNDS,
    PASS_THROUGH,
    REMEMBER,
    REMEMBER_EVENT,
    REMEMBER_TO,
    TIME_SLOT,
    TURN,
    WHICH_PART,
)
from saltus.ir.native.drive import CVODE_COUNTERS, LOG_GROUP, LOG_HEAD, LOG_ROUNDS, Code
from saltus.ir.structure import Structure
from saltus.result.log.records import Records
from saltus.result.trajectories.rows import Rows
from saltus.run.engine.at_zero import AtZero
from saltus.run.engine.continuous import Continuous
from saltus.run.engine.driver_context import Context, LastCall, Standing, array_address, preset
from saltus.run.engine.engine_mode import EngineMode
from saltus.run.engine.pivots import Pivots
from saltus.run.integrators.integrator import Integrator, NativeMachine
from saltus.run.iteration.events import EventIteration
from saltus.run.memory.memory import Memory
from saltus.run.memory.relations import Relations
from saltus.run.schedule.clocks import Clocks
from saltus.run.schedule.grid import Grid

#: Steps, events and output points of one call; between calls progress is reported, Ctrl-C is noticed, and the
#: latest events are examined.
MOST_STEPS = 2000
FEWEST_STEPS, STEP_NUMBERS = 20, 20_000_000
MOST_EVENTS = 4096
MOST_ROWS = 4096

#: The first panel if nothing determines its length, as a fraction of the run; the next ones may be longer.
FIRST_PANEL = 2.0**-12

#: Third differences of residues, times this, are taken for the largest in a panel; and where residues depend
#: on functions, of whose inside nothing is known.
CAUTION, CAUTION_IN_THE_DARK = 3.0, 16.0

#: Bytes of rows that one call may write, where rows are long.
ROW_BYTES = 2**22

#: Numbers of the log that one call may write, at least.
LOG_NUMBERS = 2**16

#: Routines of the program that the driver calls, and the fields of those whose names are those of sections.
_ROUTINES = (
    "outputs", "depart", "approach", "presume", "fire", "settle", "commit", "checks", "crossings",
    "derivatives", "relations",
)  # fmt: skip
_FIELDS = {"derivatives": "derivatives_routine", "relations": "relations_routine"}

_Drive = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)
_Arrive = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_double)
_Remember = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_double)
_Witness = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_double, ctypes.c_int64)
_Numbers: TypeAlias = NDArray[Any]

#: The callback for an event that begins: the address of the context, the time, whether something crosses.
Witness: TypeAlias = Callable[[int, float, int], None]


#: Hops lower than this many tolerances may be errors of the integrator.
LOW = 100.0


class Driven(Protocol):
    """What is asked of an engine: its program, its numbers and its rows."""

    structure: Structure
    machine: NativeMachine
    memory: Memory
    rows: Rows
    relations: Relations
    continuous: Continuous
    at_zero: AtZero
    pivots: Pivots
    mode: EngineMode

    @property
    def iteration(self) -> EventIteration: ...


class Driver:
    """Drives one engine, with its integrator."""

    def __init__(
        self,
        engine: Driven,
        integrator: Integrator,
        stop: float,
        probe_step: float,
        tolerance: float,
        *,
        largest_step: float,
        by_hand: bool,
        across: bool = False,
        book: int = 0,
        resolution: float | None = None,
        most_steps: int = MOST_STEPS,
    ) -> None:
        """`probe_step` is the small step along which slopes are measured after events. `largest_step` is
        what the integrator has been given already. With `by_hand`, every event is left to Python; `across`
        says that each may lead to another program. `book` is the address of that of the histories, if there
        are any. No excursion of a residue across zero that is longer than `resolution` shall be missed.
        A call may take `most_steps`."""
        self._engine = engine
        self.integrator = integrator
        self._largest_step, self._probe_step = largest_step, probe_step
        self._arrays: list[_Numbers] = []  # kept alive for the context
        self._preset = known = preset(engine.structure, engine.machine.program)
        self._context = context = Context.from_buffer_copy(known.context)
        self.address = ctypes.addressof(context)
        machine, memory = engine.machine, engine.memory
        for name, value in integrator.handles(machine.address).items():
            setattr(context, name, value)
        self._interpolate = _Arrive(context.arrive)
        self._arrive = _Arrive(machine.address(ARRIVE_EVENT))
        self._remember = _Remember(machine.address(REMEMBER_TO))
        context.memory = machine.pointer
        context.memory_size = memory.array.size
        context.backup = self._room(memory.array.size)
        for name, address in machine.addresses(_ROUTINES).items():
            setattr(context, _FIELDS.get(name, name), address)
        if "watch" in machine.program.routines:
            context.crossings = machine.address("watch")
        context.status_slot = engine.continuous.status_slot
        context.row_first, context.row_length = engine.rows.first, engine.rows.width
        watched = engine.relations.of_states
        guards = engine.pivots.guards
        context.n_sloped = sum(1 for k in watched if k not in guards) if guards else len(watched)
        context.narrow_bands = self._keep(engine.at_zero.narrow_bands)
        by_truth = engine.at_zero.bands_by_truth(watched)
        context.bands_by_truth = self._keep(by_truth)
        context.n_two_faced = int(np.count_nonzero(by_truth[0::2]))
        ends = ("z0", "z1", "d0", "d1", "g0", "g1", "bend0", "bend1", "zm")
        others = ("z_lo", "z_hi", "z_mid", "side", "allowance", "touch", "at_zero", "followed", "heading")
        self._rooms((*ends, *others), len(watched))
        self._rooms(("phase0", "phase1"), context.n_phases)
        program = machine.program
        if program.remembers:
            context.remembers, context.book = 1, book
            context.remember = machine.address(REMEMBER)
            context.remember_event = machine.address(REMEMBER_EVENT)
        self._by_hand, self._across, self._most = by_hand, across, most_steps
        self._take_functions()
        # Redundant equations of a mode are checked in each round, too: it may have to be left although no
        # guard changes.
        context.momentary = int(engine.iteration.watches or bool(engine.mode.excess))
        context.max_rounds = MAX_ROUNDS
        self._stop = context.stop = context.end = stop
        context.probe_step = probe_step
        context.resolution = resolution or math.inf
        context.low = LOW * tolerance / BAND
        # Without states no step suggests the length of the first panel; nor does one if residues have an
        # unknown course of their own.
        context.caution = CAUTION_IN_THE_DARK if program.opaque else CAUTION
        is_known = engine.continuous.states.size and not program.opaque
        context.panel = math.inf if is_known else FIRST_PANEL * (stop - engine.memory.time)
        context.phase_panel = math.inf
        context.longest = context.longest_set = largest_step
        traced = 2 * context.n_relations + context.n_discretes
        room = LOG_GROUP * traced + LOG_HEAD + context.n_relations + context.n_clocks
        self._log = np.empty(max(LOG_NUMBERS, 4 * LOG_ROUNDS * room))
        self._events = np.empty(MOST_EVENTS, dtype=np.int64)
        self._turns = np.zeros((MOST_EVENTS, 2), dtype=np.int64)
        #: Where the log is written, what was traced for it, where events begin in it, and turns.
        self._books = (
            self._keep(self._log),
            self._room(traced),
            self._keep(self._events),
            self._keep(self._turns),
        )
        #: Where it has come to, and what the last call has done.
        self.standing, self.last = Standing(context), LastCall(context, self._turns)
        self._prepared = -1, 0, 0
        self._rows_at_once = max(4, min(MOST_ROWS, ROW_BYTES // (8 * max(engine.rows.width, 1))))
        self.prepare_rows()

    def leave_events(self, by_hand: bool, *, across: bool = False) -> None:
        """Whether all events are left to Python from now on; whether each of them may lead to another
        program."""
        self._by_hand, self._across = by_hand, across
        self.pass_through(self._context.gate or 0, self._context.parts or 0)

    def _take_functions(self) -> None:
        """The functions that drive a run, which may be better ones after a while."""
        machine = self._engine.machine
        self._carefully = machine.drives_carefully
        self._call = _Drive(machine.address(DRIVE))
        if self._context.march:
            self._context.march = machine.address(MARCH)
        self.pass_through(self._context.gate or 0, self._context.parts or 0)

    def pass_through(self, gate: int, parts: int = 0) -> None:
        """Events that lead to another program go through a gate, if there is one; those in one of the `parts`
        of the program, if there are any, concern nothing else."""
        context = self._context
        context.gate, context.across = gate, int(self._across)
        context.by_hand = int(self._by_hand or (self._across and not gate))
        address = self._engine.machine.address
        if gate:
            context.pass_through, context.turn = address(PASS_THROUGH), address(TURN)
        context.parts = parts
        if parts:
            context.which_part, context.event_in_part = address(WHICH_PART), address(EVENT_IN_PART)

    def tell_events(self, witness: Witness) -> None:
        """From now on a callback receives events that native code is about to handle, when the memory is at
        its left limits."""
        self._witness = _Witness(witness)
        self._context.witness = ctypes.cast(self._witness, ctypes.c_void_p).value

    def ticking(self, time: float) -> tuple[int, ...]:
        """The clocks that tick at an event passed to the callback."""
        context = self._context
        if context.tick >= context.n_ticks:
            return ()
        place = 8 * context.tick
        if ctypes.c_double.from_address(context.tick_times + place).value > time:
            return ()
        first, past = (ctypes.c_int64.from_address(context.tick_first + place + k).value for k in (0, 8))
        clocks = (ctypes.c_int64 * (past - first)).from_address(context.tick_clocks + 8 * first)
        return tuple(clocks)

    def prepare_rows(self) -> None:
        """Makes room for rows after those that there are."""
        rows, context = self._engine.rows, self._context
        # Near a singular position the pivots are checked after every row.
        most = 2 if self._engine.pivots.near_singular else self._rows_at_once
        if (rows.count, rows.gone, most) != self._prepared:
            self._prepared = rows.count, rows.gone, most
            context.rows, context.row_times = rows.room(most)
            context.max_rows = most
        context.n_rows = 0

    def _keep(self, array: _Numbers) -> int:
        self._arrays.append(array)
        return array_address(array)

    def _room(self, count: int) -> int:
        return self._keep(np.zeros(max(count, 1)))

    def _rooms(self, names: Sequence[str], count: int) -> None:
        """Contiguous room for the given number of values of each name."""
        length = max(count, 1)
        first = self._room(len(names) * length)
        for k, name in enumerate(names):
            setattr(self._context, name, first + 8 * k * length)

    def limit_steps(self) -> None:
        """No step may be so long that a pivot could fall to zero in it. To be called when all values are
        computed."""
        largest = self._engine.pivots.longest_step(self._largest_step, self._probe_step)
        self.integrator.set_max_step(largest if math.isfinite(largest) else 0.0)
        self._context.longest = self._context.longest_set = largest

    # ------------------------------------------------------------ driving

    def resume(self, now: float, *, restarted: bool, probes: bool = True) -> None:
        """To be called after an event handled in Python, and at the start: the run is at `now`, all values
        computed. If the integrator was `restarted`, it is there, too. The driver `probes` where residues set
        out to, unless a step was only given up: what has set out at the last event is on its way back by now,
        and that must not be forgotten."""
        context, engine = self._context, self._engine
        engine.continuous.relations()
        residues = engine.memory.section("residues")[self._preset.watched]
        ctypes.memmove(context.z0, residues.ctypes.data, residues.nbytes)
        engine.memory.section("directions")[:] = 0.0
        context.now = context.begun = context.earlier = context.remembered = now
        context.probe = int(probes)
        if restarted:
            context.reached, context.stop_set, context.restart = now, math.nan, 0

    def restart(self, now: float, *, probes: bool = True) -> None:
        """Starts the integrator anew with the states of the engine; see `resume`. Raises `SundialsError`."""
        context, states = self._context, self._engine.continuous.states
        if states.size:
            self.integrator.y[:] = states
        first_step, context.shorter = float(context.shorter), 0.0  # 0 if that is left to the integrator
        self.integrator.reinit(now, first_step)
        self.resume(now, restarted=True, probes=probes)

    def drive(
        self,
        grid: Grid,
        clocks: Clocks,
        records: Records,
        written: int,
        most_events: int = MOST_EVENTS,
        until: float = math.inf,
        seeks_rest: bool = False,
    ) -> Code:
        """Continues until Python has to act, at the latest after a number of events, or after a low hop if
        the caller `seeks_rest`, or at the time `until`. The records receive the events; `written` is the
        number of rows in the recording. The caller takes the rows; `last` describes them, since the run may
        have switched to other engines."""
        context = self._context
        context.stop = min(until, self._stop)
        context.grid_start, context.grid_interval, context.grid_near = grid.start, grid.interval, grid.near
        context.grid_k, context.grid_last = grid.k, grid.last
        if until < self._stop:
            context.grid_last += 1  # the last point is that of the run, not of this call
        self.prepare_rows()
        table, context.tick = clocks.table()
        context.tick_times, context.tick_first, context.tick_clocks = table.addresses
        context.n_ticks = len(table)
        # Where the run turned to this engine, it has brought those of another one along.
        context.log, context.traced, context.event_places, context.turns = self._books
        context.log_size = len(self._log)
        context.log_length = context.n_events = context.n_written = context.n_turns = 0
        context.max_events = min(most_events, MOST_EVENTS)
        context.seeks_rest, context.low_hop = int(seeks_rest), 0
        context.steps_left = most_steps = self._most_steps
        context.status = 0
        code = self._driven()
        end = context if context.last == self.address else Context.from_address(context.last)
        self.last.ended(end, most_steps)
        if end.n_events:
            places = self._events[: end.n_events].copy()
            records.append_log(self._log[: end.log_length].copy(), places, written)
        grid.skip_to(end.grid_k)
        clocks.skip_to(end.tick)
        return code

    def _driven(self) -> Code:
        """One call of the native driver."""
        machine = self._engine.machine
        if self._carefully:
            return Code(self._call(self.address))
        if machine.drives_carefully:
            self._take_functions()
        began = thread_time()  # a busy machine makes a run no longer
        code = Code(self._call(self.address))
        machine.drove(thread_time() - began)
        return code

    def tell_integrator(self) -> None:
        """Gives the integrator the last return flag and time, which the driver has got from SUNDIALS."""
        self.integrator.told(self._context.flag, self._context.reached)

    def arrive(self) -> None:
        """Brings the memory to `now`, with everything computed: between two calls it may be anywhere in the
        step that the driver was looking at."""
        context, engine = self._context, self._engine
        # Where the integrator has just begun anew, or still has to, the states are there. But other values
        # may be those of a place where the driver has looked which way things move.
        stands = context.restart or math.isnan(context.stop_set)
        if context.moves and not stands:
            self._arrive(self.address, min(context.now, context.reached))
        engine.memory.cells[TIME_SLOT] = context.now
        engine.continuous.compute()
        engine.continuous.relations()
        self._sign()

    def _sign(self) -> None:
        """Relations that are out of their bands on the presumed sides have signs again, and no more room than
        others. The driver sees to that after each step, and here the run is inside of one."""
        memory, watched = self._engine.memory, self._preset.watched
        truths, signs, residues, bands = (
            memory.section(name)[watched] for name in ("relations", "signs", "residues", "bands")
        )
        presumed = np.where(truths == self._preset.above, 1.0, -1.0)
        out = (signs == 0.0) & (residues * presumed > bands)
        memory.section("signs")[watched[out]] = presumed[out]
        self._engine.at_zero.leave_room()

    def put_states(self, time: float) -> None:
        """Time and states of a time in the last step into the memory."""
        if self._context.moves:
            self._interpolate(self.address, min(time, self._context.reached))
        self._engine.memory.cells[TIME_SLOT] = time

    def remember(self, now: float | None = None) -> Code:
        """Brings the histories up to date until `now`. Code.ROOM if they need more room first."""
        return Code(self._remember(self.address, self._context.now if now is None else now))

    def begin_natively(self) -> None:
        """The integrator, just made, will be started by the driver, with a first step as after events."""
        self._context.restart = int(self._engine.continuous.states.size and not self._context.restart_by_hand)

    @property
    def _most_steps(self) -> int:
        """Steps that a call may take; fewer in large models, whose steps take long. It must not depend on how
        long they do take: with checkpoints, what is done in a call has to be the same each time."""
        more = self._most // MOST_STEPS or 1  # of short steps
        return min(self._most, max(FEWEST_STEPS, more * STEP_NUMBERS // self._engine.memory.array.size))

    def crossed(self) -> tuple[tuple[int, float], ...]:
        """The relations that cross, with the signs of the sides they move to."""
        directions = self._engine.memory.section("directions")
        return tuple((k, float(directions[k])) for k in np.flatnonzero(directions).tolist())

    def statistics(self) -> dict[str, int]:
        """How often residues were computed, and how many events were done in one part of the model; and what
        CVODE had counted when the driver started it anew, which it does not do with IDA."""
        context = self._context
        names = () if context.restart_by_hand else (name for name, _ in CVODE_COUNTERS)
        looks = {"residue_evaluations": int(context.looks)} if context.n_watched else {}
        local = {"local_events": int(context.n_in_parts)} if context.n_in_parts else {}
        return {**{name: int(getattr(context, name)) for name in names}, **looks, **local}

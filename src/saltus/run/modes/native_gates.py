"""What the native driver knows about other programs: gates, links, the register (`saltus.ir.native.passage`).

The first time that an event leads from one program to another, Python handles it (`saltus.run.modes.modes`),
and its passage is recorded here: which values of guards belong to which engine, and from which engine numbers
were copied to which. From then on the driver can take the same passage. It goes through the same tentative
modes in the same order, and leaves to Python whatever is not known here or is exceptional. Python always
handles programs that need more: those with several choices of states, on surfaces, with histories, with
variables that exist in some modes only, or with a `reinit` of a variable that is not a state.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from saltus.expr.nodes import Expr, ref
from saltus.ir.native.contract import BAND, DRIFT, PARTED, ROOM, Counter
from saltus.ir.native.passage import GATE, LINK, PART_MOVES, REGISTER
from saltus.ir.sorted.blocks import Leading
from saltus.run.iteration.carried import Carried
from saltus.run.memory.dependence import numbers_in_parts
from saltus.run.memory.memory import presumed_slots
from saltus.run.modes.native_parts import OF_PARTS, NativeParts

if TYPE_CHECKING:
    from saltus.run.engine.engine import Engine
    from saltus.run.modes.ways_out import Way, WaysOut

#: The largest number of engines with gates.
MOST_GATES = 256

_TYPES: dict[str, Any] = {"ptr": ctypes.c_void_p, "i64": ctypes.c_int64, "double": ctypes.c_double}


class _Register(ctypes.Structure):
    _fields_ = [(name, _TYPES[kind]) for name, kind in REGISTER]


class _Link(ctypes.Structure):
    _fields_ = [(name, _TYPES[kind]) for name, kind in LINK]


class _GateFields(ctypes.Structure):
    _fields_ = [(name, _TYPES[kind]) for name, kind in GATE]


class _Arrays:
    """Arrays that native code uses, kept alive."""

    def __init__(self) -> None:
        self._kept: list[object] = []

    def keep(self, array: NDArray[Any]) -> int:
        self._kept.append(array)
        return int(array.ctypes.data)

    def room(self, count: int) -> int:
        return self.keep(np.zeros(max(count, 1)))

    def slots(self, slots: Iterable[int] | NDArray[np.int64]) -> tuple[int, int]:
        """The address of a list of whole numbers, and its length."""
        found = slots if isinstance(slots, np.ndarray) else np.array(list(slots), dtype=np.int64)
        return self.keep(found), len(found)


class Gate:
    """The gate of one engine."""

    def __init__(self, engine: Engine, number: int, register: int, deciding: Sequence[int]) -> None:
        self.engine = engine
        self._links: dict[int, _Link] = {}
        self._parts: NativeParts | None = None
        self._arrays = arrays = _Arrays()
        self.fields = fields = _GateFields()
        self.address = ctypes.addressof(fields)
        fields.number, fields.register = number, register
        self._places = np.zeros(MOST_GATES, dtype=np.int64)
        fields.links = arrays.keep(self._places)
        machine, memory, structure = engine.machine, engine.memory, engine.structure
        entry = structure.entry
        fields.memory, fields.memory_size = machine.pointer, memory.array.size
        for name in ("numbers", "before", "elsewhere"):
            setattr(fields, name, arrays.room(memory.array.size))
        routines = (
            "evaluate",
            "outputs",
            "settle_update",
            "settle",
            "commit",
            "checks",
            "fire",
            "parameters",
        )
        for name in (*routines, "forget", "crossings"):
            setattr(fields, name, machine.address(name))
        fields.relations_routine = machine.address("relations")
        fields.enter = machine.address("enter" if entry is not None else "evaluate")
        names = ("states", "derivatives", "relations", "signs", "residues", "bands", "zero_since")
        counted = ("discretes", "jumped", "lefts", "relation_impulses")
        for name in (*names, *counted, "directions", "clocks"):
            setattr(fields, name, memory.first(name))
        for name in ("states", *counted):
            setattr(fields, f"n_{name}", memory.length(name))
        fields.n_relations = len(structure.relations)
        fields.checks_first = memory.first("checks")
        fields.n_checks = memory.length("checks") + memory.length("endings")
        fields.continuous, fields.n_continuous = engine.continuous.first, engine.continuous.count
        counters = memory.first("counters")
        fields.changed_slot = counters + Counter.CHANGED
        fields.continuation = counters + Counter.CONTINUATION
        fields.scratch_slot = memory.first("scratch")
        fields.status_slot = engine.continuous.status_slot
        fields.rest = counters + Counter.REST
        lists: dict[str, Iterable[int]] = {
            "excess": engine.mode.excess,
            "impulses": (),
            "nonlinear": (),
            "watched": engine.relations.of_states,
            "deciding": deciding,
            "held": engine.mode.held,
            "presumed": (slot for slot, _ in presumed_slots(memory)),
            "presumed_of": (slot for _, slot in presumed_slots(memory)),
        }
        if entry is not None:
            slots = memory.layout.slots
            for name in ("entry", "lower", "books"):
                setattr(fields, name, machine.address(name))
            fields.lower_first, fields.n_lower = memory.first("lower"), len(entry.lower)
            fields.books_first, fields.n_books = memory.first("books"), len(entry.books)
            fields.has_entry, fields.exact = 1, memory.slot(entry.exact)
            fields.carries = int(engine.mode.carries)
            places = {v: slots[ref(unknown)] for v, unknown in entry.impulses.items()}
            lists["impulses"] = places.values()
            lists["nonlinear"] = (places[variable] for _, variable in entry.nonlinear)
        self._lists = {name: list(numbers) for name, numbers in lists.items()}
        for name, numbers in self._lists.items():
            address, count = arrays.slots(numbers)
            setattr(fields, name, address)
            setattr(fields, f"n_{name}", count)
        fields.discretes_before = arrays.room(fields.n_discretes)
        for name in ("ahead", "moves", "turned", "errors"):
            setattr(fields, name, arrays.room(fields.n_relations))
        fields.truth_above = arrays.keep(np.array(engine.relations.truth_above, dtype=np.float64))
        in_parts = numbers_in_parts(structure)
        fields.numbers_in_parts = arrays.keep(in_parts)
        fields.most_in_part = int(in_parts.max(initial=0)) + 1
        fields.narrow_bands = arrays.keep(engine.at_zero.narrow_bands)
        inert = np.zeros(max(fields.n_relations, 1))
        inert[list(structure.inert)] = 1.0
        fields.inert = arrays.keep(inert)
        failures = engine.machine.program.failures.items()
        fields.unsolvable = next((status for status, block in failures if isinstance(block, Leading)), 0)
        fields.holds = int(engine.mode.keeps_open)
        fields.timed = int(any(r.is_time_event for r in structure.model.relations))
        fields.momentary = int(engine.iteration.watches)
        fields.drift, fields.parted = DRIFT * engine.span, PARTED * engine.span

    def know(self, guards: Sequence[int]) -> None:
        """Where the guards are, in the order of the register."""
        self.fields.mode_guards = self._arrays.slots(guards)[0]

    def know_ways_out(self, ways: Sequence[Way]) -> None:
        """Ways out of modes that cannot be."""
        numbers = [
            pair for guards, truths in ways for pair in ((len(guards), 0), (len(truths), 0), *guards, *truths)
        ]
        fields = self.fields
        fields.way_slots, fields.n_ways = self._arrays.slots(slot for slot, _ in numbers)
        fields.way_values = self._arrays.keep(np.array([value for _, value in numbers], dtype=np.float64))

    def connect(self) -> None:
        """The engine may have a driver by now."""
        driver = self.engine.driver
        self.fields.context = driver.address if driver is not None else 0
        if driver is not None:
            driver.pass_through(self.address, self._parts.address if self._parts is not None else 0)

    def link(self, other: Gate) -> None:
        """Numbers go from another engine to this one."""
        number = other.fields.number
        if number in self._links:
            return
        made, here, there = _Link(), self.engine, other.engine
        moves = {
            "discrete": here.transfer.varying_moves(there),
            "left": here.transfer.left_moves(there)[:2],
            "continuous": here.transfer.continuous_moves(there),
        }
        for name, (target, source) in moves.items():
            address, count = self._arrays.slots(target)
            setattr(made, f"{name}_to", address)
            setattr(made, f"{name}_from", self._arrays.slots(source)[0])
            setattr(made, f"n_{name}", count)
        lacking = here.transfer.left_moves(there)[2]
        made.lacking, made.n_lacking = self._arrays.slots(lacking)
        self._links[number] = made
        self._places[number] = ctypes.addressof(made)
        parts = here.machine.program.parts
        if here is there and parts is not None and self._is_usual:
            lists = {name: self._lists[name] for name in OF_PARTS}
            own = {name: (moves[name][0], moves[name][1]) for name in PART_MOVES}
            self._parts = NativeParts(here, parts, lists, own, lacking)
            self.connect()

    @property
    def _is_usual(self) -> bool:
        """Whether events do nothing that the driver can do for the whole model only: nothing is kept open or
        presumed, no equation is in excess, and no check holds for single rounds."""
        fields = self.fields
        return not (fields.holds or fields.n_excess or fields.n_presumed or fields.momentary)


def is_plain(engine: Engine) -> bool:
    """Whether native code can enter and leave a program: its states are good wherever they are, it is on no
    surface, it has no histories, and nothing exists in some modes only."""
    structure = engine.structure
    special = structure.pivot_guards or structure.surfaces
    return not (special or structure.model.absent or engine.machine.program.remembers)


class Passages:
    """All gates of a run."""

    def __init__(self, projected: float, tolerance: float, carried: Carried) -> None:
        self._carried = carried
        self._register = _Register()
        self._register.projected = projected
        self._register.tolerance, self._register.room = tolerance, ROOM
        self._register.wide = ROOM * tolerance / BAND
        self._address = ctypes.addressof(self._register)
        self._gates: dict[Engine, Gate] = {}
        self._numbered: list[Gate] = []
        self._ways: set[tuple[Engine, Engine]] = set()
        self._known = -1
        self._ways_out = 0
        self._arrays = _Arrays()

    def forget(self) -> None:
        """Other guards are fixed from now on, or engines have got other integrators: nothing is known."""
        for engine in self._gates:
            if engine.driver is not None:
                engine.driver.pass_through(0)
        self._gates, self._numbered, self._ways, self._known = {}, [], set(), -1
        self._ways_out = 0
        self._register.n_known = 0
        self._arrays = _Arrays()

    def note(
        self, engine: Engine, origins: Sequence[Engine], deciding: Callable[[Engine], Sequence[int]]
    ) -> None:
        """An engine has got numbers from others. Modes depend on the relations in `deciding`."""
        for other in origins:
            if (engine, other) in self._ways:
                continue
            self._ways.add((engine, other))
            here, there = (self._gate(e, deciding) for e in (engine, other))
            if here is not None and there is not None:
                here.link(there)

    def _gate(self, engine: Engine, deciding: Callable[[Engine], Sequence[int]]) -> Gate | None:
        may_have = (
            is_plain(engine)
            and not self._carried.is_by_hand(engine.mode)
            and len(self._numbered) < MOST_GATES
        )
        if engine not in self._gates and may_have:
            gate = Gate(engine, len(self._numbered), self._address, deciding(engine))
            self._gates[engine] = gate
            self._numbered.append(gate)
            self._known = -1
        return self._gates.get(engine)

    def register(self, known: Mapping[tuple[float, ...], Engine | None], guards: Sequence[Expr]) -> None:
        """Which values of the guards belong to which engine."""
        if len(known) == self._known:
            return
        self._known = len(known)
        found = [
            (values, self._gates[engine].address)
            for values, engine in known.items()
            if engine is not None and engine in self._gates
        ]
        self._arrays = _Arrays()
        register = self._register
        register.n_mode_guards, register.n_known = len(guards), len(found)
        register.values = self._arrays.keep(np.array([v for v, _ in found], dtype=np.float64))
        register.gates = self._arrays.slots(address for _, address in found)[0]
        for gate in self._numbered:
            gate.know([gate.engine.mode.guards.slot(guard) for guard in guards])
            gate.connect()

    def know_ways_out(self, ways: WaysOut) -> None:
        """What is known of ways out of modes that cannot be."""
        if ways.learnt != self._ways_out:
            self._ways_out = ways.learnt
            for gate in self._numbered:
                gate.know_ways_out(ways.of(gate.engine))

    def connect(self, engine: Engine) -> None:
        """An engine has a new driver."""
        if engine in self._gates:
            self._gates[engine].connect()

    def prepare_rows(self) -> None:
        """Makes room for the rows of all engines to which the run may turn."""
        for engine in self._gates:
            if engine.driver is not None:
                engine.driver.prepare_rows()

    @property
    def engines(self) -> list[Engine]:
        """The engines that have gates, in the order of their numbers."""
        return [gate.engine for gate in self._numbered]

    def take_counts(self) -> tuple[int, float]:
        """Entries into modes since the last call; and the worst of the books, ever."""
        entries, self._register.entries = int(self._register.entries), 0
        return entries, float(self._register.worst_books)

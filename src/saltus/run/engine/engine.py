"""One program at work: its memory, its rows, its event iteration, its integrator and driver.

A run has one engine, and gets another for each choice of states that it goes on with, for each mode with
equations of its own, and for each surface along which it slides. Changing engines is nothing but copying
numbers, each to the place that the variable of its name has in the other memory. With other states the
position is the same, so every equation holds already; for how another mode is entered see
`run/modes/entering.py`. Algebraic variables are copied too. They are where Newton's method begins, and so
which of several solutions is followed (a pendulum is left or right of its pivot) stays as it was.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from saltus.expr.helpers import Helper
from saltus.expr.nodes import FALSE, INITIAL, TERMINAL, Expr, Op, Type, leaves, pre, ref, substitute
from saltus.expr.show import show
from saltus.ir.contract import TIME_SLOT, Counter
from saltus.ir.flat import Variable
from saltus.ir.structure import (
    PIVOT_FLOOR,
    Fixing,
    Mode,
    OnSurface,
    Structure,
    block_expressions,
)
from saltus.result.trajectories.recording import Part, leaf_name
from saltus.result.trajectories.rows import Rows
from saltus.run.engine.at_zero import AtZero
from saltus.run.engine.driver import Driver
from saltus.run.failures import diagnose
from saltus.run.integrators.integrator import Integrator, NativeMachine
from saltus.run.iteration.events import EventIteration
from saltus.run.memory.dependence import mode_slots, numbers_in_parts
from saltus.run.memory.memory import (
    Memory,
    Snapshot,
    presume_values,
    presumed_slots,
    start_number,
)
from saltus.run.memory.moves import Slots, between, columns, names

#: A small pivot may fall by this part of itself in one step.
PART_OF_PIVOT = 0.1

#: A residue that has been inside its zero band for this part of the run rests there; one that moves is
#: through the band, 1e-10 wide, much sooner.
REST_SPAN = 1e-6

#: The code of checks on equations that a mode has in excess.
CONTRADICTION = "E410"

#: Sections that are the same in all programs of a model.
_COMMON = ("overridden", "discretes", "pre_discretes", "clocks", "flags", "histories")

#: Sections with one entry for each relation, those of the model first.
_PER_RELATION = ("relations", "signs", "residues", "crossing_times", "zero_since", "directions")

#: Sections of quantities that have names, and of those that vary continuously.
_CONTINUOUS = ("states", "derivatives", "algebraics")
_NAMED = ("time", "parameters", *_CONTINUOUS, "discretes", "relations", "clocks")


class Engine:
    """Everything that belongs to one program; slots and routines that every event needs are bound once."""

    def __init__(self, structure: Structure, machine: NativeMachine, span: float) -> None:
        self.structure = structure
        self.machine = machine
        self.span = span
        self.memory = memory = Memory(structure, machine)
        memory.array[:] = 0.0
        memory.section("zero_since")[:] = -math.inf  # no residue has moved to zero, at time 0 neither
        memory.cells[memory.first("counters") + Counter.REST] = REST_SPAN * span
        self.rows = Rows(memory.array, memory.layout)
        self.part = Part(structure, self.rows)
        self.cvode: Integrator | None = None
        self.driver: Driver | None = None  # made with the integrator
        #: Whether an explicit method would be held up by stability.
        self.stiff = False
        self.states = memory.section("states")
        self.derivatives = memory.section("derivatives")
        self.outputs = memory.routines["outputs"]
        self.relations = memory.routines["relations"]
        self.crossings = memory.routines["crossings"]
        self.check_bytes = Snapshot(memory.array, memory.layout, ("checks", "endings"))
        self.no_checks = bytes(8 * (memory.length("checks") + memory.length("endings")))
        self.mode = mode_slots(structure, memory.layout)
        self.state_relations = machine.program.state_relations
        self.truth, self.signs = memory.first("relations"), memory.first("signs")
        self.residues, self.bands = memory.first("residues"), memory.first("bands")
        self.zero_since = memory.first("zero_since")
        self.status = memory.first("counters") + Counter.STATUS
        self.pivot_guards = [g.relation for g in structure.pivot_guards]
        #: Relations that hold as long as the model stays on the surfaces of this program.
        self.surface_exits = [index for s in structure.surfaces for index in s.exits]
        self._hidden = [p for s in structure.surfaces for p in (s.side, *s.directions.values())]
        self._kept = dict(structure.open.kept) if structure.open is not None else {}
        #: Whether even the best choice has a small pivot here.
        self.near_singular = False
        self.largest_step = math.inf
        self._known_new: dict[Engine, list[Variable]] = {}
        self._known_moves: dict[tuple[Engine, str], Slots] = {}

    @cached_property
    def at_zero(self) -> AtZero:
        """What is to be said about relations whose residues are zero. Made when parameters have their
        values."""
        return AtZero(self)

    @cached_property
    def numbers_in_parts(self) -> NDArray[np.int64]:
        """The number of each state in its part of the model."""
        return numbers_in_parts(self.structure)

    @cached_property
    def iteration(self) -> EventIteration:
        """The iteration of events, made when parameters have their values."""
        return EventIteration(self.memory)

    def show_failure(self) -> None:
        """Computes once more what cannot be computed: loops are left where they failed, for the message."""
        cells, place = self.memory.cells, self.memory.first("counters") + Counter.CONTINUATION
        before = self.memory.array.copy()
        cells[place] = 1.0
        if not self.outputs():
            self.memory.array[:] = before
        cells[place] = 0.0

    def compute(self) -> None:
        """All continuous unknowns, from the states."""
        status = self.outputs()
        if status:
            raise diagnose.failure(self.memory, status)

    # ------------------------------------------------------------ surfaces

    @cached_property
    def on(self) -> frozenset[OnSurface]:
        """The surfaces on which this program keeps the model."""
        return frozenset(OnSurface(s.leader, s.resting) for s in self.structure.surfaces)

    def drifts(self, surface: Mapping[int, int], step: float) -> tuple[float, float] | None:
        """How fast the residue of a surface (see `Surface.relations`) changes with the truths of its positive
        side, and with those of its negative side: differences along a small step in time. None where that
        cannot be computed. The memory stays as it is."""
        cells, leader = self.memory.cells, self.residues + min(surface)
        evaluate = self.memory.routines["evaluate"]
        before, found = self.memory.array.copy(), []
        for side in (1, -1):
            for index, sign in surface.items():
                cells[self.truth + index] = self.truth_on(index, side * sign)
            failed = evaluate() or self.crossings()
            first = cells[leader]
            cells[TIME_SLOT] += step
            self.states += step * self.derivatives
            failed = failed or self.crossings()
            rate = (cells[leader] - first) / step
            self.memory.array[:] = before
            if failed or not math.isfinite(rate):
                return None
            found.append(rate)
        return found[0], found[1]

    def truth_on(self, index: int, side: float) -> float:
        """The truth of a relation where its residue has this sign."""
        above = self.iteration.truth_above[index]
        return above if side > 0 else 1.0 - above

    def side_of(self, surface: Mapping[int, int]) -> int:
        """The side of a surface whose truths its first relation has."""
        index = min(surface)
        return 1 if self.memory.cells[self.truth + index] == self.truth_on(index, 1.0) else -1

    # ------------------------------------------------------------ modes

    @cached_property
    def truths(self) -> NDArray[np.float64]:
        """The truths of the relations that the model itself has."""
        return self.memory.section("relations")[: len(self.structure.relations)]

    @cached_property
    def held(self) -> list[int]:
        """The relations that are held while the mode is tentative: without an entry nothing jumps, and
        impulses decide in any case."""
        entry, inert = self.structure.entry, self.structure.inert
        return [k for k in inert if k not in entry.decides] if entry is not None else []

    def hold(self, *, holding: bool) -> None:
        """What is inert keeps its truth, or does not: a side that is held decides as an impulse does."""
        impulses = self.memory.first("relation_impulses")
        for k in self.held:
            above = self.memory.cells[self.truth + k] == self.truth_on(k, 1.0)
            self.memory.cells[impulses + k] = (1.0 if above else -1.0) if holding else 0.0

    @cached_property
    def excess(self) -> list[int]:
        """The checks on equations that the mode has in excess."""
        return [k for k, check in enumerate(self.structure.model.checks) if check.code == CONTRADICTION]

    @cached_property
    def mode_guard_slots(self) -> dict[Expr, int]:
        """Where the values of mode guards are: relations, discrete variables and what these were before."""
        return self._slots_of(self.structure.model.mode_guards())

    @cached_property
    def parameter_slots(self) -> dict[Expr, int]:
        """Where the values of parameters are that a mode may take for granted too, Reals and truths."""
        kinds = (Type.REAL, Type.BOOLEAN)
        parameters = (v.symbol for v in self.structure.model.parameters)
        # What a program keeps for quantities that are left open is its own.
        return self._slots_of(ref(s) for s in parameters if s.type in kinds and s.helper is not Helper.HELD)

    @cached_property
    def computed_slots(self) -> dict[Expr, int]:
        """Where the values of variables are that a mode may take for granted where they are zero."""
        model = self.structure.model
        variables = (*model.algebraics, *model.states)
        return self._slots_of(ref(v.symbol) for v in variables if v.symbol.type is Type.REAL)

    def _slots_of(self, leaves: Iterable[Expr]) -> dict[Expr, int]:
        slots = self.memory.layout.slots
        return {leaf: slots[leaf] for leaf in leaves if leaf in slots}

    def mode_guard_slot(self, guard: Expr) -> int:
        """Where the value is of what a mode takes for granted."""
        return self.memory.layout.slots[guard]

    def mode_named(self, fixed: Iterable[Sequence[Any]]) -> Mode:
        """The mode whose guards have these texts and values, as a file has them."""
        known = (*self.computed_slots, *self.parameter_slots, *self.mode_guard_slots)
        guards = {show(guard): guard for guard in known}
        return Mode.of({guards[text]: value for text, value in fixed})

    @property
    def is_finite(self) -> bool:
        """Whether all continuous variables have finite values."""
        # The sum of anything that is not finite is not finite either, and is found more quickly. Infinities
        # of both signs have no sum, which is no news.
        with np.errstate(invalid="ignore", over="ignore"):
            total = self._continuous.sum()
        return math.isfinite(total) or bool(np.isfinite(self._continuous).all())

    @property
    def continuous(self) -> tuple[int, int]:
        """Where states, derivatives and algebraic variables are, which lie side by side; and how many."""
        first = self.memory.first("states")
        return first, self.memory.first("algebraics") + self.memory.length("algebraics") - first

    @cached_property
    def _continuous(self) -> NDArray[np.float64]:
        first, count = self.continuous
        return self.memory.array[first : first + count]

    @property
    def is_plain(self) -> bool:
        """Whether native code can enter and leave this program: its states are good wherever they are, it is
        on no surface, it has no histories, and nothing exists in some modes only."""
        model = self.structure.model
        special = (
            self.pivot_guards or self.surface_exits or self._hidden or self.may_be_struck or model.absent
        )
        return not special and not self.machine.program.remembers

    @property
    def holds(self) -> bool:
        """Whether values are kept for what the mode leaves open."""
        return bool(self._kept)

    @property
    def presumed(self) -> list[tuple[int, int]]:
        """Slots of presumptions and echoes, each with that of what it stands for."""
        return presumed_slots(self.memory)

    def mode_guard(self, guard: Expr) -> float:
        """The value of a mode guard."""
        return self.memory.cells[self.mode_guard_slot(guard)]

    @property
    def may_be_struck(self) -> bool:
        """Whether something is reinitialised that is no state in this program: the driver does not see it."""
        reduction = self.structure.reduction
        return reduction is not None and bool(reduction.jumps)

    def struck(self) -> list[tuple[int, float]]:
        """What is reinitialised at this instant but follows from other states in this mode, as slots with new
        values: a block that sticks is struck by a hammer. They are left limits of the next round, in which
        the mode may turn out to be another."""
        reduction, memory, slots = self.structure.reduction, self.memory, self.memory.layout.slots
        found: list[tuple[int, float]] = []
        for jump in reduction.jumps if reduction is not None else ():
            place = slots.get(ref(jump.state))
            if place is not None and memory.evaluate(self._during_run(jump.condition)):
                found.append((place, float(memory.evaluate(self._during_run(jump.value)))))
        return found

    def _during_run(self, e: Expr) -> Expr:
        """An expression that can be evaluated at an event. What did not change at this instant has its left
        limit still, if there is no place for that."""
        slots = self.memory.layout.slots
        known = {leaf: leaf.args[0] for leaf in leaves(e) if leaf.op is Op.PRE and leaf not in slots}
        return substitute(e, {**known, INITIAL: FALSE, TERMINAL: FALSE})

    def impulses(self) -> Iterator[tuple[str, float]]:
        """The impulses with which the mode was entered, by name, where there are any."""
        entry, cells, slots = self.structure.entry, self.memory.cells, self.memory.layout.slots
        for variable, unknown in entry.impulses.items() if entry is not None else ():
            weight = cells[slots[ref(unknown)]]
            if weight:
                yield variable.name, weight

    def is_left_natively(self, fixing: Fixing) -> bool:
        """Whether native code notices when guards lead to another program, and nothing jumps as long as they
        do not."""
        structure = self.structure
        if not set(fixing.leading_out_of(structure.mode)) <= set(structure.mode_exits):
            return False
        if structure.entry is None:
            return True
        discrete = {ref(v.symbol) for v in structure.discretes} | {ref(r.symbol) for r in structure.relations}
        discrete |= {pre(leaf) for leaf in discrete}
        used = (x for b in structure.entry.blocks for e in block_expressions(b) for x in leaves(e))
        return not structure.model.jumps and discrete.isdisjoint(used)

    def no_impulses(self) -> None:
        """Nothing jumps in this round."""
        entry, memory = self.structure.entry, self.memory
        for unknown in entry.impulses.values() if entry is not None else ():
            memory.store(unknown, 0.0)

    def compute_parameters(self) -> None:
        """Bands, and all that depends on parameters alone."""
        self.memory.routines["parameters"]()

    def remember_left(self, other: Engine, numbers: NDArray[np.float64], begun: Mapping[str, float]) -> None:
        """The left limits of an instant, as another engine has them among its numbers; of what does not exist
        there, what it begins with."""
        target, source, lacking = self.left_moves(other)
        self.memory.array[target] = numbers[source]
        self.memory.array[lacking] = np.nan
        for v, value in self._beginning(other, begun):
            for slot in self._lefts_of.get(v.name, ()):
                self.memory.cells[slot] = value

    def _moves(self, other: Engine, what: str, find: Callable[[], Slots]) -> Slots:
        """Which numbers of another engine go where here."""
        found = self._known_moves.get((other, what))
        if found is None:
            found = between(self.memory.layout, other.memory.layout, what, find)
            self._known_moves[other, what] = found
        return found

    def left_moves(self, other: Engine) -> Slots:
        """To which slots here, from which ones of another engine left limits go; and those that it lacks."""

        def find() -> Slots:
            wanted = [(slot, name) for name, slots in self._lefts_of.items() for slot in slots]
            pairs = [(slot, other._places[name]) for slot, name in wanted if name in other._places]
            known = {slot for slot, _ in pairs}
            lacking = np.array([slot for slot, _ in wanted if slot not in known], dtype=np.int64)
            return (*columns(pairs), lacking)

        return self._moves(other, "left", find)

    @cached_property
    def _lefts_of(self) -> dict[str, list[int]]:
        """Where left limits go, by the names of what they are limits of."""
        entry, slots = self.structure.entry, self.memory.layout.slots
        wanted = [(leaf_name(leaf), s) for s, leaf in entry.lefts.items()] if entry is not None else []
        wanted += [(of.name, kept) for of, kept in self._kept.items()]
        found: dict[str, list[int]] = {}
        for name, symbol in wanted:
            found.setdefault(name, []).append(slots[ref(symbol)])
        return found

    # ------------------------------------------------------------ the choice of states

    def fallen(self) -> list[int]:
        """The pivot guards, by their places among all, whose pivots have become too small."""
        cells, truth = self.memory.cells, self.truth
        return [k for k, index in enumerate(self.pivot_guards) if not cells[truth + index]]

    def set_floors(self) -> float:
        """Puts the floor under each pivot: lower than usual where the pivot is small already, although no
        better one was found. Gives the smallest pivot. To be called when all values are computed."""
        memory, cells, guards = self.memory, self.memory.cells, self.structure.pivot_guards
        for guard in guards:
            memory.store(guard.floor, 0.0)
        self.relations()
        pivots = [cells[self.residues + guard.relation] for guard in guards]
        for guard, pivot in zip(guards, pivots, strict=True):
            memory.store(guard.floor, min(PIVOT_FLOOR, 0.5 * pivot))
            cells[self.truth + guard.relation] = cells[self.signs + guard.relation] = 1.0
        self.relations()
        smallest = min(pivots, default=1.0)
        self.near_singular = smallest < PIVOT_FLOOR
        return smallest

    def _pivots(self) -> list[float]:
        """The pivots as they were last computed."""
        residues, numbers = self.memory.section("residues"), self.memory.array
        floors = (self.memory.slot(guard.floor) for guard in self.structure.pivot_guards)
        return [float(residues[k] + numbers[slot]) for k, slot in zip(self.pivot_guards, floors, strict=True)]

    def recovered(self) -> bool:
        """Whether the pivots, as the integrator saw them last, are large enough for the usual floors."""
        return min(self._pivots()) > PIVOT_FLOOR

    def limit_steps(self, probe: float) -> None:
        """Where a pivot is small, no step may be so long that it could fall to zero: it might rise again
        before anybody looks, with a singular position in between. How fast it falls is seen along a small
        step `probe`. To be called when all values are computed."""
        assert self.cvode is not None
        largest = self.largest_step
        if self.near_singular:
            before, pivots = self.memory.array.copy(), self._pivots()
            self.memory.cells[TIME_SLOT] += probe
            self.states += probe * self.derivatives
            if not self.crossings():
                after = self._pivots()
                fall = max(abs(b - a) / a for a, b in zip(pivots, after, strict=True)) / probe
                largest = min(largest, PART_OF_PIVOT / fall) if fall > 0.0 else largest
            self.memory.array[:] = before
        self.cvode.set_max_step(largest if math.isfinite(largest) else 0.0)
        if self.driver is not None:
            self.driver.limit_steps(largest)

    def _slots(self, sections: Sequence[str]) -> list[tuple[str, int]]:
        """Names with their slots. A state that is the derivative of another has two; its own comes last."""
        layout = self.memory.layout
        inside = {slot for s in sections for slot in range(layout.section(s).start, layout.section(s).stop)}
        found = [
            (leaf, slot) for leaf, slot in layout.slots.items() if slot in inside and leaf.op is not Op.PRE
        ]
        found.sort(key=lambda entry: entry[0].op is not Op.DER)
        return [(leaf_name(leaf), slot) for leaf, slot in found]

    @cached_property
    def _places(self) -> dict[str, int]:
        return names(self.memory.layout, lambda: dict(self._slots(_NAMED)))

    def values(self) -> dict[str, float]:
        """The values of everything that has a name."""
        return self.values_of(self.memory.array)

    def values_of(self, array: NDArray[np.float64]) -> dict[str, float]:
        """The values of everything that has a name, in a copy of the memory."""
        numbers = array.tolist()
        return {name: numbers[slot] for name, slot in self._places.items()}

    def take_over(self, other: Engine) -> None:
        """Gives everything the value that it has in another engine, and computes what follows from it."""
        self.copy(other)
        self.compute()
        for index in self.surface_exits:
            self.memory.cells[self.truth + index] = self.memory.cells[self.signs + index] = 1.0

    def copy(self, other: Engine) -> None:
        """Gives everything the value that it has in another engine."""
        self.copy_discrete(other)
        self.copy_continuous(other, other.memory.array)

    def copy_discrete(self, other: Engine) -> None:
        """Gives all that does not vary continuously, time apart, the value that it has in another engine."""
        memory, old = self.memory, other.memory
        if other is self:
            return
        target, source = self._discrete_moves(other)
        memory.array[target] = old.array[source]
        for symbol in self._hidden:
            if symbol.name in other._places:
                memory.store(symbol, float(old.array[other._places[symbol.name]]))

    def _discrete_moves(self, other: Engine) -> Slots:
        """To which slots here, from which ones of another engine, for all that does not vary continuously."""
        return self._moves(other, "discrete", lambda: self._same_places(other, ()))

    def varying_discretes(self, other: Engine) -> Slots:
        """To which slots here, from which ones of another engine, for all that changes at events only:
        parameters are left out."""
        constant = ("parameters", "overridden")
        return self._moves(other, "varying", lambda: self._same_places(other, constant))

    def _same_places(self, other: Engine, without: Sequence[str]) -> Slots:
        """To which slots here, from which ones of another engine, for time and for sections that all programs
        have."""
        pairs = [(TIME_SLOT, TIME_SLOT)]
        lengths = [*((name, self.memory.length(name)) for name in _COMMON), *self._own_lengths()]
        for name, length in lengths:
            here, there = self.memory.first(name), other.memory.first(name)
            if name not in without:
                pairs += [(here + k, there + k) for k in range(length)]
        return columns(pairs)

    def copy_continuous(
        self, other: Engine, numbers: NDArray[np.float64], begun: Mapping[str, float] | None = None
    ) -> None:
        """Gives all that varies continuously the value that it has among the numbers of another engine. What
        does not exist there begins with its start value, or with another in `begun`, by name."""
        memory = self.memory
        self.compute_parameters()
        target, source = self.continuous_moves(other)
        memory.array[target] = numbers[source]
        for v, value in self._beginning(other, begun or {}):
            leaf, slots = ref(v.symbol), memory.layout.slots
            for place in (leaf, pre(leaf)):
                if place in slots:
                    memory.cells[slots[place]] = value
        presume_values(memory)

    def new_since(self, other: Engine) -> list[Variable]:
        """The variables that exist here, but not in another engine, where some are absent."""
        if other not in self._known_new:
            own = (*self.structure.states, *self.structure.algebraics)
            lacking = bool(other.structure.model.absent) and other is not self
            self._known_new[other] = [v for v in own if lacking and v.name not in other._places]
        return self._known_new[other]

    def _beginning(self, other: Engine, begun: Mapping[str, float]) -> Iterator[tuple[Variable, float]]:
        """What the variables begin with that exist here, but not in another engine."""
        for v in self.new_since(other):
            yield v, begun[v.name] if v.name in begun else start_number(self.memory, v)

    def _own_lengths(self) -> Iterator[tuple[str, int]]:
        """How many entries of a section belong to the model, and not to this program: relations and
        parameters that a choice of states or a surface has brought come last."""
        structure = self.structure
        for section in _PER_RELATION:
            yield section, len(structure.relations)
        added = len(self.pivot_guards) + len(self._hidden) + len(self._kept)
        yield "parameters", self.memory.length("parameters") - added

    def continuous_moves(self, other: Engine) -> Slots:
        """To which slots here, from which ones of another engine, for all that varies continuously."""

        def find() -> Slots:
            places = other._places
            # On a surface there are unknowns of its own, and derivatives that are used nowhere else.
            known = (entry for entry in self._slots(_CONTINUOUS) if entry[0] in places)
            pairs = [(slot, places[name]) for name, slot in known]
            slots = other.memory.layout.slots
            for section in ("pre_states", "pre_algebraics"):
                own = self.memory.layout.section(section)
                for leaf, slot in self.memory.layout.slots.items():
                    if leaf.op is Op.PRE and own.start <= slot < own.stop:
                        source = slots.get(leaf, places.get(leaf_name(leaf)))
                        if source is not None:
                            pairs.append((slot, source))
            return columns(pairs)

        return self._moves(other, "continuous", find)

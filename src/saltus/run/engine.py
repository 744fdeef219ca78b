"""One program at work: its memory, its rows, its event iteration, its integrator and driver.

A run has one engine, and gets another for each choice of states that it goes on with. Changing engines is
nothing but copying numbers, each to the place that the variable of its name has in the other memory: the
position is the same, so every equation holds already. Algebraic variables are copied too. They are where
Newton's method begins, and so which of several solutions is followed (a pendulum is left or right of its
pivot) stays as it was.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from saltus.expr.nodes import Op
from saltus.ir.structure import PIVOT_FLOOR, Structure
from saltus.result.recording import Part, leaf_name
from saltus.result.rows import Rows
from saltus.run import diagnose
from saltus.run.dependence import mode_slots
from saltus.run.driver import Driver
from saltus.run.events import EventIteration
from saltus.run.integrator import Integrator, NativeMachine
from saltus.run.memory import REST, STATUS, TIME_SLOT, Memory, Snapshot, presume_values

#: A small pivot may fall by this part of itself in one step.
PART_OF_PIVOT = 0.1

#: Sections that are the same in all programs of a model.
_COMMON = ("overridden", "discretes", "pre_discretes", "clocks", "flags")

#: Sections in which entries for the guards of a choice of states come last: one for each relation, and the
#: parameters, among them the floors.
_GUARDED = ("relations", "signs", "residues", "crossing_times", "zero_since", "directions", "parameters")

#: Sections of quantities that have names, and of those that vary continuously.
_CONTINUOUS = ("states", "derivatives", "algebraics")
_NAMED = ("time", "parameters", *_CONTINUOUS, "discretes", "relations", "clocks")


class Engine:
    """Everything that belongs to one program; slots and routines that every event needs are bound once."""

    def __init__(self, structure: Structure, machine: NativeMachine, rest: float) -> None:
        self.structure = structure
        self.machine = machine
        self.rest = rest
        self.memory = memory = Memory(structure, machine)
        memory.array[:] = 0.0
        memory.cells[memory.first("counters") + REST] = rest
        self.rows = Rows(memory.array, memory.layout)
        self.part = Part(structure, self.rows)
        self.cvode: Integrator | None = None
        self.driver: Driver | None = None  # made with the integrator
        self.states = memory.section("states")
        self.derivatives = memory.section("derivatives")
        self.outputs = memory.routines["outputs"]
        self.relations = memory.routines["relations"]
        self.crossings = memory.routines["crossings"]
        self.state_bytes = Snapshot(memory.array, memory.layout, ("states",))
        self.check_bytes = Snapshot(memory.array, memory.layout, ("checks", "endings"))
        self.no_checks = bytes(8 * (memory.length("checks") + memory.length("endings")))
        self.mode = mode_slots(structure, memory.layout)
        self.state_relations = machine.program.state_relations
        self.truth, self.signs = memory.first("relations"), memory.first("signs")
        self.residues = memory.first("residues")
        self.status = memory.first("counters") + STATUS
        self.guards = [g.relation for g in structure.guards]
        #: Whether even the best choice has a small pivot here.
        self.near_singular = False
        self.largest_step = math.inf
        self._known_moves: dict[Engine, tuple[NDArray[np.intp], NDArray[np.intp]]] = {}

    @cached_property
    def iteration(self) -> EventIteration:
        """Made when parameters have their values."""
        return EventIteration(self.memory)

    def compute(self) -> None:
        """All continuous unknowns, from the states."""
        status = self.outputs()
        if status:
            raise diagnose.failure(self.memory, status)

    # ------------------------------------------------------------ the choice of states

    def fallen(self) -> list[int]:
        """The guards, by their places among all, whose pivots have become too small."""
        cells, truth = self.memory.cells, self.truth
        return [k for k, index in enumerate(self.guards) if not cells[truth + index]]

    def set_floors(self) -> float:
        """Puts the floor under each pivot: lower than usual where the pivot is small already, although no
        better one was found. Gives the smallest pivot. To be called when all values are computed."""
        memory, cells, guards = self.memory, self.memory.cells, self.structure.guards
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
        floors = (self.memory.slot(guard.floor) for guard in self.structure.guards)
        return [float(residues[k] + numbers[slot]) for k, slot in zip(self.guards, floors, strict=True)]

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

    def _slots(self, sections: Sequence[str]) -> list[tuple[str, int]]:
        """Names with their slots. A state that is the derivative of another has two; its own comes last."""
        places = [self.memory.layout.section(s) for s in sections]
        found = [
            (leaf, slot)
            for leaf, slot in self.memory.layout.slots.items()
            if leaf.op is not Op.PRE and any(s.start <= slot < s.stop for s in places)
        ]
        found.sort(key=lambda entry: entry[0].op is not Op.DER)
        return [(leaf_name(leaf), slot) for leaf, slot in found]

    @cached_property
    def _places(self) -> dict[str, int]:
        return dict(self._slots(_NAMED))

    def values(self) -> dict[str, float]:
        """The values of everything that has a name."""
        numbers = self.memory.array.tolist()
        return {name: numbers[slot] for name, slot in self._places.items()}

    def take_over(self, other: Engine) -> None:
        """Gives everything the value that it has in another engine, and computes what follows from it."""
        memory, old = self.memory, other.memory
        memory.cells[TIME_SLOT] = old.cells[TIME_SLOT]
        for section in _COMMON:
            memory.section(section)[:] = old.section(section)
        for section in _GUARDED:
            common = memory.length(section) - len(self.guards)
            memory.section(section)[:common] = old.section(section)[:common]
        memory.routines["parameters"]()  # for the bands of the guards
        target, source = self._moves(other)
        memory.array[target] = old.array[source]
        presume_values(memory)
        self.compute()

    def _moves(self, other: Engine) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """From which slot of the other engine to which one here, for all that varies continuously."""
        if other not in self._known_moves:
            places = other._places
            pairs = [(slot, places[name]) for name, slot in self._slots(_CONTINUOUS)]
            slots = other.memory.layout.slots
            for section in ("pre_states", "pre_algebraics"):
                own = self.memory.layout.section(section)
                for leaf, slot in self.memory.layout.slots.items():
                    if leaf.op is Op.PRE and own.start <= slot < own.stop:
                        pairs.append((slot, slots.get(leaf, places[leaf_name(leaf)])))
            both = np.array(pairs, dtype=np.intp)
            self._known_moves[other] = both[:, 0].copy(), both[:, 1].copy()
        return self._known_moves[other]

"""Numbers that go from one engine to another when a run changes engines.

Changing engines is nothing but copying numbers, each to the place that the variable of its name has in the
other memory. With other states the position is the same, so every equation holds already; for how another
mode is entered see `saltus.run.modes.entering`. Algebraic variables are copied too. They are where Newton's
method begins, and so which of several solutions is followed (a pendulum is left or right of its pivot) stays
as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from saltus.expr.nodes import Expr, Op, pre, ref
from saltus.ir.flat import Variable
from saltus.ir.native.contract import TIME_SLOT
from saltus.ir.structure import Structure
from saltus.result.trajectories.recording import leaf_name
from saltus.run.engine.continuous import Continuous
from saltus.run.engine.engine_surfaces import EngineSurfaces
from saltus.run.memory.memory import Memory, presumed_slots, start_number
from saltus.run.memory.moves import Slots, between, columns
from saltus.run.memory.named_values import CONTINUOUS, NamedValues

#: Sections that are the same in all programs of a model.
_COMMON = ("overridden", "discretes", "pre_discretes", "clocks", "flags", "histories")

#: Sections with one entry for each relation, those of the model first.
_PER_RELATION = ("relations", "signs", "residues", "crossing_times", "zero_since", "directions")


#: What has its place in each program: a name, or the value of something before an event.
Named: TypeAlias = "str | Expr"


def slot_of(what: Named, memory: Memory, named: NamedValues) -> int | None:
    """Where something is in the memory of a program. A value before an event is the present one where the
    program has no place for it."""
    if isinstance(what, str):
        return named.places.get(what)
    return memory.layout.slots.get(what, named.places.get(leaf_name(what)))


class Source(Protocol):
    """What is asked of another engine: its program and its numbers."""

    structure: Structure
    memory: Memory
    named: NamedValues


class Transfer:
    """Gives one engine the numbers of others."""

    def __init__(
        self, memory: Memory, named: NamedValues, continuous: Continuous, surfaces: EngineSurfaces
    ) -> None:
        self._memory, self._named = memory, named
        self._continuous, self._surfaces = continuous, surfaces
        self._structure = structure = memory.structure
        self._kept = dict(structure.open.kept) if structure.open is not None else {}
        self._known_new: dict[Memory, list[Variable]] = {}
        self._known_moves: dict[tuple[Memory, str], Slots] = {}

    def take_over(self, other: Source) -> None:
        """Gives everything the value that it has in another engine, and computes what follows from it."""
        self.copy_discrete(other)
        self.copy_continuous(other, other.memory.array)
        self._continuous.compute()
        self._surfaces.presume_kept()

    def copy_discrete(self, other: Source) -> None:
        """Gives all that does not vary continuously, time apart, the value that it has in another engine."""
        memory, old = self._memory, other.memory
        if old is memory:
            return
        target, source = self._discrete_moves(other)
        memory.array[target] = old.array[source]
        for symbol in self._surfaces.hidden:
            if symbol.name in other.named.places:
                memory.store(symbol, float(old.array[other.named.places[symbol.name]]))

    def copy_continuous(
        self, other: Source, numbers: NDArray[np.float64], begun: Mapping[str, float] | None = None
    ) -> None:
        """Gives all that varies continuously the value that it has among the numbers of another engine. What
        does not exist there begins with its start value, or with another in `begun`, by name."""
        memory = self._memory
        memory.routines["parameters"]()  # bands, and all that depends on parameters alone
        target, source = self.continuous_moves(other)
        memory.array[target] = numbers[source]
        for v, value in self._beginning(other, begun or {}):
            leaf, slots = ref(v.symbol), memory.layout.slots
            for place in (leaf, pre(leaf)):
                if place in slots:
                    memory.cells[slots[place]] = value
        for slot, of in self._presumed:
            memory.cells[slot] = memory.cells[of]

    @cached_property
    def _presumed(self) -> list[tuple[int, int]]:
        return presumed_slots(self._memory)

    def remember_left(self, other: Source, numbers: NDArray[np.float64], begun: Mapping[str, float]) -> None:
        """The left limits of an instant, as another engine has them among its numbers; of what does not exist
        there, what it begins with."""
        target, source, lacking = self.left_moves(other)
        self._memory.array[target] = numbers[source]
        self._memory.array[lacking] = np.nan
        for v, value in self._beginning(other, begun):
            for slot in self._lefts_of.get(v.name, ()):
                self._memory.cells[slot] = value

    def new_since(self, other: Source) -> list[Variable]:
        """The variables that exist here, but not in another engine, where some are absent."""
        if other.memory not in self._known_new:
            own = (*self._structure.states, *self._structure.algebraics)
            lacking = bool(other.structure.model.absent) and other.memory is not self._memory
            self._known_new[other.memory] = [v for v in own if lacking and v.name not in other.named.places]
        return self._known_new[other.memory]

    def _beginning(self, other: Source, begun: Mapping[str, float]) -> Sequence[tuple[Variable, float]]:
        """What the variables begin with that exist here, but not in another engine."""
        new, memory = self.new_since(other), self._memory
        if not new:
            return ()
        return [(v, begun[v.name] if v.name in begun else start_number(memory, v)) for v in new]

    # ------------------------------------------------------------ which numbers go where

    def left_moves(self, other: Source) -> Slots:
        """To which slots here, from which ones of another engine left limits go; and those that it lacks."""

        def find() -> Slots:
            pairs = list(self._found_in(other, self.lefts))
            known = {slot for slot, _ in pairs}
            lacking = np.array([slot for slot, _ in self.lefts if slot not in known], dtype=np.int64)
            return (*columns(pairs), lacking)

        return self._moves(other, "left", find)

    @property
    def lefts(self) -> list[tuple[int, str]]:
        """The slots to which left limits go, each with the name of what it is the limit of."""
        return [(slot, name) for name, slots in self._lefts_of.items() for slot in slots]

    @cached_property
    def _lefts_of(self) -> dict[str, list[int]]:
        """Where left limits go, by the names of what they are limits of."""
        entry, slots = self._structure.entry, self._memory.layout.slots
        wanted = [(leaf_name(leaf), s) for s, leaf in entry.lefts.items()] if entry is not None else []
        wanted += [(of.name, kept) for of, kept in self._kept.items()]
        found: dict[str, list[int]] = {}
        for name, symbol in wanted:
            found.setdefault(name, []).append(slots[ref(symbol)])
        return found

    def continuous_moves(self, other: Source) -> Slots:
        """To which slots here, from which ones of another engine, for all that varies continuously."""

        # On a surface there are unknowns of its own, and derivatives that are used nowhere else.
        return self._moves(other, "continuous", lambda: columns(list(self._found_in(other, self.continuous))))

    @property
    def continuous(self) -> list[tuple[int, Named]]:
        """The slots of all that varies continuously, each with what goes there."""
        found: list[tuple[int, Named]] = [(slot, name) for name, slot in self._named.slots(CONTINUOUS)]
        for section in ("pre_states", "pre_algebraics"):
            own = self._memory.layout.section(section)
            for leaf, slot in self._memory.layout.slots.items():
                if leaf.op is Op.PRE and own.start <= slot < own.stop:
                    found.append((slot, leaf))
        return found

    @staticmethod
    def _found_in(other: Source, wanted: Iterable[tuple[int, Named]]) -> Iterator[tuple[int, int]]:
        """Of slots here, with what goes there, those for which another engine has a slot, too."""
        for slot, what in wanted:
            source = slot_of(what, other.memory, other.named)
            if source is not None:
                yield slot, source

    def _discrete_moves(self, other: Source) -> Slots:
        """To which slots here, from which ones of another engine, for all that does not vary continuously."""
        return self._moves(other, "discrete", lambda: self._same_places(other, ()))

    def varying_moves(self, other: Source) -> Slots:
        """To which slots here, from which ones of another engine, for all that changes at events only:
        parameters are left out."""
        constant = ("parameters", "overridden")
        return self._moves(other, "varying", lambda: self._same_places(other, constant))

    def _same_places(self, other: Source, without: Sequence[str]) -> Slots:
        """To which slots here, from which ones of another engine, for time and for sections that all programs
        have."""
        pairs = [(TIME_SLOT, TIME_SLOT)]
        lengths = [*((name, self._memory.length(name)) for name in _COMMON), *self._own_lengths()]
        for name, length in lengths:
            here, there = self._memory.first(name), other.memory.first(name)
            if name not in without:
                pairs += [(here + k, there + k) for k in range(length)]
        return columns(pairs)

    @property
    def varying_sections(self) -> list[tuple[str, int]]:
        """Sections of what changes at events only, and how many of their entries all programs have."""
        common = [(name, self._memory.length(name)) for name in _COMMON if name != "overridden"]
        return [*common, *((name, length) for name, length in self._own_lengths() if name != "parameters")]

    def _own_lengths(self) -> Iterator[tuple[str, int]]:
        """How many entries of a section belong to the model, and not to this program: relations and
        parameters that a choice of states or a surface has brought come last."""
        structure = self._structure
        for section in _PER_RELATION:
            yield section, len(structure.relations)
        added = len(structure.pivot_guards) + len(self._surfaces.hidden) + len(self._kept)
        yield "parameters", self._memory.length("parameters") - added

    def _moves(self, other: Source, what: str, find: Callable[[], Slots]) -> Slots:
        """Which numbers of another engine go where here."""
        found = self._known_moves.get((other.memory, what))
        if found is None:
            found = between(self._memory.layout, other.memory.layout, what, find)
            self._known_moves[other.memory, what] = found
        return found

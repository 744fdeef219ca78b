"""The search for a consistent mode, where the event iteration goes round in a circle.

A *mode* says which switches (relations and presumptions, see `coupling`) are on. A trial takes a mode for
granted, computes one pass and looks which switches agree with the values that it has produced. Switches that
do not depend on each other follow from the rest, so only the groups of coupled ones are searched, each after
those it depends on:

pivoting      of the switches that disagree, only the first is turned, and again. For piecewise linear
              equations this is the principal pivoting method of Murty ("Note on a Bard-type scheme for
              solving the complementarity problem", Opsearch 11, 1974), which ends at the solution if all
              principal minors are positive: a network of resistors, sources and leaky diodes. Where several
              compare one quantity, the one is turned to which it comes first: frictions that slide backward
              stick before they slide forward.
enumeration   of a group of up to `ENUMERATED` switches all modes are tried, the nearest to the old one first.
              So it is known whether there is no solution, one or several.
backtracking  in a larger group, switches are fixed one by one, only those that keep changing while the others
              follow; a fixed one that is contradicted is turned, then the one before it.

Of several solutions the nearest to the old mode is taken, the one with the fewest switches turned, and a
warning lists them (W404). Trials are native and leave no trace: the memory is put back before each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from saltus.core.diagnostics import Diagnostic, Note
from saltus.expr.nodes import Op, leaf_symbol
from saltus.expr.traversal import leaves
from saltus.ir.program import SETTLE_FAILED
from saltus.ir.sorted.modes import ROUNDED
from saltus.ir.structure import Structure
from saltus.run.failures import flips, phrases
from saltus.run.failures.coupling import ENUMERATED, Group, groups
from saltus.run.memory.memory import Memory

#: The largest number of coupled switches for which solutions other than that of pivoting are searched for.
COMPARED = 8

#: The largest number of coupled relations for which other solutions are always searched for at the start of a
#: run.
FEW_TOGETHER = 3

#: A solution counts as different if a compared quantity is further from zero there than this many bands.
FAR_FROM_ZERO = 1e3

#: The largest numbers of passes of one search in large groups, and of solutions of one search.
MOST_TRIALS = 5000
MOST_SOLUTIONS = 16

#: Passes of one trial in which switches outside the group may follow.
MOST_PASSES = 50

_Mode = NDArray[np.float64]


class _Trial(NamedTuple):
    """The mode that was taken for granted in the last pass, and the mode that follows from its values."""

    taken: _Mode
    computed: _Mode


@lru_cache(maxsize=16)
def open_choices(structure: Structure) -> tuple[tuple[int, ...], ...]:
    """Small groups of relations for which the intended solution is not specified. A start value of a variable
    that they compare, and that is not a state, specifies it. (A Boolean that is as presumed is the memory of
    a latch, not a choice.)"""
    states = {v.symbol for v in structure.states}
    targets = {alias.symbol: alias.target for alias in structure.aliases}
    given = (v.symbol for v in structure.model.algebraics if v.start is not None)
    started = {targets.get(symbol, symbol) for symbol in given} - states
    relations = structure.model.relations

    def is_meant(members: Sequence[int]) -> bool:
        return any(leaf_symbol(leaf) in started for k in members for leaf in leaves(relations[k].residue))

    small = (g for g in groups(structure, initial=False) if len(g.members) <= FEW_TOGETHER)
    return tuple(g.members for g in small if max(g.upstream) < len(relations) and not is_meant(g.members))


class Search:
    """To be called when the memory is where `settle` (or `settle_initial`) began. Gives 0, with the memory as
    `settle` would leave it, or SETTLE_FAILED."""

    def __init__(self, memory: Memory, name: str) -> None:
        self._memory = memory
        initial = name == "settle_initial"
        self._groups = groups(memory.structure, initial=initial)
        self._evaluate = memory.routines["initial" if initial else "evaluate"]
        self._look, self._update = memory.routines["relations"], memory.routines[f"{name}_update"]
        self._slots = np.concatenate(
            [
                np.arange(memory.first(s), memory.first(s) + memory.length(s), dtype=np.intp)
                for s in ("relations", "presumed")
            ]
        )
        self._band = None if initial else _Band(memory)
        self._start = memory.array[:0]
        self._trials = 0
        self._passed_over = False  # whether a group was taken as it was

    def __bool__(self) -> bool:
        """Whether there is anything to search for."""
        return bool(self._groups)

    def __call__(self) -> int:
        array = self._memory.array
        self._start = array.copy()
        self._trials = 0
        if self._band is not None:
            self._band.begin()
        old = array[self._slots]
        found: dict[bytes, NDArray[np.float64]] = {}  # the memory in each consistent mode
        self._passed_over = False
        for thorough in (False, True):
            for mode in self._solutions(old, thorough):
                found[mode.tobytes()] = array.copy()
                if len(found) == MOST_SOLUTIONS:
                    break
            if found or not self._passed_over:
                break
        if not found:
            array[:] = self._start
            return SETTLE_FAILED
        slots = self._slots
        nearest_first = sorted(found.values(), key=lambda memory: np.count_nonzero(memory[slots] != old))
        array[:] = nearest_first[0]
        if len(found) > 1:
            self._tell([memory[slots] for memory in nearest_first])
        return 0

    def compare(self) -> None:
        """Warns if other modes are consistent besides the present one, which stays. It examines only small
        groups of relations, one at a time, whose intended solution is not specified (`open_choices`). It does
        not repeat a warning of the search."""
        if self._memory.notices.warnings:
            return
        array, self._start = self._memory.array, self._memory.array.copy()
        for members in open_choices(self._memory.structure):
            found: list[_Mode] = []
            for count in range(1, len(members) + 1):
                for turned in combinations(members, count):
                    tried = self._agreeing(turned)
                    if tried is not None and self._is_clear(turned):
                        found.append(tried)
                    array[:] = self._start
            if found:
                self._tell([array[self._slots], *found])

    def _agreeing(self, turned: Sequence[int]) -> _Mode | None:
        """The mode with some relations turned, if a pass with it gives these values to all switches."""
        memory, relations, signs = self._memory, self._memory.first("relations"), self._memory.first("signs")
        cells = memory.cells
        wanted = [1.0 - cells[relations + k] for k in turned]
        for k, truth in zip(turned, wanted, strict=True):
            cells[relations + k] = truth
        if self._evaluate() or self._look() or self._update():
            return None
        # Most modes that are tried contradict themselves at once.
        for k, truth in zip(turned, wanted, strict=True):
            if cells[signs + k] != 0.0 and cells[relations + k] != truth:
                return None
        taken, computed = self._start[self._slots], memory.array[self._slots]
        taken[list(turned)] = wanted
        if self._band is not None:
            values = memory.array.copy()
            memory.array[:] = self._start
            self._band.begin()
            memory.array[:] = values
            self._band.correct(computed)
        return taken if np.array_equal(computed, taken) else None

    def _is_clear(self, turned: Sequence[int]) -> bool:
        """Whether relations are far from zero in the memory: where both branches meet, rounding alone makes
        one of them as good as the other."""
        residues, bands = (self._memory.section(name) for name in ("residues", "bands"))
        return all(abs(residues[k]) > FAR_FROM_ZERO * bands[k] for k in turned if k < len(residues))

    # ------------------------------------------------------------ modes

    def _solutions(self, mode: _Mode, thorough: bool) -> Iterator[_Mode]:
        """Consistent modes: one group is decided after the other, and again where that leads nowhere."""
        levels: list[Iterator[_Mode]] = [iter((mode,))]
        while levels:
            found = next(levels[-1], None)
            decided = [i for group in self._groups[: len(levels) - 1] for i in group.members]
            if found is None:
                levels.pop()
            elif len(levels) <= len(self._groups):
                levels.append(self._decided(self._groups[len(levels) - 1], found, decided, thorough))
            else:
                last = self._settled(found, decided, range(len(mode)))
                if last is not None:
                    yield last

    def _decided(self, group: Group, mode: _Mode, decided: Sequence[int], thorough: bool) -> Iterator[_Mode]:
        """Modes in which a group is consistent. If it is so already, there is nothing to search for, unless a
        `thorough` search needs all there are."""
        now = self._settled(mode, [*decided, *group.members], group.upstream)
        if now is not None and not thorough:
            self._passed_over = True
            yield now
            return
        size = len(group.members)
        pivoted = self._pivoted(group, mode, decided)
        if pivoted is not None and size > COMPARED and not thorough:
            yield pivoted
        elif size <= ENUMERATED:
            yield from self._enumerated(group, mode, decided)
        else:
            if pivoted is not None:
                yield pivoted
            yield from self._backtracked(group, mode, decided, ())

    def _pivoted(self, group: Group, mode: _Mode, decided: Sequence[int]) -> _Mode | None:
        """Turns the first switch that disagrees until none does; None where that leads nowhere."""
        members = np.array(group.members)
        pinned = [*decided, *group.members]
        seen: set[bytes] = set()
        while mode[members].tobytes() not in seen and self._trials <= MOST_TRIALS:
            seen.add(mode[members].tobytes())
            trial = self._trial(mode, pinned, group.upstream)
            if trial is None:
                return None
            wrong = members[trial.computed[members] != trial.taken[members]]
            if not wrong.size:
                return trial.computed
            mode = trial.taken.copy()
            turned = self._next_along(group, wrong)
            mode[turned] = 1.0 - mode[turned]
        return None

    def _next_along(self, group: Group, wrong: NDArray[np.intp]) -> NDArray[np.intp]:
        """The first switch that disagrees with the last pass; or, among those along its axis, the ones that
        the compared quantity would reach first from its presumed position: from its actual position, they are
        the furthest."""
        axes = dict(zip(group.members, group.axes, strict=True))
        along = np.array([i for i in wrong.tolist() if axes[i] == axes[wrong[0]]], dtype=np.intp)
        if len(along) == 1:
            return along
        distances = np.abs(self._memory.section("residues")[along])
        furthest: NDArray[np.intp] = along[distances >= (1.0 - ROUNDED) * distances.max()]
        return furthest

    def _enumerated(self, group: Group, mode: _Mode, decided: Sequence[int]) -> Iterator[_Mode]:
        """All consistent modes of a group, those with the fewest switches turned first."""
        pinned = [*decided, *group.members]
        for count in range(len(group.members) + 1):
            for turned in combinations(group.members, count):
                tried = mode.copy()
                tried[list(turned)] = 1.0 - tried[list(turned)]
                found = self._settled(tried, pinned, group.upstream)
                if found is not None:
                    yield found

    def _backtracked(
        self, group: Group, mode: _Mode, decided: Sequence[int], fixed: tuple[int, ...]
    ) -> Iterator[_Mode]:
        """Consistent modes of a large group in which the `fixed` switches are as in `mode`."""
        if self._trials > MOST_TRIALS:
            return
        trial = self._trial(mode, [*decided, *fixed], group.upstream)
        if trial is None:
            return
        moving = [i for i in group.members if i not in fixed and trial.computed[i] != trial.taken[i]]
        if not moving:
            if all(trial.computed[i] == mode[i] for i in fixed):
                yield trial.computed
            return
        first = moving[0]
        for value in (mode[first], 1.0 - mode[first]):
            tried = mode.copy()
            tried[first] = value
            yield from self._backtracked(group, tried, decided, (*fixed, first))

    # ------------------------------------------------------------ trials

    def _settled(self, mode: _Mode, pinned: Sequence[int], relevant: Sequence[int]) -> _Mode | None:
        """The mode with everything that follows from the pinned switches, if all that is relevant agrees."""
        trial = self._trial(mode, pinned, relevant)
        if trial is None or any(trial.computed[i] != trial.taken[i] for i in relevant):
            return None
        return trial.computed

    def _trial(self, mode: _Mode, pinned: Sequence[int], relevant: Sequence[int]) -> _Trial | None:
        """Passes in which the pinned switches are as in `mode` and the others follow, until those of them
        that are relevant stay as they are, or come round again. None where a pass fails."""
        array, slots = self._memory.array, self._slots
        array[:] = self._start
        kept, watched = list(pinned), np.array(relevant, dtype=np.intp)
        taken = mode
        seen: set[bytes] = set()
        while True:
            array[slots] = taken
            self._trials += 1
            if self._evaluate() or self._look() or self._update():
                return None
            computed = array[slots]
            if self._band is not None:
                self._band.correct(computed)
            after = computed.copy()
            after[kept] = mode[kept]
            seen.add(taken[watched].tobytes())
            if after[watched].tobytes() in seen or len(seen) > MOST_PASSES:
                return _Trial(taken, computed)
            taken = after

    # ------------------------------------------------------------ what to say

    def _tell(self, found: Sequence[_Mode]) -> None:
        """W404, once for each set of switches."""
        differing = np.flatnonzero(np.any(np.array(found) != found[0], axis=0)).tolist()
        switches = flips.switches(self._memory)
        shown = [switches[i] for i in differing]
        count = f"{MOST_SOLUTIONS} or more" if len(found) == MOST_SOLUTIONS else str(len(found))
        said = [
            ", ".join(switch.said(mode[i]) for switch, i in zip(shown, differing, strict=True))
            for mode in found
        ]
        notes = [Note(f"used: {said[0]}"), *(Note(f"also possible: {text}") for text in said[1:])]
        self._memory.notices.tell_once(
            Diagnostic(
                "W404",
                f"{count} choices of {phrases.names([s.text for s in shown])} are consistent "
                f"{phrases.at_time(self._memory)}; the one nearest to the previous values is used",
                shown[0].span,
                tuple(notes[: phrases.SHOWN]),
                phrases.choice_advice(self._memory, [(s.span, s.origin) for s in shown]),
                origin=shown[0].origin,
            ),
            tuple(differing),
        )


class _Band:
    """Relations whose residue is zero within its band have the truth that they had when the search began, if
    they moved there (they fired, it may be), else that of the number; relations of time at their crossing
    have the former. `settle` says the same (`emit.events.events`), but what it calls the old truth is what a
    trial has taken for granted: everything would agree with it."""

    def __init__(self, memory: Memory) -> None:
        relations = memory.structure.model.relations
        self._positive = np.array([float(r.op in (Op.GT, Op.GE)) for r in relations])
        self._zero = np.array([float(r.op in (Op.LE, Op.GE)) for r in relations])
        self._of_time = np.array([r.is_time_event for r in relations], dtype=bool)
        self._stays = np.array([not r.has_moving_zero for r in relations], dtype=bool)
        self._memory = memory
        self._truths, self._signs = memory.section("relations"), memory.section("signs")
        self._residues, self._since = memory.section("residues"), memory.section("zero_since")
        self._crossings = memory.section("crossing_times")
        self.begin()

    def begin(self) -> None:
        """The memory is where the search begins."""
        fired = (self._since == self._memory.time) & self._stays
        self._moved = (self._signs == 0.0) | fired | self._of_time
        self._old = self._truths.copy()

    def correct(self, computed: _Mode) -> None:
        """Puts the truths of relations inside their bands right."""
        crosses = ~self._of_time | np.isfinite(self._crossings)  # else the residue is a constant
        inside = np.flatnonzero((self._signs == 0.0) & crosses)
        if not inside.size:
            return
        residues = self._residues[inside]
        negative = np.where(residues < 0.0, 1.0 - self._positive[inside], self._zero[inside])
        literal = np.where(residues > 0.0, self._positive[inside], negative)
        computed[inside] = np.where(self._moved[inside], self._old[inside], literal)

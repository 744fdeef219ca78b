"""Is the mode that a run has reached the only consistent one? This is checked after events, with a warning if
it is not (W404).

The choice of a mode (`saltus.run.modes.choosing`) takes the first that reproduces itself. That is the only
one in passive circuits and in contacts without friction, whose complementarity problems have P-matrices. In
others it is not: the tip of a rod that is pushed over a rough floor may stay there, with a large force, or
lift off (Painlevé's paradox). So with the right limits of an event for left limits, relations that modes
depend on are turned, one part of the model at a time, and each mode that comes of it is entered tentatively,
as in `saltus.run.modes.mode_search`.

It is no alternative if something would jump there, or if a relation has a residue that is zero and moves to
the side on which it has the other truth. Nor is it one if the residue of a turned relation stays zero: a body
that just touches the floor may be said to be in contact or not.

Modes that have their programs already are looked at in the instant. Others wait until the run has ended: most
have been visited by then. Of a small model programs are made for those that have not. Within one program,
`saltus.run.iteration.search` compares.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from saltus.core.diagnostics import Diagnostic
from saltus.expr.nodes import ref
from saltus.expr.traversal import leaves
from saltus.ir.flat import Equation
from saltus.ir.sorted.blocks import Block
from saltus.ir.sorted.modes import Mode
from saltus.run.engine.engine import Engine
from saltus.run.failures.coupling import groups
from saltus.run.iteration.search import FAR_FROM_ZERO, Search, open_choices
from saltus.run.memory.dependence import parts_of_relations
from saltus.run.modes.entering import Impossible, Instant
from saltus.run.modes.mode_search import COMPARED, ModeSearch, tell_several

#: Tentative modes of one run, in numbers that are computed for them, too; and looks at the same truths of all
#: relations.
MOST_ALTERNATIVES = 300
MOST_NUMBERS = 200_000
MOST_LOOKS = 3

#: Looks of one run within one program, and groups of coupled relations up to which there are any.
MOST_COMPARED = 20
MOST_GROUPS = 16

#: Instants that may wait for the end of the run, and equations up to which programs are made then.
MOST_WAITING = 4
SMALL_PART = 200


class Known(Protocol):
    """What is asked of the modes of a run, which are `saltus.run.modes.modes.Modes`."""

    @property
    def written(self) -> Sequence[Equation]: ...

    def deciding(self, engine: Engine, /) -> list[int]: ...

    def mode_of(self, engine: Engine, /) -> Mode: ...

    def known(self, engine: Engine, /) -> Engine | None: ...

    def apart(self, engine: Engine, values: Mapping[str, float], /) -> Engine | None: ...


class _NoProgram(Exception):
    """The mode has no program."""


class _Waiting(NamedTuple):
    """Relations that could be turned in an engine when its memory was this."""

    engine: Engine
    numbers: NDArray[np.float64]
    turned: tuple[int, ...]


class Uniqueness:
    """The looks of one run, whose integrator has a `tolerance`. They `may_wait` for its end."""

    def __init__(self, modes: Known, tolerance: float, *, may_wait: bool) -> None:
        self._modes, self._tolerance = modes, tolerance
        self._programs = _Programs(modes, may_make=not may_wait)
        self._search = ModeSearch(self._programs)
        self._trials = 0
        self._looks: dict[bytes, int] = {}
        self._waiting: list[_Waiting] = []
        self._searches: dict[Engine, Search] = {}  # within programs

    def look(self, engine: Engine, *, within: bool) -> None:
        """Warns where other modes are consistent with the values of an engine, which are right limits and
        stay as they are; `within` its program, if there is no other."""
        if within:
            self._compare(engine)
        elif not (engine.surfaces.exits or engine.pivots.guards or engine.structure.model.delays):
            self._look_across(engine)

    def finish(self) -> None:
        """The run has ended: the postponed checks are made."""
        self._programs.may_make = True
        for engine, numbers, turned in self._waiting:
            before = engine.memory.array.copy()
            engine.memory.array[:] = numbers
            self._look_at(engine, turned)
            engine.memory.array[:] = before
        self._waiting.clear()

    def stored(self) -> dict[str, Any]:
        """What was looked at, as plain data, for `load`."""
        return {"trials": self._trials, "looks": {key.hex(): n for key, n in self._looks.items()}}

    def load(self, stored: Mapping[str, Any]) -> None:
        """Continues with what was stored."""
        self._trials = stored["trials"]
        self._looks = {bytes.fromhex(key): n for key, n in stored["looks"].items()}

    def _compare(self, engine: Engine) -> None:
        looks = self._looks.get(b"", 0)
        if looks >= MOST_COMPARED:
            return
        count = len(groups(engine.structure, initial=False))
        if count and (not looks or count <= MOST_GROUPS):
            self._looks[b""] = looks + 1
            if open_choices(engine.structure):
                if engine not in self._searches:
                    self._searches[engine] = Search(engine.memory, "settle")
                self._searches[engine].compare()

    def _look_across(self, engine: Engine) -> None:
        key = engine.mode.truths.tobytes()
        most = min(MOST_ALTERNATIVES, MOST_NUMBERS // len(engine.memory.array))
        if self._trials >= most or self._looks.get(key, 0) >= MOST_LOOKS:
            return
        self._looks[key] = self._looks.get(key, 0) + 1
        if not self._lasts(engine, ()):
            return  # another event is to follow at once
        for turned in islice(self._choices(engine), most - self._trials):
            self._trials += 1
            try:
                self._look_at(engine, turned)
            except _NoProgram:
                if len(self._waiting) < MOST_WAITING and _is_small(engine):
                    self._waiting.append(_Waiting(engine, engine.memory.array.copy(), turned))

    def _look_at(self, engine: Engine, turned: tuple[int, ...]) -> None:
        before, truths = engine.memory.array.copy(), engine.mode.truths.copy()
        try:
            is_other = self._is_consistent(engine, turned)
        finally:
            engine.memory.array[:] = before
        if is_other:
            tell_several(engine, truths, [(), turned])

    def _choices(self, engine: Engine) -> Iterator[tuple[int, ...]]:
        """The relations to be turned. What follows from time or states alone is no choice; nor the place on a
        curve of three or more branches, which several relations compare: dry friction with a peak sticks
        until that is reached, though it could slide with less, and means that."""
        structure = engine.structure
        searched = set(self._modes.deciding(engine)).difference(structure.given, structure.inert)
        if not searched:
            return
        number = parts_of_relations(structure)
        parts: dict[int, list[int]] = {}
        compared = Counter(leaf for k in searched for leaf in set(leaves(structure.relations[k].residue)))
        varying = {ref(v.symbol) for v in structure.model.algebraics}
        for k in sorted(searched):
            if any(compared[x] > 1 for x in leaves(structure.relations[k].residue) if x in varying):
                continue
            parts.setdefault(number[k], []).append(k)
        for own in parts.values():
            most = len(own) if len(own) <= COMPARED else 1
            for count in range(1, most + 1):
                yield from combinations(own, count)

    def _is_consistent(self, engine: Engine, turned: Sequence[int]) -> bool:
        instant = Instant(engine, self._tolerance)
        wanted = engine.mode.truths.copy()
        wanted[list(turned)] = 1.0 - wanted[list(turned)]
        found = self._search.trial(instant, engine, wanted, list(turned))
        other = found.engine
        if other is None or found.wrong or any(weight for _, weight in other.mode.impulses()):
            return False
        if any(other.mode.truths[k] != wanted[k] for k in self._modes.deciding(other)):
            return False
        return self._lasts(other, turned) and self._stays(other)

    def _stays(self, engine: Engine) -> bool:
        """Whether a mode that was entered tentatively would be the same in the next round of its event: the
        instant of an impact, which `edge(...)` shows, is over then. The numbers of the engine are lost."""
        memory = engine.memory
        before = memory.section("discretes").copy()
        if memory.routines["commit"]() or memory.section("jumped").any() or memory.routines["evaluate"]():
            return False
        same = np.array_equal(memory.section("discretes"), before)
        return same and self._modes.mode_of(engine) == engine.structure.mode

    def _lasts(self, engine: Engine, turned: Sequence[int]) -> bool:
        """Whether a mode is more than one of the instant: no residue that is zero moves to the side on which
        its relation has the other truth; and those of relations that are turned do not stay zero."""
        cells, relations, truths = engine.memory.cells, engine.relations, engine.mode.truths
        at_zero = [k for k in {*self._modes.deciding(engine), *turned} if cells[relations.signs + k] == 0.0]
        for k in {*turned}.difference(at_zero):
            if abs(cells[relations.residues + k]) <= FAR_FROM_ZERO * cells[relations.bands + k]:
                return False  # where both branches meet, rounding makes one as good as the other
        sides = engine.at_zero.departures(at_zero)
        return all(
            relations.truth_on(k, side) == truths[k] if side else k not in turned for k, side in sides.items()
        )


class _Programs:
    """Modes that are entered if they have programs, or if these `may_make` them. Nothing is learnt about
    them, and the run does not go there."""

    def __init__(self, modes: Known, *, may_make: bool) -> None:
        self._modes, self.may_make = modes, may_make
        self._made: dict[Mode, Engine | None] = {}
        self.deciding, self.mode_of, self.written = modes.deciding, modes.mode_of, modes.written

    def tried(self, instant: Instant, engine: Engine) -> Engine:
        """The engine of the mode that another one's guards belong to, entered with one pass only."""
        other = self._modes.known(engine) or self._own(instant, engine)
        if other is None:
            raise Impossible(Diagnostic("E404", "there is no such mode"))
        instant.copy_to(other, engine, self._modes.deciding(other))
        instant.look(other)
        return other

    def _own(self, instant: Instant, engine: Engine) -> Engine | None:
        mode = self._modes.mode_of(engine)
        if mode not in self._made:
            if not self.may_make or not _is_small(engine):
                raise _NoProgram
            made = self._made[mode] = self._modes.apart(engine, instant.values())
            if made is not None:
                made.transfer.copy_discrete(engine)  # parameters, too
                made.memory.routines["parameters"]()
        return self._made[mode]

    def learn(self, engine: Engine, block: Block, numbers: NDArray[np.float64] | None) -> bool:
        """Nothing is fixed for the sake of a mode that the run does not go to."""
        return False


def _is_small(engine: Engine) -> bool:
    return len(engine.structure.model.equations) <= SMALL_PART

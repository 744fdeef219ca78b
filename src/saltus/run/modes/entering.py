"""An instant: left limits are frozen while modes are entered tentatively.

Entering a mode is: copy the left limits into its engine, by name, and the truths that are presumed; solve
the entry (`analyse.modes.entry`), which says what jumps and by which impulses; compute everything, and let
the relations follow, until the truths that do not change the program agree with the values. None of this
leaves a trace in the engine of the run, except in its numbers, which are kept here.

The states that a tentative mode would produce are no reason for anything either, as long as the mode is not
accepted. So *inert* relations, those that ask for states alone, are held at what they were before the instant
(with what has fired) until a mode reproduces itself otherwise. Then they are released: if the states after
the instant say something else, that is presumed next.

A state that did not exist before begins with its start value; or with the one to which it is reinitialised at
this instant, if it is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from saltus.core.diagnostics import Diagnostic, Note
from saltus.expr.nodes import ref
from saltus.expr.show import show
from saltus.ir.flat import Equation
from saltus.ir.native.contract import DRIFT, PARTED, PROJECTED, ROOM, TIME_SLOT, Counter
from saltus.ir.native.steps import SETTLE_TRUTHS
from saltus.ir.program import SETTLE_FAILED
from saltus.ir.sorted.blocks import Block, Explicit, Leading, Linear, Nonlinear
from saltus.run.engine.engine import Engine
from saltus.run.failures import given_up, invalid_numbers, phrases, unsolved
from saltus.run.iteration.following import followed
from saltus.run.modes.singular import displaced_equations

#: How often states that come into existence may begin with other values, if these depend on each other.
MOST_BEGINNINGS = 5

#: How far neighbouring numbers for the time are from each other, relative to the length of a run.
_NEIGHBOURS = float(np.finfo(float).eps)


class Impossible(Exception):
    """A mode that cannot be entered, and why. `block` is what has no solution, if that is the reason, and
    `numbers` are those of the engine then. `is_bent`: there is an impulse in an equation that is nonlinear in
    it. Equations that are `apart` do not hold, and no jump could make them hold; those that are
    `contradicting` each other do so in this mode, as far as its program shows."""

    def __init__(
        self,
        why: Diagnostic,
        *,
        engine: Engine | None = None,
        block: Block | None = None,
        is_bent: bool = False,
        apart: Sequence[Equation] = (),
        contradicting: Sequence[Equation] = (),
    ) -> None:
        super().__init__(why.message)
        self.why = why
        self.is_bent = is_bent
        self.apart, self.contradicting = apart, contradicting
        self.engine = engine
        self.block = block
        failed = engine is not None and block is not None
        self.numbers = engine.memory.array.copy() if engine is not None and failed else None


def projected(tolerance: float) -> float:
    """How far what does not jump may be from what a mode demands, where integration has this tolerance."""
    return max(PROJECTED, ROOM * tolerance)


class Instant:
    """The left limits that an engine has when this is made; they are as exact as the `tolerance` of the
    integrator makes them. Relations have `fired`, with the signs of the sides they move to."""

    def __init__(self, engine: Engine, tolerance: float, fired: Sequence[tuple[int, float]] = ()) -> None:
        self._left = engine
        self._fired = {k: engine.relations.truth_on(k, side) for k, side in fired}
        self._numbers = engine.memory.array.copy()
        self._deciding: Sequence[int] = ()
        self._holding = False
        self._tolerance, self._projected = tolerance, projected(tolerance)
        self._forgiven = 0.0
        own = len(engine.structure.relations)
        self._bands = engine.memory.section("bands")[:own].copy()
        self._begun: dict[str, float] = {}  # values of what did not exist before

    def forgive(self) -> Engine:
        """From now on what is as small as an error of the integrator makes no impulse. Gives the engine that
        has the left limits, with the truths that were presumed at first."""
        self._forgiven = self._projected
        return self.restored()

    def begun_again(self) -> Engine:
        """The engine that has the left limits, with the truths that were presumed at first; nothing is
        forgiven."""
        self._forgiven = 0.0
        return self.restored()

    def take_sides(self, among: Sequence[int]) -> bool:
        """From now on inert relations whose residues are zero are where they are presumed to be, as if they
        had come there: on a surface that both sides push to, they lean to the other one wherever they are.
        Whether there are any."""
        relations, numbers = self._left.relations, self._numbers
        inert = self._left.structure.inert
        at_zero = [k for k in among if k in inert and numbers[relations.signs + k] == 0.0]
        new = {k: float(numbers[relations.truth + k]) for k in at_zero if k not in self._fired}
        self._fired |= new
        return bool(new)

    def restored(self) -> Engine:
        """The engine that has the left limits, with the truths that were presumed at first."""
        self._left.memory.array[:] = self._numbers
        return self._left

    @property
    def left(self) -> Engine:
        """The engine that has the left limits."""
        return self._left

    def values(self) -> Mapping[str, float]:
        """The left limits by name."""
        return self._left.named.among(self._numbers)

    def copy_to(
        self, engine: Engine, presumed: Engine, deciding: Sequence[int], *, holding: bool = False
    ) -> None:
        """Gives an engine the left limits, and what another one has for discrete values and truths; modes
        depend on the truths of the `deciding` relations. Inert ones stay as they are if this is `holding`
        them."""
        self._deciding, self._holding = deciding, holding
        engine.transfer.copy_discrete(presumed)
        engine.transfer.remember_left(self._left, self._numbers, self._begun)
        # Afterwards: it computes what depends on parameters alone, and what is held counts as such.
        engine.transfer.copy_continuous(self._left, self._numbers, self._begun)
        # Unknowns of loops are left limits now, whatever they were solved for in an earlier trial.
        engine.memory.routines["forget"]()
        # What is zero from now on has moved there: its presumed truth stays, unless the derivative decides.
        engine.memory.section("zero_since")[deciding] = engine.memory.cells[TIME_SLOT]
        engine.at_zero.keep_room(self._bands, self._forgiven)
        engine.mode.hold(holding=holding)
        engine.pivots.presume_large()

    def settle(self, engine: Engine, stays: Callable[[Engine], bool]) -> bool:
        """Lets the truths of an engine, which has the left limits, follow from its values, pass by pass, as
        long as its guards belong to its program (`stays`): with others its equations mean nothing. False if
        they do not from the first: they were presumed before discrete variables had followed them. Raises
        `Impossible`; then discrete values and truths are what they were."""
        settling = _Settling(self, engine, stays)
        _settle_truths(settling)
        return settling.followed

    def look(self, engine: Engine) -> None:
        """Lets the truths of an engine, which has the left limits, follow from its values in one pass only:
        they may not be the ones that these values were computed with."""
        presumed = self.begin(engine)
        self.refuse(engine, self.computed(engine), presumed)
        self.follow(engine)

    def release(self, engine: Engine) -> bool:
        """The mode of an engine has reproduced itself with inert relations held: now they are compared with
        its states. Whether all are what they were held to be; if not, they have changed."""
        if not engine.mode.held:
            return True
        changed = engine.memory.first("scratch")
        engine.mode.hold(holding=False)
        engine.memory.cells[changed] = 0.0
        engine.memory.routines["settle_update"]()
        return not engine.memory.cells[changed]

    def astray(self, engine: Engine, among: Sequence[int]) -> list[int]:
        """The relations whose residue is zero, but clearly moves to the side on which they have the other
        truth. One that is inert and has fired is where it moved to, whatever becomes of it afterwards: a
        current that has reached a limit has done so, though it falls from then on."""
        came = {
            k: truth
            for k, truth in self._fired.items()
            if k in engine.structure.inert and not engine.memory.cells[engine.relations.signs + k]
        }
        found = engine.at_zero.drifting([k for k in among if k not in came], self._tolerance)
        return found + [k for k in among if k in came and engine.mode.truths[k] != came[k]]

    def begin(self, engine: Engine) -> NDArray[np.float64]:
        """What is to be restored if the mode cannot be entered."""
        entry = engine.structure.entry
        presumed = engine.memory.array.copy()
        if entry is not None:
            engine.memory.store(entry.exact, self._forgiven)
            self._check_lower(engine)
            lefts = engine.memory.section("lefts")
            lefts[np.isnan(lefts)] = 0.0  # what was computed nowhere begins with its jump
        return presumed

    def computed(self, engine: Engine) -> int:
        """All values, from the states that new ones begin with. Gives a status, 0 if all went well."""
        for _ in range(MOST_BEGINNINGS):
            status = self._pass(engine)
            if not self._begins(engine):  # what failed may have failed because of start values
                return status
            self.copy_to(engine, engine, self._deciding, holding=self._holding)
        return self._pass(engine)

    def _begins(self, engine: Engine) -> bool:
        """Whether a state that did not exist before is reinitialised at this instant, to another value than
        the one that it has: then it has to begin with that one, before anybody compares it."""
        came = engine.transfer.new_since(self._left)
        if not came or engine.memory.routines["jumps"]():
            return False
        new = {v.symbol for v in came}
        jumped, values = (engine.memory.section(s).tolist() for s in ("jumped", "new_states"))
        found = {
            v.name: value
            for v, jumps, value in zip(engine.structure.states, jumped, values, strict=True)
            if jumps and v.symbol in new
        }
        before, self._begun = self._begun, found
        return found != before

    @staticmethod
    def _pass(engine: Engine) -> int:
        """All values, with the truths that are presumed. Gives a status, 0 if all went well."""
        memory = engine.memory
        continuation = memory.first("counters") + Counter.CONTINUATION
        memory.cells[continuation] = 1.0
        status = memory.routines["enter" if engine.structure.entry is not None else "evaluate"]()
        memory.cells[continuation] = 0.0
        return status

    @staticmethod
    def follow(engine: Engine) -> None:
        """Lets truths follow from values."""
        engine.memory.routines["relations"]()
        engine.memory.routines["settle_update"]()

    def refuse(self, engine: Engine, status: int, presumed: NDArray[np.float64]) -> None:
        """Raises what is wrong with a pass, if anything is."""
        problem = self._problem(engine, status)
        if problem is not None:
            engine.memory.array[:] = presumed
            raise problem

    def _problem(self, engine: Engine, status: int) -> Impossible | None:
        """What is wrong with the values of an engine, now or a moment later."""
        return (
            self._failure(engine, status)
            or self._contradiction(engine)
            or self._nonlinear(engine)
            or self._later(engine)
        )

    @staticmethod
    def _failure(engine: Engine, status: int) -> Impossible | None:
        """Blocks without solution."""
        memory, block = engine.memory, blamed(engine, status)
        if not status and block is None:
            return None
        error = unsolved.failure(memory, status) if status else None
        error = error or invalid_numbers.not_finite(memory, memory.blocks)
        why = error.diagnostics[0] if error is not None else Diagnostic("E403", "a computation failed")
        return Impossible(why, engine=engine, block=block)

    def _later(self, engine: Engine) -> Impossible | None:
        """What is wrong a moment later. Where a source passes through zero, all diodes behind it may conduct,
        but only for that instant; a drive that a stop holds agrees with it only where it turns round."""
        memory, relations = engine.memory, engine.relations
        cells, signs = memory.cells, relations.signs
        at_zero = 0.0 in [cells[signs + k] for k in relations.of_states]
        if not at_zero and not engine.mode.excess:
            return None
        before = memory.array.copy()
        status, block = self._moved(engine, DRIFT * engine.span)
        problem = None
        if isinstance(block, Linear | Leading):  # other failures may be those of the step
            problem = self._failure(engine, status)
        elif not status and block is None:
            problem = self._contradiction(engine)
        if problem is None and engine.mode.excess:
            memory.array[:] = before
            status, block = self._moved(engine, PARTED * engine.span)
            if not status and block is None:
                problem = self._contradiction(engine)
        memory.array[:] = before
        return problem

    @staticmethod
    def _moved(engine: Engine, step: float) -> tuple[int, Block | None]:
        """All values a step later, and what has failed."""
        memory = engine.memory
        engine.continuous.advance(step)
        status = memory.routines["evaluate"]()
        return status, blamed(engine, status)

    def _check_lower(self, engine: Engine) -> None:
        """What does not jump must be where the mode demands it."""
        entry, memory = engine.structure.entry, engine.memory
        assert entry is not None
        if not entry.lower:
            return
        memory.routines["lower"]()
        numbers = memory.section("lower").reshape(-1, 2)
        lower = zip((q for q, _, _ in entry.lower), numbers.tolist(), strict=True)
        apart = {q: abs(residual) for q, (residual, size) in lower if abs(residual) > self._projected * size}
        if apart and engine.structure.signature is not None:  # which reports only the worst
            apart = displaced_equations(engine, self._projected)
        if apart:
            q, off = next(iter(apart.items()))
            q = engine.mode.in_force(q)
            raise Impossible(
                Diagnostic(
                    "E411",
                    f"`{show(q.lhs, 200)} = {show(q.rhs, 200)}` would have to hold "
                    f"{phrases.at_time(memory)}, but the sides differ by {off:.4g}, and no "
                    "finite impulse can bring them together",
                    q.span,
                    (Note("positions cannot jump, only their derivatives can"),),
                    "let the mode begin where both sides meet, or constrain their derivatives instead",
                    origin=q.origin,
                ),
                apart=tuple(apart),
                engine=engine,
            )

    @staticmethod
    def _contradiction(engine: Engine) -> Impossible | None:
        """An equation in excess that does not hold."""
        memory, checks = engine.memory, engine.structure.model.checks
        places = engine.mode.excess
        if not places:
            return None
        memory.routines["checks"]()
        violated = memory.section("checks")
        for k in places:
            if violated[k]:
                why = given_up.violated(memory, checks[k]).diagnostics[0]
                return Impossible(why, engine=engine, contradicting=checks[k].equations)
        return None

    @staticmethod
    def _nonlinear(engine: Engine) -> Impossible | None:
        """An impulse in an equation that is not linear in it."""
        entry, memory = engine.structure.entry, engine.memory
        if entry is None:
            return None
        if not entry.nonlinear:
            return None
        # What the finite values do between two neighbouring numbers for the time is rounding, not an impulse.
        sizes = [abs(memory.number(ref(variable), 0.0)) for _, variable in entry.nonlinear]
        rounding = _NEIGHBOURS * engine.span * max((s for s in sizes if math.isfinite(s)), default=0.0)
        for q, variable in entry.nonlinear:
            weight = memory.cells[memory.layout.slots[ref(entry.impulses[variable])]]
            if abs(weight) > rounding:
                why = Diagnostic(
                    "E412",
                    f"`{variable.name}` would get an impulse of {weight:.4g} {phrases.at_time(memory)}, but "
                    f"`{show(q.lhs, 200)} = {show(q.rhs, 200)}` is not linear in it",
                    q.span,
                    hint="provide another path for what is interrupted here: a diode or a capacitor",
                    origin=q.origin,
                )
                return Impossible(why, engine=engine, is_bent=True)
        return None

    def finish(self, engine: Engine) -> float:
        """The mode has been chosen: states exactly as the entry has them. Gives how far conserved
        quantities are from being conserved, relative to what was exchanged."""
        entry, memory = engine.structure.entry, engine.memory
        if engine.pivots.guards:
            engine.pivots.set_floors()
        if entry is None:
            return 0.0
        impulses = [memory.layout.slots[ref(unknown)] for unknown in entry.impulses.values()]
        kept = memory.array[impulses]
        memory.store(entry.exact, 1.0)
        memory.routines["entry"]()
        memory.routines["evaluate"]()
        memory.routines["relations"]()
        memory.routines["books"]()
        memory.section("relation_impulses")[:] = 0.0
        memory.array[impulses] = kept
        numbers = memory.section("books").reshape(-1, 2)
        sizes = np.maximum(numbers[:, 1], np.finfo(float).tiny)
        return float(np.max(np.abs(numbers[:, 0]) / sizes, initial=0.0))


class _Settling:
    """Truths that follow from values, pass by pass: the steps of `SETTLE_TRUTHS`."""

    def __init__(self, instant: Instant, engine: Engine, belongs: Callable[[Engine], bool]) -> None:
        self._instant, self._engine, self._belongs = instant, engine, belongs
        self._memory = memory = engine.memory
        self._changed = memory.first("scratch")
        self._discretes = memory.section("discretes")
        self._presumed = self._before = memory.array[:0]
        self._status = 0
        self._seen: set[bytes] = set()
        #: Whether truths have followed at least once.
        self.followed = False

    def demand(self) -> None:
        """What does not jump must be where the mode demands it: that of the truths that were presumed, and
        those to which they have led in a program that follows guards by itself."""
        presumed = self._instant.begin(self._engine)
        if not self.followed:
            self._presumed = presumed

    def compute(self) -> None:
        """The entry and all values, with the truths that are presumed."""
        self._before = self._discretes.copy()
        self._status = self._instant.computed(self._engine)

    def stays(self) -> bool:
        """Whether the guards still belong to the program."""
        return self._belongs(self._engine)

    def judge(self) -> None:
        """Raises what is wrong with the values."""
        self._instant.refuse(self._engine, self._status, self._presumed)

    def follow(self) -> None:
        """Truths are what the values say."""
        if self._memory.trail is not None:
            self._memory.trail.tries(self._memory)
        self._memory.cells[self._changed] = 0.0
        self._instant.follow(self._engine)
        self.followed = True

    def agrees(self) -> bool:
        """Whether that has changed nothing. The entry comes before discrete variables have followed, and may
        depend on them."""
        if self._memory.cells[self._changed]:
            return False
        return self._engine.structure.entry is None or np.array_equal(self._discretes, self._before)

    def flips(self) -> None:
        """Raises where truths go round in a circle."""
        sections = (self._memory.section(s) for s in ("relations", "presumed", "discretes"))
        truths = b"".join(section.tobytes() for section in sections)
        if truths in self._seen:
            self._instant.refuse(self._engine, SETTLE_FAILED, self._presumed)
        self._seen.add(truths)


_settle_truths = followed(SETTLE_TRUTHS, _Settling)


def blamed(engine: Engine, status: int, *, initial: bool = False) -> Block | None:
    """The block that a failure began with: the first that has no finite values, else the one that failed."""
    memory = engine.memory
    failed = memory.program.failures.get(status) if status else None
    cells, slots = memory.cells, memory.layout.slots
    if not initial and engine.continuous.is_finite:
        return failed if isinstance(failed, Explicit | Linear | Nonlinear | Leading) else None
    for block in engine.structure.initial if initial else memory.blocks:
        if block is failed:
            break
        if not all(math.isfinite(cells[slots[x]]) for x in block.unknowns if x in slots):
            return block
    return failed if isinstance(failed, Explicit | Linear | Nonlinear | Leading) else None


@dataclass
class Books:
    """How often modes were entered, and how far what is conserved was from being so, relative to what was
    exchanged, at worst."""

    entries: int = 0
    worst: float = 0.0

    def take(self, entries: int, worst: float) -> None:
        """Adds what has been counted elsewhere."""
        self.entries += entries
        self.worst = max(self.worst, worst)

    def stored(self) -> dict[str, Any]:
        """The books as plain data, for `load`."""
        return {"books": self.worst, "entries": self.entries}

    def load(self, stored: Mapping[str, Any]) -> None:
        """Continues with what was stored."""
        self.worst, self.entries = stored["books"], stored["entries"]

    def statistics(self) -> dict[str, float]:
        """What there is to count."""
        return {"mode entries": self.entries, "conservation error": self.worst} if self.entries else {}

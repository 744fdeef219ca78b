"""The mode in which a run continues after an event, and in which it starts.

A model whose structure varies has one program for each combination of guards that it reaches
(`analyse.modes.modes`), and a run one engine for each. At an event the next mode is the one whose relations
agree with the values that it produces. With the left limits frozen (`entering`), a mode is presumed, first
the old one with what has fired, and entered tentatively; all relations are evaluated, and this is repeated
until the mode reproduces itself. A relation is decided by, in this order:

    the impulse of its residue
    the value of its residue, outside the zero band
    the sign of its time derivative in this mode, where that is clear
    the truth that it was presumed to have

Relations that depend on states alone are *inert*. They are evaluated with the states after the instant, when
a mode has reproduced itself with their former truths; never with those of an abandoned mode.

Tentative modes leave no trace: they are the mythical modes of paper 002. Only then values are committed,
which may start another round. If the iteration cycles, or comes to an impossible mode, others are searched
for (`mode_search`).

`fixed_guards` determines which guards have to be fixed, also by learning during a run.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from saltus.core.diagnostics import ModelError, RunError
from saltus.ir.flat import Equation
from saltus.ir.sorted.blocks import Block
from saltus.ir.sorted.modes import Mode
from saltus.ir.sorted.surfaces import OnSurface
from saltus.run.engine.driver_context import preset
from saltus.run.engine.engine import Engine
from saltus.run.memory.memory import Cells
from saltus.run.modes.across import Outcome, event_across
from saltus.run.modes.choices import Choices, NotFollowed
from saltus.run.modes.choosing import Choosing
from saltus.run.modes.deciding import deciding, weighted
from saltus.run.modes.entering import Books, Impossible, Instant, projected
from saltus.run.modes.fixed_guards import FixedGuards
from saltus.run.modes.native_gates import Passages
from saltus.run.modes.ways_out import Way


class _Bound(NamedTuple):
    """Modes are chosen on surfaces; `told` sets up how engines are held there."""

    surfaces: frozenset[OnSurface]
    told: Callable[[Engine], None]


class Modes:
    """The modes of one run."""

    def __init__(self, choices: Choices, tolerance: float) -> None:
        self._choices = choices
        self._tolerance = tolerance
        self._choosing = Choosing(self)
        self.books = Books()
        self._bound: _Bound | None = None
        #: What the driver knows about ways from one program to another.
        self.passages = Passages(projected(tolerance), tolerance, choices.carried)
        #: Which guards have to be fixed, and where.
        self.guards = FixedGuards(choices, self._forget)
        self._forget()

    def _forget(self) -> None:
        """What is remembered about `fixing`: how its guards are read in each engine, and which mode their
        values belong to."""
        self._values_in: dict[Engine, Callable[[Cells], tuple[float, ...]]] = {}
        self._modes: dict[tuple[float, ...], Mode] = {}
        self._deciding: dict[Engine, list[int]] = {}
        self._choosing.forget()
        self.passages.forget()

    def deciding(self, engine: Engine) -> list[int]:
        """The relations that modes depend on. Only of these the truth at zero is decided by the derivative,
        or stays what it was presumed to be; all others are compared as in any other program."""
        if engine not in self._deciding:
            self._deciding[engine] = deciding(engine, (*self.guards.fixing.guards(), *self.guards.local))
        return self._deciding[engine]

    @property
    def written(self) -> Sequence[Equation]:
        """The equations of the model with all their branches; those of a mode lack some."""
        programs = self._choices.programs
        return programs.written if programs is not None else ()

    def __bool__(self) -> bool:
        """Whether there is more than the general program, as far as known."""
        return bool(self.guards.fixing or self.guards.local)

    def learn(self, engine: Engine, block: Block, numbers: NDArray[np.float64] | None = None) -> bool:
        """Whether guards are fixed from now on with which a block has no solution (`FixedGuards.learn`)."""
        # On a surface a block may be singular because nothing keeps the model there in this mode.
        return not engine.structure.surfaces and self.guards.learn(engine, block, numbers)

    def mode_of(self, engine: Engine) -> Mode:
        """The mode that the guards of an engine, as they are, belong to."""
        return self._mode_of(engine, engine.surfaces.on)

    def _mode_of(self, engine: Engine, surfaces: frozenset[OnSurface] = frozenset()) -> Mode:
        if surfaces:
            fixing = self._choices.fixing_on_surfaces(self.guards.fixing)
            return weighted(self._choices.first, fixing.mode(engine.mode.guards.value), surfaces)
        fixing = self.guards.fixing
        values_in = self._values_in.get(engine)
        if values_in is None:
            slots = [engine.mode.guards.slot(guard) for guard in fixing.guards()]
            values_in = self._values_in[engine] = _values_at(slots)
        values = values_in(engine.memory.cells)
        mode = self._modes.get(values)
        if mode is None:
            mode = self._modes[values] = fixing.mode(engine.mode.guards.value)
        return mode

    # ------------------------------------------------------------ events

    def event(self, engine: Engine, fired: Sequence[tuple[int, float]], due: Sequence[int]) -> Outcome:
        """One event, from the left limits that an engine has, all computed: the relations that fired, with
        the signs of the sides they move to, and the clocks that tick."""
        if not engine.structure.surfaces:
            self.guards.begin(engine)
        outcome = event_across(self, self._choices.carried, self._tolerance, engine, fired, due)
        self._register()
        return outcome

    def _register(self) -> None:
        """From now on the driver can go where events have led so far."""
        known = {values: self._choices.known_in(mode) for values, mode in self._modes.items()}
        self.passages.register(known, self.guards.fixing.guards())
        self.passages.know_ways_out(self._choosing.ways_out)

    def take_counts(self) -> None:
        """Counts what the driver has done."""
        entries, books = self.passages.take_counts()
        self.books.take(entries, books)

    def settled(self, engine: Engine, fired: Sequence[tuple[int, float]] = ()) -> Engine:
        """The engine of the mode that reproduces itself, with the values after the instant whose left limits
        the given engine has; its truths, with those that have `fired`, are what is presumed first."""
        instant = Instant(engine, self._tolerance, fired)
        if self._bound is not None:
            return Choosing(self).strictly(instant, engine)
        try:
            return self._choosing(instant, engine)
        except RunError:
            with suppress(RunError):
                if instant.take_sides(self.deciding(engine)):
                    return self._choosing.strictly(instant, instant.begun_again())
            # Where structure is found by numbers, a program for each mode may still know better.
            if all(engine.structure.signature is None for engine in self._choices.followed.values()):
                raise
            self.guards.stop_following()
            return self._choosing(instant, instant.begun_again())

    @contextmanager
    def bound(self, surfaces: frozenset[OnSurface], told: Callable[[Engine], None]) -> Iterator[None]:
        """In this context modes are chosen on these surfaces, whatever the run is on, and small
        contradictions are not tolerated; `told` sets up how an engine is held on its surfaces."""
        before, self._bound = self._bound, _Bound(surfaces, told)
        try:
            yield
        finally:
            self._bound = before

    @property
    def is_bound(self) -> bool:
        """Whether it is said on which surfaces modes are chosen."""
        return self._bound is not None

    def knows_too_little(self, engine: Engine, found: Impossible) -> bool:
        """A program that finds its structure by numbers does not know what jumps in equations that are not
        linear: where there is an impulse in one of them, each mode has a program of its own from now on."""
        if not found.is_bent or engine.structure.signature is None:
            return False
        self.guards.stop_following()
        return True

    def stays(self, engine: Engine) -> bool:
        """Whether the guards of an engine, as they are, belong to its program."""
        structure = engine.structure
        mode = self._mode_of(engine, engine.surfaces.on)
        return mode == structure.mode and self._is_home(engine)

    def _is_home(self, engine: Engine) -> bool:
        """Whether no other engine is that of the same mode: the one that follows guards by itself is."""
        followed = self._choices.followed
        if not followed or engine.structure.surfaces:
            return True
        return followed.get(engine.structure.mode, engine) is engine

    def known(self, engine: Engine) -> Engine | None:
        """The engine of the mode that another one's guards belong to, if it has been made."""
        mode = self.mode_of(engine)
        if mode == engine.structure.mode and self._is_home(engine):
            return engine
        return self._choices.followed.get(mode) or self._choices.known_in(mode)

    def apart(self, engine: Engine, values: Mapping[str, float]) -> Engine | None:
        """An engine of the mode that another one's guards belong to, made where everything has these values,
        by name, to be looked at only. None where there is no such mode."""
        return self._choices.apart(self.mode_of(engine), values)

    def tried(self, instant: Instant, engine: Engine) -> Engine:
        """The engine of the mode that another one's guards belong to, entered with one pass only: the truths
        that its values give to relations may not be those that were taken for granted."""
        engine, presumed = self.belonging(instant, engine), engine
        self.take_left(instant, engine, presumed, holding=False)
        try:
            instant.look(engine)
        except Impossible as found:
            if not self.knows_too_little(engine, found):
                raise
            return self.tried(instant, engine)
        return engine

    def belonging(self, instant: Instant, engine: Engine) -> Engine:
        """The engine that the guards of another belong to."""
        self.books.entries += 1
        surfaces = instant.left.surfaces.on if self._bound is None else self._bound.surfaces
        mode = self._mode_of(engine, surfaces)
        new = engine
        if mode != engine.structure.mode or engine.surfaces.on != surfaces or not self._is_home(engine):
            if not surfaces and self.guards.follow(instant.left, numbers=True):
                mode = self._mode_of(engine)
            try:
                new = self._choices.in_mode(mode, instant.values, surfaces)
                if self._bound is not None:
                    self._bound.told(new)
            except ModelError as reason:
                raise Impossible(reason.diagnostics[0]) from None
            except NotFollowed:
                self.guards.stop_following()
                return self.belonging(instant, engine)
            if not surfaces and self.guards.is_new(new):
                new.transfer.copy_discrete(engine)  # parameters, too
                new.memory.routines["parameters"]()
                if self.guards.look_for_zeros(new):
                    return self.belonging(instant, engine)
        return new

    def take_left(self, instant: Instant, new: Engine, engine: Engine, *, holding: bool) -> None:
        """Gives a new engine the left limits, and the truths that another has, `holding` inert relations or
        not."""
        instant.copy_to(new, engine, self.deciding(new), holding=holding)
        if not new.structure.surfaces:
            origins: Sequence[Engine] = (engine, instant.left)
            if self.guards.local:
                origins = [e for e in origins if self._may_return(e)]
            self.passages.note(new, origins, self.deciding)

    def _may_return(self, engine: Engine) -> bool:
        """Whether guards may lead to an engine again: not to one that the run has only begun with, before
        another followed its guards by itself."""
        if engine.structure.local:
            return True
        fixed = dict(engine.structure.mode.fixed)
        mode = self.guards.fixing.mode(lambda guard: fixed.get(guard, math.nan))
        return mode == engine.structure.mode and self._is_home(engine)

    def accept(self, instant: Instant, engine: Engine) -> None:
        """The mode has been chosen."""
        self.books.take(0, instant.finish(engine))


def _values_at(slots: Sequence[int]) -> Callable[[Cells], tuple[float, ...]]:
    """A function that reads the numbers at some slots, which identify every tentative mode."""
    if len(slots) > 1:
        return itemgetter(*slots)
    return lambda cells: tuple([cells[slot] for slot in slots])


def is_entered_again(modes: Modes, engine: Engine) -> bool:
    """Whether the engine is the one of its mode, to which guards may lead at any event."""
    return not engine.structure.surfaces and modes._is_home(engine) and modes._may_return(engine)


def ways_out(modes: Modes, engine: Engine) -> list[Way]:
    """What is known of ways out of modes of an engine that cannot be."""
    return modes._choosing.ways_out.of(engine)


def ways_of_all(modes: Modes, engine: Engine) -> list[tuple[list[float], list[float]]]:
    """Truths of modes of an engine that cannot be, and those to which a search has led from there."""
    known = modes._choosing.found_from(engine)
    return [(ended.tolist(), found.tolist()) for ended, found in known]


def prepare(modes: Modes, engine: Engine) -> None:
    """All programs that events may lead to are made ready, where an engine has the values of the
    moment: what is found out when a program is first entered is known then."""
    known = [e for e in modes._choices.engines if e is not engine and is_entered_again(modes, e)]
    for other in known:
        if modes.guards.is_new(other):
            other.transfer.copy_discrete(engine)  # parameters, too
            other.memory.routines["parameters"]()
            modes.guards.look_for_zeros(other)
    for other in known:
        modes.passages.note(other, (other,), modes.deciding)
        preset(other.structure, other.machine.program)

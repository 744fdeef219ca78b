"""The mode in which a run goes on after an event, and in which it starts.

A model whose structure varies has one program for each combination of guards that it comes to
(`analyse.modes.modes`), and a run one engine for each. At an event the next mode is the one whose relations
agree with the values that it produces. With the left limits frozen (`entering`), a mode is presumed, first
the old one with what has fired, and entered tentatively; all relations are looked at, and this is repeated
until the mode reproduces itself. What decides about a relation, in this order:

    the impulse of its residue
    the value of its residue, outside the zero band
    the sign of its time derivative in this mode, where that is clear
    the truth that it was presumed to have

Relations that ask for states alone are *inert*. They are compared with the states after the instant, when a
mode has reproduced itself with them as they were before; never with those of a mode that is given up again.

Tentative modes leave no trace: they are the mythical modes of paper 002. Only then values are committed,
which may start another round. If the iteration goes round in a circle, or comes to a mode that cannot be,
others are searched for (`mode_search`).

Where a block turns out to be singular, the guards in its equations have values with which it cannot be
solved: from then on they are fixed where they have these values.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from saltus.core.diagnostics import ModelError, RunError
from saltus.expr.nodes import Expr, Type
from saltus.ir.contract import MOST_ENTRIES, MOST_TURNS, MOST_WAYS_OUT
from saltus.ir.flat import Equation
from saltus.ir.structure import MANY_GUARDS, Block, Fixing, Leading, Linear, Mode
from saltus.result.log.records import Round, traced_round
from saltus.run.engine.engine import Engine
from saltus.run.iteration.events import Trace
from saltus.run.iteration.rounds import Rounds
from saltus.run.modes.choices import Choices, NotFollowed
from saltus.run.modes.deciding import (
    Behind,
    computed_zeros,
    deciding,
    guards_in,
    mode_guards_in,
    zeros_in,
)
from saltus.run.modes.entering import Impossible, Instant, blamed, projected
from saltus.run.modes.lost_rank import lost_ranks, parameters_of
from saltus.run.modes.mode_search import ModeSearch
from saltus.run.modes.native_gates import Passages
from saltus.run.modes.singular import contradict, dependent_rows
from saltus.run.modes.vanishing import divides_by_itself, vanishing
from saltus.run.modes.ways_out import WaysOut

_NOTHING = Fixing()


@dataclass(frozen=True)
class Outcome:
    """What an event came to: the engine in which the run goes on, what happened in each round, relations of
    time that fired with it, and impulses by name."""

    engine: Engine
    rounds: tuple[Round, ...]
    timed: list[int]
    impulses: tuple[tuple[str, float], ...]


class Modes:
    """The modes of one run."""

    def __init__(self, choices: Choices, tolerance: float) -> None:
        self._choices = choices
        self._told = self._fixing = choices.fixing
        self._tolerance = tolerance
        self._search = ModeSearch(self)
        # How far conserved quantities were from being conserved, relative to what was exchanged, at worst.
        self._books = 0.0
        self._entries = 0
        #: What the driver knows about ways from one program to another.
        self.passages = Passages(projected(tolerance), tolerance)
        self._looked_at: set[Engine] = set()  # for zeros
        #: What was to be fixed when it was last asked how much of it one program can follow by itself.
        self._asked = {False: _NOTHING, True: _NOTHING}  # by cases; and by numbers
        self._local: frozenset[Expr] = frozenset()
        self._may_follow = True
        self._has_begun = False  # before that, modes to start in are searched for one by one
        self._forget()

    def _forget(self) -> None:
        """What is remembered about `fixing`: where its guards are in each engine, and which mode their values
        belong to."""
        self._slots: dict[Engine, list[int]] = {}
        self._modes: dict[tuple[float, ...], Mode] = {}
        self._deciding: dict[Engine, list[int]] = {}
        #: Where searches have led from modes that cannot be: that is tried first when a run is there again.
        self._ways_out: dict[tuple[Engine, bytes], NDArray[np.float64]] = {}
        self._ways_of_parts = WaysOut()
        self.passages.forget()

    def deciding(self, engine: Engine) -> list[int]:
        """The relations that modes depend on. Only of these the truth at zero is decided by the derivative,
        or stays what it was presumed to be; all others are compared as in any other program."""
        if engine not in self._deciding:
            self._deciding[engine] = deciding(engine, (*self.fixing.guards(), *self._local))
        return self._deciding[engine]

    def __bool__(self) -> bool:
        """Whether there is more than the general program, as far as known."""
        return bool(self.fixing or self._local)

    @property
    def fixing(self) -> Fixing:
        """Which guards have to be fixed, and where: what programs have told, and what was learnt."""
        told = self._choices.fixing
        if told is not self._told:
            self._told = told
            self._fixing = self._fixing.joined(told.without(self._local))
            self._forget()
        return self._fixing

    def begin(self, engine: Engine) -> None:
        """There is a solution to begin with, or an event: from now on one program may follow many guards."""
        self._has_begun = True
        self._follow(engine)

    @property
    def may_be_many(self) -> bool:
        """Whether there are so many guards to fix that one program may follow all of them by numbers."""
        return self._may_follow and len(self.fixing.guards()) >= MANY_GUARDS

    def begin_again(self) -> None:
        """What was begun with was no solution: modes to start in are searched for one by one after all."""
        for asked in self._asked.values():
            self._fixing = self._fixing.joined(asked)
        self._asked = {False: _NOTHING, True: _NOTHING}
        self._local = frozenset()
        self._may_follow, self._has_begun = True, False
        self._choices.stop_following()
        self._forget()

    def _follow(self, engine: Engine, *, numbers: bool = False) -> bool:
        """From now on one program follows as many guards as it can, so that their combinations need none of
        their own. An engine has the values of the moment. Whether there is such a program now. One that finds
        its structure by `numbers` is made when a run first comes to a mode that the general one does not
        do for."""
        fixing, asked = self.fixing, self._asked[numbers]
        if not fixing or not self._may_follow or self._local:
            return False
        if len(fixing.combinations) < 2 * len(asked.combinations):
            return False
        self._asked[numbers] = fixing
        found = self._choices.following(engine.named.now(), fixing, numbers=numbers)
        if found is not None:
            followed, self._fixing = found
            self._local = followed.structure.local
            self._looked_at.add(followed)  # its combinations are those that have been looked at
            followed.transfer.copy_discrete(engine)
            followed.memory.routines["parameters"]()
            self._forget()
        return found is not None

    def _stop_following(self) -> None:
        """The run has come to a mode in which no program follows the guards that others follow: from now on
        each combination has a program of its own."""
        self._may_follow = False
        for asked in self._asked.values():
            self._fixing = self._fixing.joined(asked)
        self._local = frozenset()
        self._choices.stop_following()
        self._forget()

    def mode_of(self, engine: Engine) -> Mode:
        """The mode that the guards of an engine, as they are, belong to."""
        fixing = self.fixing
        slots = self._slots.get(engine)
        if slots is None:
            slots = self._slots[engine] = [engine.mode.guards.slot(guard) for guard in fixing.guards()]
        cells = engine.memory.cells
        values = tuple([cells[slot] for slot in slots])
        mode = self._modes.get(values)
        if mode is None:
            mode = self._modes[values] = fixing.mode(engine.mode.guards.value)
        return mode

    # ------------------------------------------------------------ events

    def event(self, engine: Engine, fired: Sequence[tuple[int, float]], due: Sequence[int]) -> Outcome:
        """One event, from the left limits that an engine has, all computed: the relations that fired, with
        the signs of the sides they move to, and the clocks that tick."""
        self.begin(engine)
        trace = Trace(len(engine.structure.relations))
        engine.at_zero.leave_room()
        before, timed = engine.iteration.begin(fired, due, trace)
        truths = before[: trace.relations]
        rounds: list[Round] = []
        impulses: dict[str, float] = {}
        struck: list[tuple[int, float]] = []
        causes = [*(index for index, _ in fired), *timed]
        for ticking in (True, False) if due else (False,):
            if due and not ticking:
                engine.iteration.end_ticks(due)
            count = Rounds()
            while True:
                if not rounds:
                    engine = self.settled(engine, fired)
                elif struck or not self._is_settled(engine):
                    engine = self.settled(engine)
                for name, weight in engine.mode.impulses():
                    impulses[name] = impulses.get(name, 0.0) + weight
                after = trace(engine.memory)
                rounds.append(traced_round(before, after, trace.relations, causes))
                before, causes = after, []
                struck = engine.mode.struck()
                again = engine.iteration.commit()
                for place, value in struck:
                    engine.memory.cells[place] = value
                if not again and not struck:
                    break
                if count.endless(engine.memory):
                    raise engine.iteration.endless(count.done)
        engine.iteration.end()
        deciding = self.deciding(engine)
        changed = any(before[k] != truths[k] for k in deciding)
        engine.at_zero.make_room(deciding if changed else (), self._tolerance)
        self._register()
        return Outcome(engine, tuple(rounds), timed, tuple((n, w) for n, w in impulses.items() if w))

    def _register(self) -> None:
        """From now on the driver can go where events have led so far."""
        known = {values: self._choices.known_in(mode) for values, mode in self._modes.items()}
        self.passages.register(known, self.fixing.guards())
        self.passages.know_ways_out(self._ways_of_parts)

    def take_counts(self) -> None:
        """Counts what the driver has done."""
        entries, books = self.passages.take_counts()
        self._entries += entries
        self._books = max(self._books, books)

    def _is_settled(self, engine: Engine) -> bool:
        """Whether nothing is decided anew in a further round, which begins with values after the instant:
        the mode stays, and so do all truths, if nothing was reinitialised."""
        memory = engine.memory
        if memory.section("jumped").any():
            return False
        before = memory.array.copy()
        truths, count = memory.section("relations"), len(engine.structure.relations)
        old = truths[:count].copy()
        discretes = memory.section("discretes").copy()
        if not memory.routines["settle"]() and self._stays(engine) and engine.continuous.is_finite:
            same = np.array_equal(truths[:count], old)
            depends = engine.structure.entry is not None
            if same and not (depends and (memory.section("discretes") != discretes).any()):
                engine.mode.no_impulses()
                return True
        memory.array[:] = before
        return False

    def settled(self, engine: Engine, fired: Sequence[tuple[int, float]] = ()) -> Engine:
        """The engine of the mode that reproduces itself, with the values after the instant whose left limits
        the given engine has; its truths, with those that have `fired`, are what is presumed first."""
        instant = Instant(engine, self._tolerance, fired)
        try:
            return self._settled_or_forgiven(instant, engine)
        except RunError:
            # Where structure is found by numbers, a program for each mode may still know better.
            if all(engine.structure.signature is None for engine in self._choices.followed.values()):
                raise
            self._stop_following()
            return self._settled_or_forgiven(instant, instant.begun_again())

    def _settled_or_forgiven(self, instant: Instant, engine: Engine) -> Engine:
        try:
            return self._settled(instant, engine)
        except RunError as error:
            # Where bodies come to rest in ever smaller collisions, the last ones are errors of integration.
            try:
                return self._settled(instant, instant.forgive())
            except RunError:
                raise error from None

    def _settled(self, instant: Instant, engine: Engine) -> Engine:
        turned: dict[int, int] = {}  # how often relations were decided by their derivatives
        seen: set[bytes] = set()
        problem: Impossible | None = None
        taken = 0
        for _ in range(MOST_ENTRIES):
            start = engine
            try:
                engine = self.entered(instant, engine)
            except Impossible as found:
                engine = found.engine or start
                if taken < MOST_WAYS_OUT and self._takes_way_out(engine, found):
                    taken += 1
                    continue
                if found.block is not None and self.learn(engine, found.block, found.numbers):
                    continue
                problem, ended = found, engine.mode.truths.tobytes()
                way_out = None if ended in seen else self._ways_out.get((engine, ended))
                if way_out is None:
                    break
                seen.add(ended)
                # What follows from time alone was an input there, and is another one here.
                searched = [k for k, r in enumerate(engine.structure.relations) if not r.is_time_event]
                engine.mode.truths[searched] = way_out[searched]
                continue
            wrong: list[int] = []
            if self._stays(engine) and instant.release(engine):
                astray = instant.astray(engine, self.deciding(engine))
                wrong = [k for k in astray if turned.get(k, 0) < MOST_TURNS]
                if not wrong:
                    return self._accept(instant, engine)
            for k in wrong:
                turned[k] = turned.get(k, 0) + 1
                engine.at_zero.turn(k)
            state = engine.mode.truths.tobytes()
            state += engine.memory.section("discretes").tobytes()
            if not wrong and state in seen:
                break
            seen.add(state)
        ended = engine.mode.truths.tobytes()
        found_engine = self._search(instant, engine, problem)
        if problem is not None:
            self._remember_way(problem, engine, ended, found_engine)
        return self._accept(instant, found_engine)

    def _takes_way_out(self, engine: Engine, problem: Impossible) -> bool:
        """Whether a way is known out of a mode of an engine that cannot be; then its truths are presumed."""
        if not isinstance(problem.block, Leading) or problem.numbers is None:
            return False
        return self._ways_of_parts.take(engine, problem.numbers)

    def _remember_way(self, problem: Impossible, engine: Engine, ended: bytes, found: Engine) -> None:
        """A search has led from a mode of an engine that cannot be to another."""
        if isinstance(problem.block, Leading) and problem.numbers is not None:
            self._ways_of_parts.learn(engine, problem.block, problem.numbers, found.mode.truths.tolist())
        else:
            self._ways_out[engine, ended] = found.mode.truths.copy()

    def entered(self, instant: Instant, engine: Engine) -> Engine:
        """The engine of the mode that another one's guards belong to, entered tentatively: relations have the
        truths that its values give them. Raises `Impossible`."""
        for _ in range(MOST_ENTRIES):
            engine = self._engine_for(instant, engine, holding=True)
            try:
                if instant.settle(engine, self._stays):
                    break
            except Impossible as found:
                if not self._knows_too_little(engine, found):
                    raise
        return engine

    def _knows_too_little(self, engine: Engine, found: Impossible) -> bool:
        """A program that finds its structure by numbers does not know what jumps in equations that are not
        linear: where there is an impulse in one of them, each mode has a program of its own from now on."""
        if not found.is_bent or engine.structure.signature is None:
            return False
        self._stop_following()
        return True

    def _stays(self, engine: Engine) -> bool:
        """Whether the guards of an engine, as they are, belong to its program."""
        return self.mode_of(engine) == engine.structure.mode and self._is_home(engine)

    def _is_home(self, engine: Engine) -> bool:
        """Whether no other engine is that of the same mode: the one that follows guards by itself is."""
        return self._choices.followed.get(engine.structure.mode, engine) is engine

    def tried(self, instant: Instant, engine: Engine) -> Engine:
        """The engine of the mode that another one's guards belong to, entered with one pass only: the truths
        that its values give to relations may not be those that were taken for granted."""
        engine = self._engine_for(instant, engine, holding=False)
        try:
            instant.look(engine)
        except Impossible as found:
            if not self._knows_too_little(engine, found):
                raise
            return self.tried(instant, engine)
        return engine

    def _engine_for(self, instant: Instant, engine: Engine, *, holding: bool) -> Engine:
        """The engine for the guards of another, with the left limits, `holding` inert relations or not."""
        self._entries += 1
        mode = self.mode_of(engine)
        new = engine
        if mode != engine.structure.mode or not self._is_home(engine):
            if self._has_begun and self._follow(instant.left, numbers=True):
                mode = self.mode_of(engine)
            try:
                new = self._choices.in_mode(mode, instant.values)
            except ModelError as reason:
                raise Impossible(reason.diagnostics[0]) from None
            except NotFollowed:
                self._stop_following()
                return self._engine_for(instant, engine, holding=holding)
            if new not in self._looked_at:
                self._looked_at.add(new)
                new.transfer.copy_discrete(engine)  # parameters, too
                new.memory.routines["parameters"]()
                if self.look_for_zeros(new):
                    return self._engine_for(instant, engine, holding=holding)
        instant.copy_to(new, engine, self.deciding(new), holding=holding)
        origins = [e for e in (engine, instant.left) if self._may_return(e)]
        self.passages.note(new, origins, self.deciding)
        return new

    def _may_return(self, engine: Engine) -> bool:
        """Whether guards may lead to an engine again: not to one that the run has only begun with, before
        another followed its guards by itself."""
        fixed = dict(engine.structure.mode.fixed)
        if not self._local or engine.structure.local:
            return True
        mode = self.fixing.mode(lambda guard: fixed.get(guard, math.nan))
        return mode == engine.structure.mode and self._is_home(engine)

    def _accept(self, instant: Instant, engine: Engine) -> Engine:
        self._books = max(self._books, instant.finish(engine))
        return engine

    def learn(self, engine: Engine, block: Block, numbers: NDArray[np.float64] | None = None) -> bool:
        """From now on guards are fixed where they have the values with which a block has no solution: those
        among the numbers that the engine had then, if it has others now. False if there is nothing to fix in
        the block, or its equations contradict each other: then no program could solve them."""
        now = engine.memory.array if numbers is None else numbers
        known = dict(engine.structure.mode.fixed)
        equations: Sequence[Equation] = block.equations
        if isinstance(block, Leading):
            parts = dependent_rows(engine, block, now)
            if any(contradict(engine, block, rows, now) for rows in parts):
                return False
            equations = [block.equations[row] for row in parts[0]]
        found = [guard for guard in mode_guards_in(engine, equations) if guard not in known]
        # Sampled signals have ever new values; they are fixed only if nothing else can be.
        chosen = [guard for guard in found if guard.type is not Type.REAL] or found
        if isinstance(block, Leading):
            pass  # what is zero was seen in its coefficients
        elif chosen or not divides_by_itself(block):
            chosen += [leaf for leaf in zeros_in(engine, block) if leaf not in known]
            engines = self._choices.engines
            chosen = chosen or [
                leaf
                for leaf in computed_zeros(engine, block)
                if leaf not in known and all(leaf in e.mode.guards.computed for e in engines)
            ]
            # In a mode of its own a matrix may have lost rank by the numbers that parameters have.
            if not chosen and known and isinstance(block, Linear):
                chosen = [leaf for leaf in parameters_of(engine, block) if leaf not in known]
        if not chosen:
            return False
        known |= {guard: float(now[engine.mode.guards.slot(guard)]) for guard in chosen}
        return self._fix(Mode.of(known))

    def blamed(
        self, engine: Engine, block: Block, numbers: NDArray[np.float64] | None = None
    ) -> list[list[int]]:
        """The relations that decide about the equations by which a system has no solution, where it finds its
        structure by numbers: for each of its parts without a solution."""
        if not isinstance(block, Leading):
            return []
        now = engine.memory.array if numbers is None else numbers
        guards = frozenset(engine.structure.model.mode_guards())
        behind = Behind(engine)
        return [
            behind(guards_in(guards, [block.equations[row] for row in rows]))
            for rows in dependent_rows(engine, block, now)
        ]

    def _fix(self, mode: Mode) -> bool:
        """One more combination; False if it is known."""
        if mode in self.fixing.combinations:
            return False
        self._fixing = self.fixing.with_combination(mode)
        self._forget()
        return True

    def look_for_zeros(self, engine: Engine) -> bool:
        """From now on guards are fixed where an engine, with the parameters that it has, would divide by
        zero, or by what rounding has left of zero. Whether there is something new."""
        found = [self._fix(mode) for mode in (*vanishing(engine), *lost_ranks(engine))]
        return any(found)

    def learns(self, engine: Engine, status: int, *, initial: bool = False) -> bool:
        """Whether there is something to fix after a routine of an engine has failed."""
        block = blamed(engine, status, initial=initial)
        return block is not None and self.learn(engine, block)

    def stored(self) -> dict[str, Any]:
        """What is known, as plain data, for `load`."""
        learnt = [mode.texts for mode in self.fixing.combinations]
        asked = [[mode.texts for mode in self._asked[k].combinations] for k in (False, True)]
        return {
            "combinations": learnt,
            "asked": asked,
            "may follow": self._may_follow,
            "books": self._books,
            "entries": self._entries,
        }

    def load(self, stored: Mapping[str, Any]) -> None:
        """Goes on with what was stored."""
        named = self._choices.first.mode.guards.mode_named
        self._fixing = Fixing(self.fixing.always, tuple(map(named, stored["combinations"])))
        for numbers, modes in zip((False, True), stored["asked"], strict=True):
            self._asked[numbers] = Fixing(combinations=tuple(map(named, modes)))
        self._may_follow = bool(stored["may follow"])
        if not self._may_follow:
            self._choices.stop_following()
        self._local = self._choices.local
        self._looked_at.update(self._choices.followed.values())
        self._forget()
        self._books, self._entries = stored["books"], stored["entries"]

    def statistics(self) -> dict[str, float]:
        """What there is to count."""
        return {"mode entries": self._entries, "conservation error": self._books} if self._entries else {}

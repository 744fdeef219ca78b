"""The guards that have to be fixed, and those that one program follows by itself. Some come from programs
(`analyse.modes.modes`), others are learnt during a run: where a block turns out to be singular, the guards in
its equations have values with which it cannot be solved, and from then on they are fixed where they have
these values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from saltus.expr.nodes import Expr, Type, leaf_symbol
from saltus.ir.flat import Equation
from saltus.ir.sorted.blocks import Block, Leading, Linear
from saltus.ir.sorted.modes import MANY_GUARDS, Fixing, Mode
from saltus.run.engine.engine import Engine
from saltus.run.modes.choices import Choices
from saltus.run.modes.deciding import computed_zeros, mode_guards_in, zeros_in
from saltus.run.modes.entering import blamed
from saltus.run.modes.lost_rank import lost_ranks, parameters_of
from saltus.run.modes.singular import contradict, dependent_rows, say_together, singular_beside, to_blame
from saltus.run.modes.vanishing import divides_by_itself, divides_by_zero, vanishing

_NOTHING = Fixing()


class FixedGuards:
    """The guards that a run fixes. When others are fixed, everything derived from them is discarded by
    `forget`."""

    def __init__(self, choices: Choices, forget: Callable[[], None]) -> None:
        self._choices, self._forget = choices, forget
        #: Modes that have programs of their own though none needs to be fixed, and `fixing` with them.
        self._listed: tuple[Mode, ...] = ()
        self._with_listed = _NOTHING, _NOTHING
        self._told = self._fixing = choices.fixing
        self._looked_at: set[Engine] = set()  # for zeros
        #: What was to be fixed when it was last asked how much of it one program can follow by itself.
        self._asked = {False: _NOTHING, True: _NOTHING}  # by cases; and by numbers
        #: Those that one program follows.
        self.local: frozenset[Expr] = frozenset()
        self._may_follow = True
        self._has_begun = False  # before that, modes to start in are searched for one by one

    @property
    def fixing(self) -> Fixing:
        """The fixed guards, and where they are fixed: from programs, learnt, and listed."""
        needed = self._needed
        if not self._listed:
            return needed
        if self._with_listed[0] is not needed:
            self._with_listed = needed, needed.joined(Fixing(combinations=self._listed))
        return self._with_listed[1]

    def list_modes(self, engine: Engine, modes: Sequence[Mode]) -> None:
        """From now on those of these modes that there are have programs of their own, which are made at once
        for the values of an engine, and so is the program that serves for others."""
        self.begin(engine)
        self.follow(engine, numbers=True)
        now = engine.named.now()
        self._listed = tuple(mode for mode in modes if self._choices.has_mode(mode, now))
        self._forget()

    @property
    def listed(self) -> tuple[Mode, ...]:
        """Modes that have programs of their own though none needs to be fixed."""
        return self._listed

    @property
    def _needed(self) -> Fixing:
        """What has to be fixed."""
        told = self._choices.fixing
        if told is not self._told:
            self._told = told
            self._fixing = self._fixing.joined(told.without(self.local))
            self._forget()
        return self._fixing

    def begin(self, engine: Engine) -> None:
        """There is a solution to begin with, or an event: from now on one program may follow many guards."""
        self._has_begun = True
        self.follow(engine)

    @property
    def may_be_many(self) -> bool:
        """Whether there are guards to fix, and enough of them, or of similar ones, for one program to follow
        all of them numerically."""
        fixed = self._needed.guards()
        if not fixed or not self._may_follow:
            return False
        guards = self._choices.first.structure.model.mode_guards()
        # A switch is one guard; its relation and what it was before are not others.
        kinds = {(x.op, leaf_symbol(x).helper) for x in fixed}
        alike = (x for x in guards if x.type is Type.BOOLEAN and (x.op, leaf_symbol(x).helper) in kinds)
        return len({*fixed, *alike}) >= MANY_GUARDS

    def begin_again(self) -> None:
        """What was begun with was no solution: modes to start in are searched for one by one after all."""
        for asked in self._asked.values():
            self._fixing = self._fixing.joined(asked)
        self._asked = {False: _NOTHING, True: _NOTHING}
        self.local = frozenset()
        self._may_follow, self._has_begun = True, False
        self._choices.stop_following()
        self._forget()

    def follow(self, engine: Engine, *, numbers: bool = False) -> bool:
        """From now on one program follows as many guards as it can, so that their combinations need none of
        their own. An engine has the values of the moment. Whether there is such a program now. One that finds
        its structure by `numbers` is made when a run first comes to a mode that the general one does not
        do for, once a run has begun."""
        if self.local or not self._may_follow or (numbers and not self._has_begun):
            return False
        fixing, asked = self._needed, self._asked[numbers]
        if len(fixing.combinations) < 2 * len(asked.combinations) or not fixing:
            return False
        self._asked[numbers] = fixing
        found = self._choices.following(engine.named.now(), fixing, numbers=numbers)
        if found is not None:
            followed, self._fixing = found
            self.local = followed.structure.local
            self._looked_at.add(followed)  # its combinations are those that have been looked at
            followed.transfer.copy_discrete(engine)
            followed.memory.routines["parameters"]()
            self._forget()
        return found is not None

    def _follow_with_spares(self, engine: Engine) -> bool:
        """From now on the program that follows guards by numbers finds constraints that equations have
        together. Whether that is something new."""
        followed = self._choices.with_spares(engine.named.now())
        if followed is None:
            return False
        self._looked_at.add(followed)
        followed.transfer.copy_discrete(engine)
        followed.memory.routines["parameters"]()
        self._forget()
        return True

    def stop_following(self) -> None:
        """The run has come to a mode in which no program follows the guards that others follow: from now on
        each combination has a program of its own."""
        self._may_follow = False
        for asked in self._asked.values():
            self._fixing = self._fixing.joined(asked)
        self.local = frozenset()
        self._choices.stop_following()
        self._forget()

    def learn(self, engine: Engine, block: Block, numbers: NDArray[np.float64] | None = None) -> bool:
        """From now on guards are fixed where they have the values with which a block has no solution: those
        among the numbers that the engine had then, if it has others now. False if there is nothing to fix in
        the block, or its equations contradict each other: then no program could solve them."""
        now = engine.memory.array if numbers is None else numbers
        # Equal parts lose rank together: they are not found one by one, with a program for each.
        alike = singular_beside(engine, block, now) if isinstance(block, Linear) else ()
        found = [self._learn(engine, b, now) for b in (block, *alike)]
        return found[0]

    def _learn(self, engine: Engine, block: Block, now: NDArray[np.float64]) -> bool:
        """Learns guards to fix from one block with some numbers."""
        known = dict(engine.structure.mode.fixed)
        equations: Sequence[Equation] = block.equations
        if isinstance(block, Leading):
            parts = dependent_rows(engine, block, now)
            if any(contradict(engine, block, rows, now) for rows in parts):
                return False
            sums = any(say_together(engine, block, rows, now) for rows in parts)
            if sums and self._follow_with_spares(engine):
                return True
            equations = [block.equations[row] for row in parts[0]]
        found = [guard for guard in mode_guards_in(engine, equations) if guard not in known]
        # Sampled signals have ever new values; they are fixed only if nothing else can be.
        chosen = [guard for guard in found if guard.type is not Type.REAL] or found
        if isinstance(block, Leading):
            pass  # what is zero was seen in its coefficients
        elif chosen or not divides_by_itself(block):
            chosen += [leaf for leaf in zeros_in(engine, block) if leaf not in known]
            engines = self._choices.engines
            if not chosen:
                zeros = (leaf for leaf in computed_zeros(engine, block) if leaf not in known)
                computed = [x for x in zeros if all(x in e.mode.guards.computed for e in engines)]
                chosen = list(to_blame(engine, block, computed))
            # A matrix may have lost rank by the numbers that parameters have.
            if not chosen and isinstance(block, Linear):
                chosen = [leaf for leaf in parameters_of(engine, block) if leaf not in known]
        if not chosen:
            return False
        known |= {guard: float(now[engine.mode.guards.slot(guard)]) for guard in chosen}
        return self._fix(Mode.of(known))

    def _fix(self, mode: Mode) -> bool:
        """One more combination; False if it is known."""
        if mode in self._needed.combinations:
            return False
        self._fixing = self._needed.with_combination(mode)
        self._forget()
        return True

    def is_new(self, engine: Engine) -> bool:
        """Whether it has not been looked yet whether an engine divides by zero; from now on it has."""
        known = engine in self._looked_at
        self._looked_at.add(engine)
        return not known

    def look_for_zeros(self, engine: Engine) -> bool:
        """From now on guards are fixed where an engine, with the parameters that it has, would divide by
        zero, or by what rounding has left of zero. Whether there is something new."""
        found = [self._fix(mode) for mode in (*vanishing(engine), *lost_ranks(engine))]
        return any(found)

    def learns(self, engine: Engine, status: int, *, initial: bool = False) -> bool:
        """Whether there is something to fix after a routine of an engine has failed."""
        block = blamed(engine, status, initial=initial)
        if block is None:
            return False
        # Equal parts, the frictions of all axes of a robot, fail together: they are not found one by one.
        others = [b for b in engine.structure.initial if b is not block] if initial else []
        alike = [b for b in others if divides_by_zero(engine, b)]
        learnt = [self.learn(engine, b) for b in (block, *alike)]
        return any(learnt)

    def stored(self) -> dict[str, Any]:
        """What is known, as plain data, for `load`."""
        learnt = [mode.texts for mode in self._needed.combinations]
        asked = [[mode.texts for mode in self._asked[k].combinations] for k in (False, True)]
        return {
            "combinations": learnt,
            "asked": asked,
            "listed": [mode.texts for mode in self._listed],
            "may follow": self._may_follow,
        }

    def load(self, stored: Mapping[str, Any]) -> None:
        """Continues with what was stored."""
        named = self._choices.first.mode.guards.mode_named
        self._fixing = Fixing(self.fixing.always, tuple(map(named, stored["combinations"])))
        for numbers, modes in zip((False, True), stored["asked"], strict=True):
            self._asked[numbers] = Fixing(combinations=tuple(map(named, modes)))
        self._listed = tuple(map(named, stored["listed"]))
        self._may_follow = bool(stored["may follow"])
        if not self._may_follow:
            self._choices.stop_following()
        # The first of the engines that follow guards by themselves determines which.
        self.local = next((e.structure.local for e in self._choices.followed.values()), frozenset())
        self._looked_at.update(self._choices.followed.values())
        self._forget()

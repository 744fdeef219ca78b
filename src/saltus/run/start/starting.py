"""Where a run begins: the initial system, in the mode that its solution belongs to.

The first attempt is made with the general program, the next in the mode to which its truths belong, and so
on. This may lead nowhere. The start values may contradict what a mode demands: a body has a start velocity,
while it is presumed to stick. Or each mode leads to another: it is at rest, but pushed so hard that it is
about to move.

Then the start values are taken for left limits of the first instant, and modes are entered and chosen as at
every other event: impulses and derivatives say which way to go (`saltus.run.modes.modes`). What is fixed must
be the same afterwards: at the start nothing jumps. Where there are initial equations the left limits are what
the last attempt made of them, and they must hold afterwards as well. What follows from start values may be
known in another mode only. Where all states begin with numbers, and so many guards decide that one program
finds their modes by numbers, that is done before any mode is started in. In the end a model is tried in other
modes, one after the other; and where the solution in one of them keeps what is fixed, it is a left limit as
well.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from saltus.core.diagnostics import Diagnostic, ModelError, RunError
from saltus.expr.nodes import INITIAL, Expr, Op, leaf_symbol, ref
from saltus.expr.traversal import leaves, walk
from saltus.ir.balance import Sizes
from saltus.ir.native.contract import CONSISTENT, Flag
from saltus.ir.sorted.blocks import Explicit
from saltus.ir.sorted.modes import Mode
from saltus.run.engine.engine import Engine
from saltus.run.failures import flips, invalid_numbers
from saltus.run.memory.memory import Memory, start_number
from saltus.run.modes.choices import Choices
from saltus.run.modes.deciding import deciding
from saltus.run.modes.mode_search import ENUMERATED
from saltus.run.modes.modes import Modes
from saltus.run.past.histories import Histories
from saltus.run.schedule.settings import Settings
from saltus.run.sizes.sizes import set_sizes
from saltus.run.start.initialise import (
    Start,
    presume_start,
    remember_start,
    set_parameters,
    set_starts,
    solve_initial,
)

#: The code of checks on start values that a mode has in excess.
_CONTRADICTS = "E401"

#: The code of an initial system whose relations contradict each other whatever they are.
_DOES_NOT_SETTLE = "E404"

#: Modes that are tried at most.
_MOST_MODES = 32


class Starting:
    """The beginning of one run: afterwards `engine` has the values of the start."""

    def __init__(
        self, engine: Engine, choices: Choices, modes: Modes, settings: Settings, *, may_learn: bool
    ) -> None:
        self.engine = engine
        self.warnings: list[Diagnostic] = []
        self.sizes: Sizes | None = None
        self._choices = choices
        self._modes = modes
        self._settings = settings
        self._may_learn = may_learn
        self._tried: list[Mode] = []
        # The mode that the last solution of an initial system belongs to. Its guards may ask for values
        # before the start, which are others as soon as the start is over.
        self._mode: Mode | None = None
        # The engine whose initial system was solved last, and its memory then.
        self._attempt: tuple[Engine, NDArray[np.float64]] | None = None

    def solved(self) -> Start:
        """Solves the initial system. Raises `RunError`."""
        while True:
            problem: RunError | None = None
            failed: RunError | None = None
            try:
                start = self._solve({})
            except RunError as error:
                failed = error
                if self._stays() and not self._learns(error):
                    found = self._otherwise() if error.diagnostics[0].code == _DOES_NOT_SETTLE else None
                    if found is None:
                        raise
                    return found
            else:
                if self._stays():
                    if not self._contradicts(start):
                        self._drift()
                        return start
                    return self._otherwise() or self._followed(is_solved=True) or start
            found = self._followed(is_solved=failed is None) if not self._tried else None
            if found is not None:
                return found
            mode = self._mode_now()
            if mode not in self._tried:
                problem = self._begin_in(mode)
                if problem is None:
                    continue
            found = self._otherwise()
            if found is None:
                guards = self.engine.mode.guards.changing
                if failed is not None and not any(guard in guards for guard, _ in mode.fixed):
                    raise failed  # a parameter is zero, and nothing can be done about it
                raise problem or flips.no_mode_to_start_in(self.engine.memory, self._tried)
            return found

    def _solve(self, truths: Mapping[int, float]) -> Start:
        """One attempt, with some truths of relations presumed."""
        memory, settings = self.engine.memory, self._settings
        self.warnings = set_parameters(memory, settings.overrides)
        self.sizes = set_sizes(memory, settings)
        if self.sizes is not None:
            memory.routines["parameters"]()  # which are computed with them
        if self._may_learn:
            self._modes.guards.look_for_zeros(self.engine)
        set_starts(memory, settings.start_time)
        self.histories = Histories(memory, settings)
        self.histories.prepare(memory)
        self._mode = None
        start = solve_initial(memory, truths)
        self._mode = self._modes.mode_of(self.engine)
        remember_start(memory)
        self._attempt = self.engine, memory.array.copy()
        return start

    def _stays(self) -> bool:
        return self._mode_now() == self.engine.structure.mode

    def _mode_now(self) -> Mode:
        """The mode of the last solution; of one that failed, the mode that its guards, as they are, belong
        to."""
        return self._modes.mode_of(self.engine) if self._mode is None else self._mode

    def _learns(self, error: RunError) -> bool:
        return self._may_learn and self._modes.guards.learns(self.engine, error.status, initial=True)

    def _contradicts(self, start: Start) -> bool:
        """Whether start values contradict the mode; other assertions that are violated are none of its
        business."""
        checks = self.engine.structure.model.checks
        return bool(self._modes) and any(checks[k].code == _CONTRADICTS for k in start.violated)

    def _begin_in(self, mode: Mode) -> RunError | None:
        """Turns to the program of a mode, or says why there is none."""
        self._tried.append(mode)
        try:
            engine = self._choices.starting(mode)
        except ModelError as reason:
            return RunError(reason.diagnostics[0])
        self.engine = engine
        self._choices.begin_with(engine)
        return None

    # ------------------------------------------------------------ other ways to begin

    def _otherwise(self) -> Start | None:
        return self._entered() or self._searched()

    def _followed(self, *, is_solved: bool) -> Start | None:
        """A mode to which the start values belong, where they say all that there is to know before the first
        instant, and one program can follow the guards from there. The initial system of the general program
        may not be solved with the truths that the start values lead to. With others it can, and since
        everything is given, the values before the instant are the same whatever the mode is."""
        engine, memory = self.engine, self.engine.memory
        if not self._modes.guards.may_be_many or not _is_all_given(engine):
            return None
        before, truths = memory.array.copy(), engine.mode.truths.copy()
        if is_solved or self._solved_in_general():
            # The mode that is presumed is the one that the start values lead to.
            for slot in (engine.mode.guards.slot(guard) for guard in self._modes.guards.fixing.guards()):
                memory.cells[slot] = before[slot]
            engine.mode.truths[:] = truths
        else:
            # Others of its kind have no solution either. What is not given is not known then.
            presume_start(memory, self._settings.start_time)
            for v in engine.structure.states:
                value = _given(engine).get(ref(v.symbol))
                if value is not None:
                    memory.store(v.symbol, memory.number(value, math.nan))
        self._modes.guards.begin(engine)
        found = self._entered_from((engine, memory.array.copy()))
        if found is not None:
            return found
        self._modes.guards.begin_again()
        memory.array[:] = before
        return None

    def _solved_in_general(self) -> bool:
        """Turns relations one by one, until the guards belong to the program of the engine; whether its
        initial system has a solution with these truths, whatever that says of them."""
        engine, memory = self.engine, self.engine.memory
        mode, truths = self._modes.mode_of(engine), engine.mode.truths.copy()
        set_starts(memory, self._settings.start_time)  # the attempt that failed may have left no numbers
        presumed, wanted = memory.array.copy(), engine.structure.mode
        for k in deciding(engine, (guard for guard, _ in mode.fixed)):
            memory.array[:] = presumed
            engine.mode.truths[:] = truths
            engine.mode.truths[k] = 1.0 - truths[k]
            is_solved = _solved_once(memory)
            other = self._modes.mode_of(engine)
            if other == wanted:
                return is_solved
            if len(other.fixed) < len(mode.fixed):
                mode, truths[k] = other, 1.0 - truths[k]
        return False

    def _drift(self) -> None:
        """The mode of a solution may be one of the first instant only: residues are zero, but about to be
        positive or negative, or a source is zero that is shorted. Then another one is taken in which nothing
        jumps; where something does, that is the event at the start."""
        engine = self.engine
        if not self._modes:
            return
        self._modes.guards.begin(engine)
        before = engine.memory.array.copy()
        found = self._modes.settled(engine)
        if any(weight for _, weight in found.mode.impulses()):
            engine.memory.array[:] = before
            return
        remember_start(found.memory)
        self.engine = found

    def _entered(self) -> Start | None:
        """A mode in which the start values hold, without an initial system; None if there is none. What has
        no start value of its own, a second body on the same shaft, may begin far from where the others have
        it; so the last solution of an initial system is a left limit, too."""
        if not self._modes:
            return None
        if self.engine.structure.model.initial_equations:
            return self._entered_from(self._attempt) if self._attempt is not None else None
        return self._entered_from(None) or (self._attempt and self._entered_from(self._attempt))

    def _entered_from(self, attempt: tuple[Engine, NDArray[np.float64]] | None) -> Start | None:
        """The left limits are those of an attempt but for what is fixed, or else start values."""
        engine = self.engine if attempt is None else attempt[0]
        memory = engine.memory
        before = memory.array.copy()
        if attempt is None:
            presume_start(memory, self._settings.start_time)
        else:
            memory.array[:] = attempt[1]
            _presume_fixed(memory)
        _presume_before(memory)
        asked = _asked_of_before(memory)
        _begins(memory, True)
        found = None
        with suppress(RunError):
            found = self._modes.settled(engine)
            _begins(found.memory, False)
        if found is None or not (_keeps_starts(found.memory) and _keeps_initial(found.memory, asked)):
            memory.array[:] = before
            return None
        self.engine = found
        remember_start(found.memory)
        return Start([], [], 0)

    def _searched(self) -> Start | None:
        """A mode whose initial system agrees with it, of those that were not tried; or one that is entered
        from a solution that has everything where it is fixed, but belongs to another mode. None if there is
        none."""
        first = self.engine
        if not self._modes:
            return None
        before, kept = first.memory.array.copy(), None
        for truths, mode in list(self._others()):
            if self._begin_in(mode) is not None:
                continue
            try:
                start = self._solve(truths)
            except RunError:
                continue
            if self._contradicts(start):
                continue
            if self._stays():
                self._drift()
                return start
            if kept is None and _keeps_starts(self.engine.memory):
                kept = self._attempt
        self.engine = first
        self._choices.begin_with(first)
        first.memory.array[:] = before
        if kept is None or first.structure.model.initial_equations:
            return None
        return self._entered_from(kept)

    def _others(self) -> Iterator[tuple[dict[int, float], Mode]]:
        """Modes that were not tried, with truths of relations that belong to them, few turned first."""
        engine, memory = self.engine, self.engine.memory
        presume_start(memory, self._settings.start_time)
        presumed, relations = memory.array.copy(), memory.section("relations")
        searched, found = self._modes.deciding(engine), set(self._tried)
        most = len(searched) if len(searched) <= ENUMERATED else 2
        for count in range(most + 1):
            for turned in combinations(searched, count):
                memory.array[:] = presumed
                relations[list(turned)] = 1.0 - relations[list(turned)]
                truths = {k: float(relations[k]) for k in searched}
                memory.routines["evaluate"]()  # for the discrete variables among the guards
                mode = self._modes.mode_of(engine)
                if mode not in found and len(found) < _MOST_MODES:
                    found.add(mode)
                    yield truths, mode


def _is_all_given(engine: Engine) -> bool:
    """Whether a model begins with numbers for its states, start values or what initial equations say whatever
    the mode, and nothing that ends it or warns asks whether it begins."""
    structure = engine.structure
    checks = (c for c in structure.model.checks if c.code != _CONTRADICTS)  # this mode's own, on start values
    conditions = [*(c.guard for c in checks), *(n.condition for n in structure.model.endings)]
    if any(node is INITIAL for condition in conditions for node in walk(condition)):
        return False
    given = _given(engine)
    return all(bool(v.fixed) or ref(v.symbol) in given for v in structure.states)


def _given(engine: Engine) -> dict[Expr, Expr]:
    """What the initial system computes from parameters alone."""
    structure = engine.structure
    known = {ref(v.symbol) for v in (*structure.model.constants, *structure.model.parameters)}
    explicit = (b for b in structure.initial if isinstance(b, Explicit))
    return {b.unknown: b.value for b in explicit if known.issuperset(leaves(b.value))}


def _begins(memory: Memory, truth: bool) -> None:
    """What `initial()` gives: a model may say of its mode that it is another one at the start."""
    memory.cells[memory.first("flags") + Flag.INITIAL] = float(truth)


def _solved_once(memory: Memory) -> bool:
    """Solves the initial system with the truths that relations have, whatever its solution says of them."""
    _begins(memory, True)
    status = memory.routines["initial"]()
    _begins(memory, False)
    return not status and invalid_numbers.not_finite(memory, memory.structure.initial) is None


def _keeps_starts(memory: Memory) -> bool:
    """Whether all that is fixed has its start value."""
    model = memory.structure.model
    for v in (*model.states, *model.algebraics):
        slot = memory.slot(v.symbol)
        if v.fixed and v.start is not None and slot is not None:
            start = memory.number(v.start, 0.0)
            size = abs(memory.number(v.nominal, 1.0)) + abs(start)
            if abs(memory.cells[slot] - start) > CONSISTENT * size:
                return False
    return True


def _presume_fixed(memory: Memory) -> None:
    """Fixed start values, in place of what the initial system of a mode made of them. What is no state in
    that mode may be one in another: a body sticks in the one, and moves in the other."""
    for v in (*memory.structure.states, *memory.structure.algebraics):
        if v.fixed:
            memory.store(v.symbol, start_number(memory, v))
    remember_start(memory)


def _presume_before(memory: Memory) -> None:
    """What initial equations `pre(d) = ...` ask for, where that is known: nothing else determines it, and
    when-clauses that do not speak of `initial()` leave it as it is at the start."""
    for q in memory.structure.model.initial_equations:
        for before, other in ((q.lhs, q.rhs), (q.rhs, q.lhs)):
            slot = memory.layout.slots.get(before) if before.op is Op.PRE else None
            value = memory.number(other, math.nan)
            if slot is not None and not math.isnan(value):
                memory.cells[slot] = value
                memory.store(leaf_symbol(before), value)


def _asked_of_before(memory: Memory) -> list[float]:
    """What initial equations `pre(d) = ...` ask of the values before the start; nan for other equations."""
    numbers = []
    for q in memory.structure.model.initial_equations:
        sides = [e for e, other in ((q.rhs, q.lhs), (q.lhs, q.rhs)) if _is_before(other)]
        numbers.append(memory.number(sides[0], math.nan) if sides else math.nan)
    return numbers


def _is_before(e: Expr) -> bool:
    """Whether an expression is the value of something before the start, or minus that."""
    return (e.args[0] if e.op is Op.NEG else e).op is Op.PRE


def _keeps_initial(memory: Memory, asked: Sequence[float]) -> bool:
    """Whether all initial equations hold. The values before the start are what they were, since nothing but
    initial equations determines them: these must ask for the same as before."""
    equations = memory.structure.model.initial_equations
    if len(equations) != len(asked):
        return False  # some speak of what does not exist in this mode
    for q, old, new in zip(equations, asked, _asked_of_before(memory), strict=True):
        if math.isnan(old):
            old, new = memory.number(q.lhs, math.nan), memory.number(q.rhs, math.nan)
        if not abs(old - new) <= CONSISTENT * (1.0 + abs(old)):
            return False
    return True

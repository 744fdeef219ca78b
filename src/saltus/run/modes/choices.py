"""The engine with which a run continues: one for each choice of states, each mode and each surface."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from saltus.core.diagnostics import ModelError
from saltus.expr.nodes import Expr, leaf_symbol
from saltus.ir.flat import Equation
from saltus.ir.sorted.modes import GENERAL, Fixing, Mode
from saltus.ir.sorted.surfaces import OnSurface
from saltus.ir.structure import Structure
from saltus.run.engine.engine import Engine
from saltus.run.failures import given_up
from saltus.run.integrators.integrator import NativeMachine
from saltus.run.iteration.carried import Carried
from saltus.run.modes.deciding import weighted
from saltus.run.modes.engines import Engines, Origin


class Programs(Protocol):
    """Makes the programs of a model. A machine is to be cloned. All raise `ModelError` where there is no such
    program."""

    @property
    def fixing(self) -> Fixing:
        """The guards that have to be fixed, and where, as far as the structure shows; new modes may reveal
        more."""

    @property
    def written(self) -> Sequence[Equation]:
        """The equations of the model with all their branches."""

    def __len__(self) -> int:
        """How many there are."""

    def __call__(
        self,
        values: Mapping[str, float],
        wanted: frozenset[OnSurface] = ...,
        mode: Mode = ...,
        *,
        with_care: bool = ...,
    ) -> tuple[Structure, NativeMachine]:
        """The program with the states that are best where the variables have these values, by name, kept on
        surfaces, in a mode. One that is made `with_care` is fast, however many there are."""

    def starting(self, mode: Mode) -> tuple[Structure, NativeMachine]:
        """The program of a mode, with an initial system."""

    def following(
        self,
        fixing: Fixing,
        value: Callable[[Expr], float],
        values: Mapping[str, float],
        mode: Mode,
        *,
        numbers: bool,
        spares: bool = ...,
    ) -> tuple[Structure, NativeMachine, Fixing] | None:
        """A program that follows by itself as many guards as possible of those that have to be fixed, but for
        those of a mode, at these values of guards and of variables; and what is left to fix. It may find its
        structure by `numbers`, with `spares` for constraints that equations have together. None where there
        is none, `ModelError` where there is no such mode."""


#: A smallest pivot below this means that no states determine the rest: a singular position. (Errors of the
#: states reach the rest a thousand times as large.)
SINGULAR = 1e-3

#: A pivot below this leaves too few digits even for the values of one instant.
UNUSABLE = 1e-8


_NOTHING = Fixing()


class NotFollowed(Exception):
    """In this mode no program follows the guards that others follow by themselves."""


class Jumps:
    """What is reinitialised must be a state: of the engine with which a run begins it is."""

    def __init__(self, first: Engine) -> None:
        self._first = first

    def __bool__(self) -> bool:
        """Whether states are reinitialised at all."""
        return bool(self._first.structure.model.jumps)

    def lacking_in(self, engine: Engine) -> bool:
        """Whether something is reinitialised that is no state with this choice, but with the first. In
        another mode it may have to be so: see `EngineMode.struck`."""
        same_mode = engine.structure.mode == self._first.structure.mode
        return same_mode and len(engine.structure.model.jumps) < len(self._first.structure.model.jumps)

    def taken_over(self, now: Engine) -> Engine:
        """The engine in which everything that is reinitialised is a state. It has taken over all values."""
        first = self._first
        if first is not now:
            first.transfer.take_over(now)
            if first.pivots.set_floors() < UNUSABLE:
                raise given_up.singular_position(now.memory, first.structure.pivot_guards)
        return first


class Choices:
    """`first` is the engine of the states chosen at the start. Without `programs` there is no other."""

    def __init__(self, first: Engine, programs: Programs | None) -> None:
        self.first = first
        #: What goes with states that are reinitialised; `first` may become that of a mode later.
        self.carried = Carried(first.structure)
        #: All that there are.
        self.engines = Engines(first)
        #: By mode, those whose states are good wherever they are.
        self._of_mode: dict[Mode, Engine] = {}
        self._keep(first)
        #: Those of the model, also of other runs; without them no other mode is entered, and nothing slides.
        self.programs = programs
        #: The guards that have to be fixed, and where, as far as programs have revealed.
        self.fixing = programs.fixing if programs is not None else _NOTHING
        #: The engines that follow guards by themselves, by their modes.
        self.followed: dict[Mode, Engine] = {}
        self._all_fixed = _NOTHING

    def best(self, now: Engine) -> Engine:
        """The engine of the states that are best where another one is; it may be the same. It has taken over
        all values."""
        fallen = [now.structure.pivot_guards[k] for k in now.pivots.fallen()] or now.structure.pivot_guards
        if self.programs is None:
            raise given_up.singular_position(now.memory, fallen)
        try:
            best = self._chosen_at(now.named.now(), now.surfaces.on, now.structure.mode)
        except ModelError as reason:
            raise given_up.singular_position(now.memory, fallen, reason) from None
        if best is not now:
            best.transfer.take_over(now)
        if best.pivots.set_floors() < SINGULAR:
            raise given_up.singular_position(now.memory, fallen)
        return best

    def on(self, now: Engine, surfaces: frozenset[OnSurface]) -> Engine:
        """The engine that keeps the model on these surfaces, with the states that are best. It has not taken
        over any values yet. Raises `ModelError` where there is no such motion."""
        if now.structure.local and not surfaces:
            return now
        mode = self._all_fixed.mode(now.mode.guards.value) if now.structure.local else now.structure.mode
        mode = weighted(self.first, mode, surfaces)
        if not surfaces and not self.first.pivots.guards and mode == self.first.structure.mode:
            return self.first
        return self._chosen_at(now.named.now(), surfaces, mode)

    def in_mode(
        self,
        mode: Mode,
        values: Callable[[], Mapping[str, float]],
        surfaces: frozenset[OnSurface] = frozenset(),
    ) -> Engine:
        """The engine of a mode, on surfaces, with the states that are best at these values. It has not taken
        over any values yet. Raises `ModelError` where the model cannot be sorted in it, and `NotFollowed`."""
        if surfaces:
            return self._chosen_at(values(), surfaces, weighted(self.first, mode, surfaces))
        known = self._of_mode.get(mode)
        # What the mode does not fix of the guards that engines follow, its own has to follow as well.
        follows = bool(self.followed) and not self._local.issubset(guard for guard, _ in mode.fixed)
        if known is not None and (not follows or known.structure.local or known.structure.open is not None):
            return known
        if not follows:
            return self._chosen_at(values(), frozenset(), mode)
        numbers = any(engine.structure.signature is not None for engine in self.followed.values())
        found = self.following(values(), self._all_fixed, mode, numbers=numbers)
        if found is not None and found[0].structure.mode == mode:
            return found[0]
        # Most modes with an equation in excess contradict themselves, whatever the other guards are. In one
        # that does not, guards are fixed where a block turns out to be singular.
        engine = self._chosen_at(values(), frozenset(), mode)
        if engine.structure.open is None or not engine.structure.open.excess:
            raise NotFollowed
        return engine

    def has_mode(self, mode: Mode, values: Mapping[str, float]) -> bool:
        """Whether there is a mode, with states that are good wherever they are. Then its engine is there from
        now on."""
        assert self.programs is not None
        try:
            made = self.programs(values, frozenset(), mode, with_care=True)
        except ModelError:
            return False
        finally:
            self._hear()
        self._engine(made, Origin(values, frozenset(), mode))
        return mode in self._of_mode

    def following(
        self,
        values: Mapping[str, float],
        fixing: Fixing,
        mode: Mode = GENERAL,
        *,
        numbers: bool,
        spares: bool = False,
    ) -> tuple[Engine, Fixing] | None:
        """The engine that follows guards by itself, made where everything has these values, by name, but for
        the guards of a `mode`; and what is left to fix. It may find its structure by `numbers`, with
        `spares`. From now on it is the one of its mode."""
        if self.programs is None:
            return None
        fixed = dict(mode.fixed)

        def value(guard: Expr) -> float:
            return fixed[guard] if guard in fixed else values[leaf_symbol(guard).name]

        try:
            found = self.programs.following(fixing, value, values, mode, numbers=numbers, spares=spares)
        finally:
            self._hear()
        if found is None:
            return None
        structure, machine, rest = found
        if self.followed and structure.local != self._local - fixed.keys():
            return None  # other guards than those that are not fixed any more
        self._all_fixed = fixing
        origin = Origin(values, frozenset(), mode, fixing, numbers, spares)
        engine = self.followed[structure.mode] = self._engine((structure, machine), origin)
        return engine, rest

    def with_spares(self, values: Mapping[str, float]) -> Engine | None:
        """From now on the engine that follows guards by numbers has rows for constraints that equations have
        together. None where there is no such engine, or it has them already."""
        now = self.followed.get(GENERAL)
        signature = now.structure.signature if now is not None else None
        if len(self.followed) != 1 or signature is None or signature.spares:
            return None
        found = self.following(values, self._all_fixed, numbers=True, spares=True)
        return found[0] if found is not None else None

    def fixing_on_surfaces(self, fixing: Fixing) -> Fixing:
        """The guards that have to be fixed where the model is kept on surfaces: there no program follows any
        of them by itself. `fixing` is what has to be fixed elsewhere."""
        return self._all_fixed if self.followed else fixing

    @property
    def jumps(self) -> Jumps:
        """What is reinitialised."""
        return Jumps(self.first)

    @property
    def _local(self) -> frozenset[Expr]:
        """The guards that engines follow by themselves."""
        return next((e.structure.local for e in self.followed.values()), frozenset())  # the first one's

    def stop_following(self) -> None:
        """From now on every combination of guards has an engine of its own."""
        self.followed = {}
        self._of_mode = {}
        for engine in self.engines:
            if not engine.structure.local:
                self._keep(engine)

    def known_in(self, mode: Mode) -> Engine | None:
        """The engine of a mode, if there is one whose states are good wherever they are."""
        return self._of_mode.get(mode)

    def apart(self, mode: Mode, values: Mapping[str, float]) -> Engine | None:
        """An engine of a mode, made at these values, to which the run does not go; None if there is none."""
        if self.programs is None:
            return None
        try:
            structure, machine = self.programs(values, frozenset(), mode)
        except ModelError:
            return None
        finally:
            self._hear()
        return Engine(structure, machine.clone(), self.first.span)

    def starting(self, mode: Mode) -> Engine:
        """The engine to be started in a mode."""
        assert self.programs is not None
        try:
            made = self.programs.starting(mode)
        finally:
            self._hear()
        engine = self.engines.of(made[0])
        # One that was made to be entered, on the way to a start that was not found, has no initial system.
        if engine is not None and engine.machine.program is not made[1].program:
            self.engines.leave(engine)
        return self._engine(made, Origin({}, frozenset(), mode))

    def begin_with(self, engine: Engine) -> None:
        """The run starts in this engine, and has no other yet."""
        self.first = engine
        self.engines.begin_with(engine)
        self._of_mode = {}
        self._keep(engine)

    def _chosen_at(self, values: Mapping[str, float], surfaces: frozenset[OnSurface], mode: Mode) -> Engine:
        """The engine of the states that are best at these values; it may have to be made."""
        assert self.programs is not None, "programs of other states and on surfaces are made by it"
        try:
            made = self.programs(values, surfaces, mode)
        finally:
            self._hear()
        return self._engine(made, Origin(values, surfaces, mode))

    def _hear(self) -> None:
        """Who makes a program, or finds that there is none, may find more guards that have to be fixed."""
        assert self.programs is not None
        self.fixing = self.programs.fixing

    def _engine(self, made: tuple[Structure, NativeMachine], origin: Origin) -> Engine:
        structure, machine = made
        engine = self.engines.of(structure)
        if engine is None:
            engine = Engine(structure, machine.clone(), self.first.span)
            engine.memory.trail = self.first.memory.trail
            self.engines.add(engine, origin)
            self._keep(engine)
        return engine

    def _keep(self, engine: Engine) -> None:
        if not engine.structure.surfaces and not engine.pivots.guards:
            self._of_mode[engine.structure.mode] = engine

    def make_again(self, origins: Sequence[Origin], counted: Mapping[str, int]) -> None:
        """In a new run, the engines of an earlier one; and what its integrators had counted."""
        for values, surfaces, mode, fixing, numbers, spares in origins:
            if fixing is None:
                self._chosen_at(values, surfaces, mode)
            else:
                self.following(values, fixing, mode, numbers=numbers, spares=spares)
        self.engines.go_on_counting(counted)

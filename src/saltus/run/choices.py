"""The engines of a run: one for each choice of states that it has made so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from saltus.core.diagnostics import Diagnostic, ModelError
from saltus.ir.structure import Structure
from saltus.run import diagnose
from saltus.run.engine import Engine
from saltus.run.integrator import NativeMachine

#: Gives the structure and the machine (to be cloned) of the same model with the states that are best where
#: the variables have these values, by name. Raises `ModelError` where there are none.
Reselect: TypeAlias = Callable[[Mapping[str, float]], tuple[Structure, NativeMachine]]

#: A smallest pivot below this means that no states determine the rest: a singular position. (Errors of the
#: states reach the rest a thousand times as large.)
SINGULAR = 1e-3

#: A pivot below this leaves too few digits even for the values of one instant.
UNUSABLE = 1e-8


class Choices:
    """`first` is the engine of the states chosen at the start. Without `reselect` there is no other."""

    def __init__(self, first: Engine, reselect: Reselect | None) -> None:
        self.first = first
        self._engines = {first.structure: first}
        #: The values, by name, at which the states of each engine but the first were chosen.
        self._origins: dict[Structure, Mapping[str, float]] = {}
        self._counted: Counter[str] = Counter()  # by integrators that were given up
        self._reselect = reselect

    def best(self, now: Engine) -> Engine:
        """The engine of the states that are best where another one is; it may be the same. It has taken over
        all values."""
        fallen = [now.structure.guards[k] for k in now.fallen()] or now.structure.guards
        if self._reselect is None:
            raise diagnose.singular_position(now.memory, fallen)
        try:
            best = self._chosen_at(now.values())
        except ModelError as reason:
            raise diagnose.singular_position(now.memory, fallen, reason) from None
        if best is not now:
            best.take_over(now)
        if best.set_floors() < SINGULAR:
            raise diagnose.singular_position(now.memory, fallen)
        return best

    def _chosen_at(self, values: Mapping[str, float]) -> Engine:
        """The engine of the states that are best at these values; it may have to be made."""
        assert self._reselect is not None
        structure, machine = self._reselect(values)
        if structure not in self._engines:
            self._engines[structure] = Engine(structure, machine.clone(), self.first.rest)
            self._origins[structure] = values
        return self._engines[structure]

    @property
    def engines(self) -> list[Engine]:
        """All of them, in the order in which they were made."""
        return list(self._engines.values())

    @property
    def origins(self) -> list[Mapping[str, float]]:
        """The values at which the states of each engine but the first were chosen, in the same order."""
        return [self._origins[structure] for structure in list(self._engines)[1:]]

    def make_again(self, origins: Sequence[Mapping[str, float]], counted: Mapping[str, int]) -> None:
        """In a new run, the engines of an earlier one; and what its integrators had counted."""
        for values in origins if self._reselect is not None else ():
            self._chosen_at(values)
        self._counted = Counter(counted)

    def give_up_integrators(self) -> None:
        """Engines get new ones when they need them; what was counted is kept."""
        self._counted = Counter(self.statistics())
        self.close()
        for engine in self._engines.values():
            engine.cvode = engine.driver = None

    def for_jumps(self, now: Engine) -> Engine:
        """The engine in which everything that is reinitialised is a state. It has taken over all values."""
        if self.first is not now:
            self.first.take_over(now)
            if self.first.set_floors() < UNUSABLE:
                raise diagnose.singular_position(now.memory, self.first.structure.guards)
        return self.first

    def lacks_jumps(self, engine: Engine) -> bool:
        """Whether something is reinitialised that is no state with this choice."""
        return len(engine.structure.model.jumps) < len(self.first.structure.model.jumps)

    def __len__(self) -> int:
        return len(self._engines)

    def statistics(self) -> dict[str, int]:
        """What the integrators count, all of them together."""
        total = self._counted.copy()
        for engine in self._engines.values():
            if engine.cvode is not None:
                total.update(engine.cvode.statistics())
            if engine.driver is not None:
                total.update(engine.driver.statistics())
        return dict(total)

    def warnings(self) -> list[Diagnostic]:
        """What computations have to tell, all engines together."""
        return [w for engine in self._engines.values() for w in engine.memory.warnings]

    def close(self) -> None:
        """Frees the integrators."""
        for engine in self._engines.values():
            if engine.cvode is not None:
                engine.cvode.close()

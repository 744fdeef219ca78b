"""The engines that a run has made so far: how each was made, and their counts and warnings together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from saltus.core.diagnostics import Diagnostic
from saltus.ir.sorted.modes import Fixing, Mode
from saltus.ir.sorted.surfaces import OnSurface
from saltus.ir.structure import Structure
from saltus.run.engine.engine import Engine
from saltus.run.engine.open_warnings import opened_by_numbers


class Origin(NamedTuple):
    """How an engine was made: the values, by name, at which its states were chosen; its surfaces; its mode;
    and if it follows guards by itself, what was to be fixed, and whether it may do so by `numbers`, with
    `spares` for constraints that equations have together."""

    values: Mapping[str, float]
    surfaces: frozenset[OnSurface]
    mode: Mode
    fixing: Fixing | None = None
    numbers: bool = False
    spares: bool = False


class Engines:
    """The engines, in the order in which they were made; the run begins with the `first`."""

    def __init__(self, first: Engine) -> None:
        self._engines = {first.structure: first}
        self._origins: dict[Structure, Origin] = {}
        self._counted: Counter[str] = Counter()  # by integrators that were given up

    def __iter__(self) -> Iterator[Engine]:
        return iter(self._engines.values())

    def __len__(self) -> int:
        return len(self._engines)

    def begin_with(self, engine: Engine) -> None:
        """The run begins with this engine, and has no other yet."""
        self._engines = {engine.structure: engine}
        self._origins = {}

    def of(self, structure: Structure) -> Engine | None:
        """The engine of a structure, if there is one."""
        return self._engines.get(structure)

    def add(self, engine: Engine, origin: Origin) -> None:
        """One more engine."""
        self._engines[engine.structure] = engine
        self._origins[engine.structure] = origin

    def leave(self, engine: Engine) -> None:
        """An engine that is made anew."""
        self.give_up_integrator(engine)
        del self._engines[engine.structure]
        self._origins.pop(engine.structure, None)

    @property
    def origins(self) -> list[Origin]:
        """How each engine but the first was made, in the same order."""
        return [self._origins[structure] for structure in list(self._engines)[1:]]

    def give_up_integrators(self) -> None:
        """All engines get new integrators when they need them; what the old ones counted is kept."""
        for engine in self:
            self.give_up_integrator(engine)
            engine.stiff = False

    def give_up_integrator(self, engine: Engine) -> None:
        """The engine gets a new integrator when it needs one; what the old one counted is kept."""
        if engine.driver is not None:
            for part in (engine.driver.integrator, engine.driver):
                self._counted.update(part.statistics())
            engine.driver.integrator.close()
            engine.driver = None

    def go_on_counting(self, counted: Mapping[str, int]) -> None:
        """In a new run, what the integrators of an earlier one had counted."""
        self._counted = Counter(counted)

    def statistics(self) -> dict[str, int]:
        """What the integrators count, all of them together."""
        total = dict(self._counted)
        for engine in self:
            if engine.driver is not None:
                for part in (engine.driver.integrator, engine.driver):
                    for name, count in part.statistics().items():
                        total[name] = total.get(name, 0) + count
        return total

    def warnings(self) -> list[Diagnostic]:
        """The warnings of computations, for all engines together."""
        noticed = [w for engine in self for w in engine.memory.notices.warnings]
        return [*noticed, *(w for engine in self for w in opened_by_numbers(engine, self))]

    def close(self) -> None:
        """Frees the integrators."""
        for engine in self:
            if engine.driver is not None:
                engine.driver.integrator.close()

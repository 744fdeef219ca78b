"""The informative rows of a trail at an event.

A mode whose numbers are those of the step before or after it shows nothing: the first pass of many events is
that of the mode before, and the last round confirms what the one before it has come to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from saltus.expr.nodes import leaf_symbol, ref
from saltus.result.steps.passed import MYTHICAL, Impulses
from saltus.result.trajectories.rows import Rows
from saltus.run.engine.engine import Engine
from saltus.run.memory.trail import Footprint

#: What is computed twice from the same numbers may differ by rounding, and by what loops are solved to.
NO_DIFFERENCE = 1e-9

_Numbers = NDArray[np.float64]


class Step(NamedTuple):
    """A mode that an event has passed through: in which engine, the row of it, the truths of the relations,
    and the impulses with which it was entered."""

    engine: Engine
    kind: str
    row: _Numbers
    truths: _Numbers
    impulses: Impulses


class Reader:
    """Reads the numbers of one engine."""

    def __init__(self, engine: Engine) -> None:
        self._engine, memory = engine, engine.memory
        self._rows = Rows(memory.array, memory.layout)
        structure = engine.structure
        first = memory.first("relations")
        self._truths = slice(first, first + len(structure.relations))
        entry, slots = structure.entry, memory.layout.slots
        unknowns = entry.impulses.items() if entry is not None else ()
        self._impulses = [(variable.name, slots[ref(unknown)]) for variable, unknown in unknowns]
        columns = self._rows.columns.items()
        #: What users see of a row: the places, and the names.
        shown = [(place, leaf) for leaf, place in columns if not leaf_symbol(leaf).is_hidden]
        discrete = {ref(v.symbol) for v in structure.discretes}
        self.exact = {leaf_symbol(leaf).name: place for place, leaf in shown if leaf in discrete}
        algebraic = {ref(v.symbol) for v in (*structure.states, *structure.algebraics)}
        self.rounded = {leaf_symbol(leaf).name: place for place, leaf in shown if leaf in algebraic}

    def row(self, numbers: _Numbers) -> _Numbers:
        """The row that these numbers make."""
        return self._rows.of(numbers)

    def step(self, kind: str, numbers: _Numbers) -> Step:
        """The mode that the engine was in with these numbers."""
        impulses = tuple((name, float(numbers[slot])) for name, slot in self._impulses if numbers[slot])
        return Step(self._engine, kind, self.row(numbers), numbers[self._truths].copy(), impulses)


class Footprints:
    """Steps from footprints, in all engines of a run."""

    def __init__(self) -> None:
        self._readers: dict[Engine, Reader] = {}

    def reader(self, engine: Engine) -> Reader:
        """What reads the numbers of an engine."""
        if engine not in self._readers:
            self._readers[engine] = Reader(engine)
        return self._readers[engine]

    def steps(
        self, left: tuple[Engine, _Numbers], found: Sequence[tuple[Engine, Footprint]]
    ) -> Iterator[Step]:
        """The modes between the left limits, which an engine had in these numbers, and the last of what was
        `found`, which is where the event has ended: the informative ones."""
        *steps, last = [self.reader(engine).step(one.kind, one.numbers) for engine, one in found]
        passed = [step for step in steps if np.isfinite(step.row).all()]
        before = self.reader(left[0]).step("", left[1])
        kept: list[Step] = []
        for step in passed:
            previous = kept[-1] if kept else before
            if not self._alike(previous, step):
                kept.append(step)
            elif step.kind != MYTHICAL and kept:
                kept[-1] = step  # what was tried was kept
        while kept and self._alike(kept[-1], last):
            kept.pop()
        yield from kept

    def _alike(self, one: Step, other: Step) -> bool:
        """Whether users see no difference between two rows. What exists in one of the modes only is none: it
        follows from what makes the mode another. Impulses are of the way into a mode, not of the mode."""
        a, b = self.reader(one.engine), self.reader(other.engine)
        exact = _common(one.row, other.row, a.exact, b.exact)
        if not np.array_equal(*exact, equal_nan=True):
            return False
        near, far = _common(one.row, other.row, a.rounded, b.rounded)
        size = np.max(np.abs(near), initial=0.0, where=np.isfinite(near))
        within = NO_DIFFERENCE, NO_DIFFERENCE**2 * size
        return bool(np.allclose(near, far, *within, equal_nan=True))


def _common(
    one: _Numbers, other: _Numbers, a: dict[str, int], b: dict[str, int]
) -> tuple[_Numbers, _Numbers]:
    """The numbers of two rows that have the same names."""
    if a == b:
        places = list(a.values())
        return one[places], other[places]
    names = [name for name in a if name in b]
    return one[[a[name] for name in names]], other[[b[name] for name in names]]

"""Guards: where the values are that modes take for granted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any

from saltus.expr.helpers import Helper
from saltus.expr.nodes import Expr, Type, ref
from saltus.expr.show import show
from saltus.ir.hybrid import HybridModel
from saltus.ir.program import Layout
from saltus.ir.sorted.modes import Mode
from saltus.run.memory.memory import Memory


@lru_cache(maxsize=16)
def _parameters(model: HybridModel, layout: Layout) -> Mapping[Expr, int]:
    kinds = (Type.REAL, Type.BOOLEAN)
    # What a program keeps for quantities that are left open is its own.
    own = (v.symbol for v in model.parameters if v.symbol.helper is not Helper.HELD)
    found = (ref(symbol) for symbol in own if symbol.type in kinds)
    return {leaf: layout.slots[leaf] for leaf in found if leaf in layout.slots}


class Guards:
    """The guards in the memory of one program, by slots."""

    def __init__(self, memory: Memory) -> None:
        self._model = memory.structure.model
        self._layout, self._cells, self._slots = memory.layout, memory.cells, memory.layout.slots

    @cached_property
    def changing(self) -> dict[Expr, int]:
        """Where the values of mode guards are: relations, discrete variables and what these were before."""
        return self._slots_of(self._model.mode_guards())

    @cached_property
    def parameters(self) -> Mapping[Expr, int]:
        """Where the values of parameters are that a mode may take for granted too, Reals and truths."""
        return _parameters(self._model, self._layout)

    @cached_property
    def computed(self) -> dict[Expr, int]:
        """Where the values of variables are that a mode may take for granted where they are zero."""
        variables = (*self._model.algebraics, *self._model.states)
        return self._slots_of(ref(v.symbol) for v in variables if v.symbol.type is Type.REAL)

    def _slots_of(self, leaves: Iterable[Expr]) -> dict[Expr, int]:
        return {leaf: self._slots[leaf] for leaf in leaves if leaf in self._slots}

    def slot(self, guard: Expr) -> int:
        """Where the value is of what a mode takes for granted."""
        return self._slots[guard]

    def value(self, guard: Expr) -> float:
        """The value of what a mode takes for granted."""
        return self._cells[self._slots[guard]]

    def mode_named(self, fixed: Iterable[Sequence[Any]]) -> Mode:
        """The mode whose guards have these texts and values, as a file has them."""
        known = (*self.computed, *self.parameters, *self.changing)
        guards = {show(guard): guard for guard in known}
        return Mode.of({guards[text]: value for text, value in fixed})

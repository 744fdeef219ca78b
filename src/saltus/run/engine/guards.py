"""Guards: where the values are that modes take for granted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

from saltus.expr.helpers import Helper
from saltus.expr.nodes import Expr, Type, ref
from saltus.expr.show import show
from saltus.ir.structure import Mode
from saltus.run.memory.memory import Memory


class Guards:
    """The guards in the memory of one program, by slots."""

    def __init__(self, memory: Memory) -> None:
        self._model = memory.structure.model
        self._cells, self._slots = memory.cells, memory.layout.slots

    @cached_property
    def changing(self) -> dict[Expr, int]:
        """Where the values of mode guards are: relations, discrete variables and what these were before."""
        return self._slots_of(self._model.mode_guards())

    @cached_property
    def parameters(self) -> dict[Expr, int]:
        """Where the values of parameters are that a mode may take for granted too, Reals and truths."""
        kinds = (Type.REAL, Type.BOOLEAN)
        parameters = (v.symbol for v in self._model.parameters)
        # What a program keeps for quantities that are left open is its own.
        return self._slots_of(ref(s) for s in parameters if s.type in kinds and s.helper is not Helper.HELD)

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

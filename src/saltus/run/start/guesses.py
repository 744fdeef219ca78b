"""Start values that follow from other start values, where Newton's method has failed without them.

Users give start values for few variables, the angles and distances of a mechanism, say. What is computed from
these in the same loop, a rotation matrix or the length of a spring, begins with the default, zero, and a loop
that begins with matrices of zeros may lead nowhere. So the equations of a loop that could not be solved are
gone through once: one with a single unknown that has no value yet gives it one, definitions (`x = ...`)
before others in which it is linear. Where there is no such equation, an unknown keeps its default. A given
start value is not changed at first: it selects one of several solutions.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from saltus.expr.evaluate import NotEvaluable
from saltus.expr.nodes import Expr, Op, leaf_symbol
from saltus.expr.traversal import leaves
from saltus.ir.flat import Equation
from saltus.ir.sorted.blocks import Nonlinear
from saltus.ir.structure import WANTED_AS_STATE
from saltus.run.memory.memory import Memory

#: How well three values must lie on a line.
_STRAIGHT = 1e-9


#: The kinds of variables whose start values count. Components give start values on their own, and those of a
#: joint may contradict those of a spring between the same bodies: then the ones of wanted states are meant.
ALL, STATES = frozenset(WANTED_AS_STATE), frozenset({"prefer", "always"})


def follow_starts(
    memory: Memory, block: Nonlinear, start: NDArray[np.float64], counting: frozenset[str] = ALL
) -> bool:
    """Writes better start values for the unknowns of a block into the memory; `start` is what it began with,
    and what the block depends on is known in the memory. False if there is nothing better."""
    model = memory.structure.model
    variables = (*model.states, *model.algebraics)
    given = {v.symbol for v in variables if v.start is not None and v.state_select in counting}
    slots = memory.layout.slots
    for unknown in block.unknowns:
        memory.array[slots[unknown]] = start[slots[unknown]]
    still_open = {u for u in block.unknowns if u.op is not Op.REF or leaf_symbol(u) not in given}
    return _Following(memory, block.equations, still_open).done()


class _Following:
    def __init__(self, memory: Memory, equations: Sequence[Equation], still_open: set[Expr]) -> None:
        self.memory = memory
        self.equations = equations
        self.open = still_open
        self.slots = memory.layout.slots
        self.uses = [{*leaves(q.lhs), *leaves(q.rhs)} & still_open for q in equations]
        self.used_by: dict[Expr, list[int]] = {}
        for k, used in enumerate(self.uses):
            for x in used:
                self.used_by.setdefault(x, []).append(k)

    def done(self) -> bool:
        found = False
        ready = [k for k, used in enumerate(self.uses) if len(used) == 1]
        while self.open:
            ready = [k for k in ready if len(self.uses[k]) == 1]
            ready.sort(key=lambda k: self._definition(k) is None)  # stable: else in the order of the text
            for k in ready:
                (x,) = self.uses[k]
                value = self._value(k, x)
                if value is not None:
                    self.memory.array[self.slots[x]] = value
                    found = True
                    break
            else:  # the one that most equations wait for
                x = max(self.open, key=lambda x: (len(self.used_by.get(x, ())), -self.slots[x]))
            self.open.discard(x)
            for k in self.used_by.get(x, ()):
                self.uses[k].discard(x)
                if len(self.uses[k]) == 1:
                    ready.append(k)
        return found

    def _definition(self, k: int) -> Expr | None:
        """What the one open unknown of an equation is said to be."""
        q = self.equations[k]
        (x,) = self.uses[k]
        for side, other in ((q.lhs, q.rhs), (q.rhs, q.lhs)):
            if side is x and x not in leaves(other):
                return other
        return None

    def _value(self, k: int, x: Expr) -> float | None:
        """The value that an equation gives to its one open unknown."""
        other = self._definition(k)
        if other is not None:
            value = self.memory.number(other, math.nan)
            return value if math.isfinite(value) else None
        slot = self.slots[x]
        kept = self.memory.array[slot]
        residuals = []
        for trial in (0.0, 1.0, 2.0):
            self.memory.array[slot] = trial
            residuals.append(self._residual(k))
        self.memory.array[slot] = kept
        at0, at1, at2 = residuals
        slope = at1 - at0
        if not all(map(math.isfinite, residuals)) or not slope:
            return None
        if abs(at2 - at1 - slope) > _STRAIGHT * max(abs(at2), abs(at1), abs(at0)):
            return None
        value = -at0 / slope
        return value if math.isfinite(value) else None

    def _residual(self, k: int) -> float:
        q = self.equations[k]
        try:
            return float(self.memory.evaluate(q.lhs)) - float(self.memory.evaluate(q.rhs))
        except (NotEvaluable, ArithmeticError, ValueError, TypeError):
            return math.nan

"""A loop in few unknowns, where Newton's method on all of it has led to what the model forbids.

Newton's method takes every equation for linear, also one that merely defines something, such as an enthalpy
or the length of a spring, `l = sqrt(x^2 + y^2 + z^2)`. Far from the solution all of them are violated at the
same time, and the way may lead anywhere: to another root of the polynomial of a medium, at -747 K. Here an
equation that is linear in one unknown, with a constant factor, gives that unknown its value (in the order of
a greedy tearing), whatever its other terms are. What remains are a few equations for a few unknowns that
begin with the start values that were given, and they are solved by Powell's hybrid method ("A hybrid method
for nonlinear equations", 1970), which does not run away from its start.

The interpreter does this, only to find start values: Newton's method continues from there.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from saltus.expr.nodes import Expr, Op, leaf_symbol
from saltus.expr.traversal import leaves
from saltus.ir.sorted.blocks import Nonlinear
from saltus.run.memory.memory import Memory

#: Equations, and unknowns that remain: beyond that it takes too long.
MOST_EQUATIONS, MOST_UNKNOWNS = 400, 24

#: How far the residuals must have come down, of what they were at the start.
ENOUGH = 1e-6


def follow_definitions(memory: Memory, block: Nonlinear) -> bool:
    """Whether values were found that satisfy the equations of a block, by what defines what. They are in the
    memory then; it begins with those that are there."""
    if len(block.unknowns) > MOST_EQUATIONS:
        return False
    order = _Order(memory, block)
    if not 0 < len(order.torn) <= MOST_UNKNOWNS:
        return False
    return _Reduced(memory, block, order).solve()


class _Order:
    """Which equation defines which unknown, one after the other; which unknowns are torn."""

    def __init__(self, memory: Memory, block: Nonlinear) -> None:
        model = memory.structure.model
        given = {v.symbol for v in (*model.states, *model.algebraics) if v.start is not None}
        column = {x: j for j, x in enumerate(block.unknowns)}
        self._used = [{column[x] for x in leaves(r) if x in column} for r in block.residuals]
        self._users: list[list[int]] = [[] for _ in block.unknowns]
        for i, used in enumerate(self._used):
            for j in used:
                self._users[j].append(i)
        self.slopes = _constant_slopes(block, column)
        self._given = {j for j, x in enumerate(block.unknowns) if leaf_symbol(x) in given}
        self.inner: list[tuple[int, int]] = []
        self.torn: list[int] = []
        self._run(len(block.unknowns))
        rows = {i for i, _ in self.inner}
        self.residuals = [i for i in range(len(block.residuals)) if i not in rows]

    def _run(self, size: int) -> None:
        open_ = [set(used) for used in self._used]
        known: set[int] = set()
        ready = [i for i in range(size) if len(open_[i]) == 1]

        def determine(j: int) -> None:
            known.add(j)
            for i in self._users[j]:
                open_[i].discard(j)
                if len(open_[i]) == 1:
                    ready.append(i)

        while len(known) < size:
            while ready:
                i = ready.pop()
                found = next(iter(open_[i]), None) if len(open_[i]) == 1 else None
                if found is not None and (i, found) in self.slopes:
                    self.inner.append((i, found))
                    determine(found)
            if len(known) < size:
                j = max((j for j in range(size) if j not in known), key=lambda j: self._merit(j, open_))
                self.torn.append(j)
                determine(j)

    def _merit(self, j: int, open_: Sequence[Collection[int]]) -> tuple[bool, int, int]:
        """Unknowns with start values first; of these, the one from which most others follow at once."""
        rows = self._users[j]
        follow = {k for i in rows if len(open_[i]) == 2 for k in open_[i] if k != j and (i, k) in self.slopes}
        return (j in self._given, len(follow), -j)


def _constant_slopes(block: Nonlinear, column: dict[Expr, int]) -> dict[tuple[int, int], float]:
    """The unknowns that a residual contains linearly, with a constant factor that is not zero."""
    found: dict[tuple[int, int], float] = {}
    if block.jacobian is not None:
        return {(i, j): float(e.data) for i, j, e in block.jacobian if e.op is Op.CONST and e.data}
    for i, q in enumerate(block.equations):
        for side, other, slope in ((q.lhs, q.rhs, 1.0), (q.rhs, q.lhs, -1.0)):
            if side in column and side not in leaves(other):
                found[i, column[side]] = slope
    return found


class _Reduced:
    """The equations that remain, as a function of the unknowns that do."""

    def __init__(self, memory: Memory, block: Nonlinear, order: _Order) -> None:
        self._memory = memory
        self._block = block
        self._order = order
        self._slots = [memory.layout.slots[x] for x in block.unknowns]
        nominals = [abs(memory.number(e, 1.0)) or 1.0 for e in block.nominals]
        self._scales = np.array([nominals[j] for j in order.torn])

    def solve(self) -> bool:
        """Whether a solution was found; it is in the memory."""
        from scipy.optimize import root  # takes long to import, and few runs come here

        cells = self._memory.array
        kept = cells.copy()
        start = np.array([cells[self._slots[j]] for j in self._order.torn]) / self._scales
        first = self._residuals(start)
        rest = first
        if np.all(np.isfinite(first)):
            try:
                rest = self._residuals(root(self._residuals, start, method="hybr").x)
            except (ArithmeticError, ValueError):
                rest = first
        largest = float(np.max(np.abs(first)))
        if math.isfinite(largest) and float(np.max(np.abs(rest))) <= ENOUGH * max(largest, ENOUGH):
            return True
        cells[:] = kept
        return False

    def _residuals(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        cells, number = self._memory.array, self._memory.number
        for j, value in zip(self._order.torn, x * self._scales, strict=True):
            cells[self._slots[j]] = value
        for i, j in self._order.inner:
            cells[self._slots[j]] = 0.0
            rest = number(self._block.residuals[i], math.nan)
            cells[self._slots[j]] = -rest / self._order.slopes[i, j]
        return np.array([number(self._block.residuals[i], math.nan) for i in self._order.residuals])

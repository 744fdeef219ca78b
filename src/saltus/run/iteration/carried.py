"""What goes with a state that is reinitialised where the mode ties that state to others.

A `reinit` leaves other states as they are, and what follows from the state that it sets goes with it: with b
goes `E = b^2`, and `der(J) = der(E)` says nothing of that. Where the mode ties b to something with inertia,
or moves it by itself, it is a blow besides: the mode is entered again, from left limits in which b has its
new value. What follows from b has to have its own by then, or it would be taken for something that the
impulses move, and J with it. That matters for variables under `der()` only: nothing else has an inertia.

What follows from the states is told by the general program, in which everything that is reinitialised is a
state. Its equations are solved here, by Newton's method where there are several: few runs come here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np

from saltus.expr.evaluate import NotEvaluable
from saltus.expr.nodes import Expr, Op, Symbol, ref
from saltus.expr.traversal import leaves
from saltus.ir.sorted.blocks import Block, Explicit, block_expressions
from saltus.ir.structure import Structure
from saltus.run.memory.memory import Memory

#: Newton's method: steps at most, when it has arrived, and the differences that its slopes are taken from.
MOST_REFINED, ARRIVED, CARRIED_STEP = 30, 1e-12, 1e-7


class Tied(Protocol):
    """What is asked of the mode of an engine, which is `saltus.run.engine.engine_mode.EngineMode`."""

    @property
    def is_tied(self) -> bool: ...

    @property
    def may_be_struck(self) -> bool: ...


class Carried:
    """What follows from the states of a general program that are reinitialised."""

    def __init__(self, general: Structure) -> None:
        moving = {ref(j.state) for j in general.model.jumps}
        unknown: set[Expr] = set()
        found: list[tuple[Block, set[Expr]]] = []
        for block in general.blocks if moving else ():
            used = {leaf for e in block_expressions(block) for leaf in leaves(e)}
            if used.isdisjoint(moving) and used.isdisjoint(unknown):
                continue
            if used.isdisjoint(unknown) and all(u.op is Op.REF for u in block.unknowns):
                found.append((block, used))
                moving.update(block.unknowns)
            else:
                unknown.update(block.unknowns)
        reduction = general.reduction
        needed = {ref(v.symbol) for v in reduction.demoted} if reduction is not None else set()
        #: What has to be solved, in this order, with what it depends on.
        self._blocks: list[tuple[Block, set[Expr]]] = []
        for block, used in reversed(found):
            if not needed.isdisjoint(block.unknowns):
                self._blocks.insert(0, (block, used))
                needed |= used

    def is_by_hand(self, mode: Tied) -> bool:
        """Whether events in a mode are beyond the driver's reach, since something is reinitialised that is no
        state there, or takes along more than the mode moves."""
        return mode.may_be_struck or (mode.is_tied and bool(self._blocks))

    def carry(self, memory: Memory, jumped: Iterable[Symbol]) -> None:
        """Gives all that follows from states that have jumped its value, in the memory of any program."""
        moved = {ref(state) for state in jumped}
        for block, used in self._blocks:
            if not moved.isdisjoint(used):
                if not _solved(memory, block):
                    return  # in another mode, perhaps, there are values
                moved.update(block.unknowns)


def _solved(memory: Memory, block: Block) -> bool:
    """Whether the unknowns of a block have got their values in the memory."""
    slots = [memory.layout.slots.get(unknown) for unknown in block.unknowns]
    known = [slot for slot in slots if slot is not None]
    if len(known) < len(slots):
        return False
    before = memory.array[known].copy()
    try:
        if isinstance(block, Explicit):
            memory.cells[known[0]] = float(memory.evaluate(block.value))
            return True
        if _arrives(memory, known, [q.residual for q in block.equations]):
            return True
    except (NotEvaluable, ArithmeticError, ValueError, np.linalg.LinAlgError):
        pass
    memory.array[known] = before
    return False


def _arrives(memory: Memory, slots: Sequence[int], residuals: Sequence[Expr]) -> bool:
    """Whether Newton's method arrives at a solution, from the values that are in the memory."""
    cells = memory.cells
    for _ in range(MOST_REFINED):
        left = np.array([float(memory.evaluate(e)) for e in residuals])
        slopes = np.empty((len(residuals), len(slots)))
        for j, slot in enumerate(slots):
            value = cells[slot]
            step = CARRIED_STEP * (abs(value) or 1.0)
            cells[slot] = value + step
            slopes[:, j] = (np.array([float(memory.evaluate(e)) for e in residuals]) - left) / step
            cells[slot] = value
        change = np.linalg.solve(slopes, left)
        if not np.isfinite(change).all():
            return False
        values = memory.array[list(slots)]
        memory.array[list(slots)] = values - change
        if np.abs(change).max() <= ARRIVED * (float(np.abs(values).max()) or 1.0):
            return True
    return False

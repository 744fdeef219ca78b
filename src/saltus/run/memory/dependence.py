"""Which memory slots the continuous behaviour depends on and only events change.

An event that leaves all of them as they were cannot have changed the differential equations, so the
integrator continues without a restart. (To compare derivatives at the instant would not do: a spring that
touches the wall has the same force as the free one there, and the integrator has already stepped past.) The
answers are kept for further runs of the same structure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from saltus.expr.nodes import TERMINAL, TIME, Expr, Op, der, leaf_symbol, ref
from saltus.expr.traversal import leaves
from saltus.ir.hybrid import is_step
from saltus.ir.program import Layout
from saltus.ir.sorted.blocks import Block, Leading, block_expressions
from saltus.ir.structure import Structure

#: What is found about a program is kept for so many of them: a run with code for each mode may go through
#: dozens, again and again.
KEPT = 64

_EVENT_ONLY = (
    "discretes",
    "pre_states",
    "pre_discretes",
    "pre_algebraics",
    "relations",
    "presumed",
    "clocks",
    "flags",
)


@lru_cache(maxsize=KEPT)
def mode_slots(structure: Structure, layout: Layout) -> NDArray[np.intp]:
    """Slots of what only events change and the state derivatives need."""
    wanted = {leaf for block in structure.blocks for leaf in block.unknowns if leaf.op is Op.DER}
    return _reached(structure, layout, wanted)


@lru_cache(maxsize=KEPT)
def jacobian_is_fixed(structure: Structure) -> bool:
    """Whether only events change the Jacobian, by what makes the integrator start anew: it is computed from
    nothing that moves between them."""
    jacobian, model = structure.jacobian, structure.model
    if jacobian is None or jacobian.tangents is None or model.delays or model.transports:
        return False
    moving = {TIME, *(ref(v.symbol) for v in structure.states)}
    kept = {ref(v.symbol) for v in structure.discretes}
    for block in structure.blocks:
        if kept.isdisjoint(block.unknowns) and not _leaves(block).isdisjoint(moving):
            moving.update(block.unknowns)
    return all(_leaves(tangent).isdisjoint(moving) for tangent, _ in jacobian.tangents.blocks)


def _leaves(block: Block) -> set[Expr]:
    return {leaf for e in block_expressions(block) for leaf in leaves(e)}


@lru_cache(maxsize=256)
def dependent_slots(structure: Structure, layout: Layout, wanted: frozenset[Expr]) -> NDArray[np.intp]:
    """Slots of what only events change and the course of the wanted leaves depends on, at once or in the long
    run: through states, and those themselves, since they may be reinitialised."""
    home = _homes(structure)
    states = {ref(v.symbol) for v in structure.states}
    event_only = _event_only(layout)
    seen: set[Expr] = set()
    found: set[int] = set()
    stack = list(wanted)
    while stack:
        leaf = stack.pop()
        if leaf in seen:
            continue
        seen.add(leaf)
        slot = event_only(leaf)
        if slot is not None:
            found.add(slot)
        elif leaf in states:
            found.add(layout.slots[leaf])
            stack.append(der(leaf))
        elif leaf in home:
            stack.extend(home[leaf])
    return np.array(sorted(found), dtype=np.intp)


def _event_only(layout: Layout) -> Callable[[Expr], int | None]:
    """The slot of a leaf, if only events change it."""
    sections = [layout.sections[name] for name in _EVENT_ONLY if name in layout.sections]

    def slot_of(leaf: Expr) -> int | None:
        slot = layout.slots.get(leaf)
        inside = slot is not None and any(first <= slot < first + length for first, length in sections)
        return slot if inside else None

    return slot_of


@lru_cache(maxsize=KEPT)
def _homes(structure: Structure) -> dict[Expr, list[Expr]]:
    """For each unknown the leaves that its block is computed from."""
    found: dict[Expr, list[Expr]] = {}
    for block in structure.blocks:
        used = [leaf for e in block_expressions(block) for leaf in leaves(e)]
        for unknown in block.unknowns:
            found.setdefault(unknown, []).extend(used)
    return found


@lru_cache(maxsize=KEPT)
def numbers_in_parts(structure: Structure) -> NDArray[np.int64]:
    """The number of each state among those of its part. States of different parts have nothing to do with
    each other between events: no derivative, no other variable and no residue depends on both."""
    parts = _Parts(structure)
    counts: dict[Expr, int] = {}
    numbers = np.empty(len(structure.states), dtype=np.int64)
    for k, v in enumerate(structure.states):
        part = parts.of(ref(v.symbol))
        numbers[k] = counts[part] = counts.get(part, -1) + 1
    return numbers


@lru_cache(maxsize=KEPT)
def parts_of_relations(structure: Structure) -> tuple[int, ...]:
    """The part that each relation belongs to, by a number; all that depend on no state are one."""
    parts = _Parts(structure)
    numbers: dict[Expr | None, int] = {}
    found: list[int] = []
    for r in structure.model.relations:
        leaf = parts.first_of(r.residue)
        found.append(numbers.setdefault(None if leaf is None else parts.of(leaf), len(numbers)))
    return tuple(found)


class _Parts:
    """What depends on states in parts that have nothing to do with each other between events."""

    def __init__(self, structure: Structure) -> None:
        self._parents: dict[Expr, Expr] = {}
        #: What tails of a system depend on: only who reads one of them joins all that.
        self._of_tail: dict[Expr, list[Expr]] = {}
        for v in structure.states:
            x = ref(v.symbol)
            self._parents[x] = self._parents[der(x)] = x
        # Blocks are sorted, so what comes before one is known to follow from states, or not to.
        for block in structure.blocks:
            for unknowns, expressions in _solved_together(block):
                varying = {leaf for leaf in (*self._read(*expressions), *unknowns) if leaf in self._parents}
                if varying:
                    self._parents.update((x, x) for x in unknowns if x not in self._parents)
                    self._join((*varying, *unknowns))
            if isinstance(block, Leading):
                self._note_tails(block)
        for r in structure.model.relations:
            self._join(leaf for leaf in self._read(r.residue) if leaf in self._parents)

    def _note_tails(self, block: Leading) -> None:
        variables = (*block.values, *block.algebraics)
        for row, column in block.signature.tails:
            own = (variables[p.column] for p in block.signature.pairs_of(row) if p.column != column)
            self._of_tail[variables[column]] = list(self._read(*own, *block.given(row)))

    def _read(self, *expressions: Expr) -> dict[Expr, None]:
        """The leaves of expressions, those that tails depend on in their place."""
        found: dict[Expr, None] = {}
        for leaf in (leaf for e in expressions for leaf in leaves(e)):
            found.update(dict.fromkeys(self._of_tail.get(leaf, (leaf,))))
        return found

    def first_of(self, e: Expr) -> Expr | None:
        """A leaf that an expression depends on and that belongs to a part."""
        return next((leaf for leaf in self._read(e) if leaf in self._parents), None)

    def of(self, leaf: Expr) -> Expr:
        """A leaf that stands for the part."""
        parents = self._parents
        while (parent := parents[leaf]) is not leaf:
            parents[leaf] = leaf = parents[parent]
        return leaf

    def _join(self, together: Iterable[Expr]) -> None:
        first = None
        for leaf in together:
            part = self.of(leaf)
            first = first or part
            self._parents[part] = first


def _solved_together(block: Block) -> Iterator[tuple[Sequence[Expr], Sequence[Expr]]]:
    """Unknowns that a block determines from some expressions: all of them, or those of each part of a system
    that finds its structure by numbers."""
    if not isinstance(block, Leading):
        yield block.unknowns, tuple(block_expressions(block))
        return
    signature = block.signature
    variables = (*block.values, *block.algebraics)
    for part in signature.parts:
        first, past = signature.row_starts[part.rows[0]], signature.row_starts[part.rows[-1] + 1]
        slopes = (pair.slope for pair in signature.pairs[first:past])
        given = (e for row in part.rows for e in block.given(row))
        rates = (block.rates[k] for k in part.columns if k < signature.states)
        yield (*(variables[k] for k in part.columns), *rates), (*slopes, *given)


@lru_cache(maxsize=KEPT)
def remembered_relations(structure: Structure) -> frozenset[int]:
    """The relations that something with a memory depends on, by index: variables that are asked for their
    values before an event, what is reinitialised, the end of the run. The others choose between branches of
    equations, or between the whole numbers of `floor`, from one moment to the next."""
    model = structure.model
    discretes = {ref(v.symbol) for v in model.discretes}
    defined: dict[Expr, list[Expr]] = {}
    pending: list[Expr] = []
    for q in model.equations:
        used = [*leaves(q.lhs), *leaves(q.rhs)]
        for side in {q.lhs, q.rhs} & discretes or {*used} & discretes:
            defined.setdefault(side, []).extend(used)
    for e in model.expressions():
        asked = (leaf.args[0] for leaf in leaves(e) if leaf.op is Op.PRE)
        pending += (leaf for leaf in asked if not is_step(leaf_symbol(leaf)))
    for jump in model.jumps:
        pending += (*leaves(jump.condition), *leaves(jump.value))
    for ending in model.endings:
        pending += leaves(ending.condition)
    seen: set[Expr] = set()
    while pending:
        leaf = pending.pop()
        if leaf not in seen:
            seen.add(leaf)
            pending += defined.get(leaf, ())
    return frozenset(k for k, r in enumerate(model.relations) if ref(r.symbol) in seen)


@lru_cache(maxsize=KEPT)
def uses_terminal(structure: Structure) -> bool:
    """Whether anything asks for terminal()."""
    return _asks_for(structure, TERMINAL)


def moves_with_time(structure: Structure) -> bool:
    """Whether something depends on time, or happens when a clock ticks."""
    return bool(structure.model.clocks) or _asks_for(structure, TIME)


def _asks_for(structure: Structure, leaf: Expr) -> bool:
    seen: set[Expr] = set()
    stack = list(structure.model.expressions())
    while stack:
        node = stack.pop()
        if node not in seen:
            if node is leaf:
                return True
            seen.add(node)
            stack.extend(node.args)
    return False


def _reached(structure: Structure, layout: Layout, wanted: Iterable[Expr]) -> NDArray[np.intp]:
    event_only = _event_only(layout)
    needed = set(wanted)
    found: set[int] = set()

    def meet(leaf: Expr) -> None:
        slot = event_only(leaf)
        if slot is not None:
            found.add(slot)

    for leaf in needed:
        meet(leaf)
    discretes = layout.sections.get("discretes", (0, 0))
    # Blocks are sorted, so one pass from the back sees every block after all that use it.
    for block in reversed(structure.blocks):
        if needed.isdisjoint(block.unknowns):
            continue
        slot = layout.slots.get(block.unknowns[0], -1)
        if discretes[0] <= slot < discretes[0] + discretes[1]:
            continue  # itself one of the slots that count; what it comes from does not matter
        for e in block_expressions(block):
            for leaf in leaves(e):
                if leaf not in needed:
                    needed.add(leaf)
                    meet(leaf)
    return np.array(sorted(found), dtype=np.intp)

"""The mode of one program: entering it, being in it and leaving it. `saltus.run.modes` decides in which mode
a run continues.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

from saltus.expr.nodes import FALSE, INITIAL, TERMINAL, TRUE, Expr, Op, Symbol, Type, ref
from saltus.expr.traversal import leaves, substitute
from saltus.ir.flat import Equation
from saltus.ir.sorted.blocks import block_expressions
from saltus.ir.sorted.modes import Fixing
from saltus.run.engine.guards import Guards
from saltus.run.memory.memory import Memory
from saltus.run.memory.relations import Relations

#: The code of checks on equations that a mode has in excess.
CONTRADICTION = "E410"


class EngineMode:
    """The mode that one program is made for."""

    def __init__(self, memory: Memory, relations: Relations) -> None:
        self._memory, self._relations = memory, relations
        self._structure = structure = memory.structure
        #: Where the values are that modes take for granted.
        self.guards = Guards(memory)
        #: The truths of the relations that the model itself has.
        self.truths = memory.section("relations")[: len(structure.relations)]
        entry = structure.entry
        #: The relations that are held while the mode is tentative: without an entry nothing jumps, and
        #: impulses decide in any case.
        self.held = [k for k in structure.inert if k not in entry.decides] if entry is not None else []
        checks = enumerate(structure.model.checks)
        #: The checks on equations that the mode has in excess.
        self.excess = [k for k, check in checks if check.code == CONTRADICTION]

    def hold(self, *, holding: bool) -> None:
        """What is inert keeps its truth, or does not: a side that is held decides as an impulse does."""
        cells, relations = self._memory.cells, self._relations
        impulses = self._memory.first("relation_impulses")
        for k in self.held:
            above = cells[relations.truth + k] == relations.truth_on(k, 1.0)
            cells[impulses + k] = (1.0 if above else -1.0) if holding else 0.0

    def impulses(self) -> Iterator[tuple[str, float]]:
        """The impulses with which the mode was entered, by name, where there are any."""
        entry, cells, slots = self._structure.entry, self._memory.cells, self._memory.layout.slots
        for variable, unknown in entry.impulses.items() if entry is not None else ():
            weight = cells[slots[ref(unknown)]]
            if weight:
                yield variable.name, weight

    def no_impulses(self) -> None:
        """Nothing jumps in this round."""
        entry, memory = self._structure.entry, self._memory
        for unknown in entry.impulses.values() if entry is not None else ():
            memory.store(unknown, 0.0)

    def in_force(self, q: Equation) -> Equation:
        """An equation with the branches that hold, where the program follows guards by itself."""
        values = {x: self.guards.value(x) for x in self._structure.local if x.type is Type.BOOLEAN}
        known = {x: TRUE if value else FALSE for x, value in values.items()}
        return replace(q, lhs=substitute(q.lhs, known), rhs=substitute(q.rhs, known))

    @property
    def keeps_open(self) -> bool:
        """Whether values are kept for what the mode leaves open."""
        return self._structure.open is not None and bool(self._structure.open.kept)

    @cached_property
    def carries(self) -> bool:
        """Whether what follows from reinitialised states goes with them. Where a `reinit` would make the mode
        move the very states that it sets, since they are tied to others that have inertia, it is a blow
        instead: those share it, and what is tied has its left limits when the mode is entered again."""
        entry, model = self._structure.entry, self._structure.model
        return entry is not None and not any(entry.moves_itself(j.state) for j in model.jumps)

    @property
    def is_tied(self) -> bool:
        """Whether what is reinitialised may be moved by the mode itself as soon as that is entered again."""
        return self.may_be_struck or (self._structure.entry is not None and not self.carries)

    @property
    def may_be_struck(self) -> bool:
        """Whether something is reinitialised that is no state in this program: the driver does not see it."""
        reduction = self._structure.reduction
        return reduction is not None and bool(reduction.jumps)

    def struck(self) -> list[tuple[Symbol, float]]:
        """What is reinitialised at this instant but follows from other states in this mode, with new values:
        a block that sticks is struck by a hammer. They are left limits of the next round, in which the mode
        may turn out to be another."""
        reduction, memory, slots = self._structure.reduction, self._memory, self._memory.layout.slots
        found: list[tuple[Symbol, float]] = []
        for jump in reduction.jumps if reduction is not None else ():
            if ref(jump.state) in slots and memory.evaluate(self._during_run(jump.condition)):
                found.append((jump.state, float(memory.evaluate(self._during_run(jump.value)))))
        return found

    def _during_run(self, e: Expr) -> Expr:
        """An expression that can be evaluated at an event. What did not change at this instant has its left
        limit still, if there is no place for that."""
        slots = self._memory.layout.slots
        known = {leaf: leaf.args[0] for leaf in leaves(e) if leaf.op is Op.PRE and leaf not in slots}
        return substitute(e, {**known, INITIAL: FALSE, TERMINAL: FALSE})

    def is_left_natively(self, fixing: Fixing) -> bool:
        """Whether native code notices when guards lead to another program, and nothing jumps as long as they
        do not."""
        structure = self._structure
        if not set(fixing.leading_out_of(structure.mode)) <= set(structure.mode_exits):
            return False
        if structure.entry is None:
            return True
        if structure.model.jumps:
            return False
        discrete = {ref(v.symbol) for v in structure.discretes} | {ref(r.symbol) for r in structure.relations}
        used = (x for b in structure.entry.blocks for e in block_expressions(b) for x in leaves(e))
        return not any((x.args[0] if x.op is Op.PRE else x) in discrete for x in used)

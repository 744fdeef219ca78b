"""Sorted blocks to tasks that solve them."""

from __future__ import annotations

from saltus.emit.layout.rolling import Unit
from saltus.emit.layout.schedule import cost
from saltus.emit.loops.newton import newton
from saltus.emit.loops.torn import TornMatrix, untorn
from saltus.emit.routines.numeric_systems import NumericSystem
from saltus.emit.routines.routines import Routines
from saltus.emit.routines.tasks import Task, verbatim
from saltus.emit.straight.sharing import Section
from saltus.expr.nodes import ZERO, Expr, Op, Symbol, Type, or_, ref, relation
from saltus.expr.traversal import leaves
from saltus.ir.native.contract import Counter
from saltus.ir.program import If, Invoke, Statement, Store
from saltus.ir.sorted.blocks import (
    Block,
    Explicit,
    Leading,
    Leap,
    Linear,
    Nonlinear,
    Switched,
    Tearing,
    block_expressions,
)


class Blocks:
    """What solves a block, in whichever routine it is needed."""

    def __init__(self, made: Routines, system: NumericSystem) -> None:
        self._made, self._system = made, system
        self._switched_cases: dict[tuple[Switched, bool, bool], If] = {}
        #: For each loop that an event solves only if something has changed: 1 if it must be solved anyway.
        self.stale: list[Expr] = []

    def block(
        self,
        block: Block,
        wanted: frozenset[Expr] | None = None,
        *,
        may_jump: bool = True,
        puts_back: bool = True,
    ) -> Task:
        """Solves a block. Where not all of its unknowns are `wanted`, inner ones of a torn loop are left."""
        if isinstance(block, Linear | Nonlinear):
            inside = self._made.domains.loop(block)
            if inside is not block:
                self._made.statuses[inside] = self._made.statuses[block]
                block = inside
        match block:
            case Switched():
                return self._switched(block, may_jump=may_jump, puts_back=puts_back)
            case Explicit(unknown, value, _):
                if unknown.type is Type.STRING:
                    return Task((), 0, lambda section: None)  # text is for messages, not for the run
                return self._made.store(unknown, value)
            case Linear():
                return Task(block_expressions(block), cost(block), lambda s: self._linear(block, wanted, s))
            case Leading():
                return self._system.leading(block)
            case Leap():
                return self._system.leap(block)
            case Nonlinear():
                status = self._made.statuses[block]
                continuation = self._made.memory.counters[Counter.CONTINUATION]
                return Task(
                    block_expressions(block),
                    cost(block),
                    lambda s: newton(
                        block,
                        self._made.memory.slots,
                        status,
                        continuation,
                        s,
                        may_jump=may_jump,
                        puts_back=puts_back,
                    ),
                )

    def moving(self, block: Block, wanted: frozenset[Expr]) -> Task:
        """A block in a routine that the integrator calls: values do not jump there."""
        return self.block(block, wanted, may_jump=False)

    def _switched(self, block: Switched, *, may_jump: bool, puts_back: bool) -> Task:
        """Solves what belongs to the case that holds."""

        def append(section: Section) -> None:
            section.statements.append(self._cases(block, may_jump=may_jump, puts_back=puts_back))

        unit: Unit | None = None
        if all(isinstance(inner, Explicit) for inner in block.inner):
            own = [(c.condition, [b for b in c.blocks if isinstance(b, Explicit)]) for c in block.cases]
            unit = Unit(tuple((c, tuple((b.unknown, b.value) for b in inner)) for c, inner in own))
        return Task((), cost(block), append, unit)

    def _cases(self, block: Switched, *, may_jump: bool, puts_back: bool) -> If:
        """The choice between cases. Each is a routine of its own, shared by all that need it, since it keeps
        what it computes in the memory."""
        differs = any(isinstance(inner, Nonlinear) for inner in block.inner)
        key = block, may_jump or not differs, puts_back or not differs
        if key not in self._switched_cases:
            number = len(self._switched_cases) + 1
            branches: list[tuple[Expr, tuple[Statement, ...]]] = []
            for k, case in enumerate(block.cases, 1):
                name = f"case_{number}_{k}"
                tasks = [self.block(b, may_jump=may_jump, puts_back=puts_back) for b in case.blocks]
                self._made.routine(name, tasks)
                branches.append((case.condition, (Invoke(name),)))
            self._switched_cases[key] = If(tuple(branches))
        return self._switched_cases[key]

    def if_changed(self, block: Block) -> Task:
        """For passes at an event: a loop is solved again only if something has changed that it depends on."""
        if isinstance(block, Explicit | Switched | Leading | Leap):
            return self.block(block)
        own = {*block.unknowns, *self._made.parameters}
        used = dict.fromkeys(x for e in block_expressions(block) for x in leaves(e) if x not in own)
        name = f"loop_{self._made.statuses[block]}"
        if not used:
            return self.block(block)
        self._made.routine(name, [self.block(block)])
        stale = ref(Symbol(f"{name}[stale]"))
        self._made.memory.append(stale)
        self.stale.append(stale)
        stored: list[Statement] = [Store(self._made.memory.slots[stale], ZERO)]
        changed: list[Expr] = [relation(Op.NE, stale, ZERO)]
        for k, x in enumerate(used):
            known = ref(Symbol(f"{name}[{k}]", x.type))
            self._made.memory.append(known)
            changed.append(relation(Op.NE, x, known))
            stored.append(Store(self._made.memory.slots[known], x))
        return verbatim([If(((or_(*changed), (Invoke(name), *stored)),))])

    def _linear(self, block: Linear, wanted: frozenset[Expr] | None, section: Section) -> None:
        tearing = block.tearing or untorn(len(block.unknowns))
        torn = TornMatrix(block.matrix, tearing, section, self._made.statuses[block])
        right = {i: section.atom(e) for i, e in enumerate(block.right)}
        values = torn.solve(torn.insert_right(right))
        slots, unknowns = self._made.memory.slots, block.unknowns
        for j, value in zip(tearing.columns, values, strict=True):
            section.statements.append(Store(slots[unknowns[j]], value))
        for i, j in _wanted_inner(block, tearing, wanted):
            value = section.value(torn.inner_value(i, j, right[i], unknowns))
            section.statements.append(Store(slots[unknowns[j]], value))


def _wanted_inner(block: Linear, tearing: Tearing, wanted: frozenset[Expr] | None) -> list[tuple[int, int]]:
    """The inner unknowns that are wanted, or that a wanted one follows from."""
    if wanted is None:
        return list(tearing.inner)
    used = {j for j, x in enumerate(block.unknowns) if x in wanted}
    columns: dict[int, list[int]] = {}
    for i, j, _ in block.matrix:
        columns.setdefault(i, []).append(j)
    found: list[tuple[int, int]] = []
    for i, j in reversed(tearing.inner):
        if j in used:
            used.update(columns[i])
            found.append((i, j))
    return found[::-1]

"""Routines made of tasks, in the memory of one program: straight-line code, cut where it is long, and loops
where many tasks are alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from saltus.emit.layout import rolling
from saltus.emit.layout.invariants import Invariants
from saltus.emit.layout.layout import Memory
from saltus.emit.layout.rolling import Shape, Unit, runs
from saltus.emit.layout.splitting import cut
from saltus.emit.routines.tasks import Task, pieces
from saltus.emit.straight.domains import Domains
from saltus.emit.straight.functions import FunctionTable
from saltus.emit.straight.sharing import Contains, Locals, Section, may_fail
from saltus.expr.nodes import TRUE, Expr, Op, Symbol, leaf_symbol, ref
from saltus.expr.traversal import transform
from saltus.ir.program import Assign, Each, If, Invoke, Routine, Statement, Store
from saltus.ir.sorted.blocks import Block, Explicit
from saltus.ir.structure import Structure


class Routines:
    """The routines of a program while it is made, and what they share: the memory, user functions, what is
    computed before the run."""

    def __init__(self, structure: Structure, *, entered: bool = False) -> None:
        self.structure, self.entered = structure, entered
        self.memory = Memory(structure)
        self.functions = FunctionTable()
        self.parameters = _fixed_parameters(structure)
        self.invariants = Invariants(self.parameters, self.memory)
        self.routines: dict[str, Routine] = {}
        #: Of what has to be solved: the status that says it has no solution; and what each status stands for.
        self.statuses: dict[Block, int] = {}
        self.failures: dict[int, object] = {}
        self.domains = Domains(structure)
        equations = structure.signature.size if structure.signature is not None else 0
        self._may_roll = len(structure.blocks) + equations >= rolling.LEAST_BLOCKS
        self._not_rolled = Contains(lambda node: may_fail(node) or node.op is Op.RECALL)
        self._hoisted: dict[Expr, Expr] = {}

    def number(self, blocks: Iterable[Block]) -> None:
        """Gives each block that may have no solution its status."""
        for block in blocks:
            if not isinstance(block, Explicit):
                status = len(self.failures) + 1
                self.statuses[block] = status
                self.failures[status] = block

    def store(self, leaf: Expr, value: Expr) -> Task:
        """Writes a value into the memory."""
        slot = self.memory.slots[leaf]
        value = self.domains(value)

        def append(section: Section) -> None:
            section.statements.append(Store(slot, section.value(value)))

        return Task((value,), 1, append, Unit.of(leaf, value))

    def routine(
        self, name: str, tasks: Iterable[Task], *, places: bool = True, in_steps: bool = False
    ) -> None:
        """A routine of tasks; a long one is cut into sub-routines. It may use new `places` in the memory:
        for invariants, and for what is needed in several parts of a very long one. Many tasks that are alike
        are a loop. Every step of the integrator needs those that are `in_steps`."""
        own = list(tasks)
        units = [self.unit(t, places) for t in own] if self._may_roll else []
        parts: list[Callable[[str], None]] = []
        # A run waits for a program that is entered: straight-line code would be compiled late and without
        # care, and then a loop is faster as well.
        written_out = in_steps and not self.entered
        for numbers, alike in runs(units, in_steps=written_out) or [(list(range(len(own))), None)]:
            if alike is not None:
                parts.append(partial(self.rolled, shape=alike[0], instances=alike[1]))
                continue
            parts += [
                partial(self.straight, tasks=piece, places=places)
                for piece in pieces(own[k] for k in numbers)
            ]
        if not parts:
            self.straight(name, [], places)
        elif len(parts) == 1:
            parts[0](name)
        else:
            names = [f"{name}_{k + 1}" for k in range(len(parts))]
            for part, part_name in zip(parts, names, strict=True):
                part(part_name)
            self.sequence(name, *names)

    def unit(self, task: Task, places: bool) -> Unit | None:
        """What a task does, if it may become part of a loop; what is computed before the run has places."""
        unit, memo = task.unit, self._hoisted
        if unit is None or any(map(self._not_rolled, unit.expressions)):
            return None
        if not places:
            return unit

        def new(e: Expr) -> Expr:
            return transform(e, self.invariants.leaf, memo)

        return Unit(tuple((new(c), tuple((x, new(e)) for x, e in own)) for c, own in unit.branches))

    def rolled(self, name: str, shape: Shape, instances: Sequence[tuple[Expr, ...]]) -> None:
        """Tasks of one shape as a loop. What is the same leaf in all of them is that leaf."""
        columns = list(zip(*instances, strict=True))
        written = set(shape.unit.targets)
        common: dict[Expr, Expr] = {}
        places: list[tuple[Symbol, tuple[int, ...]]] = []
        for placeholder, column in zip(shape.placeholders, columns, strict=True):
            if len(set(column)) == 1 and placeholder not in written:
                common[placeholder] = column[0]
            else:
                places.append((leaf_symbol(placeholder), tuple(self.memory.slots[x] for x in column)))
        unit = shape.unit.mapped(common)
        local = Locals()
        section = Section(unit.expressions, local, self.functions.lowered)
        branches: list[tuple[Expr, tuple[Statement, ...]]] = []
        for condition, assignments in unit.branches:
            holds = section.value(condition)
            with section.branch() as body:
                for leaf, value in assignments:
                    body.append(Assign(leaf_symbol(leaf), section.value(value)))
            branches.append((holds, tuple(body)))
        code: list[Statement] = section.statements
        code += branches[0][1] if branches[0][0] is TRUE else [If(tuple(branches))]
        loop = Each(len(instances), tuple(places), tuple(code))
        self.routines[name] = Routine(name, (loop,), tuple(local.symbols))

    def straight(self, name: str, tasks: Sequence[Task], places: bool) -> None:
        """Tasks as straight-line code, in sub-routines where it is long."""
        local = Locals()
        section = Section(
            [e for t in tasks for e in t.expressions],
            local,
            self.functions.lowered,
            invariants=self.invariants if places else None,
        )
        for task in tasks:
            task.append(section)
        if places:
            self.routines.update((r.name, r) for r in cut(name, section.statements, local, self.memory))
        else:
            self.routines[name] = Routine(name, tuple(section.statements), tuple(local.symbols))

    def sequence(self, name: str, *parts: str) -> None:
        """A routine that calls others in turn."""
        self.routines[name] = Routine(name, tuple(Invoke(p) for p in parts))


def _fixed_parameters(structure: Structure) -> set[Expr]:
    """Constants and parameters but those that the initial system determines."""
    model = structure.model
    known = {ref(v.symbol) for v in (*model.constants, *model.parameters)}
    return known.difference(*(b.unknowns for b in structure.initial))

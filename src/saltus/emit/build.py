"""Structure to program: memory layout, and the routines that solve the sorted blocks.

    structure.parameters, bands            -> parameters
    structure.initial                      -> initial
    structure.blocks                       -> derivatives, outputs, evaluate, crossings
    relations, jumps, checks, endings      -> relations, jumps, checks, settle, settle_initial, commit

Each routine is a list of *tasks*; a task appends its statements to a section of straight-line code, and
names beforehand the expressions it will ask for, so that what several tasks need is computed once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from saltus.emit.elimination import solve
from saltus.emit.events import (
    approach_relation,
    band_values,
    check_values,
    commit_pieces,
    crossing_time,
    jump_values,
    settle,
    update_relation,
)
from saltus.emit.functions import FunctionTable, faults
from saltus.emit.layout import Memory
from saltus.emit.newton import newton
from saltus.emit.schedule import PIECE, SEPARATE, continuous_blocks, cost, needed, overlaps
from saltus.emit.sharing import Locals, Section
from saltus.expr.nodes import ZERO, Expr, Type, const, der, if_, index, leaves, ref
from saltus.ir.hybrid import Relation
from saltus.ir.program import Assign, Fill, Invoke, Program, Routine, Statement, Store
from saltus.ir.structure import Block, Explicit, Linear, Nonlinear, Structure, block_expressions


@dataclass(frozen=True)
class Task:
    """A few statements: the expressions they need, how many they are about, and how to append them."""

    expressions: tuple[Expr, ...]
    cost: int
    append: Callable[[Section], None]


def build(structure: Structure) -> Program:
    """The imperative program of a structure."""
    return _Builder(structure).program()


class _Builder:
    def __init__(self, structure: Structure) -> None:
        self.structure = structure
        self.memory = Memory(structure)
        self.functions = FunctionTable()
        self.routines: dict[str, Routine] = {}
        self.statuses: dict[Block, int] = {}
        self.failures: dict[int, object] = {}

    def program(self) -> Program:
        for block in (*self.structure.blocks, *self.structure.initial):
            if not isinstance(block, Explicit):
                status = len(self.failures) + 1
                self.statuses[block] = status
                self.failures[status] = block
        self._solve_blocks()
        self._watch_relations()
        self._handle_events()
        for function in self.functions.functions:
            self.failures.update((f.status, f.fault) for f in faults(function.body))
        return Program(
            self.structure.model.name,
            self.memory.layout(),
            self.routines,
            self.functions.functions,
            self.failures,
            tuple(k for k, r in enumerate(self.structure.model.relations) if not r.is_time_event),
        )

    # ------------------------------------------------------------ routines

    def _solve_blocks(self) -> None:
        structure = self.structure
        bands = [
            self._store(leaf, value)
            for leaf, value in zip(self.memory.bands, band_values(structure), strict=True)
        ]
        bindings = [
            self._block(replace(b, value=if_(flag, b.unknown, b.value)))
            for b, flag in zip(structure.parameters, self.memory.overridden, strict=True)
        ]
        self._routine("parameters", [*bindings, *bands])
        self._routine("initial", map(self._block, structure.initial))

        continuous = continuous_blocks(structure)
        residues = [
            (self.memory.residues[k], r.residue)
            for k, r in enumerate(structure.model.relations)
            if not r.is_time_event
        ]
        for_derivatives = needed(continuous, [der(ref(v.symbol)) for v in structure.states])
        for_crossings = needed(continuous, [x for _, e in residues for x in leaves(e)])
        store_residues = [self._store(leaf, e) for leaf, e in residues]
        if len(continuous) <= SEPARATE:
            self._routine("derivatives", map(self._moving, for_derivatives))
            self._routine("outputs", map(self._block, continuous))
            self._routine("crossings", [*map(self._moving, for_crossings), *store_residues])
        else:
            names = ("shared", "only_derivatives", "only_crossings", "only_outputs")
            for name, part in zip(
                names, overlaps(continuous, for_derivatives, for_crossings), strict=True
            ):
                self._routine(name, map(self._block, part))
            self._routine("residues", store_residues)
            self._sequence("derivatives", names[0], names[1])
            self._sequence("crossings", names[0], names[2], "residues")
            self._sequence("outputs", *names)
        if len(continuous) == len(structure.blocks):
            self._sequence("evaluate", "outputs")
        else:
            self._routine("evaluate", map(self._block, structure.blocks))

    def _watch_relations(self) -> None:
        relations = self.structure.model.relations
        memory = self.memory
        tasks: list[Task] = []
        for k, r in enumerate(relations):
            tasks.append(self._store(memory.residues[k], r.residue))
            tasks.append(self._store(memory.crossing_times[k], crossing_time(r)))
        self._routine("relations", tasks)
        state_relations = [(k, r) for k, r in enumerate(relations) if not r.is_time_event]
        self._routine("approach", [_verbatim(approach_relation(k, r, memory)) for k, r in state_relations])
        for name, one_pass, initial in (
            ("settle", "evaluate", False),
            ("settle_initial", "initial", True),
        ):
            update = f"{name}_update"
            self._routine(update, [self._update(k, r, initial) for k, r in enumerate(relations)])
            self.routines[name] = settle(name, one_pass, update, self.structure, memory)

    def _handle_events(self) -> None:
        structure, memory = self.structure, self.memory
        tasks: list[Task] = []
        for k, (active, value) in enumerate(jump_values(structure)):
            tasks.append(self._store(memory.jumped[k], active))
            tasks.append(self._store(memory.new_states[k], value))
        self._routine("jumps", tasks)
        tasks = [
            self._store(leaf, e) for leaf, e in zip(memory.checks, check_values(structure), strict=True)
        ]
        tasks += [
            self._store(leaf, n.condition)
            for leaf, n in zip(memory.endings, structure.model.endings, strict=True)
        ]
        self._routine("checks", tasks)
        self._routine("commit_changes", [_verbatim(s) for s in commit_pieces(structure, memory)])
        changed = memory.slots[memory.counters["changed"]]
        self.routines["commit"] = Routine(
            "commit", (Store(changed, ZERO), Invoke("jumps"), Invoke("commit_changes"))
        )

    # ------------------------------------------------------------ tasks

    def _store(self, leaf: Expr, value: Expr) -> Task:
        slot = self.memory.slots[leaf]

        def append(section: Section) -> None:
            section.statements.append(Store(slot, section.value(value)))

        return Task((value,), 1, append)

    def _moving(self, block: Block) -> Task:
        """For routines that the integrator calls: values do not jump there."""
        return self._block(block, may_jump=False)

    def _block(self, block: Block, may_jump: bool = True) -> Task:
        match block:
            case Explicit(unknown, value, _):
                if unknown.type is Type.STRING:
                    return Task((), 0, lambda section: None)  # text is for messages, not for the run
                return self._store(unknown, value)
            case Linear():
                return Task(block_expressions(block), cost(block), lambda s: self._linear(block, s))
            case Nonlinear():
                status = self.statuses[block]
                continuation = self.memory.counters["continuation"] if may_jump else None
                return Task(
                    block_expressions(block),
                    cost(block),
                    lambda s: newton(block, self.memory.slots, status, continuation, s),
                )

    def _linear(self, block: Linear, section: Section) -> None:
        n = len(block.unknowns)
        status = self.statuses[block]
        matrix = section.locals.new("matrix", shape=(n, n))
        right = section.locals.new("right", shape=(n,))
        code: list[Statement] = [Fill(matrix, ZERO)]
        for i, j, e in block.matrix:
            code.append(Assign(matrix, section.value(e), (const(i + 1), const(j + 1))))
        for i, e in enumerate(block.right):
            code.append(Assign(right, section.value(e), (const(i + 1),)))
        code += solve(matrix, right, status, section.locals)
        for i, x in enumerate(block.unknowns):
            code.append(Store(self.memory.slots[x], index(ref(right), const(i + 1))))
        section.statements += code

    def _update(self, k: int, relation_: Relation, initial: bool) -> Task:
        def append(section: Section) -> None:
            known = relation_
            if relation_.slope is not None and relation_.offset is not None:
                slope, offset = section.value(relation_.slope), section.value(relation_.offset)
                known = replace(relation_, slope=slope, offset=offset)
            sign, truth = section.locals.new("sign"), section.locals.new("truth", Type.BOOLEAN)
            section.statements += update_relation(k, known, self.memory, sign, truth, initial=initial)

        expressions = tuple(e for e in (relation_.slope, relation_.offset) if e is not None)
        return Task(expressions, 4, append)

    # ------------------------------------------------------------ making routines

    def _routine(self, name: str, tasks: Iterable[Task]) -> None:
        """A routine of tasks; a long one is cut into sub-routines."""
        parts = _pieces(tasks)
        if len(parts) <= 1:
            self._straight(name, parts[0] if parts else [])
            return
        names = [f"{name}_{k + 1}" for k in range(len(parts))]
        for part_name, part in zip(names, parts, strict=True):
            self._straight(part_name, part)
        self._sequence(name, *names)

    def _straight(self, name: str, tasks: Sequence[Task]) -> None:
        local = Locals()
        section = Section([e for t in tasks for e in t.expressions], local, self.functions.lowered)
        for task in tasks:
            task.append(section)
        self.routines[name] = Routine(name, tuple(section.statements), tuple(local.symbols))

    def _sequence(self, name: str, *parts: str) -> None:
        self.routines[name] = Routine(name, tuple(Invoke(p) for p in parts))


def _verbatim(statements: list[Statement]) -> Task:
    return Task((), len(statements), lambda section: section.statements.extend(statements))


def _pieces(tasks: Iterable[Task]) -> list[list[Task]]:
    """The tasks in runs of about `PIECE` statements."""
    result: list[list[Task]] = []
    room = 0
    for task in tasks:
        if room <= 0:
            result.append([])
            room = PIECE
        result[-1].append(task)
        room -= task.cost
    return result

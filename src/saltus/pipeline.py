"""The whole compiler on one screen: ordered, named, timed, dumpable steps.

    text -> ast -> instance -> flat -> hybrid -> structure -> program -> native code

Each step is a function of the step before; `Translation` keeps what each of them made. The last three are
taken again, for the same model with other states, when a run comes to a position where its states fail, for
the same model in a mode of its own, when guards lead to one in which the equations lose rank, and for the
same model on a surface, when it begins to slide along it or comes to rest there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from saltus.analyse.analysis import Analysis, Sorting, SurfaceAnalysis
from saltus.core.collection import put_off
from saltus.core.diagnostics import Diagnostic, ModelError
from saltus.emit.build import build, build_implicit
from saltus.emit.llvm.jit import NativeMachine, native_machine
from saltus.front import Stopwatch, flatten_class
from saltus.ir.flat import FlatModel
from saltus.ir.hybrid import HybridModel
from saltus.ir.instance import ClassEntry, Instance
from saltus.ir.program import Program
from saltus.ir.structure import GENERAL, Fixing, Mode, OnSurface, Structure
from saltus.lower.flat.flatten import new_context
from saltus.lower.hybrid.clauses import to_hybrid
from saltus.lower.scope.chain import chains_told, with_chain
from saltus.run.integrators.sundials import symbols
from saltus.run.schedule.settings import Override


@dataclass(eq=False)
class Translation:
    """Everything the compiler made of one class, stage by stage."""

    cls: ClassEntry
    instance: Instance
    flat: FlatModel
    hybrid: HybridModel
    structure: Structure
    program: Program
    machine: NativeMachine
    programs: Programs
    warnings: tuple[Diagnostic, ...]
    timings: dict[str, float]


class Programs:
    """The same model with the states that are best at given values, in the modes that a run comes to, and on
    the surfaces along which it slides or on which it rests. Each is compiled when it is first wanted, and
    kept: a pendulum that goes round a hundred times needs two programs, not two hundred."""

    def __init__(self, analysis: Analysis, machine: NativeMachine) -> None:
        self._analysis = analysis
        self._surfaces: dict[tuple[Mode, frozenset[OnSurface]], SurfaceAnalysis] = {}
        self._made = {analysis.structure: machine}
        self._sorted: dict[tuple[object, ...], Structure] = {}

    @property
    def fixing(self) -> Fixing:
        """Which guards have to be fixed, and where, as far as structure has told."""
        return self._analysis.fixing

    @put_off()
    def __call__(
        self,
        values: Mapping[str, float],
        wanted: frozenset[OnSurface] = frozenset(),
        mode: Mode = GENERAL,
    ) -> tuple[Structure, NativeMachine]:
        """Structure and machine (not for use, but to be cloned) for the values of variables by name. Raises
        `ModelError` where the model cannot be sorted in the mode, or be kept on the surfaces that are
        `wanted`."""
        analysis: Sorting | SurfaceAnalysis
        if wanted:
            if (mode, wanted) not in self._surfaces:
                self._surfaces[mode, wanted] = self._analysis.on(mode, wanted)
            analysis = self._surfaces[mode, wanted]
        else:
            analysis = self._analysis.in_mode(mode, values)
        choice = analysis.choose(values)
        key = analysis, choice.dummies if choice is not None else None
        if key not in self._sorted:
            self._sorted[key] = analysis.sorted_with(choice)
        return self._compiled(self._sorted[key])

    @put_off()
    def starting(self, mode: Mode) -> tuple[Structure, NativeMachine]:
        """Structure and machine of a mode to be started in."""
        return self._compiled(self._analysis.in_mode(mode).structure)

    def _compiled(self, structure: Structure) -> tuple[Structure, NativeMachine]:
        if structure not in self._made:
            structure.verify()
            program = build(structure)
            program.verify()
            self._made[structure] = native_machine(program, symbols(), hurry=True)
        return structure, self._made[structure]

    def __len__(self) -> int:
        """How many programs there are."""
        return len(self._made)

    def prepared(self, method: str) -> PreparedPrograms:
        """The same, with all the code that an integration method needs."""
        return PreparedPrograms(self, method)


class PreparedPrograms:
    """Programs with all the code that an integration method needs."""

    def __init__(self, programs: Programs, method: str) -> None:
        self._programs = programs
        self._method = method

    @property
    def fixing(self) -> Fixing:
        """As `Programs` does."""
        return self._programs.fixing

    def __call__(
        self, values: Mapping[str, float], wanted: frozenset[OnSurface] = frozenset(), mode: Mode = GENERAL
    ) -> tuple[Structure, NativeMachine]:
        """As `Programs` does."""
        structure, machine = self._programs(values, wanted, mode)
        return structure, prepared(machine, structure, self._method)

    def starting(self, mode: Mode) -> tuple[Structure, NativeMachine]:
        """As `Programs` does."""
        structure, machine = self._programs.starting(mode)
        return structure, prepared(machine, structure, self._method)


def translate(cls: ClassEntry, overrides: Mapping[str, Override], watch: Stopwatch) -> Translation:
    """From a class to native code. `overrides` are values of structural parameters."""
    context = new_context(cls.library, overrides)
    root, flat = flatten_class(context, cls, watch)
    with watch.step("events"), chains_told(root):
        hybrid = to_hybrid(flat)
        hybrid.verify()
    with watch.step("analyse"), chains_told(root), _with_suspects(context.reporter.warnings):
        analysis = Analysis(hybrid)
        structure = analysis.structure
        structure.verify()
    with watch.step("emit"):
        program = build(structure)
        program.verify()
    with watch.step("compile"):
        machine = native_machine(program, symbols())
    warnings = (*context.reporter.warnings, *(with_chain(w, root) for w in analysis.warnings))
    programs = Programs(analysis, machine)
    return Translation(
        cls, root, flat, hybrid, structure, program, machine, programs, warnings, watch.seconds
    )


@contextmanager
def _with_suspects(warnings: Sequence[Diagnostic]) -> Iterator[None]:
    """A component that was added, since no `inner` one is declared, is told beside a refusal: nothing but its
    defaults is known of it, and that may be the reason."""
    try:
        yield
    except ModelError as error:
        error.diagnostics += tuple(w for w in warnings if w.code == "W204")
        raise


def prepared(machine: NativeMachine, structure: Structure, method: str) -> NativeMachine:
    """The machine, with all the code that an integration method needs. That of the implicit form is made when
    it is first asked for; a model without states has nothing to integrate, by whatever method."""
    if method == "ida" and structure.states and not machine.has_implicit:
        program = build_implicit(structure, machine.program)
        program.verify()
        machine.add_implicit(program, symbols())
    return machine

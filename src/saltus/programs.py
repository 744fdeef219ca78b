"""Programs of one model: with other states, in other modes, on surfaces.

The last three stages of the compiler are taken again: with other states, when a run comes to a position where
its states fail; in a mode of its own, when guards lead to one in which the equations lose rank; and on a
surface, when the model begins to slide along it or comes to rest there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from saltus.analyse.analysis import Analysis, Sorting, SurfaceAnalysis
from saltus.core.collection import put_off
from saltus.core.diagnostics import ModelError
from saltus.core.stopwatch import Stopwatch
from saltus.emit.build import build, build_implicit
from saltus.emit.llvm.jit import NativeMachine, native_machine
from saltus.emit.llvm.modules import Hurry
from saltus.expr.nodes import Expr
from saltus.ir.flat import Equation
from saltus.ir.sorted.modes import GENERAL, Fixing, Mode
from saltus.ir.sorted.surfaces import OnSurface
from saltus.ir.structure import Structure
from saltus.run.integrators.sundials import symbols

#: The number of programs of a model that are optimised; later ones are compiled quickly.
MADE_WITH_CARE = 6

#: The step of the translation that is taken during runs, for the stopwatch.
MODES = "modes"


class Programs:
    """The programs of a model: with the states that are best at given values, in the modes that a run comes
    to, and on the surfaces along which it slides or on which it rests. Each is compiled when it is first
    wanted, and kept: a pendulum that goes round a hundred times needs two programs, not two hundred."""

    def __init__(self, analysis: Analysis, machine: NativeMachine, watch: Stopwatch) -> None:
        self._analysis = analysis
        self.watch = watch
        self._surfaces: dict[tuple[Mode, frozenset[OnSurface]], SurfaceAnalysis] = {}
        #: By structure, and whether they are only entered from others.
        self._made = {(analysis.structure, False): machine}
        self._sorted: dict[tuple[object, ...], Structure] = {}
        self._following: dict[tuple[Fixing, Mode, bool, bool], tuple[Structure, Fixing] | None] = {}

    @property
    def fixing(self) -> Fixing:
        """Which guards have to be fixed, and where, as far as structure has told."""
        return self._analysis.fixing

    @property
    def written(self) -> Sequence[Equation]:
        """The equations of the model with all their branches."""
        return self._analysis.written

    @put_off()
    def __call__(
        self,
        values: Mapping[str, float],
        wanted: frozenset[OnSurface] = frozenset(),
        mode: Mode = GENERAL,
        *,
        with_care: bool = False,
    ) -> tuple[Structure, NativeMachine]:
        """Structure and machine (not for use, but to be cloned) for the values of variables by name. Raises
        `ModelError` where the model cannot be sorted in the mode, or be kept on the surfaces that are
        `wanted`. One that is made `with_care` is fast, however many there are."""
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
        return self._compiled(self._sorted[key], entered=True, with_care=with_care)

    @put_off()
    def following(
        self,
        fixing: Fixing,
        value: Callable[[Expr], float],
        values: Mapping[str, float],
        mode: Mode,
        *,
        numbers: bool,
        spares: bool = False,
    ) -> tuple[Structure, NativeMachine, Fixing] | None:
        """Structure and machine of a program that follows by itself as many guards as possible of those that
        have to be fixed, but for those of a `mode`, `value` being what guards are, and what is left to fix;
        None where there is none. It may find its structure by `numbers`, with `spares`. Raises `ModelError`
        where the model cannot be sorted in the mode."""
        key = fixing, mode, numbers, spares
        if key not in self._following:
            try:
                self._following[key] = self._analysis.following(
                    fixing, value, values, mode, numbers=numbers, spares=spares
                )
            except ModelError:
                if mode.fixed:  # there is no such mode, however it is followed
                    raise
                self._following[key] = None
        found = self._following[key]
        return None if found is None else (*self._compiled(found[0], entered=True), found[1])

    @put_off()
    def starting(self, mode: Mode) -> tuple[Structure, NativeMachine]:
        """Structure and machine of a mode to be started in."""
        return self._compiled(self._analysis.in_mode(mode).structure, entered=False)

    def _compiled(
        self, structure: Structure, *, entered: bool, with_care: bool = False
    ) -> tuple[Structure, NativeMachine]:
        if (structure, False) in self._made:
            entered = False  # it can be entered all the same
        if (structure, entered) not in self._made:
            structure.verify()
            # A run that comes to many modes stays in none of them for long.
            brief = len(self._made) >= MADE_WITH_CARE and not with_care
            program = build(structure, brief=brief, entered=entered)
            program.verify()
            hurry = Hurry.GREAT if brief else Hurry.SOME
            self._made[structure, entered] = native_machine(program, symbols(), hurry)
        return structure, self._made[structure, entered]

    def __len__(self) -> int:
        """How many programs there are."""
        return len(self._made)

    def prepared(self, method: str) -> PreparedPrograms:
        """These programs, with all the code that an integration method needs."""
        return PreparedPrograms(self, method)


class PreparedPrograms:
    """Programs with all the code that an integration method needs."""

    def __init__(self, programs: Programs, method: str) -> None:
        self._programs = programs
        self._method = method

    @property
    def fixing(self) -> Fixing:
        """Which guards have to be fixed, and where, as far as structure has told."""
        return self._programs.fixing

    @property
    def written(self) -> Sequence[Equation]:
        """The equations of the model with all their branches."""
        return self._programs.written

    def __len__(self) -> int:
        """How many programs there are."""
        return len(self._programs)

    def __call__(
        self,
        values: Mapping[str, float],
        wanted: frozenset[OnSurface] = frozenset(),
        mode: Mode = GENERAL,
        *,
        with_care: bool = False,
    ) -> tuple[Structure, NativeMachine]:
        """Structure and machine for the values of variables by name."""
        with self._programs.watch.step(MODES):
            structure, machine = self._programs(values, wanted, mode, with_care=with_care)
            return structure, prepared(machine, structure, self._method)

    def following(
        self,
        fixing: Fixing,
        value: Callable[[Expr], float],
        values: Mapping[str, float],
        mode: Mode,
        *,
        numbers: bool,
        spares: bool = False,
    ) -> tuple[Structure, NativeMachine, Fixing] | None:
        """Structure and machine of a program that follows guards by itself, and what is left to fix."""
        if self._method == "ida":  # whose unknowns are those of loops, and would be others in each case
            return None
        with self._programs.watch.step(MODES):
            return self._programs.following(fixing, value, values, mode, numbers=numbers, spares=spares)

    def starting(self, mode: Mode) -> tuple[Structure, NativeMachine]:
        """Structure and machine of a mode to be started in."""
        with self._programs.watch.step(MODES):
            structure, machine = self._programs.starting(mode)
            return structure, prepared(machine, structure, self._method)


def prepared(machine: NativeMachine, structure: Structure, method: str) -> NativeMachine:
    """The machine, with all the code that an integration method needs. That of the implicit form is made when
    it is first asked for; a model without states has nothing to integrate, by whatever method."""
    if method == "ida" and structure.states and not machine.has_implicit:
        program = build_implicit(structure, machine.program)
        program.verify()
        machine.add_implicit(program, symbols())
    return machine

"""The integrators, CVODE, IDA and an explicit one, behind one protocol; and which of them a run gets.

Every component has an absolute tolerance of its own, the tolerance times the variable's nominal value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from saltus.emit.machine import Machine
from saltus.expr.nodes import Expr, ref
from saltus.ir.balance import is_inferred
from saltus.ir.native.contract import FACTORISE, JACOBIAN, RESIDUAL, RHS, SOLVE, SYSTEM
from saltus.ir.program import ROW_SECTIONS, Layout
from saltus.ir.sorted.jacobian import Jacobian
from saltus.ir.structure import Structure
from saltus.run.integrators.cvode import Cvode
from saltus.run.integrators.fixed_step import FixedStep, places_of
from saltus.run.integrators.ida import Ida
from saltus.run.integrators.linear_solvers import DenseSolver, LinearSolver, SparseSolver, choose
from saltus.run.integrators.runge_kutta import RungeKutta
from saltus.run.integrators.stateless import still_rhs
from saltus.run.integrators.step_watch import StepWatch
from saltus.run.memory.dependence import jacobian_is_fixed
from saltus.run.memory.memory import Memory
from saltus.run.schedule.settings import Settings
from saltus.run.schedule.stepping import EXPLICIT

#: The smallest step, as a part of the run. Far below the resolution of time nothing is gained any more, and
#: where a step becomes so small that products with it vanish, CVODE takes a point for reached that is not.
MIN_STEP_SPAN = 1e-30

#: Absolute tolerances are no smaller than this part of a size that was found and is large: of these numbers,
#: a ten-thousandth counts (`saltus.run.sizes`), and their rounding is a ten-billionth of a millionth.
LEAST_PART = 1e-11


class NativeMachine(Machine, Protocol):
    """A machine whose call-backs an integrator can call."""

    text: str  # what was compiled

    @property
    def pointer(self) -> int:
        """Address of the memory."""

    @property
    def drives_carefully(self) -> bool:
        """Whether functions of the driver whose addresses are asked for now are of good machine code."""

    def address(self, name: str) -> int:
        """Address of a compiled function."""

    def addresses(self, names: tuple[str, ...]) -> Mapping[str, int]:
        """Addresses of routines, by name."""

    def drove(self, seconds: float) -> None:
        """Records how long a run was driven by functions that are not optimised."""


class Integrator(Protocol):
    """Integrates from where it is up to a time. `y` are the states at the last return (a view of the
    integrator's own), `flag` is what it last returned: 0 for success."""

    y: NDArray[np.float64]
    flag: int

    @property
    def time(self) -> float:
        """Time of the last return."""

    @property
    def flag_name(self) -> str:
        """The name of the last flag, as its documentation has it."""

    @property
    def step_size(self) -> float:
        """The step size to be tried next."""

    def set_max_step(self, step: float) -> None:
        """No step will be longer; 0 sets no limit."""

    def reinit(self, time: float, first_step: float = 0.0) -> None:
        """Starts anew at `time` from `y`, into which new states have been written; with this first step, if
        it is not 0."""

    def told(self, flag: int, time: float) -> None:
        """The integrator's entries in the context of the native driver, and its progress."""

    def handles(self, address: Callable[[str], int]) -> dict[str, float]:
        """What the native driver needs to know, with the addresses of its functions."""

    def error_ratios(self) -> NDArray[np.float64]:
        """Estimated local errors of the last step, the states' first, in units of what tolerances allow."""

    def statistics(self) -> dict[str, int]:
        """What was counted, over all restarts."""

    def close(self) -> None:
        """Frees everything; the object is of no use afterwards."""


def make_integrator(
    memory: Memory,
    machine: NativeMachine,
    settings: Settings,
    max_step: float,
    *,
    stiff: bool = False,
    watch: StepWatch | None = None,
) -> Integrator:
    """The integrator of `settings.method` for the model in memory, from the values and the time there.
    `stiff`: the method was chosen automatically, and an explicit one has failed here. A `watch` looks at the
    clock where steps have a fixed length."""
    states = memory.structure.states
    if settings.formula is not None and settings.step is not None:
        inlining = memory.structure.model.inlining
        return FixedStep(
            memory.section("states"),
            memory.time,
            origin=settings.start_time,
            step=settings.step,
            formula=settings.formula,
            inlined=None if inlining is None else places_of(inlining, memory.structure, memory.layout),
            locates=settings.locate,
            watch=watch,
            row=sum(memory.length(name) for name in ROW_SECTIONS),
        )
    # A model without states gets CVODE and a dummy state: it has nothing to choose a method for.
    if states and settings.method == "ida":
        components = memory.program.components
        return Ida(
            machine.address(RESIDUAL),
            machine.routines["derivatives"],
            memory.array,
            np.array(components, dtype=np.intp),
            memory.layout.section("derivatives"),
            memory.time,
            relative=settings.tolerance,
            absolute=settings.tolerance * _sizes(memory, components, settings.tolerance),
            user_data=machine.pointer,
            max_step=max_step,
        )
    slots = [memory.layout.slots[ref(v.symbol)] for v in states]
    sizes = _sizes(memory, slots, settings.tolerance) if states else np.ones(1)
    min_step = MIN_STEP_SPAN * (settings.stop_time - settings.start_time)
    if states and settings.method in EXPLICIT and not stiff:
        return RungeKutta(
            memory.section("states"),
            memory.time,
            relative=settings.tolerance,
            absolute=settings.tolerance * sizes,
            max_step=max_step,
            min_step=min_step,
            watches=settings.method == "auto",
        )
    if states:
        memory.section("scales")[:] = sizes
    return Cvode(
        machine.address(RHS) if states else still_rhs(),
        memory.section("states") if states else np.zeros(1),
        memory.time,
        relative=settings.tolerance,
        absolute=settings.tolerance * sizes,
        user_data=machine.pointer,
        max_step=max_step,
        min_step=min_step,
        solver=_linear_solver(memory.structure.jacobian, machine, settings.linear_solver),
        adams=settings.method == "adams",
        jacobian_is_fixed=jacobian_is_fixed(memory.structure),
    )


def _linear_solver(jacobian: Jacobian | None, machine: NativeMachine, wanted: str) -> LinearSolver | None:
    """The linear solver for a machine; None where there are no states."""
    if jacobian is None:
        return None
    if choose(jacobian, wanted) == "dense":
        return DenseSolver(machine.address(JACOBIAN))
    return SparseSolver(jacobian, *map(machine.address, (SYSTEM, FACTORISE, SOLVE)))


def _sizes(memory: Memory, slots: Sequence[int], tolerance: float) -> NDArray[np.float64]:
    """How large the variables at these slots are meant to be, for absolute tolerances. Where the model does
    not say it is what the run has found, but no more than 1: a tolerance that is too small costs some steps
    and no accuracy. It has to be more than the rounding of numbers of that size."""
    nominals, sizes = _nominals(memory.structure, memory.layout), []
    for s in slots:
        nominal = nominals.get(s)
        size = abs(memory.number(nominal, 1.0)) or 1.0
        if is_inferred(nominal):
            size = max(min(size, 1.0), size * LEAST_PART / tolerance)
        sizes.append(size)
    return np.array(sizes)


@lru_cache(maxsize=16)
def _nominals(structure: Structure, layout: Layout) -> Mapping[int, Expr]:
    """Nominal values by slots."""
    variables = ((layout.slots.get(ref(v.symbol)), v) for v in (*structure.states, *structure.algebraics))
    return {slot: v.nominal for slot, v in variables if slot is not None and v.nominal is not None}

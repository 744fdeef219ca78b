"""What a run tells that is needed without Saltus: where it begins, and what its driver goes by.

The model is run once. Its memory after the start, the event at the start included, is where the exported code
begins. The run also shows whether one program is enough: a model that comes to modes with programs of their
own is refused here.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from saltus.core.diagnostics import ModelError, model_error
from saltus.expr.nodes import Op, ref
from saltus.ir.hybrid import HybridModel
from saltus.ir.inline import MIXED
from saltus.ir.native.contract import BAND, DRIFT, PARTED, ROOM
from saltus.ir.sorted.blocks import Linear
from saltus.run.course.course import Course
from saltus.run.engine.engine import Engine
from saltus.run.failures.coupling import Group, groups
from saltus.run.integrators.fixed_step import Places, places_of
from saltus.run.memory.dependence import numbers_in_parts
from saltus.run.memory.memory import presumed_slots
from saltus.run.modes.entering import projected
from saltus.run.modes.modes import known_values
from saltus.run.schedule.settings import Settings

#: Ticks of clocks are whole numbers that doubles hold.
LARGEST_TICK = 2**53


def refused(model: HybridModel, reason: str, hint: str) -> ModelError:
    """A model that cannot be exported."""
    return model_error("E311", f"`{model.name}` as C: {reason}", model.span, hint=hint)


@dataclass(frozen=True)
class Modes:
    """What choosing a mode takes (`saltus.ir.native.passage`): slots, numbers of relations, and which values
    of guards belong to the program."""

    guards: list[int]
    known: list[tuple[float, ...]]
    deciding: list[int]
    excess: list[int]
    held: list[int]
    inert: list[int]
    impulses: list[int]
    nonlinear: list[int]
    left: tuple[list[int], list[int]]  # to, from
    lacking: list[int]
    continuous: tuple[list[int], list[int]]
    presumed: list[tuple[int, int]]
    numbers_in_parts: list[int]
    holds: bool
    carries: bool
    projected: float
    drift: float
    parted: float
    wide: float


@dataclass
class Beginning:
    """All that the code begins with. `numbers` is the memory, in which external objects, tables of numbers,
    are known by their place in the list of `objects`, from 1. `bands` are those of relations as usual;
    `ticks` are whole numbers, `scale` of which are a second: the next one of each clock, and how far they are
    apart."""

    engine: Engine
    settings: Settings
    numbers: NDArray[np.float64]
    bands: NDArray[np.float64]
    ticks: list[int]
    intervals: list[int]
    scale: int
    start_time: float
    inlined: Places | None
    objects: list[NDArray[np.float64]]
    across: bool = False
    has_modes: bool = False
    groups: tuple[Group, ...] = ()
    start_groups: tuple[Group, ...] = ()
    linear: list[int] = field(default_factory=list)
    restarts: bool = False  # can the start be done anew by this program?
    modes: Modes | None = None


def _other_method(method: str) -> str:
    """What to do where a method needs several programs."""
    if method == MIXED:
        return "an earlier --stop-time, or other values, may lead to fewer modes; or run it in Saltus"
    return f"`{MIXED}` inlines what switches determine, so that one program may serve all modes"


class Rehearsal:
    """The run of a model that is to be exported: `begins` and `ends` are told by it."""

    def __init__(self) -> None:
        self.beginning: Beginning | None = None

    def begins(self, course: Course) -> None:
        """All is computed at the start time, no step has been taken."""
        engine, clocks, model = course.engine, course.clocks, course.engine.structure.model
        if engine.pivots.guards:
            raise refused(
                model,
                "its states are chosen anew during a run, each choice with a program of its own",
                "choose states by `stateSelect` that do for the whole run",
            )
        if any(abs(tick) > LARGEST_TICK for tick in (*clocks.ticks, *clocks.intervals, clocks.scale)):
            raise refused(
                model, "the times of its clocks have no common denominator that is not huge",
                "write intervals as simple fractions of a second",
            )  # fmt: skip
        inlining = model.inlining
        numbers, made = engine.memory.array.copy(), list(engine.memory.objects.values())
        for k, found in enumerate(made, 1):
            numbers[numbers == float(found)] = k
        self.beginning = Beginning(
            engine,
            course.settings,
            numbers,
            engine.at_zero.narrow_bands.copy(),
            clocks.ticks,
            clocks.intervals,
            clocks.scale,
            course.now,
            None if inlining is None else places_of(inlining, engine.structure, engine.memory.layout),
            [getattr(found, "numbers", np.zeros(1)) for found in made],
        )

    def ends(self, course: Course) -> None:
        """The run is over: what has it come to?"""
        begun = self.beginning
        assert begun is not None
        engine = begun.engine
        if course.engine is not engine or course.modes_entered:
            raise refused(
                engine.structure.model,
                "modes that it comes to have programs of their own, and only one program is exported",
                _other_method(course.settings.method),
            )
        fixing = course.modes.guards.fixing
        begun.has_modes = bool(course.modes)
        begun.across = not engine.mode.is_left_natively(fixing)
        begun.groups = groups(engine.structure, initial=False)
        begun.start_groups = groups(engine.structure, initial=True)
        failures = engine.machine.program.failures
        begun.linear = [status for status, block in failures.items() if isinstance(block, Linear)]
        program = engine.machine.program
        begun.restarts = not (course.modes or program.layout.sections["homotopy"][1])
        begun.restarts &= "initial" in program.routines
        if begun.across:
            begun.modes = _modes(course, engine)


def _modes(course: Course, engine: Engine) -> Modes:
    structure, memory, entry = engine.structure, engine.memory, engine.structure.entry
    slots = memory.layout.slots
    impulses = {v: slots[ref(x)] for v, x in entry.impulses.items()} if entry is not None else {}
    fixing = course.modes.guards.fixing
    left_to, left_from, lacking = engine.transfer.left_moves(engine)
    to, source = engine.transfer.continuous_moves(engine)[:2]
    tolerance = course.settings.tolerance
    return Modes(
        [engine.mode.guards.slot(guard) for guard in fixing.guards()],
        known_values(course.modes, engine),
        list(course.modes.deciding(engine)),
        list(engine.mode.excess),
        list(engine.mode.held),
        list(structure.inert),
        list(impulses.values()),
        [impulses[variable] for _, variable in entry.nonlinear] if entry is not None else [],
        (left_to.tolist(), left_from.tolist()),
        lacking.tolist(),
        (to.tolist(), source.tolist()),
        presumed_slots(memory),
        numbers_in_parts(structure).tolist(),
        engine.mode.keeps_open,
        entry is not None and engine.mode.carries,
        projected(tolerance),
        DRIFT * engine.span,
        PARTED * engine.span,
        ROOM * tolerance / BAND,
    )


def positive(op: Op) -> bool:
    """Whether a relation holds for positive residues."""
    return op in (Op.GT, Op.GE)


def at_zero(op: Op) -> bool:
    """Whether it holds for a residue that is zero."""
    return op in (Op.LE, Op.GE)

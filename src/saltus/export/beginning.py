"""Data from a run that exported code needs: its start, and what its driver uses.

The model is run once. Its memory after the start, the event at the start included, is where the exported
code begins. The run also shows which programs the model needs: those of the modes that it comes to, and those
of modes that were listed. What is beyond them is refused here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from saltus.core.diagnostics import ModelError, model_error
from saltus.expr.nodes import Op, ref
from saltus.ir.hybrid import HybridModel
from saltus.ir.native.contract import BAND, DRIFT, PARTED, ROOM
from saltus.ir.sorted.blocks import Leading, Linear
from saltus.ir.sorted.modes import Fixing, Mode
from saltus.run.course.course import Course
from saltus.run.engine.engine import Engine
from saltus.run.engine.transfer import Named
from saltus.run.failures.coupling import Group, groups
from saltus.run.integrators.fixed_step import Places, places_of
from saltus.run.memory.dependence import numbers_in_parts
from saltus.run.memory.memory import presumed_slots
from saltus.run.modes.entering import projected
from saltus.run.modes.modes import is_entered_again, ways_of_all, ways_out
from saltus.run.modes.native_gates import is_plain
from saltus.run.modes.ways_out import Way
from saltus.run.schedule.settings import Settings

#: Ticks of clocks are whole numbers that doubles hold.
LARGEST_TICK = 2**53


def refused(model: HybridModel, reason: str, hint: str) -> ModelError:
    """A model that cannot be exported."""
    return model_error("E311", f"`{model.name}` as C: {reason}", model.span, hint=hint)


@dataclass(frozen=True)
class Choice:
    """What choosing a mode takes (`saltus.ir.native.passage`): slots, and numbers of relations. `left` and
    `continuous` are slots, and what goes there: another program has it elsewhere."""

    guards: list[int]
    deciding: list[int]
    excess: list[int]
    held: list[int]
    inert: list[int]
    impulses: list[int]
    nonlinear: list[int]
    left: Sequence[tuple[int, str]]
    continuous: Sequence[tuple[int, Named]]
    presumed: list[tuple[int, int]]
    numbers_in_parts: list[int]
    ways: list[Way]
    ways_of_all: list[tuple[list[float], list[float]]]
    given: list[int]
    unsolvable: int
    holds: bool
    carries: bool
    projected: float
    drift: float
    parted: float
    wide: float


@dataclass
class OneProgram:
    """A program with what it begins with. `numbers` is its memory, in which external objects, tables of
    numbers, are known by their place in a list, from 1. `bands` are those of relations as usual. Events lead
    to it if it `is_home`, and out of it without its noticing if `across`."""

    engine: Engine
    numbers: NDArray[np.float64]
    bands: NDArray[np.float64]
    inlined: Places | None
    is_home: bool = True
    across: bool = False
    choice: Choice | None = None

    @property
    def mode(self) -> Mode:
        """What it takes for granted."""
        return self.engine.structure.mode


@dataclass
class Beginning:
    """All that the code begins with: the programs, of which the first is the one to begin in, and which
    guards decide between them. `ticks` are whole numbers, `scale` of which are a second: the next one of each
    clock, and how far they are apart. `objects` are tables of numbers."""

    programs: list[OneProgram]
    settings: Settings
    ticks: list[int]
    intervals: list[int]
    scale: int
    start_time: float
    objects: list[NDArray[np.float64]]
    fixing: Fixing = field(default_factory=Fixing)
    has_modes: bool = False
    groups: tuple[Group, ...] = ()
    start_groups: tuple[Group, ...] = ()
    linear: list[int] = field(default_factory=list)
    restarts: bool = False  # can the start be done anew by this program?

    @property
    def engine(self) -> Engine:
        """The engine of the first program."""
        return self.programs[0].engine


class Rehearsal:
    """The run of a model to be exported, which calls `begins` and `ends`."""

    def __init__(self) -> None:
        self.beginning: Beginning | None = None

    def begins(self, course: Course) -> None:
        """All is computed at the start time, no step has been taken."""
        engine, clocks, model = course.engine, course.clocks, course.engine.structure.model
        if engine.pivots.guards:
            raise _chooses_states(model)
        if any(abs(tick) > LARGEST_TICK for tick in (*clocks.ticks, *clocks.intervals, clocks.scale)):
            raise refused(
                model, "the common denominator of its clock times is too large",
                "write intervals as simple fractions of a second",
            )  # fmt: skip
        made = list(engine.memory.objects.values())
        self.beginning = Beginning(
            [_program(engine, engine)],
            course.settings,
            clocks.ticks,
            clocks.intervals,
            clocks.scale,
            course.now,
            [getattr(found, "numbers", np.zeros(1)) for found in made],
        )

    def ends(self, course: Course) -> None:
        """The run is over: what has it come to?"""
        begun = self.beginning
        assert begun is not None
        engine = begun.engine
        begun.has_modes = bool(course.modes)
        begun.fixing = course.modes.guards.fixing
        home = [e for e in course.choices.engines if is_entered_again(course.modes, e)]
        begun.programs += [_entered(course, engine, other) for other in home if other is not engine]
        for program in begun.programs:
            program.is_home = program.engine in home
            program.across = not program.engine.mode.is_left_natively(begun.fixing)
        begun.groups = groups(engine.structure, initial=False)
        begun.start_groups = groups(engine.structure, initial=True)
        compiled = engine.machine.program
        begun.linear = [status for status, block in compiled.failures.items() if isinstance(block, Linear)]
        begun.restarts = not (begun.has_modes or compiled.layout.sections["homotopy"][1])
        begun.restarts &= "initial" in compiled.routines
        for program in begun.programs if begun.has_modes else ():
            program.choice = _choice(course, program.engine)


def _chooses_states(model: HybridModel) -> ModelError:
    return refused(
        model,
        "its states are selected anew during a run, each choice with a program of its own",
        "use `stateSelect` to select states that are valid for the whole run",
    )


def _program(engine: Engine, first: Engine) -> OneProgram:
    """A program as its engine is now. The `first` one has made the external objects."""
    numbers, inlining = engine.memory.array.copy(), engine.structure.model.inlining
    for k, found in enumerate(first.memory.objects.values(), 1):
        numbers[numbers == float(found)] = k
    inlined = None if inlining is None else places_of(inlining, engine.structure, engine.memory.layout)
    return OneProgram(engine, numbers, engine.at_zero.narrow_bands.copy(), inlined)


def _entered(course: Course, first: Engine, engine: Engine) -> OneProgram:
    """A program to which events lead."""
    model = engine.structure.model
    if engine.pivots.guards:
        raise _chooses_states(model)
    if not is_plain(engine):
        raise refused(
            model, "some of its variables exist in some of its modes only",
            "let them exist in all modes, with an equation that says what they are where they mean nothing",
        )  # fmt: skip
    if course.choices.carried.is_by_hand(engine.mode):
        raise refused(
            model, "what it reinitialises is tied to other states in one of its modes, and takes them along",
            "reinitialise states that are free in all modes; or run it in Saltus",
        )  # fmt: skip
    # As nobody has been there yet: what is known of its structure, and where loops begin, is found by itself.
    new = Engine(engine.structure, engine.machine.clone(), engine.span)
    new.transfer.copy_discrete(first)  # parameters, too
    new.memory.routines["parameters"]()
    return replace(_program(new, first), engine=engine)


def _choice(course: Course, engine: Engine) -> Choice:
    structure, memory, entry = engine.structure, engine.memory, engine.structure.entry
    slots = memory.layout.slots
    impulses = {v: slots[ref(x)] for v, x in entry.impulses.items()} if entry is not None else {}
    fixing, tolerance = course.modes.guards.fixing, course.settings.tolerance
    failures = engine.machine.program.failures.items()
    return Choice(
        [engine.mode.guards.slot(guard) for guard in fixing.guards()],
        list(course.modes.deciding(engine)),
        list(engine.mode.excess),
        list(engine.mode.held),
        list(structure.inert),
        list(impulses.values()),
        [impulses[variable] for _, variable in entry.nonlinear] if entry is not None else [],
        engine.transfer.lefts,
        engine.transfer.continuous,
        presumed_slots(memory),
        numbers_in_parts(structure).tolist(),
        ways_out(course.modes, engine),
        ways_of_all(course.modes, engine),
        list(structure.given),
        next((status for status, block in failures if isinstance(block, Leading)), 0),
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

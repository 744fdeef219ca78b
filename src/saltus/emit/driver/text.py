"""The driver as LLVM modules, and the functions of each that Python asks for.

Most runs need the first only. What the explicit method takes, and what leads from one program to another, is
half as much again, and is compiled where it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from saltus.emit.driver import (
    choosing,
    crossings,
    doubtful,
    entering,
    event,
    fixed_step,
    integrators,
    loop,
    output,
    panels,
    parts,
    passages,
    runge_kutta,
)
from saltus.emit.support.assembly import Function
from saltus.ir.native.contract import (
    ARRIVE_CVODE,
    ARRIVE_EVENT,
    ARRIVE_FIXED,
    ARRIVE_IDA,
    ARRIVE_RK,
    BEGIN_CVODE,
    BEGIN_RK,
    DRIVE,
    EVENT_IN_PART,
    LONGEST_RK,
    MARCH,
    PASS_THROUGH,
    REMEMBER_TO,
    STEP_CVODE,
    STEP_IDA,
    STEP_RK,
    SUNDIALS,
    TURN,
    WHICH_PART,
)

#: Functions of the driver that every run has.
DRIVER_FUNCTIONS = frozenset(
    {
        DRIVE,
        STEP_CVODE,
        STEP_IDA,
        ARRIVE_CVODE,
        ARRIVE_IDA,
        ARRIVE_EVENT,
        BEGIN_CVODE,
        REMEMBER_TO,
    }
)

#: Those of the explicit method.
RUNGE_KUTTA_FUNCTIONS = frozenset({STEP_RK, ARRIVE_RK, BEGIN_RK, LONGEST_RK})

#: Those that lead from one program to another.
PASSAGE_FUNCTIONS = frozenset({PASS_THROUGH, TURN})

#: Those of fixed steps.
FIXED_STEP_FUNCTIONS = frozenset({MARCH, ARRIVE_FIXED})

#: Those for events in one part of a model.
PART_FUNCTIONS = frozenset({WHICH_PART, EVENT_IN_PART})

_DECLARATIONS = """
declare double @llvm.fabs.f64(double)
declare double @llvm.sqrt.f64(double)
declare double @llvm.pow.f64(double, double)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
"""


def _module(functions: Iterable[Function], *declarations: str) -> str:
    return "\n".join([_DECLARATIONS, *declarations, *(f.text() for f in functions)])


@cache
def driver_text() -> str:
    """The module with what every run needs."""
    functions = (
        integrators.step_cvode(), integrators.step_ida(), integrators.arrive_cvode(),
        integrators.arrive_ida(), crossings.look(), crossings.sides(), crossings.probe(),
        *panels.functions(), crossings.scan(), crossings.locate(), crossings.retrieve(),
        crossings.arrive_event(), crossings.crosses_at_end(), *doubtful.functions(), output.obeys(),
        output.grid_point(), output.pass_grid(), output.record(), output.check(), output.output(),
        event.next_event(), event.log_entry(), event.log_round(), event.rounds(), event.remember(),
        event.begin_event(), event.end_event(), event.event_within(), event.instant(), event.event(),
        integrators.first_step(), integrators.begin_cvode(), integrators.restart(), loop.drive(),
        passages.run(),
    )  # fmt: skip
    return _module(functions, *(f"declare i32 @{name}({types})" for name, types in SUNDIALS))


def runge_kutta_text() -> str:
    """The module with the explicit method. It calls nothing of the driver."""
    return _module(runge_kutta.functions())


@cache
def passages_text() -> str:
    """The module with the passages between programs; to be loaded beside the driver, which it calls."""
    called = (
        event.begin_event(), event.log_round(), event.end_event(), output.record(), output.check(),
        output.pass_grid(),
    )  # fmt: skip
    functions = (*entering.functions(), *choosing.functions(), *passages.functions())
    return _module(functions, *(f.declaration for f in called))


@cache
def fixed_step_text() -> str:
    """The module with fixed steps; to be loaded beside the driver, which it calls."""
    called = (
        event.next_event(), event.event(), crossings.sides(), output.grid_point(), output.pass_grid(),
        output.record(), output.check(),
    )  # fmt: skip
    return _module(fixed_step.functions(), *(f.declaration for f in called))


def parts_text() -> str:
    """The module with events in one part of a model. It calls nothing of the driver."""
    return _module(parts.functions())

"""The driver as one LLVM module, and the functions of it that Python asks for."""

from __future__ import annotations

from saltus.emit.driver import (
    crossings,
    entering,
    event,
    integrators,
    loop,
    output,
    panels,
    passages,
    runge_kutta,
)
from saltus.emit.driver.crossings import ARRIVE_EVENT
from saltus.emit.driver.event import REMEMBER_TO
from saltus.emit.driver.integrators import ARRIVE_CVODE, ARRIVE_IDA, BEGIN_CVODE, STEP_CVODE, STEP_IDA
from saltus.emit.driver.passages import DRIVE

#: Functions of the driver that Python asks for.
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
        *runge_kutta.PUBLIC,
    }
)


def driver_text() -> str:
    """A module with the driver."""
    declarations = """
declare double @llvm.fabs.f64(double)
declare double @llvm.sqrt.f64(double)
declare double @llvm.pow.f64(double, double)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare i32 @CVode(ptr, double, ptr, ptr, i32)
declare i32 @CVodeGetDky(ptr, double, i32, ptr)
declare i32 @CVodeReInit(ptr, double, ptr)
declare i32 @CVodeSetInitStep(ptr, double)
declare i32 @CVodeSetStopTime(ptr, double)
declare i32 @CVodeGetNumSteps(ptr, ptr)
declare i32 @CVodeGetNumRhsEvals(ptr, ptr)
declare i32 @CVodeGetNumLinRhsEvals(ptr, ptr)
declare i32 @CVodeGetNumJacEvals(ptr, ptr)
declare i32 @IDASolve(ptr, double, ptr, ptr, ptr, i32)
declare i32 @IDAGetDky(ptr, double, i32, ptr)
declare i32 @IDASetStopTime(ptr, double)
"""
    functions = (
        integrators.step_cvode(), integrators.step_ida(), integrators.arrive_cvode(),
        integrators.arrive_ida(), crossings.look(), crossings.sides(), crossings.probe(),
        *panels.functions(), crossings.scan(), crossings.locate(), crossings.retrieve(),
        crossings.arrive_event(), crossings.turn_back(), output.obeys(),
        output.grid_point(), output.pass_grid(), output.record(), output.check(), output.output(),
        event.next_event(), event.log_entry(), event.log_round(), event.rounds(), event.remember(),
        event.begin_event(), event.end_event(), event.event(), integrators.first_step(),
        integrators.begin_cvode(), integrators.restart(), loop.drive(), *runge_kutta.functions(),
        *entering.functions(), *passages.functions(),
    )  # fmt: skip
    return declarations + "\n".join(f.text() for f in functions)

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
from saltus.ir.contract import (
    ARRIVE_CVODE,
    ARRIVE_EVENT,
    ARRIVE_IDA,
    ARRIVE_RK,
    BEGIN_CVODE,
    BEGIN_RK,
    DRIVE,
    LONGEST_RK,
    REMEMBER_TO,
    STEP_CVODE,
    STEP_IDA,
    STEP_RK,
    SUNDIALS,
)

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
        STEP_RK,
        ARRIVE_RK,
        BEGIN_RK,
        LONGEST_RK,
    }
)


def driver_text() -> str:
    """A module with the driver."""
    declarations = """
declare double @llvm.fabs.f64(double)
declare double @llvm.sqrt.f64(double)
declare double @llvm.pow.f64(double, double)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
"""
    declarations += "".join(f"declare i32 @{name}({types})\n" for name, types in SUNDIALS)
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

"""The driver: integration from event to event in native code, as LLVM text. It is the same for all models.

    int saltus_drive(void* context)

The integrator takes one step at a time. After each step the driver

    1. looks at every relation that is watched, panel by panel: has it crossed zero? (below)
    2. locates the first crossing on the integrator's own interpolation, to the last digits of time
    3. writes the output points up to there
    4. does the event: left limits, presumption, rounds of `settle` and `commit`, right limits, the log
    5. starts the integrator anew if the event changed a state or the differential equations.

Where a model has delays, their histories are told of every step, and of every event (`saltus.emit.remember`).

It returns when somebody has to look: the codes are in `saltus.ir.drive`. An event that does not go as usual
(a loop without solution, an assertion inside a when-clause) is undone and left to `saltus.run.events`, so
what is here is the common case only.

*Crossings.* The presumed side of a relation is that of its truth, p = 1 or -1; with its residue z the
*margin* is z p where the sign of z is known, and z p + band while z is in its zero band. A margin that is
gone is a crossing; inside the band, leaving towards the presumed side is none. The event is the right end of
the bracket, where the margin is gone. Bracketing is by the Illinois method on the relation whose secant
crosses first, with all of them looked at in each evaluation, and a bisection whenever three evaluations have
not halved the bracket.

*Panels.* A step is gone through from left to right in panels, each of which is looked into until it is known
that nothing has crossed in it and come back (`panels`); so the first crossing is in the first panel at whose
end one is found. Output points are written panel by panel, and each is compared with the relations in force:
a row that contradicts one is proof of a lost event, which is then sought between the last row and this one.
A relation that sets out across zero and comes back without having left its band is an event that cannot be
resolved: Python is told, since this is how a ball would fall through the floor after its last hop.

    context      the fields of the context, and of gates
    integrators  steps, interpolation, restarts of CVODE and IDA
    runge_kutta  the same of the explicit method
    panels       1
    crossings    2
    output       3
    event        4, within one program
    entering     the choice of a mode
    passages     4, from one program to another
    loop         all of it

Every field of the context has eight bytes; `saltus.run.driver` fills them in.
"""

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

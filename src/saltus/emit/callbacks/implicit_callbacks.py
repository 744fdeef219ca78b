"""Call-backs for IDA as LLVM text, so that no Python runs inside a step.

    int saltus_residual(double t, N_Vector yy, N_Vector yp, N_Vector rr, void* memory)
    int saltus_offer(double t, N_Vector yy, N_Vector yp, void* memory)

The second one puts time, states, rates and the integrator's values for the unknowns of loops into the memory
and runs the routine `residual`; the first one gives back what that has left, or fails like the call-back of
`saltus.emit.callbacks.callbacks`. Both use what the model's own module defines: this module is added to it
when a run first asks for IDA.

The states are the first components of yy, so the crossing functions are those of the explicit form. They
solve the loops they need exactly, once a step and a few times at an event: an event is found where the
equations have it, not where the integrator's loop unknowns, known to its tolerance only, would put it. But
they start from these, which are nearly right, and on the branch that the integrator follows.
"""

from __future__ import annotations

from saltus.emit.callbacks.callbacks import copies_text, given_back
from saltus.ir.native.contract import GET_DATA, OFFER, RESIDUAL
from saltus.ir.program import Program


def implicit_callbacks_text(program: Program) -> str:
    """The call-backs of a program with `residual`, to be appended to its module."""
    sections = program.layout.sections
    values, n_values = sections["loop_values"]
    rates, n_states = sections["rates"]
    return f"""
declare ptr @{GET_DATA}(ptr)
{copies_text(program.layout)}
define i32 @{OFFER}(double %t, ptr %yy, ptr %yp, ptr %m) nounwind {{
  call void @saltus.state(double %t, ptr %yy, ptr %m)
  %y = call ptr @{GET_DATA}(ptr %yy)
  %y.loops = getelementptr double, ptr %y, i64 {n_states}
  %values = getelementptr double, ptr %m, i64 {values}
  call void @llvm.memmove.p0.p0.i64(ptr %values, ptr %y.loops, i64 {8 * n_values}, i1 false)
  %y.rates = call ptr @{GET_DATA}(ptr %yp)
  %rates = getelementptr double, ptr %m, i64 {rates}
  call void @llvm.memmove.p0.p0.i64(ptr %rates, ptr %y.rates, i64 {8 * n_states}, i1 false)
  %status = call i32 @residual(ptr %m)
  ret i32 %status
}}

define i32 @{RESIDUAL}(double %t, ptr %yy, ptr %yp, ptr %rr, ptr %m) nounwind {{
entry:
  %status = call i32 @{OFFER}(double %t, ptr %yy, ptr %yp, ptr %m)
{given_back(program.layout, "residuals", "%rr")}}}
"""

"""Integration over many output points in native code, as LLVM text.

    int saltus_sweep(void* cvode, N_Vector y, double* reached, const double* times, double* rows,
                     long count, void* memory, long* done)

Between events nothing happens at an output point but a copy of the memory into a row of the result, so a
whole stretch of points is one call: integrate to the point, compute the outputs, copy. It stops at the first
point where somebody has to look: the integrator returns anything but success (a root, a stop time, a
failure), a routine fails (the `status` counter says which), or an assertion or termination is active.
`done` is the number of rows that were written.

For IDA there is `saltus_ida_sweep`, with `N_Vector yp` after y.
"""

from __future__ import annotations

from saltus.emit.callbacks import STATUS_COUNTER
from saltus.emit.implicit_callbacks import arrive_text
from saltus.ir.program import CHECK_ACTIVE, ROUTINE_FAILED, ROW_SECTIONS, Program

SWEEP, IMPLICIT_SWEEP = "saltus_sweep", "saltus_ida_sweep"

#: The C functions that integrate; whoever compiles gives their addresses.
INTEGRATE, INTEGRATE_IMPLICIT = "CVode", "IDASolve"


def row_slots(program: Program) -> tuple[int, int]:
    """First slot and number of slots of a row."""
    sections = [program.layout.sections[name] for name in ROW_SECTIONS]
    first = sections[0][0]
    length = sum(n for _, n in sections)
    last = sections[-1]
    assert last[0] + last[1] == first + length, "the sections of a row do not lie side by side"
    return first, length


def sweep_text(program: Program) -> str:
    """The function for CVODE, to be appended to the module of a program after the call-backs."""
    integrate = f"@{INTEGRATE}(ptr %solver, double %time, ptr %y, ptr %reached, i32 1)"
    return f"""
declare i32 @{INTEGRATE}(ptr, double, ptr, ptr, i32)
{_loop(program, SWEEP, "ptr %y", integrate, "call void @saltus.state(double %time, ptr %y, ptr %m)")}
"""


def implicit_sweep_text(program: Program) -> str:
    """The function for IDA, to be appended to the module of a program with `residual` alone."""
    integrate = f"@{INTEGRATE_IMPLICIT}(ptr %solver, double %time, ptr %reached, ptr %y, ptr %yp, i32 1)"
    return f"""
declare i32 @{INTEGRATE_IMPLICIT}(ptr, double, ptr, ptr, ptr, i32)
declare i32 @outputs(ptr)
declare i32 @checks(ptr)
{_loop(program, IMPLICIT_SWEEP, "ptr %y, ptr %yp", integrate, arrive_text(program, "%time", "%y", "%yp"))}
"""


def _loop(program: Program, name: str, vectors: str, integrate: str, arrive: str) -> str:
    first, length = row_slots(program)
    sections = program.layout.sections
    status = sections["counters"][0] + STATUS_COUNTER
    checks, n_checks = sections["checks"]
    endings, n_endings = sections["endings"]
    assert endings == checks + n_checks, "checks and endings do not lie side by side"
    return f"""
define i32 @{name}(ptr %solver, {vectors}, ptr %reached, ptr %times, ptr %rows, i64 %count,
                   ptr %m, ptr %done) nounwind {{
entry:
  %slots = getelementptr double, ptr %m, i64 {first}
  br label %head
head:
  %k = phi i64 [ 0, %entry ], [ %next, %recorded ]
  store i64 %k, ptr %done
  %more = icmp slt i64 %k, %count
  br i1 %more, label %point, label %end
end:
  ret i32 0
point:
  %time.p = getelementptr double, ptr %times, i64 %k
  %time = load double, ptr %time.p
  %flag = call i32 {integrate}
  %arrived = icmp eq i32 %flag, 0
  br i1 %arrived, label %compute, label %stopped
stopped:
  ret i32 %flag
compute:
  {arrive}
  %status = call i32 @outputs(ptr %m)
  %ok = icmp eq i32 %status, 0
  br i1 %ok, label %record, label %failed
failed:
  %number = sitofp i32 %status to double
  %status.p = getelementptr double, ptr %m, i64 {status}
  store double %number, ptr %status.p
  ret i32 {ROUTINE_FAILED}
record:
  %offset = mul nsw i64 %k, {length}
  %row = getelementptr double, ptr %rows, i64 %offset
  call void @llvm.memmove.p0.p0.i64(ptr %row, ptr %slots, i64 {8 * length}, i1 false)
  %next = add nsw i64 %k, 1
{_look_at_checks(checks, n_checks + n_endings)}
}}
"""


def _look_at_checks(first: int, count: int) -> str:
    """Runs the assertions and leaves when one is violated; nothing at all where there are none."""
    if not count:
        return "  br label %recorded\nrecorded:\n  br label %head"
    return f"""\
  %checked = call i32 @checks(ptr %m)
  br label %check
check:
  %c = phi i64 [ 0, %record ], [ %c.next, %quiet ]
  %c.more = icmp slt i64 %c, {count}
  br i1 %c.more, label %test, label %recorded
test:
  %c.slot = add nsw i64 %c, {first}
  %c.p = getelementptr double, ptr %m, i64 %c.slot
  %c.value = load double, ptr %c.p
  %active = fcmp une double %c.value, 0.0
  br i1 %active, label %found, label %quiet
quiet:
  %c.next = add nsw i64 %c, 1
  br label %check
found:
  store i64 %next, ptr %done
  ret i32 {CHECK_ACTIVE}
recorded:
  br label %head"""

"""Call-backs for SUNDIALS as LLVM text, so that no Python runs inside a step.

    int saltus_rhs(double t, N_Vector y, N_Vector ydot, void* memory)

It puts time and states into the memory and runs the routine `derivatives`. A status goes to the counter
STATUS (`saltus.ir.native.contract`), as does NOT_FINITE where a derivative is not finite, and the call-back
returns a recoverable failure (1): the integrator tries a smaller step.
"""

from __future__ import annotations

from saltus.ir.native.contract import GET_DATA, RHS, TIME_SLOT, Counter
from saltus.ir.program import NOT_FINITE, Layout, Program


def callbacks_text(program: Program) -> str:
    """The call-backs of a program, to be appended to its module."""
    layout = program.layout
    return "\n".join(
        [
            f"declare ptr @{GET_DATA}(ptr)",
            copies_text(layout),
            _rhs(layout),
        ]
    )


def copies_text(layout: Layout) -> str:
    """How time and states come into the memory, and results out of it."""
    assert TIME_SLOT == 0  # the address of the memory is that of the time
    first, length = layout.sections["states"]
    return f"""
define internal void @saltus.state(double %t, ptr %y, ptr %m) nounwind {{
  store double %t, ptr %m
  %data = call ptr @{GET_DATA}(ptr %y)
  %states = getelementptr double, ptr %m, i64 {first}
  call void @llvm.memmove.p0.p0.i64(ptr %states, ptr %data, i64 {8 * length}, i1 false)
  ret void
}}

; whether all of the numbers are finite
define internal i1 @saltus.copy(ptr %out, ptr %in, i64 %count) nounwind {{
entry:
  br label %head
head:
  %k = phi i64 [ 0, %entry ], [ %next, %body ]
  %sum = phi double [ 0.0, %entry ], [ %sum.next, %body ]
  %more = icmp slt i64 %k, %count
  br i1 %more, label %body, label %end
body:
  %from = getelementptr double, ptr %in, i64 %k
  %to = getelementptr double, ptr %out, i64 %k
  %x = load double, ptr %from
  store double %x, ptr %to
  ; 0 for a finite number, nan for any other
  %nothing = fmul double %x, 0.0
  %sum.next = fadd double %sum, %nothing
  %next = add nsw i64 %k, 1
  br label %head
end:
  %finite = fcmp oeq double %sum, 0.0
  ret i1 %finite
}}
"""


def _rhs(layout: Layout) -> str:
    return f"""
define i32 @{RHS}(double %t, ptr %y, ptr %ydot, ptr %m) nounwind {{
entry:
  call void @saltus.state(double %t, ptr %y, ptr %m)
  %status = call i32 @derivatives(ptr %m)
{given_back(layout, "derivatives", "%ydot")}}}
"""


def given_back(layout: Layout, section: str, vector: str) -> str:
    """The rest of a call-back, from the `%status` of its routine on: the section goes to an N_Vector; the
    status counter says what failed, or is not finite."""
    first, length = layout.sections[section]
    status = layout.sections["counters"][0] + Counter.STATUS
    return f"""\
  %ok = icmp eq i32 %status, 0
  br i1 %ok, label %copy, label %failed
copy:
  %out = call ptr @{GET_DATA}(ptr {vector})
  %{section} = getelementptr double, ptr %m, i64 {first}
  %finite = call i1 @saltus.copy(ptr %out, ptr %{section}, i64 {length})
  br i1 %finite, label %done, label %failed
done:
  ret i32 0
failed:
  %reason = phi i32 [ %status, %entry ], [ {NOT_FINITE}, %copy ]
  %number = sitofp i32 %reason to double
  %place = getelementptr double, ptr %m, i64 {status}
  store double %number, ptr %place
  ret i32 1
"""

"""Sparse systems with a pattern that is known beforehand: LU factorisation as LLVM text.

    int saltus_factorise(SUNLinearSolver S, SUNMatrix A)
    int saltus_solve(SUNLinearSolver S, SUNMatrix A, N_Vector x, N_Vector b, double tolerance)

The content of both objects is the same *plan*: a structure of pointers, filled in when the solver is created.
The matrix is M = I - gamma J. Order and fill are found before the run (`analyse/blocks/fill.py`), so what is
left for the run is arithmetic, column by column from the left (Gilbert and Peierls, Sparse partial pivoting
in time proportional to arithmetic operations, 1988, without the pivoting):

    x := column j of M
    for each k above j:  x := x - L(:,k) x_k
    U(:,j) := x above j,  pivot j := x_j,  L(:,j) := x below j, over the pivot

Pivots stay on the diagonal. A pivot is refused if nearly all of its digits were cancelled on the way to it,
which no scaling of states or equations can feign. The call-back returns a recoverable failure, and the
integrator tries a smaller step; as the step goes to zero, M goes to I.

The SUNDIALS of the wheel carries SuperLU_MT. It is not used: its memory for the factors is fixed at
thirty times the matrix, and when that is exceeded it ends the process.
"""

from __future__ import annotations

from saltus.ir.native.contract import FACTORISE, GET_DATA, PLAN_FIELDS, SOLVE

#: A plan as a type of LLVM.
PLAN = "{ i64, double, " + ", ".join(["ptr"] * (len(PLAN_FIELDS) - 2)) + " }"

#: A pivot must keep this part of the largest number that was on its way to it.
LEAST_PIVOT = 1e-10

_RECOVERABLE = 1


def sparse_lu_text() -> str:
    """A module with the two functions, the same for all models."""
    return f"""
%plan = type {PLAN}
declare ptr @{GET_DATA}(ptr)
declare double @llvm.fabs.f64(double)
{_range()}
{_subtract_column()}
{_factorise()}
{_solve()}
"""


def _field(name: str) -> str:
    """Loads a field of the plan."""
    number = PLAN_FIELDS.index(name)
    kind = {"n": "i64", "gamma": "double"}.get(name, "ptr")
    return (
        f"  %{name}.p = getelementptr %plan, ptr %plan, i64 0, i32 {number}\n"
        f"  %{name} = load {kind}, ptr %{name}.p"
    )


def _fields(*names: str) -> str:
    return "\n".join(map(_field, names))


def _range() -> str:
    return """
define internal i64 @number(ptr %table, i64 %k) alwaysinline nounwind {
  %p = getelementptr i32, ptr %table, i64 %k
  %i = load i32, ptr %p
  %i64 = sext i32 %i to i64
  ret i64 %i64
}
"""


def _subtract_column() -> str:
    """x := x - factor * values, for the entries [from, to) of a sparse column."""
    return """
define internal void @subtract(ptr noalias %x, ptr noalias %values, ptr noalias %rows, i64 %from, i64 %to,
                               double %factor) nounwind {
entry:
  br label %head
head:
  %s = phi i64 [ %from, %entry ], [ %s.next, %body ]
  %more = icmp slt i64 %s, %to
  br i1 %more, label %body, label %end
body:
  %row = call i64 @number(ptr %rows, i64 %s)
  %value.p = getelementptr double, ptr %values, i64 %s
  %value = load double, ptr %value.p
  %x.p = getelementptr double, ptr %x, i64 %row
  %old = load double, ptr %x.p
  %part = fmul double %value, %factor
  %new = fsub double %old, %part
  store double %new, ptr %x.p
  %s.next = add nsw i64 %s, 1
  br label %head
end:
  ret void
}
"""


def _factorise() -> str:
    fields = _fields(
        "n", "gamma", "entries", "entry_first", "entry_row", "upper_first", "upper_row", "upper",
        "lower_first", "lower_row", "lower", "pivots", "column",
    )  # fmt: skip
    return f"""
define i32 @{FACTORISE}(ptr %S, ptr %A) nounwind {{
entry:
  %plan = load ptr, ptr %S
{fields}
  br label %columns
columns:
  %j = phi i64 [ 0, %entry ], [ %j.next, %scaled ]
  %good = phi i1 [ true, %entry ], [ %good.next, %scaled ]
  %more = icmp slt i64 %j, %n
  br i1 %more, label %begin, label %end
end:
  %result = select i1 %good, i32 0, i32 {_RECOVERABLE}
  ret i32 %result

begin:
  %j.next = add nsw i64 %j, 1
  %e.from = call i64 @number(ptr %entry_first, i64 %j)
  %e.to = call i64 @number(ptr %entry_first, i64 %j.next)
  br label %entries.head
entries.head:
  %e = phi i64 [ %e.from, %begin ], [ %e.next, %entries.body ]
  %e.more = icmp slt i64 %e, %e.to
  br i1 %e.more, label %entries.body, label %above
entries.body:
  %e.row = call i64 @number(ptr %entry_row, i64 %e)
  %e.p = getelementptr double, ptr %entries, i64 %e
  %e.value = load double, ptr %e.p
  %e.part = fmul double %e.value, %gamma
  %e.negative = fneg double %e.part
  %e.x = getelementptr double, ptr %column, i64 %e.row
  store double %e.negative, ptr %e.x
  %e.next = add nsw i64 %e, 1
  br label %entries.head

above:
  %diagonal.p = getelementptr double, ptr %column, i64 %j
  %diagonal = load double, ptr %diagonal.p
  %diagonal.1 = fadd double %diagonal, 1.0
  store double %diagonal.1, ptr %diagonal.p
  %diagonal.size = call double @llvm.fabs.f64(double %diagonal)
  %larger.1 = fcmp ogt double %diagonal.size, 1.0
  %largest.1 = select i1 %larger.1, double %diagonal.size, double 1.0
  %u.from = call i64 @number(ptr %upper_first, i64 %j)
  %u.to = call i64 @number(ptr %upper_first, i64 %j.next)
  br label %above.head
above.head:
  %u = phi i64 [ %u.from, %above ], [ %u.next, %above.body ]
  %largest = phi double [ %largest.1, %above ], [ %largest.u, %above.body ]
  %u.more = icmp slt i64 %u, %u.to
  br i1 %u.more, label %above.body, label %below
above.body:
  %k = call i64 @number(ptr %upper_row, i64 %u)
  %x.k.p = getelementptr double, ptr %column, i64 %k
  %x.k = load double, ptr %x.k.p
  store double 0.0, ptr %x.k.p
  %u.p = getelementptr double, ptr %upper, i64 %u
  store double %x.k, ptr %u.p
  %k.next = add nsw i64 %k, 1
  %k.from = call i64 @number(ptr %lower_first, i64 %k)
  %k.to = call i64 @number(ptr %lower_first, i64 %k.next)
  call void @subtract(ptr %column, ptr %lower, ptr %lower_row, i64 %k.from, i64 %k.to, double %x.k)
  %way = load double, ptr %diagonal.p
  %way.size = call double @llvm.fabs.f64(double %way)
  %larger.u = fcmp ogt double %way.size, %largest
  %largest.u = select i1 %larger.u, double %way.size, double %largest
  %u.next = add nsw i64 %u, 1
  br label %above.head

below:
  %pivot = load double, ptr %diagonal.p
  store double 0.0, ptr %diagonal.p
  %pivot.p = getelementptr double, ptr %pivots, i64 %j
  store double %pivot, ptr %pivot.p
  %pivot.size = call double @llvm.fabs.f64(double %pivot)
  %least = fmul double %largest, {LEAST_PIVOT:.1e}
  ; also false for what is not a number
  %kept = fcmp oge double %pivot.size, %least
  %good.next = and i1 %good, %kept
  %l.from = call i64 @number(ptr %lower_first, i64 %j)
  %l.to = call i64 @number(ptr %lower_first, i64 %j.next)
  br label %scale.head
scale.head:
  %l = phi i64 [ %l.from, %below ], [ %l.next, %scale.body ]
  %l.more = icmp slt i64 %l, %l.to
  br i1 %l.more, label %scale.body, label %scaled
scale.body:
  %l.row = call i64 @number(ptr %lower_row, i64 %l)
  %l.x = getelementptr double, ptr %column, i64 %l.row
  %l.value = load double, ptr %l.x
  store double 0.0, ptr %l.x
  %l.part = fdiv double %l.value, %pivot
  %l.p = getelementptr double, ptr %lower, i64 %l
  store double %l.part, ptr %l.p
  %l.next = add nsw i64 %l, 1
  br label %scale.head
scaled:
  br label %columns
}}
"""


def _solve() -> str:
    fields = _fields(
        "n", "upper_first", "upper_row", "upper", "lower_first", "lower_row", "lower", "pivots", "order",
        "solution",
    )  # fmt: skip
    return f"""
define i32 @{SOLVE}(ptr %S, ptr %A, ptr %x, ptr %b, double %tolerance) nounwind {{
entry:
  %plan = load ptr, ptr %S
{fields}
  %b.data = call ptr @{GET_DATA}(ptr %b)
  %x.data = call ptr @{GET_DATA}(ptr %x)
  br label %take.head
take.head:
  %t = phi i64 [ 0, %entry ], [ %t.next, %take.body ]
  %t.more = icmp slt i64 %t, %n
  br i1 %t.more, label %take.body, label %forward.head
take.body:
  %t.state = call i64 @number(ptr %order, i64 %t)
  %t.b = getelementptr double, ptr %b.data, i64 %t.state
  %t.value = load double, ptr %t.b
  %t.to = getelementptr double, ptr %solution, i64 %t
  store double %t.value, ptr %t.to
  %t.next = add nsw i64 %t, 1
  br label %take.head

forward.head:
  %j = phi i64 [ 0, %take.head ], [ %j.next, %forward.body ]
  %j.more = icmp slt i64 %j, %n
  br i1 %j.more, label %forward.body, label %backward.head
forward.body:
  %j.next = add nsw i64 %j, 1
  %j.p = getelementptr double, ptr %solution, i64 %j
  %j.value = load double, ptr %j.p
  %l.from = call i64 @number(ptr %lower_first, i64 %j)
  %l.to = call i64 @number(ptr %lower_first, i64 %j.next)
  call void @subtract(ptr %solution, ptr %lower, ptr %lower_row, i64 %l.from, i64 %l.to, double %j.value)
  br label %forward.head

backward.head:
  %above = phi i64 [ %n, %forward.head ], [ %k, %backward.body ]
  %k.more = icmp sgt i64 %above, 0
  br i1 %k.more, label %backward.body, label %end
backward.body:
  %k = sub nsw i64 %above, 1
  %k.p = getelementptr double, ptr %solution, i64 %k
  %k.sum = load double, ptr %k.p
  %pivot.p = getelementptr double, ptr %pivots, i64 %k
  %pivot = load double, ptr %pivot.p
  %k.value = fdiv double %k.sum, %pivot
  %u.from = call i64 @number(ptr %upper_first, i64 %k)
  %u.to = call i64 @number(ptr %upper_first, i64 %above)
  call void @subtract(ptr %solution, ptr %upper, ptr %upper_row, i64 %u.from, i64 %u.to, double %k.value)
  %k.state = call i64 @number(ptr %order, i64 %k)
  %k.x = getelementptr double, ptr %x.data, i64 %k.state
  store double %k.value, ptr %k.x
  br label %backward.head
end:
  ret i32 0
}}
"""

"""The Jacobian of the state derivatives for SUNDIALS, as LLVM text.

    int saltus_jacobian(double t, N_Vector y, N_Vector fy, SUNMatrix J, void* memory,
                        N_Vector, N_Vector, N_Vector)
    int saltus_system(double t, N_Vector y, N_Vector fy, SUNMatrix A, int jok, int* jcur, double gamma,
                      void* memory, N_Vector, N_Vector, N_Vector)

The first fills a dense matrix. The second is for sparse ones: it computes the entries unless the old ones
will do, and notes gamma; the matrix I - gamma J itself is made where it is factorised
(`emit/callbacks/sparse_lu.py`), whose plan is the content of A.

Both go through the colours. For each one the direction is set to 1 in the columns of that colour, the
tangents are computed, and each slope is the one entry that its row has in these columns. The values
that tangents refer to are in the memory, since `derivatives` has just been called.

Where there are no symbolic tangents, or a slope is not finite (the square root at zero), forward differences
are taken instead, colour by colour too. The increment is sqrt(eps) times the state, or times its nominal
value if that is larger.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate

from saltus.emit.callbacks.sparse_lu import PLAN
from saltus.ir.contract import DENSE_DATA, GET_DATA, JACOBIAN, SYSTEM, Counter
from saltus.ir.program import Program
from saltus.ir.structure import Jacobian


def jacobian_text(program: Program) -> str:
    """The call-backs of a program, to be appended to its module after those of
    `emit/callbacks/callbacks.py`."""
    jacobian = program.jacobian
    if jacobian is None:
        return ""
    parts = [_tables(jacobian), _differences(program, jacobian)]
    if jacobian.tangents is not None:
        parts.append(_slopes(program, jacobian))
    return "\n".join([*parts, _both_ways(program, jacobian), _interface()])


# ---------------------------------------------------------------- tables


def _tables(jacobian: Jacobian) -> str:
    """Entries sorted by colour: their rows, columns, and places in the sparse matrix. Those of a full matrix
    are counted and need no table."""
    if _is_full(jacobian):
        return _table("colours", jacobian.colours)
    entries = sorted(
        (colour, row, column)
        for column, colour in enumerate(jacobian.colours)
        for row in jacobian.rows[column]
    )
    counts = [0] * jacobian.colour_count
    for colour, _, _ in entries:
        counts[colour] += 1
    places = sparse_places(jacobian) if jacobian.elimination is not None else {}
    return "\n".join(
        [
            _table("colours", jacobian.colours),
            _table("first", accumulate(counts, initial=0)),
            _table("rows", (row for _, row, _ in entries)),
            _table("columns", (column for _, _, column in entries)),
            _table("places", (places[row, column] for _, row, column in entries) if places else (0,)),
        ]
    )


def _is_full(jacobian: Jacobian) -> bool:
    return jacobian.elimination is None and jacobian.entries == jacobian.size**2


def sparse_places(jacobian: Jacobian) -> dict[tuple[int, int], int]:
    """Where the sparse matrix keeps each entry: columns in the order of their elimination, each from top to
    bottom."""
    assert jacobian.elimination is not None
    places = ((row, column) for column in jacobian.elimination.order for row in jacobian.rows[column])
    return {place: k for k, place in enumerate(places)}


def _table(name: str, numbers: Iterable[int]) -> str:
    """32-bit integers as a string of bytes, which LLVM reads many times faster than a list of constants."""
    data = b"".join(number.to_bytes(4, "little") for number in numbers) or bytes(4)
    text = data.hex("\\")
    return f'@saltus.{name} = internal constant [{len(data)} x i8] c"\\{text}", align 4'


# ---------------------------------------------------------------- one colour after the other


def _slopes(program: Program, jacobian: Jacobian) -> str:
    """Returns 0, the status of a block, or -1 where a slope is not finite."""
    sections = program.layout.sections
    body = """\
  %chosen = icmp eq i32 %colour, %c32
  %one = uitofp i1 %chosen to double
  %seed = getelementptr double, ptr %m, i64 %seed.slot
  store double %one, ptr %seed"""
    return _loop(
        jacobian,
        "define internal i32 @saltus.slopes(ptr %y, ptr %fy, ptr %data, i1 %dense, ptr %m) nounwind {",
        prepare=f"  %seed.slot = add nsw i64 %j, {sections['seeds'][0]}\n{body}",
        routine="tangents",
        entry=f"""\
  %slot = add nsw i64 %row, {sections["slopes"][0]}
  %slot.p = getelementptr double, ptr %m, i64 %slot
  %value = load double, ptr %slot.p""",
        end="""\
  %finite = fcmp oeq double %sum, 0.0
  %result = select i1 %finite, i32 0, i32 -1
  ret i32 %result""",
    )


def _differences(program: Program, jacobian: Jacobian) -> str:
    """Returns 0 or the status of a block."""
    sections = program.layout.sections
    states, derivatives = sections["states"][0], sections["derivatives"][0]
    return _loop(
        jacobian,
        "define internal i32 @saltus.differences(ptr %y, ptr %fy, ptr %data, i1 %dense, ptr %m) nounwind {",
        prepare=f"""\
  %y.p = getelementptr double, ptr %y, i64 %j
  %y.j = load double, ptr %y.p
  %scale.slot = add nsw i64 %j, {sections["scales"][0]}
  %scale.p = getelementptr double, ptr %m, i64 %scale.slot
  %scale = load double, ptr %scale.p
  %size = call double @llvm.fabs.f64(double %y.j)
  %larger = fcmp ogt double %size, %scale
  %length = select i1 %larger, double %size, double %scale
  %increment = fmul double %length, {2.0**-26!r}
  %moved = fadd double %y.j, %increment
  %chosen = icmp eq i32 %colour, %c32
  %new = select i1 %chosen, double %moved, double %y.j
  %state.slot = add nsw i64 %j, {states}
  %state = getelementptr double, ptr %m, i64 %state.slot
  store double %new, ptr %state""",
        routine="derivatives",
        entry=f"""\
  %slot = add nsw i64 %row, {derivatives}
  %slot.p = getelementptr double, ptr %m, i64 %slot
  %there = load double, ptr %slot.p
  %here.p = getelementptr double, ptr %fy, i64 %row
  %here = load double, ptr %here.p
  %rise = fsub double %there, %here
  %state.c.slot = add nsw i64 %column, {states}
  %state.c.p = getelementptr double, ptr %m, i64 %state.c.slot
  %state.c = load double, ptr %state.c.p
  %y.c.p = getelementptr double, ptr %y, i64 %column
  %y.c = load double, ptr %y.c.p
  %run = fsub double %state.c, %y.c
  %value = fdiv double %rise, %run""",
        end="  ret i32 0",
    )


def _loop(jacobian: Jacobian, head: str, *, prepare: str, routine: str, entry: str, end: str) -> str:
    """For each colour: prepare every column, run a routine, take every entry."""
    n = jacobian.size
    first, which, place = _full_entries(n) if _is_full(jacobian) else _listed_entries(n)
    return f"""
{head}
entry:
  br label %colours
colours:
  %c = phi i64 [ 0, %entry ], [ %c.next, %entries ]
  %sum = phi double [ 0.0, %entry ], [ %sum.e, %entries ]
  %more = icmp slt i64 %c, {jacobian.colour_count}
  br i1 %more, label %first, label %end
first:
  %c32 = trunc i64 %c to i32
  br label %columns
columns:
  %j = phi i64 [ 0, %first ], [ %j.next, %column.body ]
  %j.more = icmp slt i64 %j, {n}
  br i1 %j.more, label %column.body, label %run.it
column.body:
  %colour.p = getelementptr i32, ptr @saltus.colours, i64 %j
  %colour = load i32, ptr %colour.p
{prepare}
  %j.next = add nsw i64 %j, 1
  br label %columns
run.it:
  %status = call i32 @{routine}(ptr %m)
  %ok = icmp eq i32 %status, 0
  br i1 %ok, label %collect, label %failed
failed:
  ret i32 %status
collect:
  %c.next = add nsw i64 %c, 1
{first}
  br label %entries
entries:
  %e = phi i64 [ %from, %collect ], [ %e.next, %entry.body ]
  %sum.e = phi double [ %sum, %collect ], [ %sum.next, %entry.body ]
  %e.more = icmp slt i64 %e, %to
  br i1 %e.more, label %entry.body, label %colours
entry.body:
{which}
{entry}
  ; 0 for a finite number, nan for any other
  %nothing = fmul double %value, 0.0
  %sum.next = fadd double %sum.e, %nothing
{place}
  %target = getelementptr double, ptr %data, i64 %place
  store double %value, ptr %target
  %e.next = add nsw i64 %e, 1
  br label %entries
end:
{end}
}}
"""


def _full_entries(n: int) -> tuple[str, str, str]:
    """For a full matrix: which entries a colour has, row and column of an entry, and its place, column after
    column."""
    return (
        f"  %from = mul nsw i64 %c, {n}\n  %to = add nsw i64 %from, {n}",
        "  %row = sub nsw i64 %e, %from\n  %column = add nsw i64 %c, 0",
        "  %place = add nsw i64 %e, 0",
    )


def _listed_entries(n: int) -> tuple[str, str, str]:
    """For a sparse matrix: which entries a colour has, row and column of an entry, and its place, all from
    tables."""
    return (
        "\n".join([_number("from", "first", "%c"), _number("to", "first", "%c.next")]),
        "\n".join([_number("row", "rows", "%e"), _number("column", "columns", "%e")]),
        f"""\
  %before = mul nsw i64 %column, {n}
  %dense.place = add nsw i64 %before, %row
  %in.table = select i1 %dense, i64 0, i64 %e
{_number("sparse.place", "places", "%in.table")}
  %place = select i1 %dense, i64 %dense.place, i64 %sparse.place""",
    )


def _number(name: str, table: str, at: str) -> str:
    """%name := the integer of a table."""
    return f"""\
  %{name}.p = getelementptr i32, ptr @saltus.{table}, i64 {at}
  %{name}.32 = load i32, ptr %{name}.p
  %{name} = sext i32 %{name}.32 to i64"""


# ---------------------------------------------------------------- the whole


def _both_ways(program: Program, jacobian: Jacobian) -> str:
    """The entries at a point: by tangents, or else by differences."""
    status = program.layout.sections["counters"][0] + Counter.STATUS
    tangents = """\
  %status.d = call i32 @derivatives(ptr %m)
  %computed = icmp eq i32 %status.d, 0
  br i1 %computed, label %symbolic, label %numeric
symbolic:
  %status.s = call i32 @saltus.slopes(ptr %y.data, ptr %fy.data, ptr %data, i1 %dense, ptr %m)
  %done = icmp eq i32 %status.s, 0
  br i1 %done, label %good, label %numeric
"""
    return f"""
define internal i32 @saltus.entries(double %t, ptr %y, ptr %fy, ptr %data, i1 %dense, ptr %m) nounwind {{
entry:
  call void @saltus.state(double %t, ptr %y, ptr %m)
  %y.data = call ptr @{GET_DATA}(ptr %y)
  %fy.data = call ptr @{GET_DATA}(ptr %fy)
{tangents if jacobian.tangents is not None else "  br label %numeric"}
numeric:
  %status.n = call i32 @saltus.differences(ptr %y.data, ptr %fy.data, ptr %data, i1 %dense, ptr %m)
  %ok = icmp eq i32 %status.n, 0
  br i1 %ok, label %good, label %failed
good:
  ret i32 0
failed:
  %number = sitofp i32 %status.n to double
  %place = getelementptr double, ptr %m, i64 {status}
  store double %number, ptr %place
  ret i32 1
}}
"""


def _interface() -> str:
    return f"""
declare ptr @{DENSE_DATA}(ptr)

define i32 @{JACOBIAN}(double %t, ptr %y, ptr %fy, ptr %J, ptr %m, ptr %v1, ptr %v2, ptr %v3) nounwind {{
  %data = call ptr @{DENSE_DATA}(ptr %J)
  %result = call i32 @saltus.entries(double %t, ptr %y, ptr %fy, ptr %data, i1 true, ptr %m)
  ret i32 %result
}}

%plan = type {PLAN}

define i32 @{SYSTEM}(double %t, ptr %y, ptr %fy, ptr %A, i32 %jok, ptr %jcur, double %gamma, ptr %m,
                     ptr %v1, ptr %v2, ptr %v3) nounwind {{
entry:
  %plan = load ptr, ptr %A
  %gamma.p = getelementptr %plan, ptr %plan, i64 0, i32 1
  store double %gamma, ptr %gamma.p
  %old = icmp ne i32 %jok, 0
  br i1 %old, label %keep, label %compute
keep:
  store i32 0, ptr %jcur
  ret i32 0
compute:
  store i32 1, ptr %jcur
  %data.p = getelementptr %plan, ptr %plan, i64 0, i32 2
  %data = load ptr, ptr %data.p
  %result = call i32 @saltus.entries(double %t, ptr %y, ptr %fy, ptr %data, i1 false, ptr %m)
  ret i32 %result
}}
"""

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

All of this is the same for all models, and is compiled once (`entries_text`). What differs, the tables of
entries, the places in the memory and the two routines, is a *description*, a constant of the model's module.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate

from saltus.emit.callbacks.sparse_lu import PLAN
from saltus.ir.native.contract import DENSE_DATA, ENTRIES, GET_DATA, JACOBIAN, SYSTEM, TIME_SLOT, Counter
from saltus.ir.program import Program
from saltus.ir.sorted.jacobian import Jacobian

#: What a Jacobian is computed from: its size, the colour of each column, the number of colours; for a sparse
#: one the entries sorted by colour (null for a full one); the first slots of sections; and the routines, the
#: second null where there are no symbolic tangents.
_FIELDS = {
    "n": "i64",
    "colour_count": "i64",
    "colours": "ptr",
    "first": "ptr",
    "rows": "ptr",
    "columns": "ptr",
    "places": "ptr",
    "states": "i64",
    "derivatives": "i64",
    "scales": "i64",
    "seeds": "i64",
    "slopes": "i64",
    "status": "i64",
    "derive": "ptr",
    "differentiate": "ptr",
}

_DESCRIPTION = f"%description = type {{ {', '.join(_FIELDS.values())} }}"

#: The arguments of all that computes entries.
_ARGUMENTS = "ptr %y, ptr %fy, ptr %data, i1 %dense, ptr %m, ptr %d"


def jacobian_text(program: Program) -> str:
    """The call-backs of a program, to be appended to its module after those of
    `emit/callbacks/callbacks.py`."""
    jacobian = program.jacobian
    if jacobian is None:
        return ""
    return "\n".join([_DESCRIPTION, _tables(jacobian), _description(program, jacobian), _interface()])


def entries_text() -> str:
    """A module with the function that computes the entries, the same for all models."""
    return "\n".join(
        [
            _DESCRIPTION,
            f"declare ptr @{GET_DATA}(ptr)",
            "declare double @llvm.fabs.f64(double)",
            "declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)",
            *(_slopes(full) for full in (False, True)),
            *(_differences(full) for full in (False, True)),
            _both_ways(),
        ]
    )


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


def _description(program: Program, jacobian: Jacobian) -> str:
    first = {name: place for name, (place, _) in program.layout.sections.items()}
    listed = () if _is_full(jacobian) else ("first", "rows", "columns", "places")
    values = {
        "n": jacobian.size,
        "colour_count": jacobian.colour_count,
        **{name: f"@saltus.{name}" for name in ("colours", *listed)},
        **{name: first.get(name, 0) for name in ("states", "derivatives", "scales", "seeds", "slopes")},
        "status": first["counters"] + Counter.STATUS,
        "derive": "@derivatives",
        **({"differentiate": "@tangents"} if jacobian.tangents is not None else {}),
    }
    fields = ", ".join(f"{kind} {values.get(name, 'null')}" for name, kind in _FIELDS.items())
    return f"@saltus.description = internal constant %description {{ {fields} }}"


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


def _slopes(full: bool) -> str:
    """Returns 0, the status of a block, or -1 where a slope is not finite."""
    return _loop(
        "slopes",
        full,
        fields=("seeds", "slopes", "differentiate"),
        prepare="""\
  %seed.slot = add nsw i64 %j, %seeds
  %chosen = icmp eq i32 %colour, %c32
  %one = uitofp i1 %chosen to double
  %seed = getelementptr double, ptr %m, i64 %seed.slot
  store double %one, ptr %seed""",
        routine="%differentiate",
        entry="""\
  %slot = add nsw i64 %row, %slopes
  %slot.p = getelementptr double, ptr %m, i64 %slot
  %value = load double, ptr %slot.p""",
        end="""\
  %finite = fcmp oeq double %sum, 0.0
  %result = select i1 %finite, i32 0, i32 -1
  ret i32 %result""",
    )


def _differences(full: bool) -> str:
    """Returns 0 or the status of a block."""
    return _loop(
        "differences",
        full,
        fields=("states", "derivatives", "scales", "derive"),
        prepare=f"""\
  %y.p = getelementptr double, ptr %y, i64 %j
  %y.j = load double, ptr %y.p
  %scale.slot = add nsw i64 %j, %scales
  %scale.p = getelementptr double, ptr %m, i64 %scale.slot
  %scale = load double, ptr %scale.p
  %size = call double @llvm.fabs.f64(double %y.j)
  %larger = fcmp ogt double %size, %scale
  %length = select i1 %larger, double %size, double %scale
  %increment = fmul double %length, {2.0**-26!r}
  %moved = fadd double %y.j, %increment
  %chosen = icmp eq i32 %colour, %c32
  %new = select i1 %chosen, double %moved, double %y.j
  %state.slot = add nsw i64 %j, %states
  %state = getelementptr double, ptr %m, i64 %state.slot
  store double %new, ptr %state""",
        routine="%derive",
        entry="""\
  %slot = add nsw i64 %row, %derivatives
  %slot.p = getelementptr double, ptr %m, i64 %slot
  %there = load double, ptr %slot.p
  %here.p = getelementptr double, ptr %fy, i64 %row
  %here = load double, ptr %here.p
  %rise = fsub double %there, %here
  %state.c.slot = add nsw i64 %column, %states
  %state.c.p = getelementptr double, ptr %m, i64 %state.c.slot
  %state.c = load double, ptr %state.c.p
  %y.c.p = getelementptr double, ptr %y, i64 %column
  %y.c = load double, ptr %y.c.p
  %run = fsub double %state.c, %y.c
  %value = fdiv double %rise, %run""",
        end="  ret i32 0",
    )


def _loop(
    name: str, full: bool, *, fields: Iterable[str], prepare: str, routine: str, entry: str, end: str
) -> str:
    """For each colour: prepare every column, run a routine, take every entry."""
    first, which, place = _FULL if full else _LISTED
    tables = () if full else ("first", "rows", "columns", "places")
    return f"""
define internal i32 @{_variant(name, full)}({_ARGUMENTS}) nounwind {{
entry:
{_loaded("n", "colour_count", "colours", *tables, *fields)}
  br label %next.colour
next.colour:
  %c = phi i64 [ 0, %entry ], [ %c.next, %entries ]
  %sum = phi double [ 0.0, %entry ], [ %sum.e, %entries ]
  %more = icmp slt i64 %c, %colour_count
  br i1 %more, label %first.column, label %end
first.column:
  %c32 = trunc i64 %c to i32
  br label %next.column
next.column:
  %j = phi i64 [ 0, %first.column ], [ %j.next, %column.body ]
  %j.more = icmp slt i64 %j, %n
  br i1 %j.more, label %column.body, label %run.it
column.body:
  %colour.p = getelementptr i32, ptr %colours, i64 %j
  %colour = load i32, ptr %colour.p
{prepare}
  %j.next = add nsw i64 %j, 1
  br label %next.column
run.it:
  %status = call i32 {routine}(ptr %m)
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
  br i1 %e.more, label %entry.body, label %next.colour
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


def _variant(name: str, full: bool) -> str:
    return f"{name}.full" if full else f"{name}.listed"


def _loaded(*fields: str) -> str:
    """%field := a field of the description."""
    numbers = list(_FIELDS)
    return "\n".join(
        f"  %{name}.f = getelementptr %description, ptr %d, i64 0, i32 {numbers.index(name)}\n"
        f"  %{name} = load {_FIELDS[name]}, ptr %{name}.f"
        for name in fields
    )


def _number(name: str, table: str, at: str) -> str:
    """%name := the integer of a table."""
    return f"""\
  %{name}.p = getelementptr i32, ptr %{table}, i64 {at}
  %{name}.32 = load i32, ptr %{name}.p
  %{name} = sext i32 %{name}.32 to i64"""


#: For a full matrix: which entries a colour has, row and column of an entry, and its place, column after
#: column.
_FULL = (
    "  %from = mul nsw i64 %c, %n\n  %to = add nsw i64 %from, %n",
    "  %row = sub nsw i64 %e, %from\n  %column = add nsw i64 %c, 0",
    "  %place = add nsw i64 %e, 0",
)

#: For a sparse matrix: the same, all from tables.
_LISTED = (
    "\n".join([_number("from", "first", "%c"), _number("to", "first", "%c.next")]),
    "\n".join([_number("row", "rows", "%e"), _number("column", "columns", "%e")]),
    f"""\
  %before = mul nsw i64 %column, %n
  %dense.place = add nsw i64 %before, %row
  %in.table = select i1 %dense, i64 0, i64 %e
{_number("sparse.place", "places", "%in.table")}
  %place = select i1 %dense, i64 %dense.place, i64 %sparse.place""",
)


# ---------------------------------------------------------------- the whole


def _both_ways() -> str:
    """The entries at a point: by tangents, or else by differences."""
    assert TIME_SLOT == 0  # the address of the memory is that of the time
    arguments = "ptr %y.data, ptr %fy.data, ptr %data, i1 %dense, ptr %m, ptr %d"
    return f"""
define i32 @{ENTRIES}(double %t, ptr %y, ptr %fy, ptr %data, i1 %dense, ptr %m, ptr %d) nounwind {{
entry:
{_loaded("n", "first", "states", "status", "derive", "differentiate")}
  store double %t, ptr %m
  %y.data = call ptr @{GET_DATA}(ptr %y)
  %fy.data = call ptr @{GET_DATA}(ptr %fy)
  %states.p = getelementptr double, ptr %m, i64 %states
  %bytes = mul nsw i64 %n, 8
  call void @llvm.memmove.p0.p0.i64(ptr %states.p, ptr %y.data, i64 %bytes, i1 false)
  %full = icmp eq ptr %first, null
  %without = icmp eq ptr %differentiate, null
  br i1 %without, label %numeric, label %try
try:
  %status.d = call i32 %derive(ptr %m)
  %computed = icmp eq i32 %status.d, 0
  br i1 %computed, label %symbolic, label %numeric
symbolic:
  %slopes = select i1 %full, ptr @{_variant("slopes", True)}, ptr @{_variant("slopes", False)}
  %status.s = call i32 %slopes({arguments})
  %done = icmp eq i32 %status.s, 0
  br i1 %done, label %good, label %numeric
numeric:
  %differences = select i1 %full, ptr @{_variant("differences", True)}, ptr @{_variant("differences", False)}
  %status.n = call i32 %differences({arguments})
  %ok = icmp eq i32 %status.n, 0
  br i1 %ok, label %good, label %failed
good:
  ret i32 0
failed:
  %number = sitofp i32 %status.n to double
  %place = getelementptr double, ptr %m, i64 %status
  store double %number, ptr %place
  ret i32 1
}}
"""


def _interface() -> str:
    return f"""
declare ptr @{DENSE_DATA}(ptr)
declare i32 @{ENTRIES}(double, ptr, ptr, ptr, i1, ptr, ptr)

define i32 @{JACOBIAN}(double %t, ptr %y, ptr %fy, ptr %J, ptr %m, ptr %v1, ptr %v2, ptr %v3) nounwind {{
  %data = call ptr @{DENSE_DATA}(ptr %J)
  %result = call i32 @{ENTRIES}(double %t, ptr %y, ptr %fy, ptr %data, i1 true, ptr %m,
                          ptr @saltus.description)
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
  %result = call i32 @{ENTRIES}(double %t, ptr %y, ptr %fy, ptr %data, i1 false, ptr %m,
                          ptr @saltus.description)
  ret i32 %result
}}
"""

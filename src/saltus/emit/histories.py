"""Asking histories in native code, as LLVM text: the questions of `expr.nodes.QUESTIONS` (`ir.history`).

A handle is an address that lies in the memory as the bits of a double. Polynomials are evaluated by the
barycentric formula (Berrut and Trefethen, SIAM Review 46, 2004), written for differences to the first value,
so that a constant stays the same to the last bit. `emit.recall` has the same for the Python back end.
"""

from __future__ import annotations

from saltus.emit.llvm_builtins import double
from saltus.ir.history import HEADER, NEVER, NODES, PANEL, POSITIONS, SEGMENT, WEIGHTS, Header
from saltus.ir.transport import Carrier


#: A difference that is this part of the values is no jump: loops are solved again at an event.
SAME = 1e-9


def constant_array(name: str, values: tuple[float, ...]) -> str:
    """A constant of a module."""
    numbers = ", ".join(f"double {double(v)}" for v in values)
    return f"@{name} = internal constant [{len(values)} x double] [{numbers}]"


def field(name: str, of: Header | Carrier, kind: str = "i64", header: str = "%h") -> str:
    """Loads a field of a header to `%name`; `%name.p` is where it is."""
    return f"""\
  %{name}.p = getelementptr i64, ptr {header}, i64 {int(of)}
  %{name} = load {kind}, ptr %{name}.p"""


def _gradient_body() -> str:
    lines: list[str] = []
    differences = [f"%v{j}" for j in range(NODES)]
    for j, name in enumerate(differences):
        lines += [f"{name}.p = getelementptr double, ptr %panel, i64 {2 + j}", f"{name} = load double, ptr {name}.p"]
    for k in range(1, NODES):
        for j in range(NODES - 1, k - 1, -1):
            name = f"%d{k}.{j}"
            lines += [
                f"{name}.rise = fsub double {differences[j]}, {differences[j - 1]}",
                f"{name} = fdiv double {name}.rise, {double(POSITIONS[j] - POSITIONS[j - k])}",
            ]
            differences[j] = name
    value, slope = differences[-1], double(0.0)
    for k in range(NODES - 2, -1, -1):
        lines += [
            f"%x{k} = fsub double %x, {double(POSITIONS[k])}",
            f"%s{k}.part = fmul double {slope}, %x{k}",
            f"%s{k} = fadd double %s{k}.part, {value}",
            f"%p{k}.part = fmul double {value}, %x{k}",
            f"%p{k} = fadd double %p{k}.part, {differences[k]}",
        ]
        value, slope = f"%p{k}", f"%s{k}"
    return "\n".join(f"  {line}" for line in (*lines, f"ret double {slope}"))


def _no_history(of: Header) -> str:
    match of:
        case Header.SEGMENTS:
            return "i64 ptrtoint (ptr @saltus.history.no.segment to i64)"
        case Header.SEGMENT_COUNT:
            return "i64 1"
        case _:
            return "i64 0"


_NO_SEGMENT = ", ".join(f"double {double(v)}" for v in (-NEVER, 0.0, 0.0, 0.0))
_NO_HISTORY = ", ".join(map(_no_history, Header))

#: To be part of every module whose routines ask histories.
QUESTIONS_TEXT = f"""
{constant_array("saltus.positions", POSITIONS)}
{constant_array("saltus.weights", WEIGHTS)}

; the polynomial of a panel; x is 0 at its begin and 1 at its end
define internal double @saltus.history.polynomial(ptr %panel, double %x) noinline nounwind {{
entry:
  %values = getelementptr double, ptr %panel, i64 2
  %v0 = load double, ptr %values
  br label %head
head:
  %j = phi i64 [ 0, %entry ], [ %j.next, %add ]
  %above = phi double [ 0.0, %entry ], [ %above.next, %add ]
  %below = phi double [ 0.0, %entry ], [ %below.next, %add ]
  %more = icmp slt i64 %j, {NODES}
  br i1 %more, label %node, label %done
node:
  %x.p = getelementptr [{NODES} x double], ptr @saltus.positions, i64 0, i64 %j
  %xj = load double, ptr %x.p
  %v.p = getelementptr double, ptr %values, i64 %j
  %v = load double, ptr %v.p
  %d = fsub double %x, %xj
  %hit = fcmp oeq double %d, 0.0
  br i1 %hit, label %found, label %add
found:
  ret double %v
add:
  %w.p = getelementptr [{NODES} x double], ptr @saltus.weights, i64 0, i64 %j
  %w = load double, ptr %w.p
  %q = fdiv double %w, %d
  %rise = fsub double %v, %v0
  %term = fmul double %q, %rise
  %above.next = fadd double %above, %term
  %below.next = fadd double %below, %q
  %j.next = add nsw i64 %j, 1
  br label %head
done:
  %change = fdiv double %above, %below
  %p = fadd double %v0, %change
  ret double %p
}}

; its derivative by x: Newton's divided differences, then Horner's scheme
define internal double @saltus.history.gradient(ptr %panel, double %x) noinline nounwind {{
{_gradient_body()}
}}

; A memory that no run has prepared has no handles: there the past is 0.
@saltus.history.no.segment = internal constant [{SEGMENT} x double] [{_NO_SEGMENT}]
@saltus.history.none = internal constant [{HEADER} x i64] [{_NO_HISTORY}]

define internal ptr @saltus.history.header(double %handle) nounwind {{
  %bits = bitcast double %handle to i64
  %h = inttoptr i64 %bits to ptr
  %none = icmp eq i64 %bits, 0
  %there = select i1 %none, ptr @saltus.history.none, ptr %h
  ret ptr %there
}}

; the place of a segment among those that are there, the nearest one if it is not
define internal i64 @saltus.history.place(ptr %h, double %n) nounwind {{
{field("dropped", Header.DROPPED)}
{field("count", Header.SEGMENT_COUNT)}
  %whole = fptosi double %n to i64
  %place = sub nsw i64 %whole, %dropped
  %last = sub nsw i64 %count, 1
  %low = icmp slt i64 %place, 0
  %up = select i1 %low, i64 0, i64 %place
  %high = icmp sgt i64 %up, %last
  %inside = select i1 %high, i64 %last, i64 %up
  ret i64 %inside
}}

; the panel of a segment in which a time lies, and where in it from 0 to 1; null if it has no panels
define internal ptr @saltus.history.panel(ptr %h, i64 %place, double %t, ptr %x) nounwind {{
entry:
{field("panels", Header.PANELS, "ptr")}
{field("count", Header.PANEL_COUNT)}
{field("segments", Header.SEGMENTS, "ptr")}
{field("segment.count", Header.SEGMENT_COUNT)}
  %row = mul nsw i64 %place, {SEGMENT}
  %segment = getelementptr double, ptr %segments, i64 %row
  %first.p = getelementptr double, ptr %segment, i64 2
  %first.d = load double, ptr %first.p
  %first = fptosi double %first.d to i64
  %after = add nsw i64 %place, 1
  %is.last = icmp sge i64 %after, %segment.count
  br i1 %is.last, label %search, label %bounded
bounded:
  %bound.p = getelementptr double, ptr %first.p, i64 {SEGMENT}
  %bound.d = load double, ptr %bound.p
  %bound = fptosi double %bound.d to i64
  br label %search
search:
  %end = phi i64 [ %count, %entry ], [ %bound, %bounded ]
  %empty = icmp sge i64 %first, %end
  br i1 %empty, label %none, label %head
none:
  ret ptr null
head:
  ; the last panel that begins at t or before lies in [low, high)
  %low = phi i64 [ %first, %search ], [ %low.next, %halve ]
  %high = phi i64 [ %end, %search ], [ %high.next, %halve ]
  %width = sub nsw i64 %high, %low
  %several = icmp sgt i64 %width, 1
  br i1 %several, label %halve, label %found
halve:
  %half = lshr i64 %width, 1
  %middle = add nsw i64 %low, %half
  %middle.row = mul nsw i64 %middle, {PANEL}
  %middle.p = getelementptr double, ptr %panels, i64 %middle.row
  %begin = load double, ptr %middle.p
  %later = fcmp ogt double %begin, %t
  %low.next = select i1 %later, i64 %low, i64 %middle
  %high.next = select i1 %later, i64 %middle, i64 %high
  br label %head
found:
  %found.row = mul nsw i64 %low, {PANEL}
  %panel = getelementptr double, ptr %panels, i64 %found.row
  %panel.end.p = getelementptr double, ptr %panel, i64 1
  %panel.begin = load double, ptr %panel
  %panel.end = load double, ptr %panel.end.p
  %length = fsub double %panel.end, %panel.begin
  %since = fsub double %t, %panel.begin
  %part = fdiv double %since, %length
  store double %part, ptr %x
  ret ptr %panel
}}

define internal double @saltus.history.value(double %handle, double %n, double %t) noinline nounwind {{
entry:
  %x = alloca double
  %h = call ptr @saltus.history.header(double %handle)
  %place = call i64 @saltus.history.place(ptr %h, double %n)
  %panel = call ptr @saltus.history.panel(ptr %h, i64 %place, double %t, ptr %x)
  %empty = icmp eq ptr %panel, null
  br i1 %empty, label %constant, label %inside
constant:
{field("segments", Header.SEGMENTS, "ptr")}
  %row = mul nsw i64 %place, {SEGMENT}
  %segment = getelementptr double, ptr %segments, i64 %row
  %value.p = getelementptr double, ptr %segment, i64 1
  %value = load double, ptr %value.p
  ret double %value
inside:
  ; outside its panels a segment goes on with the value at its end: a time may be wrong by a rounding error
  %part = load double, ptr %x
  %low = fcmp ogt double %part, 0.0
  %up = select i1 %low, double %part, double 0.0
  %high = fcmp olt double %up, 1.0
  %clamped = select i1 %high, double %up, double 1.0
  %p = call double @saltus.history.polynomial(ptr %panel, double %clamped)
  ret double %p
}}

define internal double @saltus.history.slope(double %handle, double %n, double %t) noinline nounwind {{
entry:
  %x = alloca double
  %h = call ptr @saltus.history.header(double %handle)
  %place = call i64 @saltus.history.place(ptr %h, double %n)
  %panel = call ptr @saltus.history.panel(ptr %h, i64 %place, double %t, ptr %x)
  %empty = icmp eq ptr %panel, null
  br i1 %empty, label %constant, label %inside
constant:
  ret double 0.0
inside:
  %part = load double, ptr %x
  %low = fcmp ogt double %part, 0.0
  %up = select i1 %low, double %part, double 0.0
  %high = fcmp olt double %up, 1.0
  %clamped = select i1 %high, double %up, double 1.0
  %g = call double @saltus.history.gradient(ptr %panel, double %clamped)
  %end.p = getelementptr double, ptr %panel, i64 1
  %begin = load double, ptr %panel
  %end = load double, ptr %end.p
  %length = fsub double %end, %begin
  %slope = fdiv double %g, %length
  ret double %slope
}}

; Between the last panel and the present: its polynomial, of one degree more, through the present value.
define internal double @saltus.history.recent(double %handle, double %n, double %t, double %now, double %present) noinline nounwind {{
entry:
  %x = alloca double
  %h = call ptr @saltus.history.header(double %handle)
{field("count", Header.SEGMENT_COUNT)}
  %place = call i64 @saltus.history.place(ptr %h, double %n)
  %last = sub nsw i64 %count, 1
  %newest = icmp eq i64 %place, %last
  br i1 %newest, label %look, label %past
past:
  %old = call double @saltus.history.value(double %handle, double %n, double %t)
  ret double %old
look:
  %panel = call ptr @saltus.history.panel(ptr %h, i64 %place, double %t, ptr %x)
  %empty = icmp eq ptr %panel, null
  br i1 %empty, label %first, label %after
first:
{field("segments", Header.SEGMENTS, "ptr")}
  %row = mul nsw i64 %place, {SEGMENT}
  %segment = getelementptr double, ptr %segments, i64 %row
  %value.p = getelementptr double, ptr %segment, i64 1
  %begin = load double, ptr %segment
  %value = load double, ptr %value.p
  %since = fsub double %t, %begin
  %length = fsub double %now, %begin
  %ratio = fdiv double %since, %length
  %rise = fsub double %present, %value
  %part.rise = fmul double %ratio, %rise
  %line = fadd double %value, %part.rise
  %before = fcmp ole double %since, 0.0
  %at.end = fcmp oge double %t, %now
  %right = select i1 %at.end, double %present, double %line
  %linear = select i1 %before, double %value, double %right
  ret double %linear
after:
  %part = load double, ptr %x
  %within = fcmp ole double %part, 1.0
  br i1 %within, label %past, label %beyond
beyond:
  %end.p = getelementptr double, ptr %panel, i64 1
  %b = load double, ptr %panel
  %e = load double, ptr %end.p
  %panel.length = fsub double %e, %b
  %now.since = fsub double %now, %b
  %now.part = fdiv double %now.since, %panel.length
  %reached = fcmp oge double %part, %now.part
  br i1 %reached, label %present.value, label %between
present.value:
  ret double %present
between:
  %p = call double @saltus.history.polynomial(ptr %panel, double %part)
  %p.now = call double @saltus.history.polynomial(ptr %panel, double %now.part)
  br label %head
head:
  %j = phi i64 [ 0, %between ], [ %j.next, %factor ]
  %product = phi double [ 1.0, %between ], [ %product.next, %factor ]
  %more = icmp slt i64 %j, {NODES}
  br i1 %more, label %factor, label %done
factor:
  %x.p = getelementptr [{NODES} x double], ptr @saltus.positions, i64 0, i64 %j
  %xj = load double, ptr %x.p
  %there = fsub double %part, %xj
  %here = fsub double %now.part, %xj
  %quotient = fdiv double %there, %here
  %product.next = fmul double %product, %quotient
  %j.next = add nsw i64 %j, 1
  br label %head
done:
  %missing = fsub double %present, %p.now
  %correction = fmul double %missing, %product
  %result = fadd double %p, %correction
  ret double %result
}}

; when a segment ended
define internal double @saltus.history.end(double %handle, double %n) noinline nounwind {{
entry:
  %h = call ptr @saltus.history.header(double %handle)
{field("dropped", Header.DROPPED)}
{field("count", Header.SEGMENT_COUNT)}
{field("segments", Header.SEGMENTS, "ptr")}
  %whole = fptosi double %n to i64
  %place = sub nsw i64 %whole, %dropped
  %next = add nsw i64 %place, 1
  %gone = icmp slt i64 %next, 1
  br i1 %gone, label %before, label %there
before:
  ret double {double(-NEVER)}
there:
  %lasts = icmp sge i64 %next, %count
  br i1 %lasts, label %never, label %ended
never:
  ret double {double(NEVER)}
ended:
  %row = mul nsw i64 %next, {SEGMENT}
  %segment = getelementptr double, ptr %segments, i64 %row
  %begin = load double, ptr %segment
  ret double %begin
}}

; the last segment that began `past` or more before `now`
define internal double @saltus.history.passed(double %handle, double %past, double %now) noinline nounwind {{
entry:
  %h = call ptr @saltus.history.header(double %handle)
{field("dropped", Header.DROPPED)}
{field("count", Header.SEGMENT_COUNT)}
{field("segments", Header.SEGMENTS, "ptr")}
  br label %head
head:
  ; it lies in [low, high)
  %low = phi i64 [ 0, %entry ], [ %low.next, %halve ]
  %high = phi i64 [ %count, %entry ], [ %high.next, %halve ]
  %width = sub nsw i64 %high, %low
  %several = icmp sgt i64 %width, 1
  br i1 %several, label %halve, label %found
halve:
  %half = lshr i64 %width, 1
  %middle = add nsw i64 %low, %half
  %row = mul nsw i64 %middle, {SEGMENT}
  %segment = getelementptr double, ptr %segments, i64 %row
  %begin = load double, ptr %segment
  %due = fadd double %past, %begin
  %later = fcmp ogt double %due, %now
  %low.next = select i1 %later, i64 %low, i64 %middle
  %high.next = select i1 %later, i64 %middle, i64 %high
  br label %head
found:
  %n = add nsw i64 %low, %dropped
  %number = sitofp i64 %n to double
  ret double %number
}}
"""

"""Remembering what happens in histories (`ir.history`), as LLVM text.

    int saltus_remember(arrive, context, set_max_step, solver, double progress[2], double to, void* memory)

A stretch of the integration that has been accepted, from progress[0] to `to`, becomes panels: the routine
`remembered` is run at the nodes, to which arrive(context, t) brings the memory by the integrator's own
interpolation, and at two points more, where the polynomials are compared with it. If one of them is wrong by
more than its tolerance, the piece is halved, as long as that helps. progress[0] is up to where all is remembered,
progress[1] the length of the last piece.

    int saltus_remember_event(void* memory)

After an event, at right limits: where an expression has jumped, or something it depends on has changed, a new
segment begins. Then the relations are computed again, since there are new events to be scheduled.

Both give 0, or the status of a routine that failed; `saltus_remember` gives LITTLE_ROOM where Python has to make
more: then it is called again, and goes on.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from saltus.emit.histories import SAME, constant_array, field
from saltus.emit.llvm_builtins import double
from saltus.emit.transports import LARGEST_PART, carry_text
from saltus.ir.history import NEVER, NODES, PANEL, SEGMENT, STEP_PANELS, STEP_SEGMENTS, Header
from saltus.ir.program import Program
from saltus.ir.transport import CARRIED_VALUES, Carrier

REMEMBER, REMEMBER_EVENT = "saltus_remember", "saltus_remember_event"

LITTLE_ROOM = -1

#: Points at which a polynomial is compared with the expression, none of them a node.
CHECKED = (0.5, 0.21)

#: How much shorter than the step the shortest panel is, and by how much an error must fall when a panel is halved
#: (what does not is noise, or a jump that makes no event).
SHORTEST = 2.0**-20
GAIN = 0.7


@dataclass(frozen=True)
class Shape:
    """How many histories and transports a program has, and where their handles and values are in the memory."""

    delays: int
    transports: int
    handles: int
    values: int

    @property
    def count(self) -> int:
        """Of both."""
        return self.delays + self.transports

    @property
    def width(self) -> int:
        """Values at an instant: one of each delay, then some of each transport."""
        return self.delays + CARRIED_VALUES * self.transports


def remember_text(program: Program) -> str:
    """What remembers, to be appended to the module of a program."""
    sections = program.layout.sections
    shape = Shape(
        len(program.delays), len(program.transports), sections["histories"][0], sections["remembered"][0]
    )
    handles, values = shape.handles, shape.values
    return f"""
{constant_array("saltus.checked", CHECKED)}
{_panels_text(shape)}
{_watch_text(shape)}
{carry_text() if shape.transports else ""}
{_error_text(shape)}
{_append_text(shape)}
{_room_text(shape)}
{_limit_text(shape)}
define internal i32 @saltus.history.visit(ptr %arrive, ptr %context, double %t, ptr %m, ptr %to) nounwind {{
  call void %arrive(ptr %context, double %t)
  %status = call i32 @remembered(ptr %m)
  %values = getelementptr double, ptr %m, i64 {values}
  call void @llvm.memmove.p0.p0.i64(ptr %to, ptr %values, i64 {8 * shape.width}, i1 false)
  ret i32 %status
}}

define i32 @{REMEMBER}(ptr %arrive, ptr %context, ptr %set.step, ptr %solver, ptr %progress, double %to, ptr %m)
    nounwind {{
entry:
  ; values at the nodes, node by node, and at the points of comparison
  %samples = alloca double, i64 {shape.width * NODES}
  %tests = alloca double, i64 {shape.width * len(CHECKED)}
  %from = load double, ptr %progress
  %piece.p = getelementptr double, ptr %progress, i64 1
  %piece.before = load double, ptr %piece.p
  %step = fsub double %to, %from
  %shortest = fmul double %step, {double(SHORTEST)}
  call void @saltus.transports.start(ptr %m)
  ; pieces as long as the last one, or a bit longer: then few are tried in vain
  %guess = fmul double %piece.before, 2.0
  %known = fcmp ogt double %guess, %shortest
  %within = fcmp olt double %guess, %step
  %short = and i1 %known, %within
  %h.first = select i1 %short, double %guess, double %step
  br label %room
room:
  %begin = phi double [ %from, %entry ], [ %end, %appended ]
  %h.here = phi double [ %h.first, %entry ], [ %h.double, %appended ]
  %full = call i1 @saltus.history.full(ptr %m)
  br i1 %full, label %wait, label %piece
wait:
  ret i32 {LITTLE_ROOM}
piece:
  %h = phi double [ %h.here, %room ], [ %h.half, %halve ]
  %error.before = phi double [ {double(math.inf)}, %room ], [ %error, %halve ]
  %rest = fsub double %to, %begin
  %a.bit.more = fmul double %h, {double(1.0 + 1e-6)}
  %reaches = fcmp ole double %rest, %a.bit.more
  %h.end = fadd double %begin, %h
  %end = select i1 %reaches, double %to, double %h.end
  %length = fsub double %end, %begin
  br label %check.head
check.head:
  %c = phi i64 [ 0, %piece ], [ %c.next, %check ]
  %c.more = icmp slt i64 %c, {len(CHECKED)}
  br i1 %c.more, label %check, label %node.head
check:
  %c.p = getelementptr [{len(CHECKED)} x double], ptr @saltus.checked, i64 0, i64 %c
  %c.x = load double, ptr %c.p
  %c.part = fmul double %c.x, %length
  %c.t = fadd double %begin, %c.part
  %c.row = mul nsw i64 %c, {shape.width}
  %c.to = getelementptr double, ptr %tests, i64 %c.row
  %c.status = call i32 @saltus.history.visit(ptr %arrive, ptr %context, double %c.t, ptr %m, ptr %c.to)
  %c.ok = icmp eq i32 %c.status, 0
  %c.next = add nsw i64 %c, 1
  br i1 %c.ok, label %check.head, label %failed
node.head:
  ; The first node is the end of what is known. The last is visited last: there the memory stays.
  %j = phi i64 [ 1, %check.head ], [ %j.next, %node ]
  %j.more = icmp slt i64 %j, {NODES}
  br i1 %j.more, label %node, label %compare
node:
  %j.p = getelementptr [{NODES} x double], ptr @saltus.positions, i64 0, i64 %j
  %j.x = load double, ptr %j.p
  %j.part = fmul double %j.x, %length
  %j.inside = fadd double %begin, %j.part
  %j.last = icmp eq i64 %j, {NODES - 1}
  %j.t = select i1 %j.last, double %end, double %j.inside
  %j.row = mul nsw i64 %j, {shape.width}
  %j.to = getelementptr double, ptr %samples, i64 %j.row
  %j.status = call i32 @saltus.history.visit(ptr %arrive, ptr %context, double %j.t, ptr %m, ptr %j.to)
  %j.ok = icmp eq i32 %j.status, 0
  %j.next = add nsw i64 %j, 1
  br i1 %j.ok, label %node.head, label %failed
failed:
  %reason = phi i32 [ %c.status, %check ], [ %j.status, %node ]
  ret i32 %reason
compare:
  %handles = getelementptr double, ptr %m, i64 {handles}
  %error = call double @saltus.history.error(ptr %handles, ptr %samples, ptr %tests)
  %wrong = fcmp ogt double %error, 1.0
  %long = fcmp ogt double %h, %shortest
  %goal = fmul double %error.before, {double(GAIN)}
  %helps = fcmp olt double %error, %goal
  %try = and i1 %long, %helps
  %again = and i1 %wrong, %try
  br i1 %again, label %halve, label %append
halve:
  %h.half = fmul double %length, 0.5
  br label %piece
append:
  call void @saltus.history.append(ptr %handles, ptr %samples, double %begin, double %end)
  store double %end, ptr %progress
  store double %length, ptr %piece.p
  %finished = fcmp oge double %end, %to
  br i1 %finished, label %done, label %appended
appended:
  %h.double = fmul double %length, 2.0
  br label %room
done:
  call void @saltus.history.watch(ptr %m)
  call void @saltus.transports.limit(ptr %set.step, ptr %solver, ptr %m, double %step)
  ret i32 0
}}

define i32 @{REMEMBER_EVENT}(ptr %m) nounwind {{
entry:
  %status = call i32 @remembered(ptr %m)
  %ok = icmp eq i32 %status, 0
  br i1 %ok, label %head, label %failed
failed:
  %reason = phi i32 [ %status, %entry ], [ %relations, %schedule ]
  ret i32 %reason
head:
  %k = phi i64 [ 0, %entry ], [ %k.next, %next ]
  %begun = phi i1 [ false, %entry ], [ %begun.next, %next ]
  %more = icmp slt i64 %k, {shape.delays}
  br i1 %more, label %next, label %others
next:
  %now = load double, ptr %m
  %value.slot = add nsw i64 %k, {values}
  %value.p = getelementptr double, ptr %m, i64 %value.slot
  %value = load double, ptr %value.p
  %begins = call i1 @saltus.history.begin(ptr %m, i64 %k, double %now, double %value)
  %begun.next = or i1 %begun, %begins
  %k.next = add nsw i64 %k, 1
  br label %head
others:
{_each_transport(shape, "event")}
done:
  call void @saltus.history.watch(ptr %m)
  %begun.any = or i1 %begun, {"%begun.transports" if shape.transports else "false"}
  br i1 %begun.any, label %schedule, label %return
schedule:
  %relations = call i32 @relations(ptr %m)
  %scheduled = icmp eq i32 %relations, 0
  br i1 %scheduled, label %return, label %failed
return:
  ret i32 0
}}
"""


def _panels_text(shape: Shape) -> str:
    return f"""
define internal ptr @saltus.history.number(ptr %handles, i64 %k) nounwind {{
  %p = getelementptr ptr, ptr %handles, i64 %k
  %h = load ptr, ptr %p
  ret ptr %h
}}

; the value at the end of what is known, and the time of it
define internal double @saltus.history.last(ptr %h, ptr %time) nounwind {{
entry:
{field("panels", Header.PANELS, "ptr")}
{field("count", Header.PANEL_COUNT)}
{field("segments", Header.SEGMENTS, "ptr")}
{field("segment.count", Header.SEGMENT_COUNT)}
  %place = sub nsw i64 %segment.count, 1
  %row = mul nsw i64 %place, {SEGMENT}
  %segment = getelementptr double, ptr %segments, i64 %row
  %first.p = getelementptr double, ptr %segment, i64 2
  %first.d = load double, ptr %first.p
  %first = fptosi double %first.d to i64
  %empty = icmp sge i64 %first, %count
  br i1 %empty, label %begin, label %end
begin:
  %begin.time = load double, ptr %segment
  store double %begin.time, ptr %time
  %value.p = getelementptr double, ptr %segment, i64 1
  %value = load double, ptr %value.p
  ret double %value
end:
  %panel.place = sub nsw i64 %count, 1
  %panel.row = mul nsw i64 %panel.place, {PANEL}
  %panel = getelementptr double, ptr %panels, i64 %panel.row
  %end.p = getelementptr double, ptr %panel, i64 1
  %end.time = load double, ptr %end.p
  store double %end.time, ptr %time
  %last.p = getelementptr double, ptr %panel, i64 {PANEL - 1}
  %last = load double, ptr %last.p
  ret double %last
}}

; puts the samples of one history into a panel
define internal void @saltus.history.gather(ptr %h, ptr %samples, i64 %k, ptr %panel) nounwind {{
entry:
  %time = alloca double
  %v0 = call double @saltus.history.last(ptr %h, ptr %time)
  %values = getelementptr double, ptr %panel, i64 2
  store double %v0, ptr %values
  br label %head
head:
  %j = phi i64 [ 1, %entry ], [ %j.next, %node ]
  %more = icmp slt i64 %j, {NODES}
  br i1 %more, label %node, label %done
node:
  %row = mul nsw i64 %j, {shape.width}
  %place = add nsw i64 %row, %k
  %from = getelementptr double, ptr %samples, i64 %place
  %to = getelementptr double, ptr %values, i64 %j
  %v = load double, ptr %from
  store double %v, ptr %to
  %j.next = add nsw i64 %j, 1
  br label %head
done:
  ret void
}}

; whether all values of a panel are the same
define internal i1 @saltus.history.constant(ptr %panel) nounwind {{
entry:
  %values = getelementptr double, ptr %panel, i64 2
  %v0 = load double, ptr %values
  br label %head
head:
  %j = phi i64 [ 1, %entry ], [ %j.next, %node ]
  %more = icmp slt i64 %j, {NODES}
  br i1 %more, label %node, label %yes
node:
  %v.p = getelementptr double, ptr %values, i64 %j
  %v = load double, ptr %v.p
  %same = fcmp oeq double %v, %v0
  %j.next = add nsw i64 %j, 1
  br i1 %same, label %head, label %no
yes:
  ret i1 true
no:
  ret i1 false
}}
"""


def _watch_text(shape: Shape) -> str:
    handles, count = shape.handles, shape.count
    return f"""
; notes what an event may change
define internal void @saltus.history.watch(ptr %m) nounwind {{
entry:
  %handles = getelementptr double, ptr %m, i64 {handles}
  br label %head
head:
  %k = phi i64 [ 0, %entry ], [ %k.next, %next ]
  %more = icmp slt i64 %k, {count}
  br i1 %more, label %history, label %done
history:
  %h = call ptr @saltus.history.number(ptr %handles, i64 %k)
{field("watched", Header.WATCHED, "ptr")}
{field("watched.count", Header.WATCHED_COUNT)}
{field("watched.before", Header.WATCHED_BEFORE, "ptr")}
{field("sources", Header.SOURCES, "ptr")}
{field("source.count", Header.SOURCE_COUNT)}
{field("sources.before", Header.SOURCES_BEFORE, "ptr")}
  br label %slot.head
slot.head:
  %i = phi i64 [ 0, %history ], [ %i.next, %slot ]
  %i.more = icmp slt i64 %i, %watched.count
  br i1 %i.more, label %slot, label %source.head
slot:
  %slot.p = getelementptr i64, ptr %watched, i64 %i
  %slot.number = load i64, ptr %slot.p
  %value.p = getelementptr double, ptr %m, i64 %slot.number
  %value = load double, ptr %value.p
  %to = getelementptr double, ptr %watched.before, i64 %i
  store double %value, ptr %to
  %i.next = add nsw i64 %i, 1
  br label %slot.head
source.head:
  %s = phi i64 [ 0, %slot.head ], [ %s.next, %source ]
  %s.more = icmp slt i64 %s, %source.count
  br i1 %s.more, label %source, label %next
source:
  %pair = shl nsw i64 %s, 1
  %source.p = getelementptr i64, ptr %sources, i64 %pair
  %source.slot = load i64, ptr %source.p
  %asked.p = getelementptr double, ptr %m, i64 %source.slot
  %asked = load double, ptr %asked.p
  %s.to = getelementptr double, ptr %sources.before, i64 %s
  store double %asked, ptr %s.to
  %s.next = add nsw i64 %s, 1
  br label %source.head
next:
  %k.next = add nsw i64 %k, 1
  br label %head
done:
  ret void
}}

; The order of what an event has done to an expression: 0 for a jump, {NEVER:g} for nothing
define internal double @saltus.history.order(ptr %m, ptr %h, double %value, double %before) nounwind {{
entry:
  %difference = fsub double %value, %before
  %size = call double @llvm.fabs.f64(double %difference)
  %magnitude = call double @llvm.fabs.f64(double %value)
  %part = fmul double %magnitude, {double(SAME)}
{field("absolute", Header.ABSOLUTE, "double")}
  %least = fmul double %absolute, {double(SAME)}
  %noise = fadd double %part, %least
  %jumped = fcmp ogt double %size, %noise
  br i1 %jumped, label %jump, label %look
jump:
  ret double 0.0
look:
{field("watched", Header.WATCHED, "ptr")}
{field("watched.count", Header.WATCHED_COUNT)}
{field("watched.before", Header.WATCHED_BEFORE, "ptr")}
{field("sources", Header.SOURCES, "ptr")}
{field("source.count", Header.SOURCE_COUNT)}
{field("sources.before", Header.SOURCES_BEFORE, "ptr")}
  br label %slot.head
slot.head:
  %i = phi i64 [ 0, %look ], [ %i.next, %slot ]
  %i.more = icmp slt i64 %i, %watched.count
  br i1 %i.more, label %slot, label %source.head
slot:
  %slot.p = getelementptr i64, ptr %watched, i64 %i
  %slot.number = load i64, ptr %slot.p
  %now.p = getelementptr double, ptr %m, i64 %slot.number
  %now = load double, ptr %now.p
  %then.p = getelementptr double, ptr %watched.before, i64 %i
  %then = load double, ptr %then.p
  %same = fcmp oeq double %now, %then
  %i.next = add nsw i64 %i, 1
  br i1 %same, label %slot.head, label %kink
kink:
  ret double 1.0
source.head:
  %s = phi i64 [ 0, %slot.head ], [ %s.next, %passed ]
  %order = phi double [ {double(NEVER)}, %slot.head ], [ %order.next, %passed ]
  %s.more = icmp slt i64 %s, %source.count
  br i1 %s.more, label %source, label %done
source:
  %pair = shl nsw i64 %s, 1
  %source.p = getelementptr i64, ptr %sources, i64 %pair
  %source.slot = load i64, ptr %source.p
  %number.p = getelementptr i64, ptr %source.p, i64 1
  %source.number = load i64, ptr %number.p
  %asked.p = getelementptr double, ptr %m, i64 %source.slot
  %asked = load double, ptr %asked.p
  %s.then.p = getelementptr double, ptr %sources.before, i64 %s
  %s.then = load double, ptr %s.then.p
  %stays = fcmp oeq double %asked, %s.then
  br i1 %stays, label %passed, label %through
through:
  ; what has come out of it was of this order; here it has been integrated at least once, or it were a jump
  %handles = getelementptr double, ptr %m, i64 {handles}
  %other = call ptr @saltus.history.number(ptr %handles, i64 %source.number)
  %further = fcmp ogt double %asked, %s.then
  %border = select i1 %further, double %asked, double %s.then
  %place = call i64 @saltus.history.place(ptr %other, double %border)
{field("other.segments", Header.SEGMENTS, "ptr", "%other")}
  %row = mul nsw i64 %place, {SEGMENT}
  %segment = getelementptr double, ptr %other.segments, i64 %row
  %order.p = getelementptr double, ptr %segment, i64 3
  %came = load double, ptr %order.p
  %more = fadd double %came, 1.0
  br label %passed
passed:
  %this = phi double [ {double(NEVER)}, %source ], [ %more, %through ]
  %lower = fcmp olt double %this, %order
  %order.next = select i1 %lower, double %this, double %order
  %s.next = add nsw i64 %s, 1
  br label %source.head
done:
  ret double %order
}}

; begins a segment if there is reason to
define internal i1 @saltus.history.begin(ptr %m, i64 %k, double %now, double %value) nounwind {{
entry:
  %time = alloca double
  %handles = getelementptr double, ptr %m, i64 {handles}
  %h = call ptr @saltus.history.number(ptr %handles, i64 %k)
  %before = call double @saltus.history.last(ptr %h, ptr %time)
  %order = call double @saltus.history.order(ptr %m, ptr %h, double %value, double %before)
{field("highest", Header.HIGHEST, "double")}
  %worth = fcmp ole double %order, %highest
  br i1 %worth, label %open, label %no
no:
  ret i1 false
open:
{field("segments", Header.SEGMENTS, "ptr")}
{field("segment.count", Header.SEGMENT_COUNT)}
{field("count", Header.PANEL_COUNT)}
  %last = sub nsw i64 %segment.count, 1
  %last.row = mul nsw i64 %last, {SEGMENT}
  %last.segment = getelementptr double, ptr %segments, i64 %last.row
  %last.begin = load double, ptr %last.segment
  %last.order.p = getelementptr double, ptr %last.segment, i64 3
  %last.order = load double, ptr %last.order.p
  ; a second event at the same instant changes the segment that has just begun
  %again = fcmp oeq double %last.begin, %now
  br i1 %again, label %change, label %new
change:
  %lower = fcmp olt double %order, %last.order
  %both = select i1 %lower, double %order, double %last.order
  br label %write
new:
  %next.segment = getelementptr double, ptr %last.segment, i64 {SEGMENT}
  %count.next = add nsw i64 %segment.count, 1
  store i64 %count.next, ptr %segment.count.p
  br label %write
write:
  %segment = phi ptr [ %last.segment, %change ], [ %next.segment, %new ]
  %segment.order = phi double [ %both, %change ], [ %order, %new ]
  %value.p = getelementptr double, ptr %segment, i64 1
  %first.p = getelementptr double, ptr %segment, i64 2
  %order.p = getelementptr double, ptr %segment, i64 3
  %first = sitofp i64 %count to double
  store double %now, ptr %segment
  store double %value, ptr %value.p
  store double %first, ptr %first.p
  store double %segment.order, ptr %order.p
  ret i1 true
}}
"""


def _error_text(shape: Shape) -> str:
    return f"""
; the largest error of a polynomial, in units of what is allowed
define internal double @saltus.history.error(ptr %handles, ptr %samples, ptr %tests) nounwind {{
entry:
  %panel = alloca double, i64 {PANEL}
  br label %head
head:
  %k = phi i64 [ 0, %entry ], [ %k.next, %tested ]
  %worst = phi double [ 0.0, %entry ], [ %worst.c, %tested ]
  %more = icmp slt i64 %k, {shape.delays}
  br i1 %more, label %history, label %others
history:
  %h = call ptr @saltus.history.number(ptr %handles, i64 %k)
{field("relative", Header.RELATIVE, "double")}
{field("absolute", Header.ABSOLUTE, "double")}
  call void @saltus.history.gather(ptr %h, ptr %samples, i64 %k, ptr %panel)
  br label %test.head
test.head:
  %c = phi i64 [ 0, %history ], [ %c.next, %test ]
  %worst.c = phi double [ %worst, %history ], [ %worst.next, %test ]
  %c.more = icmp slt i64 %c, {len(CHECKED)}
  br i1 %c.more, label %test, label %tested
test:
  %c.p = getelementptr [{len(CHECKED)} x double], ptr @saltus.checked, i64 0, i64 %c
  %x = load double, ptr %c.p
  %row = mul nsw i64 %c, {shape.width}
  %place = add nsw i64 %row, %k
  %true.p = getelementptr double, ptr %tests, i64 %place
  %true = load double, ptr %true.p
  %p = call double @saltus.history.polynomial(ptr %panel, double %x)
  %difference = fsub double %p, %true
  %size = call double @llvm.fabs.f64(double %difference)
  %magnitude = call double @llvm.fabs.f64(double %true)
  %part = fmul double %relative, %magnitude
  %allowed = fadd double %part, %absolute
  %ratio = fdiv double %size, %allowed
  %larger = fcmp ogt double %ratio, %worst.c
  %worst.next = select i1 %larger, double %ratio, double %worst.c
  %c.next = add nsw i64 %c, 1
  br label %test.head
tested:
  %k.next = add nsw i64 %k, 1
  br label %head
others:
{_each_transport(shape, "error")}
done:
  ret double {"%worst.transports" if shape.transports else "%worst"}
}}
"""


def _append_text(shape: Shape) -> str:
    return f"""
; A panel for every history. What stays constant makes one panel longer.
define internal void @saltus.history.append(ptr %handles, ptr %samples, double %begin, double %end) nounwind {{
entry:
  br label %head
head:
  %k = phi i64 [ 0, %entry ], [ %k.next, %next ]
  %more = icmp slt i64 %k, {shape.delays}
  br i1 %more, label %history, label %others
history:
  %h = call ptr @saltus.history.number(ptr %handles, i64 %k)
{field("panels", Header.PANELS, "ptr")}
{field("count", Header.PANEL_COUNT)}
{field("segments", Header.SEGMENTS, "ptr")}
{field("segment.count", Header.SEGMENT_COUNT)}
  %row = mul nsw i64 %count, {PANEL}
  %panel = getelementptr double, ptr %panels, i64 %row
  %end.p = getelementptr double, ptr %panel, i64 1
  store double %begin, ptr %panel
  store double %end, ptr %end.p
  call void @saltus.history.gather(ptr %h, ptr %samples, i64 %k, ptr %panel)
  %place = sub nsw i64 %segment.count, 1
  %segment.row = mul nsw i64 %place, {SEGMENT}
  %segment = getelementptr double, ptr %segments, i64 %segment.row
  %first.p = getelementptr double, ptr %segment, i64 2
  %first.d = load double, ptr %first.p
  %first = fptosi double %first.d to i64
  %several = icmp sgt i64 %count, %first
  br i1 %several, label %look, label %keep
look:
  %before = getelementptr double, ptr %panel, i64 {-PANEL}
  %before.same = call i1 @saltus.history.constant(ptr %before)
  %same = call i1 @saltus.history.constant(ptr %panel)
  %both = and i1 %before.same, %same
  br i1 %both, label %longer, label %keep
longer:
  %before.end = getelementptr double, ptr %before, i64 1
  store double %end, ptr %before.end
  br label %next
keep:
  %count.next = add nsw i64 %count, 1
  store i64 %count.next, ptr %count.p
  br label %next
next:
  %k.next = add nsw i64 %k, 1
  br label %head
others:
{_each_transport(shape, "append")}
done:
  ret void
}}
"""


def _room_text(shape: Shape) -> str:
    handles = shape.handles
    return f"""
; whether a history may not have room for another piece, and some events
define internal i1 @saltus.history.full(ptr %m) nounwind {{
entry:
  %handles = getelementptr double, ptr %m, i64 {handles}
  br label %head
head:
  %k = phi i64 [ 0, %entry ], [ %k.next, %history ]
  %more = icmp slt i64 %k, {shape.delays}
  br i1 %more, label %history, label %others
history:
  %h = call ptr @saltus.history.number(ptr %handles, i64 %k)
{field("count", Header.PANEL_COUNT)}
{field("room", Header.PANEL_ROOM)}
{field("segment.count", Header.SEGMENT_COUNT)}
{field("segment.room", Header.SEGMENT_ROOM)}
  %left = sub nsw i64 %room, %count
  %few = icmp slt i64 %left, {STEP_PANELS}
  %segment.left = sub nsw i64 %segment.room, %segment.count
  %segment.few = icmp slt i64 %segment.left, {STEP_SEGMENTS}
  %little = or i1 %few, %segment.few
  %k.next = add nsw i64 %k, 1
  br i1 %little, label %full, label %head
full:
  ret i1 true
others:
{_each_transport(shape, "room")}
done:
  ret i1 {"%full.transports" if shape.transports else "false"}
}}
"""


#: What is done for each transport, by the function that does it: how results are gathered (their type, the
#: first, and how the next comes of the one before), and the instructions.
_OF_TRANSPORTS = {
    "error": (
        ("worst.transports", "double", "%worst"),
        """
  call void @saltus.transport.gather(ptr %th, ptr %samples, i64 %tcolumn, i64 {width}, ptr %tsamples)
  %true0 = getelementptr double, ptr %tests, i64 %tcolumn
  %true1 = getelementptr double, ptr %true0, i64 {width}
  %error0 = call double @saltus.transport.error(ptr %th, ptr %tsamples, ptr %true0, double {check0})
  %error1 = call double @saltus.transport.error(ptr %th, ptr %tsamples, ptr %true1, double {check1})
  %larger01 = fcmp ogt double %error0, %error1
  %largest01 = select i1 %larger01, double %error0, double %error1
  %worse = fcmp ogt double %largest01, %worst.transports
  %worst.transports.next = select i1 %worse, double %largest01, double %worst.transports""",
    ),
    "append": (
        None,
        """
  call void @saltus.transport.gather(ptr %th, ptr %samples, i64 %tcolumn, i64 {width}, ptr %tsamples)
  call void @saltus.transport.append(ptr %th, ptr %tsamples)""",
    ),
    "event": (
        ("begun.transports", "i1", "false"),
        """
  %tslot = add nsw i64 %tcolumn, {values}
  %tvalues = getelementptr double, ptr %m, i64 %tslot
  %tbegins = call i1 @saltus.transport.event(ptr %m, ptr %th, ptr %tvalues)
  %begun.transports.next = or i1 %begun.transports, %tbegins""",
    ),
    "room": (
        ("full.transports", "i1", "false"),
        f"""
{field("tfirst", Carrier.FIRST, header="%th")}
{field("tlast", Carrier.LAST, header="%th")}
{field("tbefore", Carrier.ROOM_BEFORE, header="%th")}
{field("tafter", Carrier.ROOM_AFTER, header="%th")}
{field("trows", Carrier.SEGMENTS_BEFORE, header="%th")}
{field("tcount", Header.SEGMENT_COUNT, header="%th")}
{field("troom", Header.SEGMENT_ROOM, header="%th")}
  %tfront = sub nsw i64 %tfirst, %tbefore
  %tback = sub nsw i64 %tafter, %tlast
  %trows.back = sub nsw i64 %troom, %tcount
  %few0 = icmp slt i64 %tfront, {STEP_PANELS}
  %few1 = icmp slt i64 %tback, {STEP_PANELS}
  %few2 = icmp slt i64 %trows, {STEP_SEGMENTS}
  %few3 = icmp slt i64 %trows.back, {STEP_SEGMENTS}
  %few01 = or i1 %few0, %few1
  %few23 = or i1 %few2, %few3
  %little.room = or i1 %few01, %few23
  %full.transports.next = or i1 %little.room, %full.transports""",
    ),
    "start": (
        None,
        f"""
{field("tx", Carrier.POSITION, "double", header="%th")}
{field("tstart", Carrier.STARTED, "double", header="%th")}
  store double %tx, ptr %tstart.p""",
    ),
    "limit": (
        ("largest.transports", "double", double(math.inf)),
        f"""
{field("tx", Carrier.POSITION, "double", header="%th")}
{field("tstart", Carrier.STARTED, "double", header="%th")}
{field("tlargest", Carrier.LARGEST_STEP, "double", header="%th")}
  %tway = fsub double %tx, %tstart
  %tway.size = call double @llvm.fabs.f64(double %tway)
  %tpart = fdiv double {double(LARGEST_PART)}, %tway.size
  %tlimit = fmul double %step, %tpart
  %tless = fcmp olt double %tlimit, %tlargest
  %town = select i1 %tless, double %tlimit, double %tlargest
  %tlower = fcmp olt double %town, %largest.transports
  %largest.transports.next = select i1 %tlower, double %town, double %largest.transports""",
    ),
}


def _each_transport(shape: Shape, job: str) -> str:
    """The loop over transports at the end of a function. It begins in the block `others` and leaves for `done`."""
    if not shape.transports:
        return "  br label %done"
    gathered, body = _OF_TRANSPORTS[job]
    phi = ""
    if gathered is not None:
        name, kind, first = gathered
        phi = f"  %{name} = phi {kind} [ {first}, %others ], [ %{name}.next, %tbody ]"
    body = body.replace("{width}", str(shape.width)).replace("{values}", str(shape.values))
    for k, x in enumerate(CHECKED):
        body = body.replace(f"{{check{k}}}", double(x))
    samples = f"  %tsamples = alloca double, i64 {NODES * CARRIED_VALUES}" if "%tsamples" in body else ""
    handles = f"  %thandles = getelementptr double, ptr %m, i64 {shape.handles}"
    if job in ("error", "append"):
        handles = "  %thandles = getelementptr double, ptr %handles, i64 0"
    return f"""\
{samples}
{handles}
  br label %thead
thead:
  %tk = phi i64 [ 0, %others ], [ %tk.next, %tbody ]
{phi}
  %tmore = icmp slt i64 %tk, {shape.transports}
  br i1 %tmore, label %tbody, label %done
tbody:
  %tnumber = add nsw i64 %tk, {shape.delays}
  %th = call ptr @saltus.history.number(ptr %thandles, i64 %tnumber)
  %trow = mul nsw i64 %tk, {CARRIED_VALUES}
  %tcolumn = add nsw i64 %trow, {shape.delays}
{body}
  %tk.next = add nsw i64 %tk, 1
  br label %thead"""


def _limit_text(shape: Shape) -> str:
    """No step may be so long that something enters and leaves in it."""
    set_limit = "  %flag = call i32 %set.step(ptr %solver, double %largest.transports)"
    return f"""
; notes displacements before a step
define internal void @saltus.transports.start(ptr %m) nounwind {{
entry:
  br label %others
others:
{_each_transport(shape, "start")}
done:
  ret void
}}

; and after it, how long the next may be
define internal void @saltus.transports.limit(ptr %set.step, ptr %solver, ptr %m, double %step) nounwind {{
entry:
  br label %others
others:
{_each_transport(shape, "limit")}
done:
{set_limit if shape.transports else ""}
  ret void
}}
"""

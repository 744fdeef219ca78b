"""The content of `spatialDistribution` in native code, as LLVM text (`ir.transport`).

Questions, beside those to all histories (`emit.histories`; `end` and `passed` speak of labels here):

    content, gradient    the value at a label in a segment, and its derivative by the label

The label is a polynomial of time in each panel, which rises or falls all the way. The time at which it has a
given value is found by Newton's method inside a bracket.

For what is remembered (`emit.remember`): `append` puts a panel before the first or after the last one,
according to the way that the displacement has gone, `event` begins a segment where an inflow has jumped.
"""

from __future__ import annotations

from saltus.emit.histories import SAME, field
from saltus.emit.llvm_builtins import double
from saltus.ir.history import NEVER, NODES, PANEL, POSITIONS, SEGMENT, Header
from saltus.ir.transport import ANYWHERE, CARRIED_PANEL, CARRIED_VALUES, Carrier

#: The smallest displacement that makes a panel.
STILL = 1e-14

#: The part of the whole length that may be passed in one step.
LARGEST_PART = 0.5

#: To be part of every module whose routines ask for contents, after the questions to histories.
CONTENTS_TEXT = f"""
; where in a panel, from 0 to 1, a label is
define internal double @saltus.transport.find(ptr %panel, double %label) noinline nounwind {{
entry:
  %magnitude = call double @llvm.fabs.f64(double %label)
  %size = fadd double %magnitude, 1.0
  %rounding = fmul double %size, {double(2.0**-52)}
  br label %head
head:
  %k = phi i64 [ 0, %entry ], [ %k.next, %move ]
  %low = phi double [ 0.0, %entry ], [ %low.next, %move ]
  %high = phi double [ 1.0, %entry ], [ %high.next, %move ]
  %x = phi double [ 0.5, %entry ], [ %x.next, %move ]
  %here = call double @saltus.history.polynomial(ptr %panel, double %x)
  %miss = fsub double %here, %label
  %miss.size = call double @llvm.fabs.f64(double %miss)
  %hit = fcmp ole double %miss.size, %rounding
  %late = icmp sge i64 %k, 60
  %stop = or i1 %hit, %late
  br i1 %stop, label %done, label %move
move:
  %above = fcmp ogt double %miss, 0.0
  %low.next = select i1 %above, double %low, double %x
  %high.next = select i1 %above, double %x, double %high
  %slope = call double @saltus.history.gradient(ptr %panel, double %x)
  %step = fdiv double %miss, %slope
  %newton = fsub double %x, %step
  ; a step out of the bracket, or to nowhere, is replaced by half of it
  %right = fcmp oge double %newton, %low.next
  %left = fcmp ole double %newton, %high.next
  %inside = and i1 %right, %left
  %sum = fadd double %low.next, %high.next
  %middle = fmul double %sum, 0.5
  %x.next = select i1 %inside, double %newton, double %middle
  %k.next = add nsw i64 %k, 1
  br label %head
done:
  ret double %x
}}

; the panel of a segment in which a label lies, the nearest one if it is outside; null if there is none
define internal ptr @saltus.transport.panel(ptr %h, double %n, double %label) nounwind {{
entry:
{field("panels", Header.PANELS, "ptr")}
{field("segments", Header.SEGMENTS, "ptr")}
{field("count", Header.SEGMENT_COUNT)}
{field("first", Carrier.FIRST)}
{field("last", Carrier.LAST)}
  %anywhere = fcmp oge double %n, {double(ANYWHERE)}
  br i1 %anywhere, label %search, label %one
one:
  %place = call i64 @saltus.history.place(ptr %h, double %n)
  %row = mul nsw i64 %place, {SEGMENT}
  %segment = getelementptr double, ptr %segments, i64 %row
  %own.first.p = getelementptr double, ptr %segment, i64 2
  %own.first.d = load double, ptr %own.first.p
  %own.first = fptosi double %own.first.d to i64
  %after = add nsw i64 %place, 1
  %is.last = icmp sge i64 %after, %count
  br i1 %is.last, label %search, label %bounded
bounded:
  %bound.p = getelementptr double, ptr %own.first.p, i64 {SEGMENT}
  %bound.d = load double, ptr %bound.p
  %bound = fptosi double %bound.d to i64
  br label %search
search:
  %begin = phi i64 [ %first, %entry ], [ %own.first, %one ], [ %own.first, %bounded ]
  %end = phi i64 [ %last, %entry ], [ %last, %one ], [ %bound, %bounded ]
  %empty = icmp sge i64 %begin, %end
  br i1 %empty, label %none, label %head
none:
  ret ptr null
head:
  %low = phi i64 [ %begin, %search ], [ %low.next, %halve ]
  %high = phi i64 [ %end, %search ], [ %high.next, %halve ]
  %width = sub nsw i64 %high, %low
  %several = icmp sgt i64 %width, 1
  br i1 %several, label %halve, label %found
halve:
  %half = lshr i64 %width, 1
  %middle = add nsw i64 %low, %half
  %middle.row = mul nsw i64 %middle, {CARRIED_PANEL}
  %middle.p = getelementptr double, ptr %panels, i64 %middle.row
  %from = load double, ptr %middle.p
  %later = fcmp ogt double %from, %label
  %low.next = select i1 %later, i64 %low, i64 %middle
  %high.next = select i1 %later, i64 %middle, i64 %high
  br label %head
found:
  %found.row = mul nsw i64 %low, {CARRIED_PANEL}
  %panel = getelementptr double, ptr %panels, i64 %found.row
  ret ptr %panel
}}

; a label, or the end of the panel that is nearest to it
define internal double @saltus.transport.clamp(ptr %panel, double %label) nounwind {{
  %end.p = getelementptr double, ptr %panel, i64 1
  %begin = load double, ptr %panel
  %end = load double, ptr %end.p
  %low = fcmp olt double %label, %begin
  %up = select i1 %low, double %begin, double %label
  %high = fcmp ogt double %up, %end
  %inside = select i1 %high, double %end, double %up
  ret double %inside
}}

define internal double @saltus.transport.value(ptr %h, double %n, double %label) noinline nounwind {{
entry:
  %panel = call ptr @saltus.transport.panel(ptr %h, double %n, double %label)
  %empty = icmp eq ptr %panel, null
  br i1 %empty, label %constant, label %inside
constant:
{field("segments", Header.SEGMENTS, "ptr")}
  %place = call i64 @saltus.history.place(ptr %h, double %n)
  %row = mul nsw i64 %place, {SEGMENT}
  %segment = getelementptr double, ptr %segments, i64 %row
  %value.p = getelementptr double, ptr %segment, i64 1
  %value = load double, ptr %value.p
  ret double %value
inside:
  %there = call double @saltus.transport.clamp(ptr %panel, double %label)
  %x = call double @saltus.transport.find(ptr %panel, double %there)
  %values = getelementptr double, ptr %panel, i64 {NODES}
  %p = call double @saltus.history.polynomial(ptr %values, double %x)
  ret double %p
}}

define internal double @saltus.history.content(double %handle, double %n, double %label) noinline nounwind {{
  %h = call ptr @saltus.history.header(double %handle)
  %value = call double @saltus.transport.value(ptr %h, double %n, double %label)
  ret double %value
}}

define internal double @saltus.history.content.gradient(double %handle, double %n, double %label) noinline nounwind {{
entry:
  %h = call ptr @saltus.history.header(double %handle)
  %panel = call ptr @saltus.transport.panel(ptr %h, double %n, double %label)
  %empty = icmp eq ptr %panel, null
  br i1 %empty, label %none, label %inside
none:
  ret double 0.0
inside:
  %there = call double @saltus.transport.clamp(ptr %panel, double %label)
  %x = call double @saltus.transport.find(ptr %panel, double %there)
  %values = getelementptr double, ptr %panel, i64 {NODES}
  %rise = call double @saltus.history.gradient(ptr %values, double %x)
  %speed = call double @saltus.history.gradient(ptr %panel, double %x)
  %rests = fcmp oeq double %speed, 0.0
  br i1 %rests, label %none, label %moves
moves:
  %slope = fdiv double %rise, %speed
  ret double %slope
}}
"""


def _side(name: str, before: bool) -> str:
    """The functions for one end of the content: what is outside is cut off; a segment begins; a panel is added."""
    return _cut(name, before) + _open(name, before) + _push(name, before)


def _label(before: bool, target: str, x: str) -> str:
    """The label of what is at an end: `-x` at 0, `1 - x` at 1."""
    return f"{target} = fneg double {x}" if before else f"{target} = fsub double 1.0, {x}"


def _cut(name: str, before: bool) -> str:
    outside = f"""\
  %far.p = getelementptr double, ptr %panel, i64 {1 if before else 0}
  %far = load double, ptr %far.p
  %gone = fcmp {"ole" if before else "oge"} double %far, %label"""
    if before:
        drop = """\
  %after = add nsw i64 %first, 1
  store i64 %after, ptr %first.p"""
        pop = f"""\
  %second = getelementptr double, ptr %segments, i64 {SEGMENT}
  store ptr %second, ptr %segments.p
  %fewer = sub nsw i64 %count, 1
  store i64 %fewer, ptr %count.p
{field("dropped", Header.DROPPED)}
  %dropped.more = add nsw i64 %dropped, 1
  store i64 %dropped.more, ptr %dropped.p
{field("room", Header.SEGMENT_ROOM)}
  %room.less = sub nsw i64 %room, 1
  store i64 %room.less, ptr %room.p
{field("rows", Carrier.SEGMENTS_BEFORE)}
  %rows.more = add nsw i64 %rows, 1
  store i64 %rows.more, ptr %rows.p
  store double {double(-NEVER)}, ptr %second"""
        border = f"%border.p = getelementptr double, ptr %segments, i64 {SEGMENT}"
        finish = """\
  %begin.d = sitofp i64 %begin to double
  %own.first.p = getelementptr double, ptr %segments.now, i64 2
  store double %begin.d, ptr %own.first.p"""
    else:
        drop = """\
  %after = sub nsw i64 %last, 1
  store i64 %after, ptr %last.p"""
        pop = """\
  %fewer = sub nsw i64 %count, 1
  store i64 %fewer, ptr %count.p"""
        border = f"""%place = sub nsw i64 %count, 1
  %row = mul nsw i64 %place, {SEGMENT}
  %border.p = getelementptr double, ptr %segments, i64 %row"""
        finish = ""
    return f"""
; takes away what lies beyond a label
define internal void @saltus.transport.cut.{name}(ptr %h, double %label) nounwind {{
entry:
{field("panels", Header.PANELS, "ptr")}
  br label %head
head:
{field("first", Carrier.FIRST)}
{field("last", Carrier.LAST)}
  %some = icmp slt i64 %first, %last
  br i1 %some, label %look, label %segment.head
look:
  {"%number = add i64 %first, 0" if before else "%number = sub nsw i64 %last, 1"}
  %panel.row = mul nsw i64 %number, {CARRIED_PANEL}
  %panel = getelementptr double, ptr %panels, i64 %panel.row
{outside}
  br i1 %gone, label %drop, label %trim
drop:
{drop}
  br label %head
trim:
  %near.p = getelementptr double, ptr %panel, i64 {0 if before else 1}
  %near = load double, ptr %near.p
  %sticks.out = fcmp {"olt" if before else "ogt"} double %near, %label
  %kept = select i1 %sticks.out, double %label, double %near
  store double %kept, ptr %near.p
  br label %segment.head
segment.head:
{field("segments", Header.SEGMENTS, "ptr")}
{field("count", Header.SEGMENT_COUNT)}
  %several = icmp sgt i64 %count, 1
  br i1 %several, label %test, label %done
test:
  {border}
  %border = load double, ptr %border.p
  %outside = fcmp {"olt" if before else "ogt"} double %border, %label
  br i1 %outside, label %pop, label %done
pop:
{pop}
  br label %segment.head
done:
{field("segments.now", Header.SEGMENTS, "ptr")}
{field("begin", Carrier.FIRST)}
{finish}
  ret void
}}
"""


def _open(name: str, before: bool) -> str:
    if before:
        again = f"""\
  %second = getelementptr double, ptr %segments, i64 {SEGMENT}
  %second.first.p = getelementptr double, ptr %second, i64 2
  %second.first.d = load double, ptr %second.first.p
  %second.first = fptosi double %second.first.d to i64
  %empty = icmp eq i64 %second.first, %first
  %border = load double, ptr %second"""
        segment, order = "%segments", "%second"
        room = f"""\
{field("rows", Carrier.SEGMENTS_BEFORE)}
  %fits = icmp sgt i64 %rows, 0"""
        new = f"""\
  %new = getelementptr double, ptr %segments, i64 {-SEGMENT}
  store ptr %new, ptr %segments.p
  store double %label, ptr %segments
  %old.order.p = getelementptr double, ptr %segments, i64 3
  store double %order, ptr %old.order.p
{field("dropped", Header.DROPPED)}
  %dropped.less = sub nsw i64 %dropped, 1
  store i64 %dropped.less, ptr %dropped.p
{field("room", Header.SEGMENT_ROOM)}
  %room.more = add nsw i64 %room, 1
  store i64 %room.more, ptr %room.p
  %rows.less = sub nsw i64 %rows, 1
  store i64 %rows.less, ptr %rows.p
  store double {double(-NEVER)}, ptr %new
  %new.first.d = sitofp i64 %first to double"""
    else:
        again = f"""\
  %place = sub nsw i64 %count, 1
  %row = mul nsw i64 %place, {SEGMENT}
  %final = getelementptr double, ptr %segments, i64 %row
  %final.first.p = getelementptr double, ptr %final, i64 2
  %final.first.d = load double, ptr %final.first.p
  %final.first = fptosi double %final.first.d to i64
  %empty = icmp eq i64 %final.first, %last
  %border = load double, ptr %final"""
        segment, order = "%final", "%final"
        room = f"""\
{field("room", Header.SEGMENT_ROOM)}
  %fits = icmp slt i64 %count, %room"""
        new = f"""\
  %new.row = mul nsw i64 %count, {SEGMENT}
  %new = getelementptr double, ptr %segments, i64 %new.row
  store double %label, ptr %new
  %new.order.p = getelementptr double, ptr %new, i64 3
  store double %order, ptr %new.order.p
  %new.first.d = sitofp i64 %last to double"""
    return f"""
; begins a segment at an end; one that has just begun at the same label is changed
define internal void @saltus.transport.open.{name}(ptr %h, double %label, double %value, double %order) nounwind {{
entry:
{field("segments", Header.SEGMENTS, "ptr")}
{field("count", Header.SEGMENT_COUNT)}
{field("first", Carrier.FIRST)}
{field("last", Carrier.LAST)}
  %several = icmp sgt i64 %count, 1
  br i1 %several, label %look, label %make
look:
{again}
  %same = fcmp oeq double %border, %label
  %repeated = and i1 %empty, %same
  br i1 %repeated, label %change, label %make
change:
  %value.p = getelementptr double, ptr {segment}, i64 1
  store double %value, ptr %value.p
  %order.p = getelementptr double, ptr {order}, i64 3
  %order.then = load double, ptr %order.p
  %lower = fcmp olt double %order, %order.then
  %both = select i1 %lower, double %order, double %order.then
  store double %both, ptr %order.p
  ret void
make:
{room}
  br i1 %fits, label %write, label %full
full:
  ret void
write:
{new}
  %more = add nsw i64 %count, 1
  store i64 %more, ptr %count.p
  %new.value.p = getelementptr double, ptr %new, i64 1
  store double %value, ptr %new.value.p
  %new.first.p = getelementptr double, ptr %new, i64 2
  store double %new.first.d, ptr %new.first.p
  ret void
}}
"""


def _push(name: str, before: bool) -> str:
    inflow, end = (Carrier.INFLOW0, Carrier.END0) if before else (Carrier.INFLOW1, Carrier.END1)
    if before:
        place = """\
  %number = sub nsw i64 %first, 1
  store i64 %number, ptr %first.p
  %number.d = sitofp i64 %number to double
  %own.first.p = getelementptr double, ptr %segments, i64 2
  store double %number.d, ptr %own.first.p"""
        # Labels rise from the new end to the old one.
        node, low, high = f"sub nsw i64 {NODES - 1}, %j", "%label.new", "%label"
    else:
        place = """\
  %number = add i64 %last, 0
  %more = add nsw i64 %last, 1
  store i64 %more, ptr %last.p"""
        node, low, high = "add i64 %j, 0", "%label", "%label.new"
    return f"""
; adds a panel at an end; the samples are those of one transport, node by node, the first node first
define internal void @saltus.transport.push.{name}(ptr %h, ptr %samples) nounwind {{
entry:
{field("panels", Header.PANELS, "ptr")}
{field("x.old", Carrier.POSITION, "double")}
{field("inflow", inflow, "double")}
{field("end", end, "double")}
{field("direction", Carrier.DIRECTION, "double")}
  {_label(before, "%label", "%x.old")}
  %turned = fcmp une double %direction, {double(1.0 if before else -1.0)}
  %there = call double @saltus.transport.value(ptr %h, double {double(ANYWHERE)}, double %label)
  %neighbour = select i1 %turned, double %there, double %end
  call void @saltus.transport.cut.{name}(ptr %h, double %label)
  %difference = fsub double %inflow, %neighbour
  %size = call double @llvm.fabs.f64(double %difference)
  %magnitude = call double @llvm.fabs.f64(double %inflow)
  %noise = fmul double %magnitude, {double(SAME)}
{field("absolute", Header.ABSOLUTE, "double")}
  %allowed = fadd double %noise, %absolute
  %jumps = fcmp ogt double %size, %allowed
  %begins = or i1 %turned, %jumps
  br i1 %begins, label %open, label %add
open:
  %order = select i1 %jumps, double 0.0, double 1.0
  call void @saltus.transport.open.{name}(ptr %h, double %label, double %inflow, double %order)
  br label %add
add:
{field("segments", Header.SEGMENTS, "ptr")}
{field("first", Carrier.FIRST)}
{field("last", Carrier.LAST)}
{place}
  %row = mul nsw i64 %number, {CARRIED_PANEL}
  %panel = getelementptr double, ptr %panels, i64 %row
  %high.p = getelementptr double, ptr %panel, i64 1
  %x.p = getelementptr double, ptr %samples, i64 {(NODES - 1) * CARRIED_VALUES}
  %x.new = load double, ptr %x.p
  {_label(before, "%label.new", "%x.new")}
  store double {low}, ptr %panel
  store double {high}, ptr %high.p
  br label %head
head:
  %j = phi i64 [ 0, %add ], [ %j.next, %node ]
  %more.nodes = icmp slt i64 %j, {NODES}
  br i1 %more.nodes, label %node, label %done
node:
  %sample.row = mul nsw i64 %j, {CARRIED_VALUES}
  %sample = getelementptr double, ptr %samples, i64 %sample.row
  %value.p = getelementptr double, ptr %sample, i64 {1 if before else 2}
  %x = load double, ptr %sample
  %value = load double, ptr %value.p
  {_label(before, "%node.label", "%x")}
  %at = {node}
  %label.slot = add nsw i64 %at, 2
  %label.to = getelementptr double, ptr %panel, i64 %label.slot
  store double %node.label, ptr %label.to
  %value.slot = add nsw i64 %at, {2 + NODES}
  %value.to = getelementptr double, ptr %panel, i64 %value.slot
  store double %value, ptr %value.to
  %j.next = add nsw i64 %j, 1
  br label %head
done:
  store double {double(1.0 if before else -1.0)}, ptr %direction.p
  store double %x.new, ptr %x.old.p
  %end.value.p = getelementptr double, ptr %samples, i64 {(NODES - 1) * CARRIED_VALUES + (1 if before else 2)}
  %end.value = load double, ptr %end.value.p
  store double %end.value, ptr %end.p
  ret void
}}
"""


def carry_text() -> str:
    """What remembers transports; to stand after what remembers histories."""
    return f"""
{_side("first", True)}
{_side("last", False)}
; Gathers the samples of a transport, `stride` apart from node to node; the first node is what is known.
define internal void @saltus.transport.gather(ptr %h, ptr %samples, i64 %column, i64 %stride, ptr %to) nounwind {{
entry:
  %known = getelementptr double, ptr %h, i64 {int(Carrier.POSITION)}
  call void @llvm.memmove.p0.p0.i64(ptr %to, ptr %known, i64 {8 * CARRIED_VALUES}, i1 false)
  br label %head
head:
  %j = phi i64 [ 1, %entry ], [ %j.next, %node ]
  %more = icmp slt i64 %j, {NODES}
  br i1 %more, label %node, label %done
node:
  %row = mul nsw i64 %j, %stride
  %place = add nsw i64 %row, %column
  %from = getelementptr double, ptr %samples, i64 %place
  %to.row = mul nsw i64 %j, {CARRIED_VALUES}
  %node.to = getelementptr double, ptr %to, i64 %to.row
  call void @llvm.memmove.p0.p0.i64(ptr %node.to, ptr %from, i64 {8 * CARRIED_VALUES}, i1 false)
  %j.next = add nsw i64 %j, 1
  br label %head
done:
  ret void
}}

; the largest error of the polynomials of a transport at a point where it is known, in units of what is allowed
define internal double @saltus.transport.error(ptr %h, ptr %samples, ptr %true, double %x) nounwind {{
entry:
  %panel = alloca double, i64 {PANEL}
{field("relative", Header.RELATIVE, "double")}
{field("absolute", Header.ABSOLUTE, "double")}
  br label %head
head:
  %q = phi i64 [ 0, %entry ], [ %q.next, %test ]
  %worst = phi double [ 0.0, %entry ], [ %worst.next, %test ]
  %more = icmp slt i64 %q, {CARRIED_VALUES}
  br i1 %more, label %node.head, label %done
node.head:
  %j = phi i64 [ 0, %head ], [ %j.next, %node ]
  %j.more = icmp slt i64 %j, {NODES}
  br i1 %j.more, label %node, label %test
node:
  %row = mul nsw i64 %j, {CARRIED_VALUES}
  %place = add nsw i64 %row, %q
  %from = getelementptr double, ptr %samples, i64 %place
  %v = load double, ptr %from
  %slot = add nsw i64 %j, 2
  %to = getelementptr double, ptr %panel, i64 %slot
  store double %v, ptr %to
  %j.next = add nsw i64 %j, 1
  br label %node.head
test:
  %p = call double @saltus.history.polynomial(ptr %panel, double %x)
  %true.p = getelementptr double, ptr %true, i64 %q
  %actual = load double, ptr %true.p
  %difference = fsub double %p, %actual
  %size = call double @llvm.fabs.f64(double %difference)
  %magnitude = call double @llvm.fabs.f64(double %actual)
  %part = fmul double %relative, %magnitude
  ; the displacement is a number of lengths, whatever the size of what is carried
  %is.position = icmp eq i64 %q, 0
  %least = select i1 %is.position, double %relative, double %absolute
  %allowed = fadd double %part, %least
  %ratio = fdiv double %size, %allowed
  %larger = fcmp ogt double %ratio, %worst
  %worst.next = select i1 %larger, double %ratio, double %worst
  %q.next = add nsw i64 %q, 1
  br label %head
done:
  ret double %worst
}}

; A panel of a transport, if there was any displacement. What does not move is not remembered.
define internal void @saltus.transport.append(ptr %h, ptr %samples) nounwind {{
entry:
{field("x.old", Carrier.POSITION, "double")}
  %new = getelementptr double, ptr %samples, i64 {(NODES - 1) * CARRIED_VALUES}
  %x.new = load double, ptr %new
  %way = fsub double %x.new, %x.old
  %forward = fcmp ogt double %way, {double(STILL)}
  br i1 %forward, label %before, label %other
before:
  call void @saltus.transport.push.first(ptr %h, ptr %samples)
  br label %done
other:
  %backward = fcmp olt double %way, {double(-STILL)}
  br i1 %backward, label %after, label %done
after:
  call void @saltus.transport.push.last(ptr %h, ptr %samples)
  br label %done
done:
  %inflows = getelementptr double, ptr %h, i64 {int(Carrier.INFLOW0)}
  %new.inflows = getelementptr double, ptr %new, i64 1
  call void @llvm.memmove.p0.p0.i64(ptr %inflows, ptr %new.inflows, i64 {8 * (CARRIED_VALUES - 1)}, i1 false)
  ret void
}}

; After an event. A displacement that has jumped has carried what was there before and after.
define internal i1 @saltus.transport.event(ptr %m, ptr %h, ptr %values) nounwind {{
entry:
  %samples = alloca double, i64 {NODES * CARRIED_VALUES}
{field("x.old", Carrier.POSITION, "double")}
{field("inflow0", Carrier.INFLOW0, "double")}
{field("inflow1", Carrier.INFLOW1, "double")}
{field("direction", Carrier.DIRECTION, "double")}
{field("highest", Header.HIGHEST, "double")}
  %values1 = getelementptr double, ptr %values, i64 1
  %values2 = getelementptr double, ptr %values, i64 2
  %x = load double, ptr %values
  %value0 = load double, ptr %values1
  %value1 = load double, ptr %values2
  %way = fsub double %x, %x.old
  %way.size = call double @llvm.fabs.f64(double %way)
  %moved = fcmp ogt double %way.size, {double(1e-9)}
  br i1 %moved, label %node.head, label %look
node.head:
  %j = phi i64 [ 0, %entry ], [ %j.next, %node ]
  %more = icmp slt i64 %j, {NODES}
  br i1 %more, label %node, label %carry
node:
  %part.p = getelementptr [{NODES} x double], ptr @saltus.positions, i64 0, i64 %j
  %part = load double, ptr %part.p
  %row = mul nsw i64 %j, {CARRIED_VALUES}
  %sample = getelementptr double, ptr %samples, i64 %row
  %sample1 = getelementptr double, ptr %sample, i64 1
  %sample2 = getelementptr double, ptr %sample, i64 2
  %x.part = fmul double %part, %way
  %x.here = fadd double %x.old, %x.part
  %final = icmp eq i64 %j, {NODES - 1}
  %x.there = select i1 %final, double %x, double %x.here
  store double %x.there, ptr %sample
  store double %inflow0, ptr %sample1
  store double %inflow1, ptr %sample2
  %j.next = add nsw i64 %j, 1
  br label %node.head
carry:
  call void @saltus.transport.append(ptr %h, ptr %samples)
  br label %look
look:
{field("position", Carrier.POSITION, "double")}
{field("way.now", Carrier.DIRECTION, "double")}
  store double %value0, ptr %inflow0.p
  store double %value1, ptr %inflow1.p
  %rests = fcmp oeq double %way.now, 0.0
  br i1 %rests, label %none, label %flows
none:
  ret i1 %moved
flows:
  %forward = fcmp ogt double %way.now, 0.0
  %value = select i1 %forward, double %value0, double %value1
  %before = select i1 %forward, double %inflow0, double %inflow1
  %order = call double @saltus.history.order(ptr %m, ptr %h, double %value, double %before)
  %worth = fcmp ole double %order, %highest
  br i1 %worth, label %begin, label %none
begin:
  br i1 %forward, label %at.first, label %at.last
at.first:
  %label0 = fneg double %position
  call void @saltus.transport.open.first(ptr %h, double %label0, double %value0, double %order)
{field("end0", Carrier.END0, "double")}
  store double %value0, ptr %end0.p
  ret i1 true
at.last:
  %label1 = fsub double 1.0, %position
  call void @saltus.transport.open.last(ptr %h, double %label1, double %value1, double %order)
{field("end1", Carrier.END1, "double")}
  store double %value1, ptr %end1.p
  ret i1 true
}}
"""

"""The content of `spatialDistribution` in native code, as LLVM text (`ir.transport`).

Questions, beside those to all histories (`emit.support.histories`; `end` and `passed` speak of labels here):

    content, content.gradient    the value at a label in a segment, and its derivative by the label

The label is a polynomial of time in each panel, which rises all the way. The time at which it has a given
value is found by Newton's method inside a bracket.

For what is remembered (`emit.support.remember`): `carry` puts a panel before the first or after the last one,
according to the way that the displacement has gone, `carry_event` begins a segment where an inflow jumped.
"""

from __future__ import annotations

from dataclasses import dataclass

from saltus.emit.support.assembly import Function, Value
from saltus.emit.support.histories import (
    Fields,
    first_and_past,
    nodes,
    null,
    position,
    question,
    search,
)
from saltus.ir.native.history import (
    BEGIN,
    END,
    FIRST_PANEL,
    NEVER,
    NODES,
    ORDER,
    SEGMENT,
    VALUE,
    VALUES,
    Header,
)
from saltus.ir.native.transport import ANYWHERE, CARRIED_PANEL, CARRIED_VALUES, Carrier

#: The smallest displacement that makes a panel, and one that is a jump.
STILL, JUMP = 1e-14, 1e-9

#: A difference that is this part of the values is no jump: loops are solved again at an event.
SAME = 1e-9

#: Bits of a double after the point: labels are found to the last of them.
_ROUNDING = 2.0**-52
_MOST_ITERATIONS = 60

#: Where the values of a panel are.
_CARRIED = VALUES + NODES


def content_functions() -> list[Function]:
    """Questions, and what changes a content."""
    return [
        _find(), _carried_panel(), _clamp(), _carried_value(), _content(), _gradient(), _differ(),
        *(function(side) for side in (_FIRST, _LAST) for function in (_cut, _open, _push)),
        _carry(), _carry_jump(), _carry_event(),
    ]  # fmt: skip


# ---------------------------------------------------------------- questions


def _find() -> Function:
    """Where in a panel, from 0 to 1, a label is."""
    f = Function("find", "double", internal=True, panel="ptr", label="double")
    rounding = (f.absolute(f.label) + 1.0) * _ROUNDING
    low, high, x = f.variable(0.0), f.variable(1.0), f.variable(0.5)
    labels = f.panel.place(VALUES)
    with f.count(f.constant(_MOST_ITERATIONS, "i64")):
        miss = f.call("polynomial", "double", labels, x.value) - f.label
        f.leave_if(f.absolute(miss) <= rounding)
        above = miss > 0.0
        low.set(above.choose(low.value, x.value))
        high.set(above.choose(x.value, high.value))
        newton = x.value - miss / f.call("gradient", "double", labels, x.value)
        # A step out of the bracket, or to nowhere, is replaced by half of it.
        inside = (newton >= low.value) & (newton <= high.value)
        x.set(inside.choose(newton, (low.value + high.value) * 0.5))
    f.give(x.value)
    return f


def _carried_panel() -> Function:
    """The panel of a segment in which a label lies, or the nearest one; null if the segment has none."""
    f = Function("carried_panel", "ptr", internal=True, header="ptr", n="double", label="double")
    h = Fields(f.header)
    own = first_and_past(h, f.call("place", "i64", f.header, f.n), h[Carrier.LAST])
    anywhere = f.n >= ANYWHERE
    first = anywhere.choose(h[Carrier.FIRST], own[0], "i64")
    past = anywhere.choose(h[Carrier.LAST], own[1], "i64")
    f.give_if(first >= past, null(f))
    row = search(f, h[Header.PANELS], CARRIED_PANEL, first, past, f.label)
    f.give(h[Header.PANELS].place(row * CARRIED_PANEL))
    return f


def _clamp() -> Function:
    """Where in a panel a label is, or the end of the panel that is nearest to it."""
    f = Function("carried_part", "double", internal=True, panel="ptr", label="double")
    label = f.least(f.greatest(f.label, f.panel.at(BEGIN)), f.panel.at(END))
    f.give(f.call("find", "double", f.panel, label))
    return f


def _carried_value() -> Function:
    f = Function("carried_value", "double", internal=True, header="ptr", n="double", label="double")
    panel = f.call("carried_panel", "ptr", f.header, f.n, f.label)
    place = f.call("place", "i64", f.header, f.n)
    f.give_if(panel == null(f), Fields(f.header).segment(place).at(VALUE))
    x = f.call("carried_part", "double", panel, f.label)
    f.give(f.call("polynomial", "double", panel.place(_CARRIED), x))
    return f


def _content() -> Function:
    f, h = question("content", n="double", label="double")
    f.give(f.call("carried_value", "double", h.header, f.n, f.label))
    return f


def _gradient() -> Function:
    f, h = question("content.gradient", n="double", label="double")
    panel = f.call("carried_panel", "ptr", h.header, f.n, f.label)
    f.give_if(panel == null(f), 0.0)
    x = f.call("carried_part", "double", panel, f.label)
    rise, speed = (f.call("gradient", "double", panel.place(at), x) for at in (_CARRIED, VALUES))
    f.give_if(speed == 0.0, 0.0)
    f.give(rise / speed)
    return f


# ---------------------------------------------------------------- the two ends


@dataclass(frozen=True)
class _Side:
    """An end of the content: at 0, where the first label is, or at 1."""

    name: str
    direction: float
    inflow: Carrier
    end: Carrier

    @property
    def first(self) -> bool:
        return self.direction > 0.0

    def label(self, x: Value) -> Value:
        """The label of what is at this end."""
        return -x if self.first else 1.0 - x

    def beyond(self, a: Value, b: Value) -> Value:
        """Whether a label is further out than another."""
        return a < b if self.first else a > b


_FIRST = _Side("first", 1.0, Carrier.INFLOW0, Carrier.END0)
_LAST = _Side("last", -1.0, Carrier.INFLOW1, Carrier.END1)


def _cut(side: _Side) -> Function:
    """Takes away what lies beyond a label."""
    f = Function(f"cut_{side.name}", "void", internal=True, header="ptr", label="double")
    h = Fields(f.header)
    near, far = (BEGIN, END) if side.first else (END, BEGIN)
    with f.loop():
        f.leave_if(h[Carrier.FIRST] >= h[Carrier.LAST])
        number = h[Carrier.FIRST] if side.first else h[Carrier.LAST] - 1
        panel = h[Header.PANELS].place(number * CARRIED_PANEL)
        out = panel.at(far)
        with f.when(~(side.beyond(out, f.label) | (out == f.label))):
            panel.put(near, side.beyond(panel.at(near), f.label).choose(f.label, panel.at(near)))
        f.leave_if(~(side.beyond(out, f.label) | (out == f.label)))
        h.add(*((Carrier.FIRST, 1) if side.first else (Carrier.LAST, -1)))
    with f.loop():
        f.leave_if(h[Header.SEGMENT_COUNT] <= 1)
        inner = f.constant(1, "i64") if side.first else h[Header.SEGMENT_COUNT] - 1
        f.leave_if(~side.beyond(h.segment(inner).at(BEGIN), f.label))
        h.add(Header.SEGMENT_COUNT, -1)
        if side.first:
            _move_first_segment(h, 1)
            h.segment(0).put(BEGIN, -NEVER)
    if side.first:
        h.segment(0).put(FIRST_PANEL, h[Carrier.FIRST].as_double())
    f.give()
    return f


def _move_first_segment(h: Fields, by: int) -> None:
    """The list of segments begins later, or earlier."""
    h[Header.SEGMENTS] = h[Header.SEGMENTS].place(by * SEGMENT)
    h.add(Header.DROPPED, by)
    h.add(Header.SEGMENT_ROOM, -by)
    h.add(Carrier.SEGMENTS_BEFORE, by)


def _open(side: _Side) -> Function:
    """Begins a segment at an end; one that has just begun at the same label is changed. Where there is no
    room (a flow that turns round again and again within a step) nothing is done."""
    reals = dict.fromkeys(("label", "value", "order"), "double")
    f = Function(f"open_{side.name}", "void", internal=True, header="ptr", **reals)
    h = Fields(f.header)
    count, number = h[Header.SEGMENT_COUNT], h[Carrier.FIRST] if side.first else h[Carrier.LAST]
    with f.when(count > 1):
        # The label is where the second segment begins, or the last one.
        inner = h.segment(1) if side.first else h.segment(count - 1)
        outermost = h.segment(0) if side.first else inner
        empty = inner.at(FIRST_PANEL).as_i64() == number
        with f.when(empty & (inner.at(BEGIN) == f.label)):
            outermost.put(VALUE, f.value)
            inner.put(ORDER, f.least(inner.at(ORDER), f.order))
            f.give()
    room = h[Carrier.SEGMENTS_BEFORE] > 0 if side.first else count < h[Header.SEGMENT_ROOM]
    with f.when(room):
        if side.first:
            _move_first_segment(h, -1)
            h.segment(1).put(BEGIN, f.label)
            h.segment(1).put(ORDER, f.order)
            new = h.segment(0)
            new.put(BEGIN, -NEVER)
        else:
            new = h.segment(count)
            new.put(BEGIN, f.label)
            new.put(ORDER, f.order)
        h.add(Header.SEGMENT_COUNT, 1)
        new.put(VALUE, f.value)
        new.put(FIRST_PANEL, number.as_double())
    f.give()
    return f


def _differ() -> Function:
    """Whether a value has jumped. Below its accuracy nothing is a jump."""
    f = Function("differ", "i1", internal=True, header="ptr", a="double", b="double", part="double")
    h = Fields(f.header)
    f.give(f.absolute(f.a - f.b) > f.absolute(f.a) * SAME + h[Header.ABSOLUTE] * f.part)
    return f


def _push(side: _Side) -> Function:
    """Adds a panel at an end; samples are displacement and inflows, node by node."""
    f = Function(f"push_{side.name}", "void", internal=True, header="ptr", samples="ptr")
    h = Fields(f.header)
    label, inflow = side.label(h[Carrier.POSITION]), h[side.inflow]
    turned = h[Carrier.DIRECTION] != side.direction
    there = f.call("carried_value", "double", f.header, f.constant(ANYWHERE, "double"), label)
    neighbour = turned.choose(there, h[side.end])
    f.call(f"cut_{side.name}", "void", f.header, label)
    jumps = f.call("differ", "i1", f.header, inflow, neighbour, f.constant(1.0, "double"))
    with f.when(turned | jumps):
        order = jumps.choose(0.0, 1.0)
        f.call(f"open_{side.name}", "void", f.header, label, inflow, order)
    if side.first:
        h.add(Carrier.FIRST, -1)
        number = h[Carrier.FIRST]
        h.segment(0).put(FIRST_PANEL, number.as_double())
    else:
        number = h[Carrier.LAST]
        h.add(Carrier.LAST, 1)
    panel = h[Header.PANELS].place(number * CARRIED_PANEL)
    last = f.samples.place((NODES - 1) * CARRIED_VALUES)
    ends = (side.label(last.at(0)), label) if side.first else (label, side.label(last.at(0)))
    panel.put(BEGIN, ends[0])
    panel.put(END, ends[1])
    value = 1 if side.first else 2
    with f.count(nodes(f)) as j:
        sample = f.samples.place(j * CARRIED_VALUES)
        at = NODES - 1 - j if side.first else j  # labels rise from the new end to the old one
        panel.put(at + VALUES, side.label(sample.at(0)))
        panel.put(at + _CARRIED, sample.at(value))
    h[Carrier.DIRECTION] = side.direction
    h[Carrier.POSITION] = last.at(0)
    h[side.end] = last.at(value)
    f.give()
    return f


# ---------------------------------------------------------------- steps and events


def _carry() -> Function:
    """A panel of a transport, if there was any displacement. What does not move is not remembered."""
    f = Function("carry", "void", internal=True, header="ptr", samples="ptr")
    h = Fields(f.header)
    last = f.samples.place((NODES - 1) * CARRIED_VALUES)
    way = last.at(0) - h[Carrier.POSITION]
    for side, moves in ((_FIRST, way > STILL), (_LAST, way < -STILL)):
        with f.when(moves):
            f.call(f"push_{side.name}", "void", f.header, f.samples)
    h[Carrier.INFLOW0] = last.at(1)
    h[Carrier.INFLOW1] = last.at(2)
    f.give()
    return f


def _carry_jump() -> Function:
    """A displacement that has jumped has carried what flowed in before."""
    f = Function("carry_jump", "void", internal=True, header="ptr", samples="ptr", x="double")
    h = Fields(f.header)
    way = f.x - h[Carrier.POSITION]
    with f.when(f.absolute(way) > JUMP):
        with f.count(nodes(f)) as j:
            sample = f.samples.place(j * CARRIED_VALUES)
            sample.put(0, (j == NODES - 1).choose(f.x, h[Carrier.POSITION] + way * position(f, j)))
            sample.put(1, h[Carrier.INFLOW0])
            sample.put(2, h[Carrier.INFLOW1])
        f.call("carry", "void", f.header, f.samples)
    f.give()
    return f


def _carry_event() -> Function:
    """After an event: begins a segment if there is reason to, and says so. The values are displacement and
    inflows now; there is room for samples."""
    f = Function("carry_event", "i1", internal=True, book="ptr", header="ptr", values="ptr", samples="ptr")
    h = Fields(f.header)
    f.call("carry_jump", "void", f.header, f.samples, f.values.at(0))
    forward = h[Carrier.DIRECTION] > 0.0
    value = forward.choose(f.values.at(1), f.values.at(2))
    before = forward.choose(h[Carrier.INFLOW0], h[Carrier.INFLOW1])
    order = f.call("order", "double", f.book, f.header, value, before)
    h[Carrier.INFLOW0] = f.values.at(1)
    h[Carrier.INFLOW1] = f.values.at(2)
    worth = (order <= h[Header.HIGHEST]) & (h[Carrier.DIRECTION] != 0.0)
    for side, here in ((_FIRST, forward), (_LAST, ~forward)):
        with f.when(worth & here):
            label = side.label(h[Carrier.POSITION])
            f.call(f"open_{side.name}", "void", f.header, label, value, order)
            h[side.end] = value
    f.give(worth)
    return f

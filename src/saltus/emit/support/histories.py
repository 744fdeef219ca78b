"""Asking histories in native code: the questions of `expr.nodes.QUESTIONS` (`ir.history`), as LLVM text.

A handle is the address of a header, as the bits of a double. Polynomials are evaluated by the barycentric
formula (Berrut and Trefethen, SIAM Review 46, 2004), written for differences to the first value, so that a
constant stays the same to the last bit. `emit.python.recall` has the same for the Python back end.

The code is the same for all models, and is compiled when the first one needs it.
"""

from __future__ import annotations

from saltus.emit.support.assembly import Function, Operand, Value
from saltus.emit.support.llvm_builtins import double
from saltus.expr.nodes import QUESTIONS
from saltus.ir.native.history import (
    ADDRESSES,
    BEGIN,
    END,
    FIRST_PANEL,
    HEADER,
    LATE_BY_ROUNDING,
    NEVER,
    NODES,
    PANEL,
    POSITIONS,
    REALS,
    SEGMENT,
    VALUE,
    VALUES,
    WEIGHTS,
    Header,
)
from saltus.ir.native.transport import FIRST_REAL, Carrier


def question_name(question: str) -> str:
    """The function that answers a question."""
    return f"saltus_{question.replace('.', '_')}"


def question_declarations() -> str:
    """Declarations of the functions that answer, for modules that call them."""
    return "\n".join(
        f"declare double @{question_name(name)}({', '.join(['double'] * arity)})"
        for name, (arity, _) in QUESTIONS.items()
    )


class Fields:
    """The fields of a header, read and written by name."""

    def __init__(self, header: Value) -> None:
        self.header = header

    @staticmethod
    def _kind(field: Header | Carrier) -> str:
        if isinstance(field, Carrier):
            return "double" if field >= FIRST_REAL else "i64"
        return "ptr" if field in ADDRESSES else "double" if field in REALS else "i64"

    def __getitem__(self, field: Header | Carrier) -> Value:
        return self.header.at(int(field), self._kind(field))

    def __setitem__(self, field: Header | Carrier, value: Operand) -> None:
        self.header.put(int(field), value, self._kind(field))

    def add(self, field: Header | Carrier, amount: Operand) -> None:
        self[field] = self[field] + amount

    def segment(self, place: Operand) -> Value:
        """The address of a segment, by its place among those that are there."""
        index = place * SEGMENT if isinstance(place, Value) else int(place) * SEGMENT
        return self[Header.SEGMENTS].place(index)


def position(f: Function, j: Operand) -> Value:
    """The position of a node."""
    return Value(f, "ptr", "@positions").at(j)


def nodes(f: Function) -> Value:
    return f.constant(NODES, "i64")


def tables_text() -> str:
    """The constants of the module."""

    def array(name: str, values: tuple[float, ...]) -> str:
        numbers = ", ".join(f"double {double(v)}" for v in values)
        return f"@{name} = internal constant [{len(values)} x double] [{numbers}]"

    # A memory that no run has prepared has no handles: there the past is 0.
    fields = ["i64 0"] * HEADER
    fields[Header.SEGMENTS] = "i64 ptrtoint (ptr @no_segment to i64)"
    fields[Header.SEGMENT_COUNT] = "i64 1"
    return "\n".join(
        [
            array("positions", POSITIONS),
            array("weights", WEIGHTS),
            array("no_segment", (-NEVER, 0.0, 0.0, 0.0)),
            f"@no_history = internal constant [{HEADER} x i64] [{', '.join(fields)}]",
            "declare double @llvm.fabs.f64(double)",
            "declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)",
            "",
        ]
    )


def question_functions() -> list[Function]:
    """What answers, but for contents (`emit.support.contents`)."""
    return [
        _polynomial(), _gradient(), _search(), _header(), _place(), _panel(),
        _value(), _slope(), _share(), _recent(), _end(), _passed(),
    ]  # fmt: skip


# ---------------------------------------------------------------- polynomials


def _polynomial() -> Function:
    """The polynomial through these values at the nodes; x is 0 at the first node and 1 at the last."""
    f = Function("polynomial", "double", internal=True, values="ptr", x="double")
    first = f.values.at(0)
    above, below = f.variable(0.0), f.variable(0.0)
    with f.count(nodes(f)) as j:
        value, away = f.values.at(j), f.x - position(f, j)
        f.give_if(away == 0.0, value)
        weight = Value(f, "ptr", "@weights").at(j) / away
        above.set(above.value + weight * (value - first))
        below.set(below.value + weight)
    f.give(first + above.value / below.value)
    return f


def _gradient() -> Function:
    """The derivative of a panel: Newton's divided differences, then Horner's scheme."""
    f = Function("gradient", "double", internal=True, values="ptr", x="double")
    differences = [f.values.at(j) for j in range(NODES)]
    for k in range(1, NODES):
        for j in range(NODES - 1, k - 1, -1):
            rise = differences[j] - differences[j - 1]
            differences[j] = rise / (POSITIONS[j] - POSITIONS[j - k])
    value, slope = differences[-1], f.constant(0.0, "double")
    for k in range(NODES - 2, -1, -1):
        away = f.x - POSITIONS[k]
        slope = slope * away + value
        value = value * away + differences[k]
    f.give(slope)
    return f


# ---------------------------------------------------------------- finding things


def _search() -> Function:
    """Finds, in rows of equal length with rising first numbers, the last row below `past` whose first number,
    shifted, is not after t; `first` if all are after it."""
    f = Function(
        "search",
        "i64",
        internal=True,
        rows="ptr",
        width="i64",
        first="i64",
        past="i64",
        shift="double",
        t="double",
    )
    low, high = f.variable(f.first), f.variable(f.past)
    with f.loop():
        width = high.value - low.value
        f.leave_if(width <= 1)
        middle = low.value + f.let("i64", f"lshr i64 {width.text}, 1")
        later = f.shift + f.rows.at(middle * f.width) > f.t
        low.set(later.choose(low.value, middle, "i64"))
        high.set(later.choose(middle, high.value, "i64"))
    f.give(low.value)
    return f


def search(f: Function, rows: Value, width: int, first: Value, past: Value, t: Value) -> Value:
    """The row in which t lies, between two."""
    zero = f.constant(0.0, "double")
    return f.call("search", "i64", rows, f.constant(width, "i64"), first, past, zero, t)


def _header() -> Function:
    """Where a handle leads."""
    f = Function("header", "ptr", internal=True, handle="double")
    bits = f.let("i64", f"bitcast double {f.handle.text} to i64")
    there = f.let("ptr", f"inttoptr i64 {bits.text} to ptr")
    f.give((bits == 0).choose(Value(f, "ptr", "@no_history"), there, "ptr"))
    return f


def _place() -> Function:
    """The place of a segment among those that are there, of the nearest one if it is not."""
    f = Function("place", "i64", internal=True, header="ptr", n="double")
    h = Fields(f.header)
    place, last = f.n.as_i64() - h[Header.DROPPED], h[Header.SEGMENT_COUNT] - 1
    low = (place < 0).choose(0, place, "i64")
    f.give((low > last).choose(last, low, "i64"))
    return f


def first_and_past(h: Fields, place: Value, last: Value) -> tuple[Value, Value]:
    """The numbers of the panels of a segment; `last` is where those of the last one end."""
    segment = h.segment(place)
    newest = place + 1 >= h[Header.SEGMENT_COUNT]
    # The segment after the last one is not there, but what is behind its address is not used then.
    beside = newest.choose(0, 1, "i64") * SEGMENT
    past = newest.choose(last, segment.place(beside).at(FIRST_PANEL).as_i64(), "i64")
    return segment.at(FIRST_PANEL).as_i64(), past


def _panel() -> Function:
    """The panel of a segment in which a time lies, or the nearest one; null if the segment has none."""
    f = Function("panel", "ptr", internal=True, header="ptr", place="i64", t="double")
    h = Fields(f.header)
    first, past = first_and_past(h, f.place, h[Header.PANEL_COUNT])
    f.give_if(first >= past, null(f))
    row = search(f, h[Header.PANELS], PANEL, first, past, f.t)
    f.give(h[Header.PANELS].place(row * PANEL))
    return f


def null(f: Function) -> Value:
    """No address."""
    return Value(f, "ptr", "null")


# ---------------------------------------------------------------- the questions


def question(name: str, **parameters: str) -> tuple[Function, Fields]:
    """A function that answers, and the history that it gets a handle of."""
    f = Function(question_name(name), "double", internal=False, handle="double", **parameters)
    return f, Fields(f.call("header", "ptr", f.handle))


def _part(panel: Value, t: Value) -> Value:
    """Where a time is in a panel, from 0 to 1."""
    return (t - panel.at(BEGIN)) / (panel.at(END) - panel.at(BEGIN))


def _inside(f: Function, part: Value) -> Value:
    """Outside its panels a segment continues with the value at its end: a time may be off by a rounding
    error."""
    return f.least(f.greatest(part, f.constant(0.0, "double")), f.constant(1.0, "double"))


def _value() -> Function:
    f, h = question("value", n="double", t="double")
    place = f.call("place", "i64", h.header, f.n)
    panel = f.call("panel", "ptr", h.header, place, f.t)
    f.give_if(panel == null(f), h.segment(place).at(VALUE))
    f.give(f.call("polynomial", "double", panel.place(VALUES), _inside(f, _part(panel, f.t))))
    return f


def _slope() -> Function:
    f, h = question("slope", n="double", t="double")
    place = f.call("place", "i64", h.header, f.n)
    panel = f.call("panel", "ptr", h.header, place, f.t)
    f.give_if(panel == null(f), 0.0)
    slope = f.call("gradient", "double", panel.place(VALUES), _inside(f, _part(panel, f.t)))
    f.give(slope / (panel.at(END) - panel.at(BEGIN)))
    return f


def _share() -> Function:
    """How much of the present value there is in `recent`."""
    f, h = question("share", n="double", t="double", now="double")
    place = f.call("place", "i64", h.header, f.n)
    panel = f.call("panel", "ptr", h.header, place, f.t)
    f.give_if(place + 1 < h[Header.SEGMENT_COUNT], 0.0)
    with f.when(panel == null(f)):
        begin = h.segment(place).at(BEGIN)
        f.give_if(f.t <= begin, 0.0)
        f.give_if(f.t >= f.now, 1.0)
        f.give((f.t - begin) / (f.now - begin))
    part, now_part = _part(panel, f.t), _part(panel, f.now)
    f.give_if(part <= 1.0, 0.0)
    f.give_if(part >= now_part, 1.0)
    product = f.variable(1.0)
    with f.count(nodes(f)) as j:
        product.set(product.value * ((part - position(f, j)) / (now_part - position(f, j))))
    f.give(product.value)
    return f


def _recent() -> Function:
    """Between the last panel and the present: its polynomial, of one degree more, through the present value.
    In a segment without panels it is a straight line."""
    f, h = question("recent", n="double", t="double", now="double", present="double")
    share = f.call(question_name("share"), "double", f.handle, f.n, f.t, f.now)
    f.give_if(share == 0.0, f.call(question_name("value"), "double", f.handle, f.n, f.t))
    f.give_if(share == 1.0, f.present)
    place = f.call("place", "i64", h.header, f.n)
    panel = f.call("panel", "ptr", h.header, place, f.t)
    with f.when(panel == null(f)):
        value = h.segment(place).at(VALUE)
        f.give(value + share * (f.present - value))
    parts = (_part(panel, t) for t in (f.t, f.now))
    there, here = (f.call("polynomial", "double", panel.place(VALUES), x) for x in parts)
    f.give(there + (f.present - here) * share)
    return f


def _end() -> Function:
    f, h = question("end", n="double")
    following = f.n.as_i64() - h[Header.DROPPED] + 1
    f.give_if(following < 1, -NEVER)
    f.give_if(following >= h[Header.SEGMENT_COUNT], NEVER)
    f.give(h.segment(following).at(BEGIN))
    return f


def _passed() -> Function:
    """What is late by a rounding error has passed: what comes out at 0.1 + 0.2 belongs to a tick at 0.3."""
    f, h = question("passed", past="double", now="double")
    now = f.now + f.absolute(f.now) * LATE_BY_ROUNDING
    width, zero = f.constant(SEGMENT, "i64"), f.constant(0, "i64")
    count = h[Header.SEGMENT_COUNT]
    found = f.call("search", "i64", h[Header.SEGMENTS], width, zero, count, f.past, now)
    f.give((found + h[Header.DROPPED]).as_double())
    return f

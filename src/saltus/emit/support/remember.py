"""Writing steps and events into histories (`ir.history`), as LLVM text.

    saltus_remember(book, arrive, context, set_max_step, solver, progress, to)

A stretch of the integration that has been accepted, from progress[0] to `to`, becomes panels: the routine
`remembered` is run at the nodes, to which arrive(context, t) brings the memory by the integrator's own
interpolation, and at two points more, where the polynomials are compared with it. If one of them is wrong by
more than its tolerance, the piece is halved, as long as that helps. progress[0] is up to where all is
remembered, progress[1] the length of the last piece. With set_max_step(solver, h) the steps that follow are
kept so short that nothing passes through a `spatialDistribution` in one of them.

    saltus_remember_event(book)

After an event, at right limits: where an expression has jumped, or something it depends on has changed, a new
segment begins. Then the relations are computed again, since there are new events to be scheduled.

Both give 0, or the status of a routine that failed; `saltus_remember` returns LITTLE_ROOM where Python has to
make more room: then it is called again and continues.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager

from saltus.emit.support.assembly import Function, Value
from saltus.emit.support.contents import content_functions
from saltus.emit.support.histories import (
    Fields,
    nodes,
    question_functions,
    question_name,
    tables_text,
)
from saltus.expr.nodes import QUESTIONS
from saltus.ir.native.contract import REMEMBER, REMEMBER_EVENT, TIME_SLOT
from saltus.ir.native.history import (
    BEGIN,
    CHECKED,
    END,
    FIRST_PANEL,
    LEAST_PANELS,
    LEAST_SEGMENTS,
    NEVER,
    NODES,
    ORDER,
    PANEL,
    POSITIONS,
    VALUE,
    VALUES,
    Book,
    Header,
)
from saltus.ir.native.transport import CARRIED_VALUES, Carrier

#: Functions of this module that others ask for.
HISTORY_FUNCTIONS = frozenset({REMEMBER, REMEMBER_EVENT, *map(question_name, QUESTIONS)})

LITTLE_ROOM = -1

#: How much shorter than the step the shortest panel is, and by how much an error must fall when a panel is
#: halved (what does not is noise, or a jump that makes no event).
SHORTEST = 2.0**-20
GAIN = 0.7

#: The part of the whole length that may pass in one step.
LARGEST_PART = 0.5

#: Of its accuracy, by how much an expression must change to have jumped.
_PART = 1e-9

_NUMBERS = (Book.DELAYS, Book.TRANSPORTS, Book.WIDTH)


def histories_text() -> str:
    """A module with all that is done with histories."""
    functions = (
        *question_functions(), _order(), *content_functions(), _watch(), _last(), _gather(), _error(),
        _error_of_transport(), _append(), _full(), _visit(), _begin(), _remember(), _remember_event(),
    )  # fmt: skip
    return tables_text() + "\n".join(f.text() for f in functions)


class _Book:
    """The fields of a book, and its histories."""

    def __init__(self, f: Function) -> None:
        self._f = f
        self.address = f.book

    def __getitem__(self, field: Book) -> Value:
        return self.address.at(int(field), "i64" if field in _NUMBERS else "ptr")

    def header(self, k: Value) -> Fields:
        """The header of a history, by its number."""
        return Fields(self[Book.HEADERS].at(k, "ptr"))

    @contextmanager
    def delays(self) -> Iterator[tuple[Value, Fields]]:
        """For each delay: its number, which is also its place among the values; and its history."""
        with self._f.count(self[Book.DELAYS]) as k:
            yield k, self.header(k)

    @contextmanager
    def transports(self) -> Iterator[tuple[Value, Fields]]:
        """For each transport: the place of the first of its values, and its history."""
        with self._f.count(self[Book.TRANSPORTS]) as k:
            yield self[Book.DELAYS] + k * CARRIED_VALUES, self.header(self[Book.DELAYS] + k)


# ---------------------------------------------------------------- panels


def _last() -> Function:
    """The value at the end of what a history knows."""
    f = Function("last", "double", internal=True, header="ptr")
    h = Fields(f.header)
    segment = h.segment(h[Header.SEGMENT_COUNT] - 1)
    count = h[Header.PANEL_COUNT]
    f.give_if(segment.at(FIRST_PANEL).as_i64() >= count, segment.at(VALUE))
    f.give(h[Header.PANELS].place((count - 1) * PANEL).at(PANEL - 1))
    return f


def _gather() -> Function:
    """Some values in a row from each node, after the first, from the samples of all."""
    f = Function("gather", "void", internal=True, book="ptr", place="i64", amount="i64", to="ptr")
    book = _Book(f)
    with f.count(nodes(f)) as j, f.when(j > 0):
        source = book[Book.SAMPLES].place(j * book[Book.WIDTH] + f.place)
        f.copy(f.to.place(j * f.amount), source, f.amount)
    f.give()
    return f


def _error() -> Function:
    """The largest error of a polynomial at the points of comparison, in units of what is allowed."""
    f = Function("error", "double", internal=True, book="ptr", values="ptr")
    book = _Book(f)
    worst = f.variable(0.0)
    with book.delays() as (k, h):
        f.values.put(0, f.call("last", "double", h.header))
        f.call("gather", "void", f.book, k, f.constant(1, "i64"), f.values)
        for c, x in enumerate(CHECKED):
            actual = book[Book.TESTS].at(book[Book.WIDTH] * c + k)
            p = f.call("polynomial", "double", f.values, f.constant(x, "double"))
            allowed = h[Header.RELATIVE] * f.absolute(actual) + h[Header.ABSOLUTE]
            worst.set(f.greatest(worst.value, f.absolute(p - actual) / allowed))
    with book.transports() as (k, h):
        for c, x in enumerate(CHECKED):
            tests = book[Book.TESTS].place(book[Book.WIDTH] * c + k)
            at = f.constant(x, "double")
            error = f.call("error_of_transport", "double", f.book, h.header, k, tests, at, f.values)
            worst.set(f.greatest(worst.value, error))
    f.give(worst.value)
    return f


def _error_of_transport() -> Function:
    """The largest error of the polynomials for displacement and inflows of a transport at one point, in units
    of what is allowed."""
    f = Function(
        "error_of_transport",
        "double",
        internal=True,
        book="ptr",
        header="ptr",
        place="i64",
        tests="ptr",
        x="double",
        values="ptr",
    )
    h = Fields(f.header)
    worst = f.variable(0.0)
    for q in range(CARRIED_VALUES):
        f.values.put(0, h[Carrier(Carrier.POSITION + q)])
        f.call("gather", "void", f.book, f.place + q, f.constant(1, "i64"), f.values)
        actual = f.tests.at(q)
        p = f.call("polynomial", "double", f.values, f.x)
        # The displacement is a number of lengths, whatever the size of what is carried.
        least = h[Header.RELATIVE] if q == 0 else h[Header.ABSOLUTE]
        allowed = h[Header.RELATIVE] * f.absolute(actual) + least
        worst.set(f.greatest(worst.value, f.absolute(p - actual) / allowed))
    f.give(worst.value)
    return f


def _append() -> Function:
    """A panel for every history. What stays constant makes one panel longer."""
    constant = Function("constant", "i1", internal=True, values="ptr")
    with constant.count(nodes(constant)) as j:
        constant.give_if(constant.values.at(j) != constant.values.at(0), False)
    constant.give(True)
    f = Function("append", "void", internal=True, book="ptr", begin="double", end="double", samples="ptr")
    book = _Book(f)
    with book.delays() as (k, h):
        count = h[Header.PANEL_COUNT]
        panel = h[Header.PANELS].place(count * PANEL)
        panel.put(BEGIN, f.begin)
        panel.put(END, f.end)
        panel.put(VALUES, f.call("last", "double", h.header))
        f.call("gather", "void", f.book, k, f.constant(1, "i64"), panel.place(VALUES))
        longer = f.variable(False, "i1")
        with f.when(count > h.segment(h[Header.SEGMENT_COUNT] - 1).at(FIRST_PANEL).as_i64()):
            both = (f.call("constant", "i1", panel.place(at)) for at in (VALUES, VALUES - PANEL))
            longer.set(next(both) & next(both))
        with f.when(longer.value):
            panel.put(END - PANEL, f.end)
        with f.when(~longer.value):
            h[Header.PANEL_COUNT] = count + 1
    with book.transports() as (k, h):
        f.copy(f.samples, h.header.place(int(Carrier.POSITION)), CARRIED_VALUES)
        f.call("gather", "void", f.book, k, f.constant(CARRIED_VALUES, "i64"), f.samples)
        f.call("carry", "void", h.header, f.samples)
    f.give()
    return _Two(constant, f)


class _Two(Function):
    """Two functions that belong together."""

    def __init__(self, *parts: Function) -> None:
        self._texts = [p.text() for p in parts]

    def text(self) -> str:
        return "\n".join(self._texts)


def _full() -> Function:
    """Whether a history may not have room for another piece, and some events."""
    f = Function("full", "i1", internal=True, book="ptr")
    book = _Book(f)
    with book.delays() as (_, h):
        few = h[Header.PANEL_ROOM] - h[Header.PANEL_COUNT] < LEAST_PANELS
        f.give_if(few | (h[Header.SEGMENT_ROOM] - h[Header.SEGMENT_COUNT] < LEAST_SEGMENTS), True)
    with book.transports() as (_, h):
        before = h[Carrier.FIRST] - h[Carrier.ROOM_BEFORE] < LEAST_PANELS
        after = h[Carrier.ROOM_AFTER] - h[Carrier.LAST] < LEAST_PANELS
        rows = h[Carrier.SEGMENTS_BEFORE] < LEAST_SEGMENTS
        more_rows = h[Header.SEGMENT_ROOM] - h[Header.SEGMENT_COUNT] < LEAST_SEGMENTS
        f.give_if(before | after | rows | more_rows, True)
    f.give(False)
    return f


# ---------------------------------------------------------------- steps


def _visit() -> Function:
    """Puts all values at a time to a place. The status of the routine."""
    f = Function("visit", "i64", internal=True, book="ptr", arrive="ptr", context="ptr", t="double", to="ptr")
    book = _Book(f)
    f.call(f.arrive, "void", f.context, f.t)
    status = f.call(book[Book.REMEMBERED], "i32", book[Book.MEMORY]).as_i64()
    f.copy(f.to, book[Book.VALUES], book[Book.WIDTH])
    f.give(status)
    return f


def _remember() -> Function:
    pointers = ("book", "arrive", "context", "set_max_step", "solver", "progress")
    f = Function(REMEMBER, "i64", internal=False, **dict.fromkeys(pointers, "ptr"), to="double")
    book = _Book(f)
    values, samples = f.array(NODES), f.array(NODES * CARRIED_VALUES)
    begin, step = f.variable(f.progress.at(0)), f.to - f.progress.at(0)
    with book.transports() as (_, h):
        h[Carrier.STARTED] = h[Carrier.POSITION]
    # Pieces as long as the last one, or a bit longer: then few are tried in vain.
    guess = f.progress.at(1) * 2.0
    h_piece = f.variable(((guess > step * SHORTEST) & (guess < step)).choose(guess, step))
    error_before = f.variable(math.inf)
    with f.loop():
        f.give_if(f.call("full", "i1", f.book), LITTLE_ROOM)
        reaches = f.to - begin.value <= h_piece.value * (1.0 + 1e-6)
        end = reaches.choose(f.to, begin.value + h_piece.value)
        length = end - begin.value
        places = [(x, book[Book.TESTS].place(book[Book.WIDTH] * c)) for c, x in enumerate(CHECKED)]
        # The first node is the end of what is known. The last is visited last: there the memory stays.
        places += [(POSITIONS[j], book[Book.SAMPLES].place(book[Book.WIDTH] * j)) for j in range(1, NODES)]
        for x, place in places:
            t = end if x == 1.0 else begin.value + length * x
            status = f.call("visit", "i64", f.book, f.arrive, f.context, t, place)
            f.give_if(status != 0, status)
        error = f.call("error", "double", f.book, values)
        halves = (error > 1.0) & (length > step * SHORTEST) & (error < error_before.value * GAIN)
        with f.when(halves):
            h_piece.set(length * 0.5)
            error_before.set(error)
        with f.when(~halves):
            f.call("append", "void", f.book, begin.value, end, samples)
            f.progress.put(0, end)
            f.progress.put(1, length)
            begin.set(end)
            h_piece.set(length * 2.0)
            error_before.set(math.inf)
        f.leave_if(begin.value >= f.to)
    f.call("watch", "void", f.book)
    with f.when(book[Book.TRANSPORTS] > 0):
        largest = f.variable(math.inf)
        with book.transports() as (_, h):
            # No step may be so long that something enters and leaves in it.
            passing = step * LARGEST_PART / f.absolute(h[Carrier.POSITION] - h[Carrier.STARTED])
            largest.set(f.least(largest.value, f.least(passing, h[Carrier.LARGEST_STEP])))
        f.call(f.set_max_step, "i32", f.solver, largest.value)
    f.give(0)
    return f


# ---------------------------------------------------------------- events


@contextmanager
def _watched(f: Function, h: Fields) -> Iterator[tuple[Value, Value]]:
    """For each slot that is watched: its number, and where its value before the event is."""
    with f.count(h[Header.WATCHED_COUNT]) as i:
        yield h[Header.WATCHED].at(i, "i64"), h[Header.WATCHED_BEFORE].place(i)


@contextmanager
def _sources(f: Function, h: Fields) -> Iterator[tuple[Value, Value, Value]]:
    """For each other history that the expression depends on: the slot with the number of the segment that is
    asked, where its value before the event is, and the number of the history."""
    with f.count(h[Header.SOURCE_COUNT]) as i:
        pair = h[Header.SOURCES].place(i * 2, "i64")
        yield pair.at(0, "i64"), h[Header.SOURCES_BEFORE].place(i), pair.at(1, "i64")


def _watch() -> Function:
    """Notes what an event may change."""
    one = Function("watch_one", "void", internal=True, memory="ptr", header="ptr")
    h = Fields(one.header)
    with _watched(one, h) as (slot, before):
        before.put(0, one.memory.at(slot))
    with _sources(one, h) as (slot, before, _):
        before.put(0, one.memory.at(slot))
    one.give()
    f = Function("watch", "void", internal=True, book="ptr")
    book = _Book(f)
    with f.count(book[Book.DELAYS] + book[Book.TRANSPORTS]) as k:
        f.call("watch_one", "void", book[Book.MEMORY], book.header(k).header)
    f.give()
    return _Two(one, f)


def _order() -> Function:
    """The order of what an event has done to an expression: 0 for a jump, NEVER for nothing."""
    f = Function("order", "double", internal=True, book="ptr", header="ptr", value="double", before="double")
    book, h = _Book(f), Fields(f.header)
    memory = book[Book.MEMORY]
    part = f.constant(_PART, "double")
    f.give_if(f.call("differ", "i1", f.header, f.value, f.before, part), 0.0)
    with _watched(f, h) as (slot, before):
        f.give_if(memory.at(slot) != before.at(0), 1.0)
    order = f.variable(NEVER)
    with _sources(f, h) as (slot, before, number):
        asked = memory.at(slot)
        with f.when(asked != before.at(0)):
            # What has come out there was of some order; here it has been integrated, or it were a jump.
            other = book.header(number)
            border = f.call("place", "i64", other.header, f.greatest(asked, before.at(0)))
            order.set(f.least(order.value, other.segment(border).at(ORDER) + 1.0))
    f.give(order.value)
    return f


def _begin() -> Function:
    """Begins a segment if there is reason to, and says so. A second event at the same instant changes the
    segment that has just begun."""
    f = Function("begin", "i1", internal=True, book="ptr", header="ptr", now="double", value="double")
    h = Fields(f.header)
    before = f.call("last", "double", f.header)
    order = f.call("order", "double", f.book, f.header, f.value, before)
    f.give_if(order > h[Header.HIGHEST], False)
    newest = h.segment(h[Header.SEGMENT_COUNT] - 1)
    again = newest.at(BEGIN) == f.now
    with f.when(~again):
        h.add(Header.SEGMENT_COUNT, 1)
    segment = h.segment(h[Header.SEGMENT_COUNT] - 1)
    segment.put(ORDER, again.choose(f.least(order, segment.at(ORDER)), order))
    segment.put(BEGIN, f.now)
    segment.put(VALUE, f.value)
    segment.put(FIRST_PANEL, h[Header.PANEL_COUNT].as_double())
    f.give(True)
    return f


def _remember_event() -> Function:
    f = Function(REMEMBER_EVENT, "i64", book="ptr")
    book = _Book(f)
    memory = book[Book.MEMORY]
    samples = f.array(NODES * CARRIED_VALUES)
    status = f.call(book[Book.REMEMBERED], "i32", memory).as_i64()
    f.give_if(status != 0, status)
    begun = f.variable(False, "i1")
    with book.delays() as (k, h):
        value = book[Book.VALUES].at(k)
        begun.set(f.call("begin", "i1", f.book, h.header, memory.at(TIME_SLOT), value) | begun.value)
    with book.transports() as (k, h):
        values = book[Book.VALUES].place(k)
        begun.set(f.call("carry_event", "i1", f.book, h.header, values, samples) | begun.value)
    f.call("watch", "void", f.book)
    with f.when(begun.value):
        f.give(f.call(book[Book.RELATIONS], "i32", memory).as_i64())
    f.give(0)
    return f

"""The histories of a run's delays: they own the numbers that native code writes and evaluates (`ir.history`).

Buffers grow: native code reports when little room is left, and `make_room` drops what no delay can use any
more and, if necessary, enlarges the buffer.

What a history watches, to know whether an event has changed the course of its expression, are the slots that
only events change and the expression depends on, directly or through derivatives of states; states
themselves, which may be reinitialised; and the segments that other delays are asked in.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from saltus.core.diagnostics import Diagnostic, RunError
from saltus.expr.nodes import Expr, ref
from saltus.expr.traversal import leaves
from saltus.ir.hybrid import Transport
from saltus.ir.native.contract import REMEMBER_EVENT, TIME_SLOT
from saltus.ir.native.history import (
    BEGIN,
    CHECKED,
    END,
    FIRST_PANEL,
    HEADER,
    LEAST_PANELS,
    LEAST_SEGMENTS,
    NEVER,
    NODES,
    PANEL,
    SEGMENT,
    Book,
    Header,
)
from saltus.ir.native.transport import CARRIER, Carrier
from saltus.run.failures import unsolved
from saltus.run.integrators.integrator import NativeMachine
from saltus.run.memory.dependence import dependent_slots
from saltus.run.memory.memory import Memory
from saltus.run.past.contents import FIRST_PANELS, FIRST_SEGMENTS, Content, SavedContent, notice
from saltus.run.schedule.settings import Settings

#: How much more accurate panels are than the integrator.
ACCURACY = 0.1


def highest_order(tolerance: float) -> int:
    """Up to which order breaks of a derivative are worth an event: the more accurate a run, the more of them
    can be felt."""
    return max(1, min(6, math.ceil(-math.log10(tolerance) / 2)))


@dataclass(frozen=True)
class SavedHistory:
    """What a history remembers, as plain arrays."""

    panels: NDArray[np.float64]
    segments: NDArray[np.float64]
    dropped: int


#: What one history or content remembers.
Past: TypeAlias = SavedHistory | SavedContent


def packed(past: Past) -> dict[str, NDArray[np.float64]]:
    """What a history or a content remembers, as arrays by name."""
    if isinstance(past, SavedHistory):
        rest = {"dropped": np.array([past.dropped], dtype=np.float64)}
    else:
        rest = {"first": np.array(past.first, dtype=np.float64), "numbers": past.numbers}
    return {"panels": past.panels, "segments": past.segments, **rest}


def unpacked(arrays: Mapping[str, NDArray[np.float64]]) -> Past:
    """What was `packed`."""
    panels, segments = arrays["panels"], arrays["segments"]
    if "dropped" in arrays:
        return SavedHistory(panels, segments, int(arrays["dropped"][0]))
    first, number = arrays["first"].tolist()
    return SavedContent(panels, segments, (int(first), int(number)), arrays["numbers"])


class History:
    """One of them, with its buffers; `header` is a row of numbers that native code reads. Nothing is asked
    that is older than `longest`."""

    def __init__(self, header: NDArray[np.int64]) -> None:
        self.longest = math.inf
        self.header = header
        self._reals = header.view(np.float64)
        self._panels = np.zeros((FIRST_PANELS, PANEL))
        self._segments = np.zeros((FIRST_SEGMENTS, SEGMENT))
        self._kept: dict[Header, NDArray[Any]] = {}
        self.begin(0.0, 0.0)

    def _point(self) -> None:
        for at, room, buffer in (
            (Header.PANELS, Header.PANEL_ROOM, self._panels),
            (Header.SEGMENTS, Header.SEGMENT_ROOM, self._segments),
        ):
            self.header[at] = buffer.ctypes.data
            self.header[room] = len(buffer)

    def set(self, at: Header, value: float) -> None:
        """A field that is a double."""
        self._reals[at] = value

    def point(self, at: Header, array: NDArray[Any]) -> None:
        """A field that is the address of an array, which is kept alive."""
        self._kept[at] = array
        self.header[at] = array.ctypes.data

    @property
    def _used(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Panels and segments, as far as they are filled."""
        counts = self.header[Header.PANEL_COUNT], self.header[Header.SEGMENT_COUNT]
        return self._panels[: counts[0]], self._segments[: counts[1]]

    def begin(self, now: float, value: float) -> None:
        """The past before the start is constant; there is a kink at the start."""
        segments = np.array([[-NEVER, value, 0, 0], [now, value, 0, 1]])
        self.restore(SavedHistory(np.zeros((0, PANEL)), segments, 0))

    def save(self) -> SavedHistory:
        """All that is remembered."""
        panels, segments = self._used
        return SavedHistory(panels.copy(), segments.copy(), int(self.header[Header.DROPPED]))

    def restore(self, saved: SavedHistory) -> None:
        """Remembers what `save` gave."""
        self._panels = _with_room(saved.panels, self._panels, LEAST_PANELS)
        self._segments = _with_room(saved.segments, self._segments, LEAST_SEGMENTS)
        self.header[Header.PANEL_COUNT] = len(saved.panels)
        self.header[Header.SEGMENT_COUNT] = len(saved.segments)
        self.header[Header.DROPPED] = saved.dropped
        self._point()

    def notice(self, memory: NDArray[np.float64]) -> None:
        """Notes what an event may change, as native code does after every step."""
        notice(self._kept, memory)

    def make_room(self, now: float) -> None:
        """Forgets what lies further back than the longest delay; the buffers grow if they stay half full."""
        panels, segments = self._used
        horizon = now - self.longest
        # What the horizon lies in is kept, and one more: a time may be wrong by a rounding error.
        old = max(0, int(np.searchsorted(panels[:, END], horizon)) - 1)
        gone = max(0, int(np.searchsorted(segments[:, BEGIN], horizon)) - 2)
        kept = segments[gone:].copy()
        kept[:, FIRST_PANEL] = np.maximum(kept[:, FIRST_PANEL] - old, 0.0)
        self.restore(SavedHistory(panels[old:].copy(), kept, int(self.header[Header.DROPPED]) + gone))


def _with_room(saved: NDArray[np.float64], buffer: NDArray[np.float64], least: int) -> NDArray[np.float64]:
    """The saved rows at the front of a buffer with as much room again."""
    if len(buffer) < 2 * (len(saved) + least):
        buffer = np.zeros((4 * (len(saved) + least), buffer.shape[1]))
    buffer[: len(saved)] = saved
    return buffer


class Histories:
    """All histories of a run, of delays and of transports. The engines of a run, one for each choice of
    states, share them; `attach` makes one of these the active one."""

    def __init__(self, memory: Memory, settings: Settings) -> None:
        model = memory.structure.model
        self._settings = settings
        self._headers = np.zeros((len(model.delays), HEADER), dtype=np.int64)
        self._carriers = np.zeros((len(model.transports), CARRIER), dtype=np.int64)
        self._pasts = [History(header) for header in self._headers]
        self._contents = [Content(header) for header in self._carriers]
        self._all: list[History | Content] = [*self._pasts, *self._contents]
        self._book = np.zeros(len(Book), dtype=np.int64)
        #: Where native code finds them.
        self.book = int(self._book.ctypes.data)
        #: The integrator takes no longer steps, so that everything that is asked for is remembered.
        self.largest_step = math.inf

    def __bool__(self) -> bool:
        return bool(self._all)

    def attach(self, memory: Memory, machine: NativeMachine) -> None:
        """Gives these histories to a memory; to be called when its parameters have their values."""
        if not self._all:
            return
        self._connect(memory)
        model = memory.structure.model
        inputs: list[tuple[Expr, ...]] = [(d.input,) for d in model.delays]
        inputs += [t.remembered for t in model.transports]
        for history, expressions in zip(self._all, inputs, strict=True):
            self._watch(history, frozenset(leaf for e in expressions for leaf in leaves(e)), memory)
        width = memory.length("remembered")
        self._samples, self._tests = np.zeros(NODES * width), np.zeros(len(CHECKED) * width)
        self._addresses = np.array([h.header.ctypes.data for h in self._all], dtype=np.int64)
        for at, value in (
            (Book.MEMORY, machine.pointer),
            (Book.DELAYS, len(self._pasts)),
            (Book.TRANSPORTS, len(self._contents)),
            (Book.HEADERS, self._addresses.ctypes.data),
            (Book.VALUES, machine.pointer + 8 * memory.first("remembered")),
            (Book.WIDTH, width),
            (Book.REMEMBERED, machine.address("remembered")),
            (Book.RELATIONS, machine.address("relations")),
            (Book.SAMPLES, self._samples.ctypes.data),
            (Book.TESTS, self._tests.ctypes.data),
        ):
            self._book[at] = value
        self._event = ctypes.PYFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(machine.address(REMEMBER_EVENT))

    def _watch(self, history: History | Content, wanted: frozenset[Expr], memory: Memory) -> None:
        """Where in a memory the things are that a history has to know."""
        layout, model = memory.layout, memory.structure.model
        asked = {d.segment: k for k, d in enumerate(model.delays)}
        asked |= {s: k for k, t in enumerate(model.transports, len(model.delays)) for s in t.segments}
        segments = {layout.slots[ref(symbol)]: k for symbol, k in asked.items()}
        slots = dependent_slots(memory.structure, layout, wanted).tolist()
        sources = [(s, segments[s]) for s in slots if s in segments]
        watched = [s for s in slots if s not in segments]
        for at, count, before, found in (
            (Header.WATCHED, Header.WATCHED_COUNT, Header.WATCHED_BEFORE, watched),
            (Header.SOURCES, Header.SOURCE_COUNT, Header.SOURCES_BEFORE, sources),
        ):
            table = np.array(found, dtype=np.int64)
            history.point(at, table)
            history.point(before, memory.array[table[:, 0] if table.ndim > 1 else table])
            history.header[count] = len(found)

    def _connect(self, memory: Memory) -> None:
        first = memory.first("histories")
        handles = memory.array[first : first + len(self._all)].view(np.int64)
        for k, history in enumerate(self._all):
            handles[k] = history.header.ctypes.data
        self._memory = memory

    def prepare(self, memory: Memory) -> None:
        """What is known of them before the initial system is solved: the segments of contents."""
        self._connect(memory)
        for content, transport in zip(self._contents, memory.structure.model.transports, strict=True):
            content.begin(*self._profile(transport), 0.0, (0.0, 0.0))

    def _profile(self, transport: Transport) -> tuple[list[float], list[float]]:
        """Points and values at the start."""
        points = [float(self._memory.evaluate(e)) for e in transport.points]
        values = [float(self._memory.evaluate(e)) for e in transport.values]
        if any(b < a for a, b in pairwise((0.0, *points, 1.0))):
            listed = ", ".join(f"{p:g}" for p in points)
            message = f"the initial points must rise from 0 to 1, they are {listed}"
            raise RunError(Diagnostic("E407", message, transport.span, origin=transport.origin))
        return points, values

    def begin(self) -> None:
        """The past and the contents, when the initial system is solved."""
        self.measure()
        memory, model = self._memory, self._memory.structure.model
        for history, delay in zip(self._pasts, model.delays, strict=True):
            history.begin(memory.time, float(memory.evaluate(delay.input)))
        for content, transport in zip(self._contents, model.transports, strict=True):
            position, in0, in1 = (float(memory.evaluate(e)) for e in transport.remembered)
            content.begin(*self._profile(transport), position, (in0, in1))

    def measure(self) -> None:
        """Sets how accurate histories are, and how far they go back."""
        memory, model, tolerance = self._memory, self._memory.structure.model, self._settings.tolerance
        for history, delay in zip(self._pasts, model.delays, strict=True):
            self._set_accuracy(history, (delay.input,))
            history.longest = memory.number(delay.longest or delay.time, math.inf)
            if delay.longest is None and history.longest > 0.0:
                self.largest_step = min(self.largest_step, history.longest)
        for content, transport in zip(self._contents, model.transports, strict=True):
            self._set_accuracy(content, transport.inflows)
        for one in self._all:
            one.set(Header.RELATIVE, ACCURACY * tolerance)
            one.set(Header.HIGHEST, highest_order(tolerance))

    def _set_accuracy(self, history: History | Content, expressions: Sequence[Expr]) -> None:
        """Panels are as accurate as the size of what they are for demands."""
        structure = self._memory.structure
        variables = {ref(v.symbol): v for v in (*structure.states, *structure.algebraics)}
        given = (variables[leaf].nominal for e in expressions for leaf in leaves(e) if leaf in variables)
        size = max((abs(self._memory.number(nominal, 1.0)) or 1.0 for nominal in given), default=1.0)
        history.set(Header.ABSOLUTE, ACCURACY * self._settings.tolerance * size)

    def limit(self, largest: float) -> None:
        """The largest step that the run allows, for whatever the flow may be."""
        for content in self._contents:
            content.set(Carrier.LARGEST_STEP, largest)

    def event(self) -> None:
        """Writes an event into all histories; the memory is at right limits."""
        if not self._all:
            return
        status = self._event(self.book)
        if status:
            raise unsolved.failure(self._memory, status)

    def go_on(self, saved: Sequence[Past]) -> None:
        """New ones, which are attached, in place of those that were saved."""
        self.restore(saved)
        for history in self._all:
            history.notice(self._memory.array)

    def make_room(self) -> None:
        """Makes room for further steps in all histories, when native code asks for it."""
        now = float(self._memory.cells[TIME_SLOT])
        for history in self._all:
            history.make_room(now)

    def save(self) -> tuple[Past, ...]:
        """All that is remembered."""
        return tuple(history.save() for history in self._all)

    def restore(self, saved: Sequence[Past]) -> None:
        """Remembers what `save` gave."""
        for history, past in zip(self._all, saved, strict=True):
            if isinstance(history, History):
                assert isinstance(past, SavedHistory)
                history.restore(past)
            else:
                assert isinstance(past, SavedContent)
                history.restore(past)

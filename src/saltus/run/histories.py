"""The histories of a run's delays: they own the numbers that native code writes and asks (`ir.history`).

Buffers grow: native code tells when there is little room left, and `make_room` drops what no delay can ask for any
more and, where that is not enough, doubles the buffer.

What a history watches, to know whether an event has changed the course of its expression, are the slots that only
events change and the expression depends on, directly or through derivatives of states; states themselves, which
may be reinitialised; and the segments that other delays are asked in.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from saltus.expr.nodes import Expr, leaves, ref
from saltus.ir.history import HEADER, NEVER, PANEL, SEGMENT, STEP_PANELS, STEP_SEGMENTS, Header
from saltus.ir.hybrid import Delay
from saltus.run import diagnose
from saltus.run.dependence import dependent_slots
from saltus.run.integrator import NativeMachine
from saltus.run.memory import STATUS, TIME_SLOT, Memory
from saltus.run.settings import Settings

#: Panels and segments that there is room for at first.
FIRST_PANELS = 2 * STEP_PANELS
FIRST_SEGMENTS = 8 * STEP_SEGMENTS

#: How much more accurate panels are than the integrator.
ACCURACY = 0.1

#: What the functions that remember give.
_LITTLE_ROOM, _FAILED = 1, -1


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


class _History:
    """One of them, with its buffers; `header` is a row of numbers that native code reads."""

    def __init__(self, header: NDArray[np.int64], delay: Delay) -> None:
        self.delay = delay
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
    def panels(self) -> NDArray[np.float64]:
        return self._panels[: self.header[Header.PANEL_COUNT]]

    @property
    def segments(self) -> NDArray[np.float64]:
        return self._segments[: self.header[Header.SEGMENT_COUNT]]

    def begin(self, now: float, value: float) -> None:
        """The past before the start is constant; there is a kink at the start."""
        self.restore(SavedHistory(np.zeros((0, PANEL)), np.array([[-NEVER, value, 0, 0], [now, value, 0, 1]]), 0))

    def save(self) -> SavedHistory:
        return SavedHistory(self.panels.copy(), self.segments.copy(), int(self.header[Header.DROPPED]))

    def restore(self, saved: SavedHistory) -> None:
        self._panels = _with_room(saved.panels, self._panels, STEP_PANELS)
        self._segments = _with_room(saved.segments, self._segments, STEP_SEGMENTS)
        self.header[Header.PANEL_COUNT] = len(saved.panels)
        self.header[Header.SEGMENT_COUNT] = len(saved.segments)
        self.header[Header.DROPPED] = saved.dropped
        self._point()

    def make_room(self, now: float) -> None:
        """Forgets what lies further back than the longest delay; the buffers grow if they stay half full."""
        panels, segments = self.panels, self.segments
        horizon = now - self.longest
        # Of the panels one more is kept, and of the segments the one that the horizon lies in.
        old = max(0, int(np.searchsorted(panels[:, 1], horizon)) - 1)
        gone = max(0, int(np.searchsorted(segments[:, 0], horizon)) - 2)
        kept = segments[gone:].copy()
        old = min(old, int(kept[0, 2])) if gone else min(old, int(segments[1, 2]))
        kept[:, 2] = np.maximum(kept[:, 2] - old, 0.0)
        self.restore(SavedHistory(panels[old:].copy(), kept, int(self.header[Header.DROPPED]) + gone))


def _with_room(
    saved: NDArray[np.float64], buffer: NDArray[np.float64], least: int
) -> NDArray[np.float64]:
    """The saved rows at the front of a buffer with as much room again."""
    if len(buffer) < 2 * (len(saved) + least):
        buffer = np.zeros((4 * (len(saved) + least), buffer.shape[1]))
    buffer[: len(saved)] = saved
    return buffer


class Histories:
    """All histories of a run. The engines of a run, one for each choice of states, share them; `attach` makes
    one of these the one that goes on."""

    def __init__(self, memory: Memory, settings: Settings) -> None:
        delays = memory.structure.model.delays
        self._headers = np.zeros((len(delays), HEADER), dtype=np.int64)
        self._all = [_History(header, delay) for header, delay in zip(self._headers, delays, strict=True)]
        self._settings = settings
        self._bound: dict[int, tuple[Memory, Callable[[], int]]] = {}
        #: The integrator takes no longer steps, so that everything that is asked for is remembered.
        self.largest_step = math.inf

    def __bool__(self) -> bool:
        return bool(self._all)

    def attach(self, memory: Memory, machine: NativeMachine) -> None:
        """Histories for the memory of a run, empty as yet. To be called when parameters have their values."""
        for k, history in enumerate(self._all):
            slot = memory.first("histories") + k
            memory.array[slot : slot + 1].view(np.int64)[0] = history.header.ctypes.data
            self._watch(history, memory.structure.model.delays[k], memory)
        if self._all:
            self._event = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(
                machine.address("saltus_remember_event")
            )
            self._pointer = machine.pointer
            self._memory = memory

    def _watch(self, history: _History, delay: Delay, memory: Memory) -> None:
        """Where in a memory the things are that the history has to know."""
        layout = memory.layout
        segments = {layout.slots[ref(d.segment)]: k for k, d in enumerate(memory.structure.model.delays)}
        slots = dependent_slots(memory.structure, layout, frozenset(leaves(delay.input)))
        sources = np.array([segments[s] for s in slots.tolist() if s in segments], dtype=np.int64)
        watched = np.array([s for s in slots.tolist() if s not in segments], dtype=np.int64)
        history.header[Header.SEGMENT_SLOT] = layout.slots[ref(delay.segment)]
        for at, count, before, found in (
            (Header.WATCHED, Header.WATCHED_COUNT, Header.WATCHED_BEFORE, watched),
            (Header.SOURCES, Header.SOURCE_COUNT, Header.SOURCES_BEFORE, sources),
        ):
            history.point(at, found)
            history.point(before, np.zeros(max(len(found), 1)))
            history.header[count] = len(found)

    def begin(self) -> None:
        """The past, when the initial system is solved."""
        if not self._all:
            return
        memory, tolerance = self._memory, self._settings.tolerance
        now = memory.time
        variables = {ref(v.symbol): v for v in (*memory.structure.states, *memory.structure.algebraics)}
        for history in self._all:
            delay = history.delay
            history.set(Header.RELATIVE, ACCURACY * tolerance)
            history.set(Header.ABSOLUTE, ACCURACY * tolerance * _nominal(memory, delay.input, variables))
            history.set(Header.HIGHEST, highest_order(tolerance))
            history.longest = memory.number(delay.longest or delay.time, math.inf)
            if delay.longest is None and history.longest > 0.0:
                self.largest_step = min(self.largest_step, history.longest)
            history.begin(now, float(memory.evaluate(delay.input)))

    def event(self) -> None:
        """After an event, with the memory at right limits."""
        if not self._all:
            return
        result = self._event(self._pointer)
        if result == _FAILED:
            self._tell(int(self._memory.cells[self._memory.first("counters") + STATUS]))
        if result == _LITTLE_ROOM:
            self.make_room()

    def _tell(self, status: int) -> None:
        if status:
            raise diagnose.failure(self._memory, status)

    def make_room(self) -> None:
        """For further steps. Native code asks for it."""
        now = float(self._memory.cells[TIME_SLOT])
        for history in self._all:
            history.make_room(now)

    def save(self) -> tuple[SavedHistory, ...]:
        """All that is remembered."""
        return tuple(history.save() for history in self._all)

    def restore(self, saved: tuple[SavedHistory, ...]) -> None:
        """Remembers what `save` gave."""
        for history, past in zip(self._all, saved, strict=True):
            history.restore(past)


def _nominal(memory: Memory, e: Expr, variables: dict[Expr, Any]) -> float:
    """How large an expression is meant to be: what is said of a variable in it, else 1."""
    given = (variables[leaf].nominal for leaf in leaves(e) if leaf in variables)
    return max((abs(memory.number(nominal, 1.0)) or 1.0 for nominal in given), default=1.0)

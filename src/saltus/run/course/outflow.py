"""Rows that leave a run while it lasts.

A long run has more rows than the memory holds, and asks for few of their columns. So whenever there are many,
those that nothing can change any more go to an outlet (`saltus.result.exchange.outlets`), in the order of
time. Only rows from which something is decoded later stay: the limits of events, and where programs take
turns (`saltus.result.trajectories.kept`).
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from saltus.result.log.records import Records
from saltus.result.result import Result
from saltus.result.trajectories.recording import Recording
from saltus.result.trajectories.trajectories import Trajectories
from saltus.run.course.course import Course

#: The last rows stay for a while: an event may take back what has just been recorded.
SPARED = 4


class Outlet(Protocol):
    """What takes the rows."""

    many_bytes: int

    def take(self, result: Trajectories, rows: Recording) -> None:
        """Takes rows of a run, which may be part of a result. They come in the order of time."""

    def close(self) -> None:
        """All rows were given."""


class Outflow:
    """The outflow of rows of one run; `result` gives its result so far."""

    def __init__(self, course: Course, outlet: Outlet, result: Callable[[], Result]) -> None:
        self._course, self._outlet, self._result = course, outlet, result
        self._taken: Result | None = None
        self._events = 0  # so many have been looked at
        #: How many rows there were at the last calls of the driver.
        self._marks = [0, 0]

    def flow(self) -> None:
        """To be called between two calls of the driver: gives rows away if there are many."""
        recording, width = self._course.recording, self._course.engine.rows.width
        count = len(recording)
        past = self._marks.pop(0)
        self._marks.append(count)
        held = count - recording.given
        if 8 * (width + 1) * held < self._outlet.many_bytes:
            return
        past = min(past, count - held // SPARED)
        if past > recording.given:
            self._give(past)

    def _give(self, past: int, more: tuple[int, ...] = ()) -> None:
        recording = self._course.recording
        with _undisturbed():
            self._outlet.take(self._known(), recording.before(past))
            recording.give(past, np.append(self._wanted(past), np.array(more, dtype=np.intp)))

    def _known(self) -> Result:
        """A result that knows all names of variables; but for what is only in programs that came later."""
        if self._taken is None:
            self._taken = self._result()
        return self._taken

    def _wanted(self, past: int) -> NDArray[np.intp]:
        """Rows before this one that stay. Events may have one of their limits behind it."""
        records: Records = self._course.records
        limits = records.limits(self._events).reshape(2, -1)
        self._events += int(np.count_nonzero(limits.max(axis=0) < past))
        return np.unique(limits[limits < past])

    def finish(self) -> None:
        """The run is over. If it has given rows away, all go, and what has stayed of them is all there is."""
        course = self._course
        count = len(course.recording)
        if not course.recording.given:
            return
        if count > course.recording.given:
            self._give(count, (count - 1,))
        course.recording, numbers = course.recording.thinned()
        course.records.renumber(numbers)
        self._outlet.close()


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Ctrl-C waits meanwhile: rows must be given once, and no more."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

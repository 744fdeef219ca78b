"""Findings for each version of a document, computed by another process while the user goes on typing. A
version is checked after a short pause in typing. Findings of an outdated version are dropped. When another
text is waiting, a long check gets a little more time; then its process is killed and another one started, so
that neither a large model nor an endless check blocks anything. A killed check is repeated when the server is
idle.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from time import monotonic, sleep
from typing import TypeAlias

from saltus.editor.findings import INTERNAL, Finding, Job, findings
from saltus.editor.text import Position, Range

#: Seconds without a keystroke after which a text is checked.
PAUSE = 0.15
#: Seconds that a check has where another text waits.
PATIENCE = 1.5
#: Checks of one process. What it remembers of texts that are gone goes with it.
MOST = 500

#: Receives the findings of a version of a document.
Tell: TypeAlias = Callable[[str, int, tuple[Finding, ...]], None]


@dataclass(frozen=True)
class _Due:
    """A version that is to be checked, at a time of the monotonic clock. `again`: it has had its time, and
    waits until nothing else does."""

    uri: str
    version: int
    job: Job
    time: float
    again: bool = False


class Checks:
    """Checks documents in another process; `tell` is called in a thread of this one."""

    def __init__(self, tell: Tell, pause: float = PAUSE, patience: float = PATIENCE) -> None:
        self._tell, self._pause, self._patience = tell, pause, patience
        self._due: dict[str, _Due] = {}
        self._lock = threading.Lock()
        self._wake, self._woken = multiprocessing.Pipe()
        self._ended = False
        #: What is being checked: a document and its version.
        self.at: tuple[str, int] | None = None
        self._thread = threading.Thread(target=self._work, name="checks", daemon=True)
        self._thread.start()

    def ask(self, uri: str, version: int, job: Job, *, at_once: bool = False) -> None:
        """A document has this version now; `at_once` if it is not being edited."""
        with self._lock:
            self._due.pop(uri, None)
            self._due[uri] = _Due(uri, version, job, monotonic() + (0.0 if at_once else self._pause))
        self._poke()

    def forget(self, uri: str) -> None:
        """A document is not open any more."""
        with self._lock:
            self._due.pop(uri, None)

    def end(self) -> None:
        """Ends the process, and waits for that."""
        self._ended = True
        self._poke()
        self._thread.join()

    def _poke(self) -> None:
        with suppress(OSError):
            self._wake.send_bytes(b"!")

    # ------------------------------------------------------------ the thread

    def _work(self) -> None:
        worker = _Worker()
        while not self._ended:
            wait([self._woken, worker.pipe], self._time_left(worker))
            while self._woken.poll():
                self._woken.recv_bytes()
            if worker.pipe.poll():
                self._take(worker)
            if worker.lost or self._is_late(worker) or (worker.at is None and worker.done >= MOST):
                self._put_off(worker.at)
                worker.end()
                if worker.lost and worker.done == 0:
                    sleep(1.0)  # it cannot even begin, and the next one may not either
                worker = _Worker()
            if worker.at is None:
                due = self._next()
                if due is not None:
                    worker.give(due)
            self.at = (worker.at.uri, worker.at.version) if worker.at is not None else None
        worker.end()

    def _time_left(self, worker: _Worker) -> float | None:
        """Seconds until something is to be done without anything having happened."""
        with self._lock:
            times = [due.time for due in self._due.values()]
        if worker.at is not None:
            waiting = self._is_waited_for(worker.at)
            return max(0.0, worker.since + self._patience - monotonic()) if waiting else None
        return max(0.0, min(times) - monotonic()) if times else None

    def _is_late(self, worker: _Worker) -> bool:
        if worker.at is None or monotonic() < worker.since + self._patience:
            return False
        return self._is_waited_for(worker.at)

    def _is_waited_for(self, at: _Due) -> bool:
        """Whether a text waits for the end of a check."""
        with self._lock:
            return any(due.uri == at.uri or not due.again for due in self._due.values())

    def _put_off(self, due: _Due | None) -> None:
        """A check that was ended is due again, unless there is a newer version."""
        with self._lock:
            if due is not None and due.uri not in self._due:
                self._due[due.uri] = replace(due, again=True)

    def _next(self) -> _Due | None:
        """What is due: the last one that was typed in first, and last what has had its time."""
        now = monotonic()
        with self._lock:
            ready = [due for due in self._due.values() if due.time <= now]
            return self._due.pop(max(ready, key=_urgency).uri) if ready else None

    def _take(self, worker: _Worker) -> None:
        due, found = worker.take()
        if due is None:
            return
        with self._lock:
            is_last = due.uri not in self._due
        if is_last:
            self._tell(due.uri, due.version, found)


def _urgency(due: _Due) -> tuple[bool, float]:
    return not due.again, due.time


# ---------------------------------------------------------------- the other process


class _Worker:
    """A process that checks one document after the other. `at` is the one that it is at since `since`."""

    def __init__(self) -> None:
        # `spawn` is the same on all systems, and does not copy threads.
        context = multiprocessing.get_context("spawn")
        self.pipe, other = context.Pipe()
        self._process: BaseProcess = context.Process(target=_serve, args=(other,), daemon=True)
        self._process.start()
        other.close()  # so that its end is seen when the process ends
        self.at: _Due | None = None
        self.since = 0.0
        self.done = 0
        self.lost = False

    def give(self, due: _Due) -> None:
        self.at, self.since = due, monotonic()
        with suppress(OSError):  # it is gone: `take` will notice
            self.pipe.send(due.job)

    def take(self) -> tuple[_Due | None, tuple[Finding, ...]]:
        """What the process has found, or that it is gone."""
        try:
            found: tuple[Finding, ...] = self.pipe.recv()
        except (EOFError, OSError):
            self.lost = True
            self._process.join()
            due, self.at = self.at, None
            status = self._process.exitcode
            words = f"internal error: the check of this file has ended its process (status {status})"
            start = Position(0, 0)
            return due, (Finding(INTERNAL, words, True, Range(start, start)),)
        due, self.at = self.at, None
        self.done += 1
        return due, found

    def end(self) -> None:
        self.pipe.close()
        self._process.kill()
        self._process.join()


def _serve(pipe: Connection) -> None:
    """The loop of the process, until the other end of the pipe is closed or its process is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes; the parent decides
    os.dup2(2, 1)  # standard output belongs to the protocol
    threading.Thread(target=_end_with_parent, daemon=True).start()
    while True:
        try:
            pipe.send(findings(pipe.recv()))
        except (EOFError, OSError):
            return


def _end_with_parent() -> None:
    """A check may never end, and its server may be gone."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)

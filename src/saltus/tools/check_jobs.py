"""Many checks, in one process or in several, with what is done kept after Ctrl-C.

Each worker reads the package for itself (through the cache) and gets one name after the other, so that a
large model does not delay the others. If a worker dies, for want of memory for instance, only the model that
it was checking is lost; another worker takes its place.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path

from saltus.finding import find_package
from saltus.ir.instance import ClassEntry
from saltus.lower.classes.classes import class_named
from saltus.tools.checking import FAILED, Verdict, check_model

#: Called after each verdict: how many there are, and how many of them are not `ok`.
Told = Callable[[int, int], None]


@dataclass(frozen=True)
class Origin:
    """Where the package comes from, as the user has said; enough to find it again in another process."""

    source: str | Path
    model: str | None
    libraries: tuple[str, ...]

    def package(self) -> ClassEntry | None:
        return find_package(self.source, self.model, self.libraries)


class Checks:
    """Verdicts on models by name; `verdicts` has those that are there, also after Ctrl-C."""

    def __init__(self, models: Sequence[tuple[str, ClassEntry | Verdict]], tell: Told) -> None:
        self._names = [name for name, _ in models]
        self._found: dict[str, Verdict] = {n: m for n, m in models if isinstance(m, Verdict)}
        self._open = {n: m for n, m in models if isinstance(m, ClassEntry)}
        self._tell = tell
        self._refused = sum(v.verdict != "ok" for v in self._found.values())

    @property
    def verdicts(self) -> list[Verdict]:
        """In the order of the package, whatever was done first."""
        return [self._found[name] for name in self._names if name in self._found]

    def run_here(self) -> None:
        """One after the other, in this process."""
        for cls in self._open.values():
            self._keep(check_model(cls))

    def run_in(self, jobs: int, origin: Origin) -> None:
        """Checks in a number of processes."""
        waiting = list(self._open)[::-1]
        workers: list[_Worker] = []
        try:
            workers = [_Worker(origin) for _ in range(min(jobs, len(waiting)))]
            for worker in workers:
                worker.give(waiting.pop())
            while any(w.at for w in workers):
                busy = {w.pipe: w for w in workers if w.at}
                for ready in wait(list(busy)):
                    worker = busy[ready]  # type: ignore[index]  # they are the connections given
                    verdict = worker.take()
                    self._keep(verdict)
                    if worker.lost:
                        workers.remove(worker)
                        if not waiting:
                            continue
                        worker = _Worker(origin)
                        workers.append(worker)
                    if waiting:
                        worker.give(waiting.pop())
        finally:
            for worker in workers:
                worker.end()

    def _keep(self, verdict: Verdict) -> None:
        self._found[verdict.model] = verdict
        self._refused += verdict.verdict != "ok"
        self._tell(len(self._found), self._refused)


class _Worker:
    """A process that checks one model after the other. `at` is the one that it is checking, or empty."""

    def __init__(self, origin: Origin) -> None:
        # `spawn` is the same on all systems, and does not copy the threads of a progress bar.
        context = multiprocessing.get_context("spawn")
        self.pipe, other = context.Pipe()
        self._process: BaseProcess = context.Process(target=_work, args=(origin, other), daemon=True)
        self._process.start()
        other.close()  # so that its end is seen when the process ends
        self.at = ""
        self.lost = False

    def give(self, name: str) -> None:
        self.at = name
        with suppress(OSError):  # it is gone: `take` will notice
            self.pipe.send(name)

    def take(self) -> Verdict:
        """The verdict that is there, or that the process is gone."""
        name, self.at = self.at, ""
        try:
            found = self.pipe.recv()
            assert isinstance(found, Verdict)
            return found
        except (EOFError, OSError):
            self.lost = True
            self._process.join()
            code = self._process.exitcode
            return Verdict(name, FAILED, "", f"internal error: the process ended with status {code}")

    def end(self) -> None:
        self.pipe.close()
        self._process.terminate()
        self._process.join()


def _work(origin: Origin, pipe: Connection) -> None:
    """The loop of a worker, until the other end of the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes; the parent decides
    package = origin.package()
    while True:
        try:
            name = pipe.recv()
        except (EOFError, OSError):
            return
        cls = class_named(package.library, name) if package is not None else None
        if cls is None:
            verdict = Verdict(name, FAILED, "", "the class was there before and is not any more")
        else:
            verdict = check_model(cls)
        pipe.send(verdict)

"""Jobs in processes of their own, each under a limit of time.

Native code does not listen to signals, so a job that takes too long is ended with its process; the jobs after
it go on in a new one. Jobs come in groups that share what is costly, a translated model: a process has one
group.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import Generic, TypeVar

J = TypeVar("J")
R = TypeVar("R")


class TimeLimited(Generic[J, R]):
    """`do(job)` is called in another process; `late(job, why)` gives the answer in its place. Both are
    functions of modules, so that processes can be told about them."""

    def __init__(
        self, do: Callable[[J], R], late: Callable[[J, str], R], seconds: float, workers: int
    ) -> None:
        self._do, self._late, self._seconds, self._workers = do, late, seconds, workers
        self._context = multiprocessing.get_context("spawn")

    def run(self, groups: Sequence[Sequence[J]]) -> Iterator[R]:
        """The answers, as they come."""
        answers: SimpleQueue[R | None] = SimpleQueue()
        with ThreadPoolExecutor(self._workers) as pool:
            futures = [pool.submit(self._group, list(group), answers) for group in groups]
            for _ in range(sum(map(len, groups))):
                answer = answers.get()
                if answer is None:
                    break
                yield answer
            for future in futures:
                future.result()

    def _group(self, jobs: list[J], answers: SimpleQueue[R | None]) -> None:
        try:
            while jobs:
                jobs = self._until_late(jobs, answers)
        except BaseException:
            answers.put(None)
            raise

    def _until_late(self, jobs: list[J], answers: SimpleQueue[R | None]) -> list[J]:
        """Does jobs until one is late, or has ended its process; those that are left."""
        here, there = self._context.Pipe()
        process = self._context.Process(target=_serve, args=(self._do, jobs, there), daemon=True)
        process.start()
        there.close()
        try:
            for k, job in enumerate(jobs):
                why = ""
                try:
                    if here.poll(self._seconds):
                        answers.put(here.recv())
                        continue
                    why = f"more than {self._seconds:g} s"
                except EOFError:
                    why = "the process died"
                answers.put(self._late(job, why))
                return jobs[k + 1 :]
            return []
        finally:
            process.kill()
            process.join()


def _serve(do: Callable[[J], R], jobs: list[J], there: Connection) -> None:
    for job in jobs:
        there.send(do(job))

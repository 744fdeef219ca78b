"""A job that takes too long, or ends its process, is told as such; the others are done."""

from __future__ import annotations

import os
import time

from tools.long_runs.time_limited import TimeLimited


def square(x: int) -> int:
    if x == 3:
        time.sleep(60)
    if x == 5:
        os._exit(1)
    return x * x


def missing(x: int, why: str) -> int:
    return -x


def test_late_and_dead_jobs() -> None:
    workers = TimeLimited(square, missing, seconds=5.0, workers=2)
    assert sorted(workers.run([[1, 2, 3, 4], [5, 6], []])) == [-5, -3, 1, 4, 16, 36]

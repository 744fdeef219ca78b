"""The progress bar of a run: on a terminal only, and only once the run has lasted two seconds.

A short run should leave no trace on the screen, and a log file should never hold a progress bar. Time is
read once a call and `rich` draws in its own thread, so the run may report as often as it likes.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

#: Seconds before the bar appears.
PATIENCE = 2.0


class Progress:
    """Called by the run as `progress(fraction, events)`; a context manager that removes the bar.

    `enabled` tells whether there is anybody to show it to; otherwise calls do nothing.
    """

    def __init__(
        self,
        start_time: float,
        stop_time: float,
        *,
        stream: TextIO | None = None,
        patience: float = PATIENCE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._stream = sys.stderr if stream is None else stream
        self.enabled = self._stream.isatty()
        self._start = start_time
        self._length = stop_time - start_time
        self._patience = patience
        self._clock = clock
        self._began = clock()
        self._bar: Bar | None = None

    def __enter__(self) -> Progress:
        self._began = self._clock()
        return self

    def __call__(self, fraction: float, events: int) -> None:
        if not self.enabled:
            return
        if self._bar is None:
            if self._clock() - self._began < self._patience:
                return
            self._bar = self._open()
        fraction = min(max(fraction, 0.0), 1.0)
        self._bar.update(
            self._bar.task_ids[0],
            completed=fraction,
            model_time=f"{self._start + fraction * self._length:.6g}",
            events=events,
        )

    def _open(self) -> Bar:
        bar = Bar(
            TextColumn("time {task.fields[model_time]}"),
            BarColumn(),
            TaskProgressColumn(),
            TextColumn("{task.fields[events]} events"),
            TimeRemainingColumn(),
            console=Console(file=self._stream),
            transient=True,
        )
        bar.add_task("run", total=1.0, model_time="", events=0)
        bar.start()
        return bar

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

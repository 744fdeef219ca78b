"""Progress bars, of a run and of many checks: on a terminal only, once the work has lasted two seconds.

Short work should leave no trace on the screen, and a log file should never hold a progress bar. Time is
read once a call and `rich` draws in its own thread, so the work may report as often as it likes.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TextIO

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

#: Seconds before the bar appears.
PATIENCE = 2.0


class _PatientBar:
    """A context manager that removes the bar. `enabled`: whether there is a terminal to show it on."""

    def __init__(
        self,
        before: str,
        after: str,
        *,
        stream: TextIO | None = None,
        patience: float = PATIENCE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._texts = before, after
        self._stream = sys.stderr if stream is None else stream
        self.enabled = self._stream.isatty()
        self._patience = patience
        self._clock = clock
        self._began = clock()
        self._bar: Bar | None = None

    def __enter__(self) -> Self:
        self._began = self._clock()
        return self

    def _show(self, fraction: float, fields: Callable[[], dict[str, Any]]) -> None:
        """The words beside the bar are made only if there is one."""
        if not self.enabled:
            return
        if self._bar is None and self._clock() - self._began < self._patience:
            return
        told = fields()
        if self._bar is None:
            self._bar = self._open(told)
        self._bar.update(self._bar.task_ids[0], completed=min(max(fraction, 0.0), 1.0), **told)

    def _open(self, fields: dict[str, Any]) -> Bar:
        from rich.console import Console  # here, since short work shows no bar
        from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        before, after = self._texts
        bar = Bar(
            TextColumn(before),
            BarColumn(),
            TaskProgressColumn(),
            TextColumn(after),
            TimeRemainingColumn(),
            console=Console(file=self._stream),
            transient=True,
        )
        bar.add_task("work", total=1.0, **fields)
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


class Progress(_PatientBar):
    """Called by the run as `progress(fraction, events)`."""

    def __init__(self, start_time: float, stop_time: float, **options: Any) -> None:
        super().__init__("time {task.fields[model_time]}", "{task.fields[events]} events", **options)
        self._start = start_time
        self._length = stop_time - start_time

    def __call__(self, fraction: float, events: int) -> None:
        fraction = min(max(fraction, 0.0), 1.0)
        self._show(
            fraction,
            lambda: {"model_time": f"{self._start + fraction * self._length:.6g}", "events": events},
        )


class Tally(_PatientBar):
    """Called as `tally(done, refused)`, of `total` models that are checked."""

    def __init__(self, total: int, **options: Any) -> None:
        super().__init__("{task.fields[done]} models", "{task.fields[refused]} refused", **options)
        self._total = total

    def __call__(self, done: int, refused: int) -> None:
        self._show(
            done / max(self._total, 1), lambda: {"done": f"{done} of {self._total}", "refused": refused}
        )

"""The output points of a run: start + k * interval, computed without drift, and the stop time."""

from __future__ import annotations

import math
from collections.abc import Iterator

from saltus.run.schedule.settings import Settings


class Grid:
    """Output points, number 0 at the start time, the `last` one at the stop time; `k` is the next. Points
    that lie no further than `near` from an event have no row of their own."""

    def __init__(self, settings: Settings) -> None:
        self.start, self._stop = settings.start_time, settings.stop_time
        self.interval = settings.output_interval
        span = self._stop - self.start
        self.last = math.ceil(span / self.interval - 1e-9) if span > 0.0 else 0
        self.near = 1e-9 * self.interval
        self.k = 0
        self.pass_(self.start)

    def skip_to(self, k: int) -> None:
        """Moves on to a point."""
        self.k = k

    def go_back_to(self, now: float) -> None:
        """Points after a time are still to come."""
        while self.k > 0 and self._point(self.k - 1) > now + self.near:
            self.k -= 1

    def pass_(self, now: float) -> None:
        """Moves on to the first point that is not (nearly) now or earlier."""
        k, last = self.k, self.last
        limit = now + self.near
        while k <= last and self._point(k) <= limit:
            k += 1
        self.k = k

    def before(self, time: float) -> Iterator[float]:
        """The next points that are earlier than a time, and not near it; they are passed."""
        while self.k <= self.last and self._point(self.k) < time - self.near:
            yield self._point(self.k)
            self.k += 1

    def _point(self, k: int) -> float:
        return self.start + k * self.interval if k < self.last else self._stop

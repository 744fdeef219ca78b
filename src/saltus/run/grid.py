"""The output points of a run: start + k * interval, computed without drift, and the stop time."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from saltus.run.settings import Settings


class Grid:
    """Output points, the last one at the stop time."""

    def __init__(self, settings: Settings) -> None:
        self._start, self._stop = settings.start_time, settings.stop_time
        self._interval = settings.output_interval
        span = self._stop - self._start
        self._last = math.ceil(span / self._interval - 1e-9) if span > 0.0 else 0
        self.near = 1e-9 * self._interval
        self._k = 0
        self.next = self._start
        self.pass_(self._start)

    def before(self, limit: float, most: int) -> NDArray[np.float64]:
        """The next points that come before `limit` and are not nearly there, so many at most."""
        ks = np.arange(self._k, min(self._k + most, self._last + 1))
        points = np.asarray(self._start + ks * self._interval, dtype=np.float64)
        if ks.size and ks[-1] == self._last:
            points[-1] = self._stop
        return points[points < limit - self.near]

    def skip(self, count: int) -> None:
        """Moves on by so many points."""
        self._k += count
        self.next = self._point(self._k) if self._k <= self._last else math.inf

    def pass_(self, now: float) -> None:
        """Moves on to the first point that is not (nearly) now or earlier."""
        k, last = self._k, self._last
        limit = now + self.near
        while k <= last and self._point(k) <= limit:
            k += 1
        self._k = k
        self.next = self._point(k) if k <= last else math.inf

    def _point(self, k: int) -> float:
        return self._start + k * self._interval if k < self._last else self._stop

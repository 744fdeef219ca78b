"""How long each fixed step of a run has taken."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

#: The longest bar of the histogram, and the number of bars for a factor of ten.
LONGEST_BAR, IN_TEN = 40, 4


@dataclass(frozen=True, eq=False)
class StepTimes:
    """Nanoseconds of each step by the wall clock, with all that happens in it: events, rows, and whatever
    else the machine did meanwhile. `step` is its length in the model, `speed` how fast the run was to go: 1
    is as fast as the wall clock, 0 as fast as it can. `overruns` are steps that ended too late, `latest` is
    by how many nanoseconds at most."""

    nanoseconds: NDArray[np.int64]
    step: float
    speed: float
    overruns: int = 0
    latest: int = 0

    @property
    def median(self) -> float:
        """In seconds."""
        return self.at(0.5)

    @property
    def worst(self) -> float:
        """In seconds."""
        return self.at(1.0)

    def at(self, part: float) -> float:
        """The time, in seconds, that this part of the steps does not exceed."""
        if not self.nanoseconds.size:
            return 0.0
        return float(np.quantile(self.nanoseconds, part, method="inverted_cdf")) * 1e-9

    def text(self) -> str:
        """A report: quantiles, overruns and a histogram."""
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        count = len(self.nanoseconds)
        yield f"{count} steps of {_time(self.step)}"
        yield f"  median    {_time(self.median)}"
        yield f"  99.9 %    {_time(self.at(0.999))}"
        yield f"  worst     {_time(self.worst)}"
        if self.speed > 0:
            late = f", by {_time(self.latest * 1e-9)} at most" if self.overruns else ""
            yield f"  overruns  {self.overruns}{late}"
        yield from self._histogram()

    def _histogram(self) -> Iterator[str]:
        if not self.nanoseconds.size:
            return
        places = np.floor(np.log10(np.maximum(self.nanoseconds, 1)) * IN_TEN).astype(int)
        counts = np.bincount(places - places.min())
        for k, n in enumerate(counts.tolist()):
            least, most = (10 ** ((places.min() + k + i) / IN_TEN) * 1e-9 for i in (0, 1))
            bar = "#" * -(-n * LONGEST_BAR // int(counts.max()))
            yield f"  {_time(least):>8} to {_time(most):<8} {n:>9} {bar}".rstrip()


def _time(seconds: float) -> str:
    """In the unit that suits it."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if abs(seconds) >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"

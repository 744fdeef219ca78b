"""Compares what a run found with what is certain."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from tools.lost_events.truth import Timeline, Vector


@dataclass(frozen=True)
class Observed:
    """A Boolean of a run: its first value, and the times at which it changed."""

    first: bool
    changes: Vector

    @staticmethod
    def of(time: Vector, values: Vector) -> Observed:
        at = np.flatnonzero(values[1:] != values[:-1]) + 1
        return Observed(bool(values[0] > 0.5), time[at])


@dataclass(frozen=True)
class Fault:
    """Something that a run got wrong.

    `kind` is `lost` (an excursion was not seen at all), `displaced` (seen, but too early or late),
    `spurious` (events where there are none), `inaccurate` (the residue itself is wrong), `miscounted` (the
    counters or the log do not fit the variable) or `failed` (the run ended with an error). `duration` is
    that of the excursion, `relative` the same in shortest time scales of the residue.
    """

    kind: str
    relation: int
    time: float
    duration: float
    relative: float
    text: str = ""

    def __str__(self) -> str:
        where = f"relation {self.relation} at {self.time!r}" if self.relation else f"at {self.time!r}"
        length = f"for {self.duration:.3g} ({self.relative:.3g} scales)"
        return f"{self.kind}: {where}, {length} {self.text}".strip()


def compared(relation: int, truth: Timeline, seen: Observed, placing: float) -> list[Fault]:
    """The faults of one relation. Ends of intervals may be wrong by `placing` time scales and by rounding."""
    slack = placing * truth.scales + 1e-13 * np.abs(truth.ends)
    starts, ends = truth.starts + slack, truth.ends - slack
    from_start, until_end = _changes_before(seen, starts), _changes_before(seen, ends)
    expected = truth.signs > 0
    right_at_start = (from_start % 2 == 1) ^ seen.first == expected
    right_at_end = (until_end % 2 == 1) ^ seen.first == expected
    quiet = from_start == until_end

    faults = []
    for k in np.flatnonzero((starts < ends) & ~(quiet & right_at_start)):
        if quiet[k]:
            kind = "lost"
        elif right_at_start[k] and right_at_end[k]:
            kind = "spurious"
        else:
            kind = "displaced"
        time, duration = float(truth.began[k]), float(truth.ended[k] - truth.began[k])
        changes = seen.changes[from_start[k] : until_end[k]][:4].tolist()
        text = f"changes at {changes}" if changes else ""
        faults.append(Fault(kind, relation, time, duration, duration / float(truth.scales[k]), text))
    return faults


def _changes_before(seen: Observed, times: Vector) -> NDArray[np.int64]:
    return np.searchsorted(seen.changes, times, side="left")

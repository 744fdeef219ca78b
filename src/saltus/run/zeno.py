"""Zeno: infinitely many events in a finite time, recognised by intervals that shrink geometrically.

A ball that keeps the part c of its speed at every impact has the intervals dt, c dt, c^2 dt, ... between
them, and comes to rest at

    t* = t_k + dt_k * rho / (1 - rho),        rho = dt_(k+1) / dt_k        (the sum of the series)

Events of one relation in one direction are looked at, so that two tanks filled in turn, whose relations fire
alternately at unequal intervals, make a plain series too. The logarithms of the intervals must lie on a
straight line over as many as it takes for the interval to halve, and at least five of them: the intervals of
a chirp, 1/k, bend away from any line by six parts in a hundred while they halve.

A series is *near* its end when what is left is invisible: a hundred-thousandth of the run; or when the
residue moves no further between two events than ten thousand times the band within which it counts as zero,
so that the events will soon be too close to be told apart. A ball of 1 m is then at hops of a micrometre.
Until then every hop is simulated, and the series may stop shrinking without harm.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from saltus.core.diagnostics import Diagnostic, ModelError, Note, RunError
from saltus.ir.hybrid import Relation

#: What may be done at the accumulation point.
ZENO = ("stop", "rest", "continue")

#: Intervals that are looked at: at least so many, at most so many.
FEWEST, MOST = 5, 250

#: How far the logarithm of an interval may be from the straight line.
STRAIGHT = 0.01

#: What is left, as a part of the run, and how far the residue may move, in bands, near the end of a series.
NEAR_SPAN = 1e-5
NEAR_BANDS = 1e4


@dataclass(frozen=True)
class Accumulation:
    """The end of a series of events: its time, the ratio of the intervals, and the last of them."""

    time: float
    ratio: float
    interval: float

    def is_near(self, span: float, rate: float, band: float) -> bool:
        """Whether what is left of the series is invisible. `rate`: how fast the residue sets out."""
        remaining = self.interval * self.ratio / (1.0 - self.ratio)
        return remaining <= NEAR_SPAN * span or self.is_unresolved(rate, band, NEAR_BANDS)

    def is_unresolved(self, rate: float, band: float, bands: float = 10.0) -> bool:
        """Whether the residue moves no further than some bands until the next event. (Its way, if it comes
        back by itself, is a quarter of the interval times its speed at the start.)"""
        return 0.25 * self.ratio * self.interval * abs(rate) <= bands * band


def accumulation(times: Sequence[float], fewest: int = FEWEST) -> Accumulation | None:
    """Where events at these times accumulate, if the intervals between them shrink geometrically."""
    if len(times) <= max(fewest, 2):
        return None
    intervals = np.diff(np.asarray(times[-(MOST + 1) :], dtype=float))
    if not np.all(intervals > 0.0):
        return None
    last = float(intervals[-1])
    halved = np.flatnonzero(intervals >= 2.0 * last)
    if not halved.size:
        return None
    count = max(fewest, len(intervals) - int(halved[-1]))
    if count > len(intervals):
        return None
    logs = np.log(intervals[-count:])
    places = np.arange(count, dtype=float)
    slope, offset = np.polyfit(places, logs, 1)
    if slope >= 0.0 or float(np.abs(slope * places + offset - logs).max()) > STRAIGHT:
        return None
    # Of the straight line, its end counts most: where the law varies slowly, it is that of the last events.
    ratio = math.sqrt(last / float(intervals[-3])) if count >= 3 else last / float(intervals[-2])
    if not 0.0 < ratio < 1.0:
        return None
    return Accumulation(times[-1] + last * ratio / (1.0 - ratio), ratio, last)


# ---------------------------------------------------------------- messages


def stopped(relation: Relation, found: Accumulation) -> RunError:
    """E404: the run ends at the accumulation point, as the user wants."""
    return RunError(
        Diagnostic(
            "E404",
            f"{_story(relation, found)}; the run ends there, at the accumulation point",
            relation.span,
            (),
            "`--zeno rest` goes on from there with the surface as a constraint, held by a reaction; "
            "`--zeno continue` does so after every event that can be told apart",
        )
    )


def restless(relation: Relation, found: Accumulation, reason: ModelError) -> RunError:
    """E404: nothing is there to go on with after the accumulation point."""
    return RunError(
        Diagnostic(
            "E404",
            f"{_story(relation, found)}, and there is no motion to go on with",
            relation.span,
            tuple(Note(d.message, d.span) for d in reason.diagnostics),
            "a run can go on where states are reinitialised at these events and held by a reaction after "
            "them, or where both sides of a surface push towards it; `--zeno stop` ends at the accumulation "
            "point",
        )
    )


def _story(relation: Relation, found: Accumulation) -> str:
    return (
        f"events of `{relation.text}` accumulate at time {found.time:.9g} (Zeno): each interval is "
        f"{found.ratio:.4g} times the one before it, {found.interval:.3g} s at last"
    )

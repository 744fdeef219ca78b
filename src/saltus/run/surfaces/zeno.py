"""Zeno: infinitely many events in a finite time, recognised by intervals that shrink geometrically.

A ball that keeps the part c of its speed at every impact has the intervals dt, c dt, c^2 dt, ... between
them, and comes to rest at

    t* = t_k + dt_k * rho / (1 - rho),        rho = dt_(k+1) / dt_k        (the sum of the series)

Events of one relation in one direction are looked at, so that two tanks filled in turn, whose relations fire
alternately at unequal intervals, make a plain series too. The logarithms of the intervals must lie on a
straight line over as many as it takes for the interval to halve, and at least five of them: the intervals of
a chirp, 1/k, bend away from any line by six parts in a hundred while they halve.

The intervals are known to about the same absolute error, so the long ones count most; and the end of a series
is foretold from the first events that are near it, not from later ones, which are lost in rounding: the run
may have gone on for some events before anybody looks.

A run goes on after the end of a series, or ends there, when its events can hardly be told apart any more: the
residue moves no further between two of them than ten times the band within which it counts as zero. Until
then the series may stop without harm: many models have a state of rest of their own. With `--zeno rest` a run
goes on as soon as the end is *near*: what is left is invisible. Either the intervals are a hundredth of the
first one and all that is left is a thousandth of the run (half the distance of output points), or it is a
hundred-thousandth of the run whatever came before, or the residue moves no further than ten thousand bands or
thirty tolerances.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from saltus.core.diagnostics import Diagnostic, ModelError, Note, RunError
from saltus.ir.hybrid import Relation

#: The least and the largest number of intervals that are examined.
FEWEST, MOST = 5, 250

#: An interval that is clearly shorter than the one before it is at most this part of it. Those of periodic
#: events differ by rounding, and the slowest series that is recognised, with `MOST` intervals while they
#: halve, has a ratio of 0.997.
CLEARLY = 0.999

#: How far an interval may be from the straight line of logarithms, as a part of the first one. Short ones
#: count little in that, so each but the last may be off by no more than the series shrinks from one to the
#: next, or by the factor e: a line through one long interval leaves all that follow where they are. The last
#: one may be anything that is as short as errors are; but none is missed by more than that part of the first.
STRAIGHT = 0.01

#: A ratio drifts if that leaves less than this part of the differences.
DRIFTS = 0.1

#: Squares of differences that are a smaller part of the square of their mean are rounding.
EVEN = 1e-20

#: Events accumulate by any law if this many intervals are at most this fraction of the one before.
STEEP, STEEP_RATIO = 5, 0.8

#: Near the end of a series: what is left, as a part of the run; the same where intervals have shrunk to a
#: part of the first one; how far the residue may move, in bands, and in tolerances of its nominal size.
NEAR_SPAN = 1e-5
SHRUNK, SHRUNK_SPAN = 1e-2, 1e-3
NEAR, NEAR_TOLERANCES = 1e4, 30.0

#: The residue moves no further than so many bands between events that can hardly be told apart; or no
#: further than this part of a band, where hops inside of it are seen, unless it is so slow that in all of the
#: run it would move by so few bands.
RESOLVED, RESOLVED_BRIEF, CRAWLING = 10.0, 1e-8, 1e3


@dataclass(frozen=True)
class Accumulation:
    """The end of a series of events: its time, the ratio of the intervals, the last of them, and how much
    time is `remaining` from the last event that was looked at."""

    time: float
    ratio: float
    interval: float
    remaining: float


def way(interval: float, rate: float) -> float:
    """How far a residue moves that sets out at this rate and comes back by itself after this time."""
    return 0.25 * interval * abs(rate)


def shrinks(first: float, latest: Sequence[float]) -> bool:
    """Whether a closer look is worth while, from the first interval and the times of the latest four events:
    each interval is clearly shorter than the one before, and the last one less than half of the first."""
    if len(latest) < 4:
        return False
    a, b, c, d = latest[-4:]
    clearly = 0.0 < d - c <= CLEARLY * (c - b) and c - b <= CLEARLY * (b - a)
    return clearly and first >= 2.0 * (d - c)


def _steep(last: float, intervals: NDArray[np.float64]) -> Accumulation | None:
    """The end of intervals each of which is much shorter than the one before, by whatever law."""
    if len(intervals) <= STEEP:
        return None
    ratios = intervals[1:] / intervals[:-1]
    ratio = float(ratios[-3:].mean())
    if float(ratios.max()) > STEEP_RATIO:
        return None
    interval = float(intervals[-1])
    left = interval * ratio / (1.0 - ratio)
    return Accumulation(last + left, ratio, interval, left)


def accumulation(
    times: Sequence[float], fewest: int = FEWEST, *, any_law: bool = False
) -> Accumulation | None:
    """Where events at these times accumulate, if the intervals between them shrink geometrically; or by `any
    law`, as long as each is much shorter than the one before."""
    if len(times) <= max(fewest, 2):
        return None
    intervals = np.diff(np.asarray(times[-(MOST + 1) :], dtype=float))
    at_once = np.flatnonzero(intervals <= 0.0)
    if at_once.size:  # several events at one time: a series may begin there, but not go on
        intervals = intervals[at_once[-1] + 1 :]
    if len(intervals) < max(fewest, 2):
        return None
    last = float(intervals[-1])
    halved = np.flatnonzero(intervals >= 2.0 * last)
    if not halved.size:
        return None
    count = max(fewest, len(intervals) - int(halved[-1]))
    if count > len(intervals):
        return None
    recent = intervals
    intervals = intervals[-count:]
    weights = intervals / intervals[0]
    logs, places = np.log(intervals), np.arange(count, dtype=float)
    slope, offset = np.polyfit(places, logs, 1, w=weights)
    line = slope * places + offset
    off, missed = np.abs(line - logs), np.abs(np.exp(line) - intervals) / intervals[0]
    straight = float(np.maximum(weights * off, missed).max()) <= STRAIGHT
    straight = straight and float(off[:-1].max()) <= max(1.0, abs(slope))
    if slope >= 0.0 or not straight:
        return _steep(times[-1], recent[-max(fewest, STEEP) - 1 :]) if any_law else None
    ratio, fitted = math.exp(slope), math.exp(slope * (count - 1) + offset)
    drifting = _drifting(intervals)
    left = fitted * ratio / (1.0 - ratio) if drifting is None else drifting
    return Accumulation(times[-1] + left, ratio, last, left)


def _drifting(intervals: NDArray[np.float64]) -> float | None:
    """All that is to come after intervals whose ratio drifts to its limit in proportion to them, or to their
    squares where both sides are alike, as those of a rocking block are. None where a ratio that does not
    drift fits about as well: then it is noise."""
    if len(intervals) < FEWEST:
        return None
    fits = [fit for power in (1, 2) if (fit := _drift(intervals, power)) is not None]
    if not fits:
        return None
    limit, slope, power, _ = min(fits, key=lambda fit: fit[3])
    left, part = 0.0, float(intervals[-1] / intervals[0])
    for _ in range(MOST):
        part *= limit + slope * part**power
        left += part
    return float(intervals[0]) * (left + part * limit / (1.0 - limit))


def _drift(intervals: NDArray[np.float64], power: int) -> tuple[float, float, int, float] | None:
    """The limit of the ratio, and how it drifts with a power of the interval as a part of the first one; and
    how far ratios are from that."""
    ratios, weights = intervals[1:] / intervals[:-1], intervals[:-1] / intervals[0]
    parts = weights**power
    middle, mean = (float(np.average(x, weights=weights**2)) for x in (parts, ratios))
    spread = float(np.average((parts - middle) ** 2, weights=weights**2))
    if spread <= EVEN * middle**2:
        return None  # of intervals that are all alike nothing drifts
    slope = float(np.average((parts - middle) * (ratios - mean), weights=weights**2)) / spread
    limit = mean - slope * middle
    rough = float(np.abs(weights * (ratios - mean)).max())
    fine = float(np.abs(weights * (ratios - limit - slope * parts)).max())
    return (limit, slope, power, fine) if 0.0 < limit < 1.0 and fine <= DRIFTS * rough else None


# ---------------------------------------------------------------- messages


#: What to do where impacts are impulses of a constraint, which no reaction can take over.
_PLASTIC = (
    "impacts are impulses of a constraint here: let slow ones be plastic (`v_rest` of the library's "
    "contacts), so that the model has a state of rest of its own"
)


#: What to do where nothing is reinitialised, so that there is no reaction, and no surfaces hold the model.
_SLOWER = (
    "nothing is reinitialised at these events, and the surfaces do not hold the model, so no `--zeno` goes "
    "on from there; give the switching a smallest time, or hysteresis"
)


def stopped(
    relation: Relation, found: Accumulation, *, by_constraint: bool = False, jumps: bool = True
) -> RunError:
    """E404: the run ends at the accumulation point, as the user wants; or there is nothing to go on with,
    since no states jump at the events."""
    return RunError(
        Diagnostic(
            "E404",
            f"{_story(relation, found)}; the run ends there, at the accumulation point",
            relation.span,
            (),
            _SLOWER
            if not jumps
            else _PLASTIC
            if by_constraint
            else "`--zeno rest` continues from there with the surface as a constraint, held by a reaction; "
            "`--zeno continue` does so after every event that can be told apart",
            origin=relation.origin,
        )
    )


def restless(
    relation: Relation, found: Accumulation, reason: ModelError, *, by_constraint: bool = False
) -> RunError:
    """E404: there is no motion after the accumulation point."""
    return RunError(
        Diagnostic(
            "E404",
            f"{_story(relation, found)}, and there is no motion to continue with",
            relation.span,
            tuple(Note(d.message, d.span) for d in reason.diagnostics),
            _PLASTIC
            if by_constraint
            else "a run can continue where states are reinitialised at these events and held by a reaction "
            "after them, or where both sides of a surface push towards it; `--zeno stop` ends at the "
            "accumulation point",
            origin=relation.origin,
        )
    )


def penetrated(relation: Relation, time: float, depth: float) -> RunError:
    """E404: the run has gone through a surface on which it has rested before."""
    return RunError(
        Diagnostic(
            "E404",
            f"the run has bounced off the surface of `{relation.text}`, or rested on it, and is {depth:.3g} "
            f"inside of it at time {time:.9g}: an impact was too weak to be recognised",
            relation.span,
            (),
            "`--zeno rest` lets the model rest there; or give it a state of rest of its own, or try a "
            "smaller tolerance",
            origin=relation.origin,
        )
    )


def _story(relation: Relation, found: Accumulation) -> str:
    return (
        f"events of `{relation.text}` accumulate at time {found.time:.9g} (Zeno): each interval is "
        f"{found.ratio:.4g} times the one before it, {found.interval:.3g} s at last"
    )

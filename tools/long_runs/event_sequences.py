"""When relations change and clocks tick in two runs of one model, compared.

Relations are compared one by one: two that change at almost the same time may be one event in one run and
two in another. Where runs part it matters how. An event that one of them has stepped over is missing between
others that agree to many digits. In a chaotic model the differences grow from event to event until they are
as long as the events are apart; from there on nothing can be compared, and that is said. A current
that dies away is below zero now and then, by less than the tolerance: there is no truth about that, and
excursions that are no larger do not count. Where a relation changes while its residue jumps to zero, or rests
there, either truth is right (which of three clutches in a row takes the slip, if all of them could?), and
what comes after depends on the choice: a tie.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from tools.obedience.judge import AT_THE_EDGE, BAND, residues_of

from saltus.ir.native.drive import TRUTH
from saltus.result.result import Result
from saltus.result.words.wording import Wording

Vector: TypeAlias = NDArray[np.float64]

#: A residue is noise if it is as small as so many tolerances of its nominal value, in so many rows before and
#: after an event.
NOISE = 10.0
_AROUND = 4

#: A residue that was as far from zero as so many bands has jumped if it is zero after an event.
JUMP = 1e2

#: One that rests at zero is so small a part of its band, in a row that is not just before the event.
AT_REST, NO_ROW = 1e-4, 1e-9

#: Runs part by chaos if their last common event differs by this part of the time to the next one.
NEAR = 0.01


@dataclass(frozen=True)
class Parting:
    """Where two sequences part. `drift`: the largest difference of times before that, among the last few
    changes that are common; `apart`: the time between changes there."""

    relation: str
    time: float
    count: int
    expected: int
    drift: float
    apart: float
    number: int | None = None  # of the relation; None for a clock
    is_noise: bool = False  # its residue is as small as the tolerance
    is_tie: bool = False  # a residue is zero after the event: its relation may be either

    @property
    def is_chaos(self) -> bool:
        """Whether the differences had grown until then."""
        return self.drift > NEAR * self.apart

    def __str__(self) -> str:
        how = "LOST" if self.count < self.expected else "EXTRA"
        if self.is_noise:
            how = "within tolerance"
        elif self.is_chaos:
            how = "drifts apart"
        elif self.is_tie:
            how = "a tie"
        counts = f"{self.count} for {self.expected}"
        return f"{how} at {self.time:.6g}: {self.relation} ({counts}, differing by {self.drift:.1g} s before)"


def switchings(result: Result) -> dict[str, Vector]:
    """The times at which relations have another truth after an event than before it, by their texts; and
    those of the ticks of clocks."""
    columns = result.events.columns
    texts = Wording(result.structure).texts
    found: dict[str, Vector] = {}
    truths = columns.changes[:, 0] == TRUTH
    changes, events = columns.changes[truths], columns.change_events[truths]
    for k, text in enumerate(texts):
        own = changes[:, 1] == k
        old, new, of = changes[own, 2], changes[own, 3], events[own]
        firsts = np.flatnonzero(np.diff(of, prepend=-1))
        lasts = np.append(firsts[1:] - 1, len(of) - 1)[: len(firsts)]
        net = old[firsts] != new[lasts]
        found[f"{text} #{k + 1}"] = columns.times[of[firsts[net]]]
    for k, clock in enumerate(result.structure.model.clocks):
        found[f"{clock.symbol.name} #{k + 1}"] = columns.times[columns.ticked.of(k)]
    return found


def parting(found: Result, expected: Result, slack: float, tolerance: float) -> Parting | None:
    """The first place where the events of two runs are not the same, within a slack of their times; None if
    there is none. Of runs of different lengths the shorter one counts. What happens to a residue that is as
    small as the tolerance in both runs is up to them, and comes after all else."""
    end = min(found.time[-1], expected.time[-1]) - slack
    ours, others = switchings(found), switchings(expected)
    relations = len(found.structure.relations)
    parted = []
    for k, name in enumerate(ours):
        p = _parting(name, ours[name], others[name], end, slack)
        if p is not None and k < relations:
            p = _looked_into(p, k, (found, ours[name]), (expected, others[name]), end, slack, tolerance)
        if p is not None:
            parted.append(p)
    first = min(parted, key=lambda p: (p.is_noise, p.time), default=None)
    if first is not None and not first.is_noise:
        is_tie = any(_has_choice(r, c, first.time) for r, c in ((found, ours), (expected, others)))
        return replace(first, is_tie=is_tie)
    return first


def _looked_into(
    p: Parting,
    k: int,
    ours: tuple[Result, Vector],
    others: tuple[Result, Vector],
    end: float,
    slack: float,
    tolerance: float,
) -> Parting | None:
    """How relation k parts; None if it does so by excursions that are as small as the tolerance."""
    small = NOISE * tolerance
    if all(_is_small(result, k, p.time, small) for result, _ in (ours, others)):
        return replace(p, number=k, is_noise=True)
    larger = _parting(p.relation, _larger(*ours, k, small), _larger(*others, k, small), end, slack)
    return None if larger is None else replace(larger, number=k)


def _larger(result: Result, changes: Vector, k: int, small: float) -> Vector:
    """The changes of a relation without those that are undone before its residue is larger than that."""
    residues, times = residues_of(result, k)
    kept: list[float] = []
    for change in changes.tolist():
        if kept:
            since, until = np.searchsorted(times, kept[-1]), np.searchsorted(times, change, side="right")
            if (np.abs(residues[since + 1 : until - 1]) <= small).all():
                kept.pop()
                continue
        kept.append(change)
    return np.array(kept)


def _has_choice(result: Result, changes: dict[str, Vector], time: float) -> bool:
    """Whether a relation changes at a time whose residue jumps to zero there, or rests at zero."""
    for k, times in enumerate(changes.values()):
        if k < len(result.structure.relations) and time in times:
            residues, rows = residues_of(result, k)
            left, right = (int(np.searchsorted(rows, time, side=side)) for side in ("left", "right"))
            is_zero = np.abs(residues) <= BAND * (1.0 + AT_THE_EDGE)
            earlier = int(np.searchsorted(rows, time - NO_ROW * abs(time))) - 1
            rests = earlier >= 0 and max(np.abs(residues[[earlier, left]])) <= AT_REST * BAND
            if is_zero[right - 1] and (rests or abs(residues[left]) > JUMP * BAND):
                return True
    return False


def _is_small(result: Result, k: int, time: float, small: float) -> bool:
    """Whether the residue of a relation is so small in the rows around a time."""
    residues, times = residues_of(result, k)
    row = int(np.searchsorted(times, time))
    around = residues[max(row - _AROUND, 0) : row + _AROUND]
    return bool((np.abs(around) <= small).all())


def largest_difference(found: Result, expected: Result) -> float | None:
    """Of the times of events, where each relation changes as often in both runs; else None."""
    ours, others = switchings(found), switchings(expected)
    if any(len(times) != len(others[name]) for name, times in ours.items()):
        return None
    return max((float(np.abs(t - others[n]).max(initial=0.0)) for n, t in ours.items()), default=0.0)


def _parting(name: str, found: Vector, expected: Vector, end: float, slack: float) -> Parting | None:
    both = min(len(found), len(expected))
    differing = np.abs(found[:both] - expected[:both])
    k = int(np.argmax(differing > slack)) if (differing > slack).any() else both
    rest = np.concatenate((found[k : k + 1], expected[k : k + 1]))
    if not len(rest) or rest.min() > end:
        return None
    before = slice(max(k - 3, 0), k)
    neighbours = np.diff(np.concatenate((expected[max(k - 3, 0) : k + 1], rest.max(keepdims=True))))
    apart = float(neighbours[neighbours > slack].min(initial=np.inf))
    drift = float(differing[before].max(initial=0.0))
    # What differs by more than the slack, but less than events are apart, has not been lost.
    if k < both and differing[k] < apart:
        drift = max(drift, float(differing[k]))
    counts = int(np.sum(found < end)), int(np.sum(expected < end))
    return Parting(name, float(rest.min()), *counts, drift, apart)

"""How busy the relations and clocks of a model were during a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from saltus.ir.native.drive import DISCRETE
from saltus.result.log.columns import EventColumns, Indices, Pairs
from saltus.result.log.records import BOOKKEEPING, INITIAL, TERMINAL


@dataclass(frozen=True)
class Activity:
    """The activity of one relation or clock: how many events it started, the first and the last time, and in
    how many events started by others its truth changed."""

    fired: int = 0
    first: float | None = None
    last: float | None = None
    followed: int = 0


@dataclass(frozen=True)
class Totals:
    """Events of the model (the start of the run is none), rounds of all, and the most rounds of one. `turns`
    counts by their kinds the entries that are no leaps of the model, such as states chosen again."""

    events: int
    rounds: int
    most_rounds: int
    turns: Mapping[str, int]


def relation_activity(columns: EventColumns, count: int) -> list[Activity]:
    """The activity of each relation."""
    fired, flips = columns.fired, columns.flips()
    # One number for an event and a relation: a flip in several rounds is one, and one that fired is none.
    size = max(count, 1 + int(max(fired.items.max(initial=0), flips.items.max(initial=0))))
    flipped = np.setdiff1d(flips.events * size + flips.items, fired.events * size + fired.items)
    followed = np.bincount(flipped % size, minlength=count)
    return [
        Activity(a.fired, a.first, a.last, int(n))
        for a, n in zip(_started(columns, fired, count), followed[:count], strict=True)
    ]


def clock_activity(columns: EventColumns, count: int) -> list[Activity]:
    """The activity of each clock."""
    return _started(columns, columns.ticked, count)


def edge_activity(columns: EventColumns, count: int, *, rises: bool) -> list[Activity]:
    """The activity of each discrete variable, in their order in memory: how often it became true (or false,
    unless it `rises`)."""
    what, item, old, new = columns.changes.T
    chosen = (what == DISCRETE) & (old != new) & ((new != 0.0) == rises)
    items = item[chosen].astype(np.intp)
    return _started(columns, Pairs(columns.change_events[chosen], items), count)


def totals(columns: EventColumns) -> Totals:
    """The totals of the whole run."""
    counted = ~np.isin(columns.kinds, [*BOOKKEEPING, ""])
    rounds = columns.rounds[counted]
    kinds, counts = np.unique(columns.kinds[~counted], return_counts=True)
    turns = dict(zip(kinds.tolist(), counts.tolist(), strict=True))
    for none in (INITIAL, TERMINAL, ""):
        turns.pop(none, None)
    return Totals(int(counted.sum()), int(rounds.sum()), int(rounds.max(initial=0)), turns)


def _started(columns: EventColumns, causes: Pairs, count: int) -> list[Activity]:
    counts = np.bincount(causes.items, minlength=count)
    first = _times(columns, causes.events[::-1], causes.items[::-1], count)
    last = _times(columns, causes.events, causes.items, count)
    return [
        Activity(int(n), float(first[k]), float(last[k])) if n else Activity()
        for k, n in enumerate(counts[:count].tolist())
    ]


def _times(columns: EventColumns, events: Indices, items: Indices, count: int) -> list[float]:
    """For each item the time of the last event that is listed with it."""
    times = np.zeros(max(count, 1 + int(items.max(initial=0))))
    times[items] = columns.times[events]  # of equal items NumPy keeps the last
    return times.tolist()

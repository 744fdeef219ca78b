"""All events of a run as columns of numbers, to count and to choose among them without decoding each one.

The driver's log (`saltus.emit.driver`) is a row of entries of different lengths:

    length, time, crossing, row | n, relations that fired | n, clocks | n, rounds of (m, m groups of four)

Where one list ends the next begins, so the k-th list of *all* entries can be gathered in one step of NumPy.
That makes as many steps as the longest event has rounds, and not as many as there are events.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from saltus.ir.native.drive import LOG_GROUP, TRUTH
from saltus.result.log.records import INITIAL, STATE, TIME, EventRecord, LogPiece, Records

Indices: TypeAlias = NDArray[np.intp]
Numbers: TypeAlias = NDArray[np.float64]

#: Kinds of events that relations and clocks start; the others are bookkeeping.
STARTED = (INITIAL, STATE, TIME)


@dataclass(frozen=True, eq=False)
class Pairs:
    """Numbers of events, ascending, each with the number of a relation or clock."""

    events: Indices
    items: Indices

    def of(self, item: int) -> Indices:
        """The events that have this item."""
        found: Indices = self.events[self.items == item]
        return found

    def where(self, chosen: NDArray[np.bool_]) -> Pairs:
        """The pairs of the events that are chosen, numbered as before."""
        inside = chosen[self.events]
        return Pairs(self.events[inside], self.items[inside])


@dataclass(frozen=True, eq=False)
class EventColumns:
    """One entry an event in `times`, `kinds`, `lefts`, `rights` (rows of the limits) and `rounds`. One entry
    a cause in `fired` and `ticked`. One entry a value that a round changed in `changes`: rows of what, index,
    old and new value (as in `saltus.result.log.records`), with the numbers of event and round in
    `change_events` and `change_rounds`; in the order of events."""

    times: Numbers
    kinds: NDArray[np.str_]
    lefts: Indices
    rights: Indices
    rounds: Indices
    fired: Pairs
    ticked: Pairs
    changes: Numbers
    change_events: Indices
    change_rounds: Indices

    def restricted(self, numbers: Indices | None) -> EventColumns:
        """What the events of these numbers caused and changed; their numbers, times and kinds stay, and the
        rounds of all others are none. Without numbers: all."""
        if numbers is None:
            return self
        chosen = np.zeros(len(self.times), dtype=bool)
        chosen[numbers] = True
        inside = chosen[self.change_events]
        return replace(
            self,
            kinds=np.where(chosen, self.kinds, ""),
            rounds=np.where(chosen, self.rounds, 0),
            fired=self.fired.where(chosen),
            ticked=self.ticked.where(chosen),
            changes=self.changes[inside],
            change_events=self.change_events[inside],
            change_rounds=self.change_rounds[inside],
        )

    def flips(self) -> Pairs:
        """Relations whose truth a round changed; more than once, where several rounds did."""
        changes = self.changes
        chosen = (changes[:, 0] == TRUTH) & (changes[:, 2] != changes[:, 3])
        return Pairs(self.change_events[chosen], changes[chosen, 1].astype(np.intp))


def columns_of(records: Sequence[EventRecord]) -> EventColumns:
    """The columns of all events."""
    pieces: list[LogPiece] = []
    single: list[EventRecord] = []
    of_pieces, of_single = [_none()], []  # numbers of their events
    count = 0
    for part in records.parts if isinstance(records, Records) else records:
        if isinstance(part, LogPiece):
            pieces.append(part)
            of_pieces.append(np.arange(count, count + len(part.places), dtype=np.intp))
            count += len(part.places)
        else:
            single.append(part)
            of_single.append(count)
            count += 1
    by_hand = _from_records(single)
    if not pieces:
        return by_hand
    numbers = [np.concatenate(of_pieces), np.array(of_single, dtype=np.intp)]
    return _merged([_from_log(pieces), by_hand], numbers)


# ---------------------------------------------------------------- the driver's log


def _from_log(pieces: Sequence[LogPiece]) -> EventColumns:
    lengths = [len(p.log) for p in pieces]
    starts = np.concatenate(([0], np.cumsum(lengths)[:-1])).astype(np.intp)
    counts = [len(p.places) for p in pieces]
    log = np.concatenate([p.log for p in pieces])
    places = np.concatenate([p.places for p in pieces]) + np.repeat(starts, counts)
    offsets = np.repeat(np.array([p.offset for p in pieces], dtype=np.intp), counts)
    lefts = log[places + 3].astype(np.intp) + offsets
    fired, at = _lists(log, places + 4)
    ticked, at = _lists(log, at)
    rounds = log[at].astype(np.intp)
    at = at + 1
    changes, events, numbers = [np.zeros((0, LOG_GROUP))], [_none()], [_none()]
    for k in range(int(rounds.max(initial=0))):
        inside = np.flatnonzero(rounds > k)
        sizes = log[at[inside]].astype(np.intp)
        firsts, owners = _ragged(at[inside] + 1, LOG_GROUP * sizes)
        changes.append(log[firsts].reshape(-1, LOG_GROUP))
        events.append(inside[owners[::LOG_GROUP]])
        numbers.append(np.full(len(changes[-1]), k, dtype=np.intp))
        at[inside] += 1 + LOG_GROUP * sizes
    owners = np.concatenate(events)
    order = np.argsort(owners, kind="stable")
    return EventColumns(
        times=log[places + 1],
        kinds=np.where(log[places + 2] != 0.0, STATE, TIME),
        lefts=lefts,
        rights=lefts + 1,
        rounds=rounds,
        fired=fired,
        ticked=ticked,
        changes=np.concatenate(changes)[order],
        change_events=owners[order],
        change_rounds=np.concatenate(numbers)[order],
    )


def _lists(log: Numbers, at: Indices) -> tuple[Pairs, Indices]:
    """The lists of whole numbers that begin with their lengths at these places; and the places after them."""
    lengths = log[at].astype(np.intp)
    places, owners = _ragged(at + 1, lengths)
    return Pairs(owners, log[places].astype(np.intp)), at + 1 + lengths


def _ragged(firsts: Indices, lengths: Indices) -> tuple[Indices, Indices]:
    """All places of stretches of these first places and lengths, and the stretch that each is in."""
    owners = np.repeat(np.arange(len(lengths), dtype=np.intp), lengths)
    ends = np.cumsum(lengths)
    within = np.arange(len(owners), dtype=np.intp) - np.repeat(ends - lengths, lengths)
    return firsts[owners] + within, owners


# ---------------------------------------------------------------- records made by Python


def _from_records(records: Sequence[EventRecord]) -> EventColumns:
    fired, ticked, changes, events, numbers = [], [], [np.zeros((0, LOG_GROUP))], [_none()], [_none()]
    rounds = []
    for i, record in enumerate(records):
        if record.kind in STARTED:
            fired += [(i, k) for k in record.fired]
        ticked += [(i, k) for k in record.clocks]
        # The first round of the start has the initial values, not changes.
        own = record.rounds[1:] if record.kind == INITIAL else record.rounds
        rounds.append(len(own))
        for k, rows in enumerate(own):
            changes.append(rows)
            events.append(np.full(len(rows), i, dtype=np.intp))
            numbers.append(np.full(len(rows), k, dtype=np.intp))
    return EventColumns(
        times=np.array([r.time for r in records], dtype=np.float64),
        kinds=np.array([r.kind for r in records], dtype=np.str_),
        lefts=np.array([r.left for r in records], dtype=np.intp),
        rights=np.array([r.right for r in records], dtype=np.intp),
        rounds=np.array(rounds, dtype=np.intp),
        fired=_pairs(fired),
        ticked=_pairs(ticked),
        changes=np.concatenate(changes),
        change_events=np.concatenate(events),
        change_rounds=np.concatenate(numbers),
    )


def _pairs(found: list[tuple[int, int]]) -> Pairs:
    both = np.array(found, dtype=np.intp).reshape(-1, 2)
    return Pairs(both[:, 0], both[:, 1])


def _none() -> Indices:
    return np.zeros(0, dtype=np.intp)


# ---------------------------------------------------------------- both together


def _merged(parts: Sequence[EventColumns], numbers: Sequence[Indices]) -> EventColumns:
    """Columns of all events, of those of some of them and the numbers that these have."""
    order = np.argsort(np.concatenate(numbers))

    def pairs(chosen: Sequence[Pairs]) -> Pairs:
        events = np.concatenate([n[p.events] for p, n in zip(chosen, numbers, strict=True)])
        sequence = np.argsort(events, kind="stable")
        return Pairs(events[sequence], np.concatenate([p.items for p in chosen])[sequence])

    changed = np.concatenate([n[p.change_events] for p, n in zip(parts, numbers, strict=True)])
    sequence = np.argsort(changed, kind="stable")
    return EventColumns(
        times=np.concatenate([p.times for p in parts])[order],
        kinds=np.concatenate([p.kinds for p in parts])[order],
        lefts=np.concatenate([p.lefts for p in parts])[order],
        rights=np.concatenate([p.rights for p in parts])[order],
        rounds=np.concatenate([p.rounds for p in parts])[order],
        fired=pairs([p.fired for p in parts]),
        ticked=pairs([p.ticked for p in parts]),
        changes=np.concatenate([p.changes for p in parts])[sequence],
        change_events=changed[sequence],
        change_rounds=np.concatenate([p.change_rounds for p in parts])[sequence],
    )

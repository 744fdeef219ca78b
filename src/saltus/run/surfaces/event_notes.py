"""When each relation of a run changed lately: the notes from which chattering and accumulation are seen.

A relation becomes true and false in turn, so that every second of its changes is in the same direction.
Taking notes costs some microseconds for many events together; the records of the events themselves are looked
at only where it matters.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from saltus.ir.native.drive import TRUTH
from saltus.result.log.records import EventRecord, Records
from saltus.run.surfaces import zeno
from saltus.run.surfaces.chatter import FLIPS, is_fast, mean_interval

#: The largest number of events between two examinations.
MOST_PATIENCE = 64

#: The same as a part of all events that have been, where there are many and nothing jumps: what is noticed
#: late has cost hardly more than what was before.
CALM = 8

#: The number of latest changes of a relation within this part of the run that may be due to errors.
CROWD, CROWD_SPAN = 16, 1e-3

#: Up to this event of a run, every one is examined: a ball may have only four impacts before they can no
#: longer be distinguished.
CURIOUS = 16

#: An interval is shorter than another if it is less than this part of it.
SHORTER = 0.99

#: The number of latest changes of a relation that are kept.
MOST = 2 * zeno.MOST + 2

#: The number of changes read from records that are kept.
_MOST_CROSSINGS = 64 * MOST


#: A relation that has changed with another at this many events changes with it at all of them.
TURNS = 4

class Crossing(NamedTuple):
    """A relation became true or false, `alone` or with others. `left` and `right` are the rows of the event's
    two limits. A `brief` one has taken its change back at the same instant: a contact that throws a body back
    as soon as it touches."""

    time: float
    relation: int
    truth: bool
    left: int
    right: int
    alone: bool = True
    brief: bool = False


class EventWatch:
    """Notes on the events of a run of length `span`."""

    def __init__(self, log: Records, span: float, *, seeks_rest: bool = False) -> None:
        self._records = log
        self._span = span
        #: Whether low hops are looked at, whatever the patience; and whether the latest event has ended one.
        self.seeks_rest, self.low_hop = seeks_rest, False
        self._seen = 0
        self._times: dict[int, deque[float]] = {}
        self._numbers: dict[int, deque[int]] = {}
        self._crossings: dict[tuple[int, int], Crossing | None] = {}  # by event and relation, as once read
        self._gathered: set[int] = set()  # relations whose changes were put in order, and not looked at yet
        #: So many events may pass before the next look.
        self.patience = 1

    @property
    def is_due(self) -> bool:
        """Whether there have been as many events as there is patience, or something has hopped low."""
        late = len(self._records) >= self._seen + self.patience
        return late or self.low_hop or bool(self._gathered)

    def take_notes(self) -> list[int]:
        """Reads the records that are new; the relations that changed in them."""
        times, relations, numbers = self._records.fired(self._seen)
        found: list[int] = []
        if len(relations):
            alone = int(relations[0])
            if alone == relations[-1] and (relations == alone).all():
                found = [alone]
                self._note(alone, times, numbers)
            else:
                found = np.bincount(relations).nonzero()[0].tolist()
                for relation in found:
                    chosen = (relations == relation).nonzero()[0][-MOST:]
                    self._note(relation, times[chosen], numbers[chosen])
        self._seen = len(self._records)
        if self._gathered:
            found = sorted({*found, *self._gathered})
            self._gathered.clear()
        return found

    def _note(self, relation: int, times: NDArray[np.float64], numbers: NDArray[np.int64]) -> None:
        """New changes of one relation: the latest of them are kept."""
        if relation not in self._times:
            self._times[relation], self._numbers[relation] = deque(maxlen=MOST), deque(maxlen=MOST)
        self._times[relation].extend(times[-MOST:].tolist())
        self._numbers[relation].extend(numbers[-MOST:].tolist())

    def skip(self) -> None:
        """What has been written down by now is no news."""
        self._seen = len(self._records)

    def forget(self, relation: int) -> None:
        """From here on a relation begins anew."""
        self._times.pop(relation, None)
        self._numbers.pop(relation, None)

    def gather(self, relations: Iterable[int], since: int) -> None:
        """Many impacts of one instant, in the records from the one numbered `since` on, count as one: of each
        relation its last two changes are kept. They are no news yet."""
        self.take_notes()
        for relation in relations:
            times, numbers = self._times.get(relation), self._numbers.get(relation)
            if times is None or numbers is None:
                continue
            late = sum(number >= since for number in numbers)
            ends = [(times.pop(), numbers.pop()) for _ in range(late)][:2]
            for time, number in reversed(ends):
                times.append(time)
                numbers.append(number)
            self._gathered.add(relation)

    def have_patience(self, *, much: bool, jumps: bool = True) -> None:
        """The next look is at the next event, or later and later; where no state jumps, even after a part of
        all events that have been."""
        count = len(self._records)
        most = MOST_PATIENCE if jumps else max(MOST_PATIENCE, count // CALM)
        self.patience = min(2 * self.patience, most) if much and count > CURIOUS else 1

    def stored(self) -> dict[str, Any]:
        """The notes as plain data, for `load`."""
        notes = [[k, list(times), list(self._numbers[k])] for k, times in self._times.items()]
        return {"seen": self._seen, "patience": self.patience, "notes": notes}

    def load(self, stored: Mapping[str, Any]) -> None:
        """Continues with notes that were stored."""
        self._seen, self.patience = stored["seen"], stored["patience"]
        for k, times, numbers in stored["notes"]:
            self._times[k], self._numbers[k] = deque(times, maxlen=MOST), deque(numbers, maxlen=MOST)

    # ------------------------------------------------------------ what can be seen

    def is_fast(self, relation: int, flips: int = FLIPS) -> bool:
        """Whether a relation may be chattering, by the latest of its changes."""
        return is_fast(self._times.get(relation, ()), self._span, flips)

    def is_crowded(self, relation: int) -> bool:
        """Whether a relation changes so often that it may do so because of errors of the integration."""
        times = self._times.get(relation)
        if times is None or len(times) < CROWD:
            return False
        return times[-1] - times[-CROWD] <= CROWD_SPAN * self._span

    def interval(self, relation: int) -> float:
        """The mean time between the latest changes of a fast relation."""
        return mean_interval(self._times[relation])

    def shrinks(self, relation: int) -> bool:
        """Whether the intervals between changes in the same direction become shorter."""
        times = self._times.get(relation)
        if times is None or len(times) < 8:
            return False
        shortest = min(times[-1] - times[-3], times[-2] - times[-4])
        if times[2] - times[0] < 2.0 * shortest:
            return False  # as it is with most relations
        for back in (1, 2):
            if len(times) >= 7 + back:
                latest = [times[-back - 6], times[-back - 4], times[-back - 2], times[-back]]
                if zeno.shrinks(times[2] - times[0], latest):
                    return True
        return False

    def is_shorter(self, relation: int) -> bool:
        """Whether the last interval in one direction is shorter than the one before it: the first sign."""
        times = self._times.get(relation)
        if times is None or len(times) < 5:
            return False
        return times[-1] - times[-3] < SHORTER * (times[-3] - times[-5])

    def lately(self, relation: int, count: int) -> tuple[Crossing, list[float]] | None:
        """The latest change of a relation, and the times of at most so many in its direction, up to that one.
        One record is read for that."""
        numbers, times = self._numbers.get(relation), self._times.get(relation)
        latest = self._crossing(numbers[-1], relation) if numbers else None
        if latest is None or times is None:
            return None
        step = 1 if latest.brief else 2
        return latest, list(islice(reversed(times), 0, step * count, step))[::-1]

    def series(self, relation: int, back: int) -> list[Crossing]:
        """Every second change of a relation, up to its latest one (`back` 0) or the one before it (1); those
        that were taken back at once are all in one direction."""
        numbers = list(islice(reversed(self._numbers.get(relation, ())), back, None))
        latest = self._crossing(numbers[0], relation) if numbers else None
        if latest is None or not latest.brief:
            numbers = numbers[::2]
        known = [c for n in reversed(numbers) if (c := self._crossing(n, relation)) is not None]
        return [c for c in known if c.truth == known[-1].truth]

    def turning(self, relation: int) -> dict[int, bool]:
        """The relations that have changed at each of the latest events of a relation, and have the same truth
        as that one after each of them, or the other one after each."""
        found: dict[int, bool] | None = None
        for number in list(self._numbers.get(relation, ()))[-TURNS:]:
            after = _truths_after(self._records[number])
            own = after.pop(relation, None)
            if own is None:
                return {}
            now = {k: truth == own for k, truth in after.items()}
            found = now if found is None else {k: same for k, same in found.items() if now.get(k) == same}
        return found or {}

    def _crossing(self, number: int, relation: int) -> Crossing | None:
        """What became of a relation at an event. It is read once: where intervals shrink for long without an
        end in sight, as those of a swept frequency do, a series is looked at after each of its events."""
        key = number, relation
        if key not in self._crossings:
            if len(self._crossings) >= _MOST_CROSSINGS:
                self._crossings.clear()
            self._crossings[key] = crossing(self._records[number], relation)
        return self._crossings[key]

    def since(self, time: float) -> list[int]:
        """The relations that have changed after a time."""
        return sorted(k for k, times in self._times.items() if times[-1] > time)


def _truths_after(record: EventRecord) -> dict[int, float]:
    """The truths of the relations that an event has changed."""
    before: dict[int, float] = {}
    after: dict[int, float] = {}
    for what, index, old, new in (row for rows in record.rounds for row in rows.tolist()):
        if what == TRUTH:
            before.setdefault(int(index), old)
            after[int(index)] = new
    return {k: truth for k, truth in after.items() if truth != before[k]}


def crossing(record: EventRecord, relation: int) -> Crossing | None:
    """What became of a relation at an event; None if nothing did."""
    changes = [row for rows in record.rounds for row in rows.tolist() if row[0] == TRUTH]
    truths: Sequence[tuple[float, float]] = [
        (old, new) for _, index, old, new in changes if index == relation
    ]
    if not truths:
        return None
    brief = truths[0][0] == truths[-1][1]
    truth = truths[0][1] if brief else truths[-1][1]
    alone = len(truths) == len(changes)
    return Crossing(record.time, relation, bool(truth), record.left, record.right, alone, brief)

"""What the event loop records about events, raw and cheap, decoded on access.

Most events are written by the native driver, as numbers in a log (the format is in `saltus.emit.driver`); the
start of the run, and events handled in Python, are records from the beginning."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from saltus.ir.native.drive import DISCRETE, LOG_GROUP, RESIDUE, TRUTH

#: Sections of the memory that are traced from round to round.
TRACE_SECTIONS = ("relations", "residues", "discretes")

INITIAL = "initial"
STATE = "state"
TIME = "time"
TERMINAL = "terminal"
LEAP = "leap"  # of a loop to another solution: the one that was followed ends
STATES = "states"  # chosen again: the equations stay as they were
SLIDES = "sliding"  # along the surfaces of the relations that fired, from here on
RESTS = "resting"  # on them, held by a reaction
LEAVES = "leaving"  # them
ZENO = "zeno"  # the point where events accumulate

#: Entries without rounds: the run continues with another program, or at another position.
TURNS = frozenset({STATES, SLIDES, RESTS, LEAVES, ZENO})

#: Entries of the log that are no leaps of the model.
BOOKKEEPING = frozenset({INITIAL, TERMINAL}) | TURNS

#: One round: rows of (what, index, old value, new value), as in the log (`saltus.ir.native.drive`). For
#: relations that fired, and for those whose truth has changed, there is a row of their truth and one of their
#: residue; for discrete variables that have changed, one. The event at the start has a first round with the
#: residues and signs of all relations as they are then.
Round: TypeAlias = NDArray[np.float64]

#: Times of events, relations that started them, and the numbers of the events.
Fired: TypeAlias = tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]


class EventRecord(NamedTuple):
    """One event. `left` and `right` are the row numbers of its two limits. Where states are chosen again
    there are no rounds; the limits are rows of two different choices."""

    time: float
    kind: str
    fired: tuple[int, ...]  # relations whose crossing started it
    clocks: tuple[int, ...]  # clocks that ticked
    left: int
    right: int
    rounds: tuple[Round, ...]
    impulses: tuple[tuple[str, float], ...] = ()  # integrals of variables over the instant
    ended: tuple[str, ...] = ()  # variables of the loop whose solution ends here


class Records(Sequence[EventRecord]):
    """All events of a run, in order."""

    def __init__(self) -> None:
        self._parts: list[LogPiece | EventRecord] = []
        self._firsts: list[int] = []  # number of the first event of each part
        self._count = 0

    def append(self, record: EventRecord) -> None:
        """One more event."""
        self._parts.append(record)
        self._firsts.append(self._count)
        self._count += 1

    def append_log(self, log: NDArray[np.float64], places: NDArray[np.int64], offset: int) -> None:
        """The events of a log, which begin at these places; `offset` is to be added to the numbers of
        rows."""
        self._parts.append(LogPiece(log, places, offset))
        self._firsts.append(self._count)
        self._count += len(places)

    def forget(self, rows: int) -> None:
        """Takes back events whose right limits are not among the first rows of the run."""
        while self._parts:
            last = self._parts[-1]
            rights = np.array([last.right]) if isinstance(last, EventRecord) else last.rights
            kept = int(np.count_nonzero(rights < rows))
            self._count -= len(rights) - kept
            if kept:
                if isinstance(last, LogPiece):
                    self._parts[-1] = last._replace(places=last.places[:kept])
                return
            del self._parts[-1], self._firsts[-1]

    @property
    def parts(self) -> Sequence[LogPiece | EventRecord]:
        """The pieces as they were appended, for `saltus.result.log.columns`."""
        return self._parts

    def stored(self) -> dict[str, NDArray[np.float64]]:
        """All events as rows of numbers, for `load`. The names of variables that had impulses, or whose
        solution ended, are an array of their own, of the bytes of a text; events have their numbers."""
        sizes, pieces = [], []
        names: dict[str, int] = {}
        for part in self._parts:
            if isinstance(part, EventRecord):
                numbers = _numbers(part, names)
                sizes.append((len(numbers), 0, 0))
                pieces.append(np.array(numbers))
            else:
                sizes.append((len(part.log), len(part.places), part.offset))
                pieces += [part.log, part.places.astype(np.float64)]
        return {
            "event_parts": np.array(sizes, dtype=np.float64).reshape(-1, 3),
            "event_numbers": np.concatenate([np.zeros(0), *pieces]),
            "event_names": np.frombuffer(_SEPARATOR.join(names).encode(), np.uint8).astype(np.float64),
        }

    def load(self, arrays: Mapping[str, NDArray[np.float64]]) -> None:
        """Adds the events that were `stored`."""
        at = 0
        numbers = arrays["event_numbers"]
        names = arrays["event_names"].astype(np.uint8).tobytes().decode().split(_SEPARATOR)
        for size, count, offset in arrays["event_parts"].astype(np.int64).tolist():
            found, places = numbers[at : at + size], numbers[at + size : at + size + count]
            at += size + count
            if count:
                self.append_log(found, places.astype(np.int64), offset)
            else:
                self.append(_record(found, names))

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> EventRecord: ...
    @overload
    def __getitem__(self, index: slice) -> list[EventRecord]: ...
    def __getitem__(self, index: int | slice) -> EventRecord | list[EventRecord]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(self._count))]
        if index < 0:
            index += self._count
        if not 0 <= index < self._count:
            raise IndexError(index)
        part = bisect_right(self._firsts, index) - 1
        found = self._parts[part]
        return found if isinstance(found, EventRecord) else found.record(index - self._firsts[part])

    def __iter__(self) -> Iterator[EventRecord]:
        for part in self._parts:
            if isinstance(part, EventRecord):
                yield part
            else:
                yield from map(part.record, range(len(part.places)))

    def times(self, since: int = 0) -> NDArray[np.float64]:
        """The times of the events from the one numbered `since` on."""
        first = max(bisect_right(self._firsts, since) - 1, 0)
        found = [
            np.array([part.time]) if isinstance(part, EventRecord) else part.log[part.places + 1]
            for part in self._parts[first:]
        ]
        if not found:
            return np.zeros(0)
        return np.concatenate(found)[since - self._firsts[first] :]

    def limits(self, since: int) -> NDArray[np.int64]:
        """The numbers of the rows of both limits of the events from the one numbered `since` on."""
        first = max(bisect_right(self._firsts, since) - 1, 0)
        lefts, rights = [_NOTHING], [_NOTHING]
        for number, part in zip(self._firsts[first:], self._parts[first:], strict=True):
            skipped = max(since - number, 0)
            if isinstance(part, LogPiece):
                rights.append(part.rights[skipped:])
                lefts.append(rights[-1] - 1)
            elif not skipped:
                lefts.append(np.array([part.left]))
                rights.append(np.array([part.right]))
        return np.concatenate([*lefts, *rights])

    def renumber(self, rows: NDArray[np.intp]) -> None:
        """The run is over, and of its rows only those with these numbers, in order, are left."""
        for k, part in enumerate(self._parts):
            if isinstance(part, LogPiece):
                part.log[part.places + 3] = np.searchsorted(rows, part.rights - 1)
                self._parts[k] = part._replace(offset=0)
            else:
                left, right = np.searchsorted(rows, (part.left, part.right)).tolist()
                self._parts[k] = part._replace(left=left, right=right)

    def time(self, number: int) -> float:
        """The time of one event."""
        part = bisect_right(self._firsts, number) - 1
        found = self._parts[part]
        if isinstance(found, EventRecord):
            return found.time
        return float(found.log[found.places[number - self._firsts[part]] + 1])

    def fired(self, since: int = 0) -> Fired:
        """The relations that started events, from the event numbered `since` on: times, relations, and
        numbers of the events, in their order. Of leaps of the model only."""
        first = max(bisect_right(self._firsts, since) - 1, 0)
        if first == len(self._parts) - 1 and isinstance(last := self._parts[first], LogPiece):
            return last.fired(self._firsts[first], since)
        times, relations, numbers = [_NO_NUMBERS], [_NOTHING], [_NOTHING]
        for number, part in zip(self._firsts[first:], self._parts[first:], strict=True):
            if isinstance(part, EventRecord):
                if part.kind not in BOOKKEEPING and number >= since:
                    times.append(np.full(len(part.fired), part.time))
                    relations.append(np.array(part.fired, dtype=np.int64))
                    numbers.append(np.full(len(part.fired), number))
                continue
            found = part.fired(number, since)
            times.append(found[0])
            relations.append(found[1])
            numbers.append(found[2])
        return np.concatenate(times), np.concatenate(relations), np.concatenate(numbers)


def by_python(records: Sequence[EventRecord]) -> Iterator[tuple[int, EventRecord]]:
    """The events that Python has done, with their numbers: the driver's log need not be decoded for that."""
    count = 0
    for part in records.parts if isinstance(records, Records) else records:
        if isinstance(part, EventRecord):
            yield count, part
        count += 1 if isinstance(part, EventRecord) else len(part.places)


_NO_NUMBERS = np.zeros(0)
_NOTHING = np.zeros(0, dtype=np.int64)


class LogPiece(NamedTuple):
    """A piece of the driver's log: events begin at `places`, `offset` is added to their numbers of rows."""

    log: NDArray[np.float64]
    places: NDArray[np.int64]
    offset: int

    @property
    def rights(self) -> NDArray[np.int64]:
        """The numbers of the rows of right limits."""
        return self.log[self.places + 3].astype(np.int64) + (self.offset + 1)

    def fired(self, first: int, since: int) -> Fired:
        """`Records.fired` for the events of this piece, the first of which has the given number."""
        skipped = max(since - first, 0)
        places = self.places[skipped:]
        counts = self.log[places + 4]
        if len(counts) and counts.max() > 1.0:
            many = counts.astype(np.int64)
            who = np.repeat(np.arange(len(places)), many)
            nth = np.arange(len(who)) - np.repeat(np.cumsum(many) - many, many)
            chosen = places[who]
            return self.log[chosen + 1], self.log[chosen + 5 + nth].astype(np.int64), who + (first + skipped)
        who = counts.nonzero()[0]  # the usual case: one relation, or only time
        chosen = places[who]
        return self.log[chosen + 1], self.log[chosen + 5].astype(np.int64), who + (first + skipped)

    def record(self, number: int) -> EventRecord:
        start = int(self.places[number])
        numbers = self.log[start : start + int(self.log[start])]
        plain = numbers.tolist()  # many times faster to read one by one
        row = int(plain[3]) + self.offset
        fired, at = _whole_numbers(plain, 4)
        clocks, at = _whole_numbers(plain, at)
        kind = STATE if plain[2] else TIME
        return EventRecord(plain[1], kind, fired, clocks, row, row + 1, _rounds(numbers, plain, at)[0])


def _whole_numbers(numbers: Sequence[float], at: int) -> tuple[tuple[int, ...], int]:
    """A list of whole numbers that begins with its length; and the place after it."""
    past = at + 1 + int(numbers[at])
    return tuple(map(int, numbers[at + 1 : past])), past


_KINDS = (INITIAL, STATE, TIME, TERMINAL, *sorted(TURNS), LEAP)


#: Between names that are stored; no name has it.
_SEPARATOR = "\0"


def _numbers(record: EventRecord, names: dict[str, int]) -> list[float]:
    """A record as numbers; lists begin with their lengths. Names get numbers in the order of appearance."""
    found = [record.time, _KINDS.index(record.kind), record.left, record.right]
    found += [len(record.fired), *record.fired, len(record.clocks), *record.clocks, len(record.rounds)]
    for rows in record.rounds:
        found += [len(rows), *rows.ravel().tolist()]
    found.append(len(record.impulses))
    for name, weight in record.impulses:
        found += [names.setdefault(name, len(names)), weight]
    found += [len(record.ended), *(names.setdefault(name, len(names)) for name in record.ended)]
    return [float(x) for x in found]


def _record(numbers: NDArray[np.float64], names: Sequence[str]) -> EventRecord:
    """The record with these numbers."""
    plain = numbers.tolist()
    time, kind, left, right = plain[:4]
    fired, at = _whole_numbers(plain, 4)
    clocks, at = _whole_numbers(plain, at)
    rounds, at = _rounds(numbers, plain, at)
    count, at = int(plain[at]), at + 1
    impulses = tuple((names[int(plain[k])], plain[k + 1]) for k in range(at, at + 2 * count, 2))
    ended = tuple(names[k] for k in _whole_numbers(plain, at + 2 * count)[0])
    kind = _KINDS[int(kind)]
    return EventRecord(time, kind, fired, clocks, int(left), int(right), rounds, impulses, ended)


def _rounds(numbers: NDArray[np.float64], plain: Sequence[float], at: int) -> tuple[tuple[Round, ...], int]:
    """Rounds, their number before them; and the place after them. The `plain` numbers are the same ones."""
    rounds = []
    count, at = int(plain[at]), at + 1
    for _ in range(count):
        past = at + 1 + LOG_GROUP * int(plain[at])
        rounds.append(numbers[at + 1 : past].reshape(-1, LOG_GROUP))
        at = past
    return tuple(rounds), at


def traced_round(
    before: NDArray[np.float64], after: NDArray[np.float64], relations: int, fired: Sequence[int] = ()
) -> Round:
    """What differs between two traces: truths of relations, their residues, discrete variables, one after the
    other. Relations that `fired` are included in any case."""
    differing: list[int] = (before != after).nonzero()[0].tolist()
    changed = {k for k in differing if k < relations}.union(fired)
    rows = []
    for k in sorted(changed):
        rows.append((TRUTH, k, before[k], after[k]))
        rows.append((RESIDUE, k, before[relations + k], after[relations + k]))
    for k in differing:
        if k >= 2 * relations:
            rows.append((DISCRETE, k - 2 * relations, before[k], after[k]))
    return np.array(rows, dtype=np.float64).reshape(-1, LOG_GROUP)

"""Notes on events: what may be chattering, what may accumulate, and how often somebody looks."""

from __future__ import annotations

import numpy as np
import pytest

from saltus.ir.native.drive import TRUTH
from saltus.result.log import records
from saltus.result.log.records import EventRecord, Records
from saltus.run.surfaces.chatter import FLIPS, frequency, is_fast
from saltus.run.surfaces.event_notes import CURIOUS, MOST_PATIENCE, EventWatch, crossing


def log(*changes: tuple[float, int, bool]) -> Records:
    """Records of events at which relations become true or false."""
    found = Records()
    for n, (time, relation, truth) in enumerate(changes):
        rows = np.array([[TRUTH, relation, not truth, truth]], dtype=float)
        found.append(EventRecord(time, records.STATE, (relation,), (), 2 * n, 2 * n + 1, (rows,)))
    return found


def raw_log(changes: list[tuple[float, tuple[int, ...]]]) -> tuple[np.ndarray, np.ndarray]:
    """The same as the driver writes it: length, time, kind, row; who fired; clocks; rounds."""
    numbers: list[float] = []
    places = []
    for n, (time, fired) in enumerate(changes):
        places.append(len(numbers))
        rows = [x for k in fired for x in (TRUTH, k, 0.0, 1.0)]
        entry = [time, 1.0, 2.0 * n, len(fired), *fired, 0, 1, len(fired), *rows]
        numbers += [len(entry) + 1, *entry]
    return np.array(numbers, dtype=float), np.array(places, dtype=np.int64)


def fired(found: Records, since: int = 0) -> list[tuple[float, int, int]]:
    columns = (column.tolist() for column in found.fired(since))
    return list(zip(*columns, strict=True))


def test_relations_are_read_from_records_and_from_the_log_of_the_driver() -> None:
    found = log((0.5, 3, True))
    changes: list[tuple[float, tuple[int, ...]]] = [(1.0, (2,)), (1.5, ()), (2.0, (0, 4)), (3.0, (1,))]
    found.append_log(*raw_log(changes), 10)
    assert found[3].fired == (0, 4) and found[3].time == 2.0  # the log is written as it is read
    expected = [(0.5, 3, 0), (1.0, 2, 1), (2.0, 0, 3), (2.0, 4, 3), (3.0, 1, 4)]
    assert fired(found) == expected
    for since in range(6):
        assert fired(found, since) == [e for e in expected if e[2] >= since]


def test_bookkeeping_is_no_event() -> None:
    found = Records()
    found.append(EventRecord(1.0, records.SLIDES, (2,), (), 0, 1, ()))
    found.append(EventRecord(1.0, records.INITIAL, (2,), (), 0, 1, ()))
    assert fired(found) == []


def test_a_change_that_is_taken_back_in_the_same_event_is_brief() -> None:
    there = np.array([[TRUTH, 1, 0.0, 1.0]])
    back = np.array([[TRUTH, 1, 1.0, 0.0]])
    record = EventRecord(1.0, records.STATE, (1,), (), 0, 1, (there, back))
    brief, plain = crossing(record, 1), crossing(record._replace(rounds=(there,)), 1)
    assert brief is not None and brief.brief and brief.truth
    assert plain is not None and not plain.brief and plain.truth
    assert crossing(record, 2) is None


def test_series_are_of_one_direction() -> None:
    watch = EventWatch(log(*((float(n), 0, n % 2 == 0) for n in range(9))), 10.0)
    watch.take_notes()
    assert [c.time for c in watch.series(0, 0)] == [0.0, 2.0, 4.0, 6.0, 8.0]
    assert [c.time for c in watch.series(0, 1)] == [1.0, 3.0, 5.0, 7.0]
    assert all(c.truth for c in watch.series(0, 0)) and not any(c.truth for c in watch.series(0, 1))
    assert watch.series(1, 0) == []
    assert watch.since(7.5) == [0] and watch.since(8.0) == []
    watch.forget(0)
    assert watch.series(0, 0) == []


def test_records_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A series may be looked at after each of its events: all of it was read anew, in a time that grows with
    the square of their number."""
    found = log(*((float(n), 0, n % 2 == 0) for n in range(9)))
    watch, read = EventWatch(found, 10.0), []
    reading = Records.__getitem__
    monkeypatch.setattr(Records, "__getitem__", lambda self, n: (read.append(n), reading(self, n))[1])
    watch.take_notes()
    first = watch.series(0, 0)
    assert sorted(read) == [0, 2, 4, 6, 8]
    found.append(found[8]._replace(time=9.0, left=18, right=19))
    watch.take_notes()
    assert watch.series(0, 1) == first
    assert sorted(set(read)) == [0, 2, 4, 6, 8] and read.count(0) == 1


def test_shrinking_intervals_are_seen_and_steady_ones_are_not() -> None:
    bounces = [(1 - 0.5**n, 0, True) for n in range(8)]
    both = sorted([*bounces, *((t + 1e-6, k, False) for t, k, _ in bounces)])
    watch = EventWatch(log(*both, *((10.0 + n, 1, n % 2 == 0) for n in range(20))), 100.0)
    watch.take_notes()
    assert watch.shrinks(0) and watch.is_shorter(0)
    assert not watch.shrinks(1) and not watch.is_shorter(1)


def test_patience_grows_until_something_is_seen() -> None:
    found = log(*((float(n), 0, n % 2 == 0) for n in range(CURIOUS + 1)))
    watch = EventWatch(found, 10.0)
    watch.take_notes()
    grown = []
    for _ in range(8):
        watch.have_patience(much=True)
        grown.append(watch.patience)
    assert grown == [2, 4, 8, 16, 32, 64, MOST_PATIENCE, MOST_PATIENCE]
    assert not watch.is_due
    watch.have_patience(much=False)
    assert watch.patience == 1
    found.append(found[0])
    assert watch.is_due


def test_the_first_events_are_all_looked_at() -> None:
    watch = EventWatch(log((1.0, 0, True)), 10.0)
    watch.have_patience(much=True)
    assert watch.patience == 1


def test_fast_is_a_hundred_thousandth_of_the_run() -> None:
    # 10 kHz for 50 ms: the half-period is a thousandth of the run.
    assert not is_fast(np.arange(0, 0.05, 5e-5).tolist(), 0.05)
    assert is_fast((1 + 1e-9 * np.arange(FLIPS)).tolist(), 1.0)
    assert not is_fast((1 + 1e-9 * np.arange(FLIPS - 1)).tolist(), 1.0)


@pytest.mark.parametrize(
    ("interval", "text"),
    [(1e-10, "5 GHz"), (1e-6, "500 kHz"), (2.5e-7, "2 MHz"), (0.5, "1 Hz"), (0.0, "any")],
)
def test_frequencies_in_words(interval: float, text: str) -> None:
    assert frequency(interval).startswith(text)

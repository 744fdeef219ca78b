"""The table of events: counts in closed form, choosing, and columns against records decoded one by one.

The ball bounces n times until t if n impacts lie before it: the first at sqrt(2 h/g), then one after each
flight of 2 v_k/g with v_k = c^k sqrt(2 g h). The sawtooth rises with slope 1 and falls with slope -1 between
0 and 1: it begins at 0.5, so it reaches 1 at 0.5, 2.5, ... and 0 at 1.5, 3.5, ...
"""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

import saltus
from saltus.core.diagnostics import UsageError
from saltus.ir.native.drive import DISCRETE, TRUTH
from saltus.result.log.columns import columns_of
from saltus.result.log.records import INITIAL, STATE, EventRecord, Records
from saltus.result.result import Result

BALL = """model Ball
  parameter Real c = 0.8, g = 9.81;
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -g;
  when h <= 0 then
    reinit(v, -c*pre(v));
    n = pre(n) + 1;
  end when;
end Ball;
"""

SAWTOOTH = """model Sawtooth
  Real x(start = 0.5, fixed = true), held(start = 0, fixed = true);
  Boolean up(start = true, fixed = true), late = time >= 7.25;
  Integer ticks(start = 0, fixed = true);
equation
  der(x) = if up then 1 else -1;
  der(held) = 1;
  when x > 1 then
    up = false;
  elsewhen x < 0 then
    up = true;
  end when;
  when sample(0, 0.25) then
    ticks = pre(ticks) + 1;
    reinit(held, 0);
  end when;
end Sawtooth;
"""


def impacts(stop: float, c: float = 0.8, g: float = 9.81) -> list[float]:
    t, v, found = math.sqrt(2 / g), math.sqrt(2 * g), []
    while t <= stop:
        found.append(t)
        v *= c
        t += 2 * v / g
    return found


@pytest.fixture(scope="module")
def ball() -> Result:
    return saltus.load(BALL).simulate(stop_time=3.0, tolerance=1e-9)


@pytest.fixture(scope="module")
def sawtooth() -> Result:
    return saltus.load(SAWTOOTH).simulate(stop_time=10.0, tolerance=1e-9)


def test_bounces_are_counted(ball: Result) -> None:
    expected = impacts(3.0)
    assert int(ball["n"][-1]) == len(expected) > 4
    # Each impact: the height falls through zero, and leaves it again.
    assert ball.events.counts() == {"h <= 0": 2 * len(expected)}
    (activity,) = ball.events.activity()
    assert activity.first == pytest.approx(expected[0], abs=1e-7) and activity.followed == 0
    np.testing.assert_allclose(ball.events.of("v").times, expected, atol=1e-7)
    np.testing.assert_array_equal(ball.events.of("n").times, ball.events.of("v").times)


def test_ticks_and_crossings_of_the_sawtooth(sawtooth: Result) -> None:
    # x passes 1 at 0.5, 2.5, ..., 8.5 and 0 at 1.5, ..., 9.5; each time it turns back at once.
    expected = {"sample(0, 0.25)": 41, "x > 1": 10, "x < 0": 10, "time >= 7.25": 1}
    assert sawtooth.events.counts() == expected
    (ticks,) = sawtooth.events.ticks()
    assert (ticks.fired, ticks.first, ticks.last) == (41, 0.0, 10.0)
    by_text = dict(zip(sawtooth.events.words.texts, sawtooth.events.activity(), strict=True))
    late = by_text["time >= 7.25"]
    assert (late.fired, late.first, late.last, late.followed) == (1, 7.25, 7.25, 0)
    np.testing.assert_allclose(
        [by_text["x > 1"].first or 0, by_text["x < 0"].first or 0], [0.5, 1.5], atol=1e-7
    )


def test_a_relation_that_changes_with_the_events_of_others() -> None:
    """x = exp(-s) since the last tick falls below one half at s = log(2); the next tick lifts it again."""
    result = saltus.load(
        "model Lifted Real x(start = 1, fixed = true); Boolean low = x < 0.5; equation der(x) = -x;"
        " when sample(1, 1) then reinit(x, 1); end when; end Lifted;"
    ).simulate(stop_time=4.5, tolerance=1e-10)
    (low,) = result.events.activity()
    assert (low.fired, low.followed) == (4, 4)
    assert low.first == pytest.approx(math.log(2), abs=1e-8)
    assert low.last == pytest.approx(3 + math.log(2), abs=1e-8)
    fired = [e for e in result.events.of("x < 0.5") if e.kind == "state"]
    assert len(result.events.of("x < 0.5")) == 8 and len(fired) == 4


def test_choosing_by_time_and_by_name(sawtooth: Result) -> None:
    between = sawtooth.events.between(2.0, 3.0)
    assert between.counts()["sample(0, 0.25)"] == 5 and between.counts()["x > 1"] == 2
    assert between.totals().events == len(between) and all(2.0 <= e.time <= 3.0 for e in between)
    crossings = sawtooth.events.of("x>1")  # blanks do not matter
    np.testing.assert_allclose(np.unique(np.round(crossings.times, 6)), [0.5, 2.5, 4.5, 6.5, 8.5])
    np.testing.assert_allclose(sawtooth.events.of("sample(0, 0.25)").times, np.arange(41) * 0.25)
    # At the start `held` is zero already, so nothing is reinitialised there.
    np.testing.assert_allclose(sawtooth.events.of("held").times, np.arange(1, 41) * 0.25)
    assert len(sawtooth.events.of("up").between(0.0, 3.0)) == 3  # at 0.5, 1.5 and 2.5
    assert len(crossings[:4]) == 4 and crossings[:4][1].time == crossings[1].time == crossings.times[1]


def test_an_alias_has_the_events_of_its_variable() -> None:
    text = "model M Boolean a = time > 0.5, b = a, c = not b; Real x = if c then 1 else 2; end M;"
    events = saltus.load(text).simulate().events
    for name in "abc":
        assert events.of(name).times.tolist() == [0.5]


def test_what_makes_no_events_is_refused_with_what_is_near(sawtooth: Result) -> None:
    with pytest.raises(UsageError) as error:
        sawtooth.events.of("x > 2")
    (diagnostic,) = error.value.diagnostics
    assert diagnostic.code == "E502" and "`x > 1`" in (diagnostic.hint or "")


def test_the_rows_of_the_table(ball: Result) -> None:
    rows = ball.events.table()
    assert len(rows) == len(ball.events)
    assert rows[0]["kind"] == "initial" and rows[0]["source"] == []
    hit = rows[1]
    assert hit["time"] == pytest.approx(math.sqrt(2 / 9.81), abs=1e-7)
    assert hit["kind"] == "state" and hit["causes"] == ["h <= 0 became true"]
    assert hit["relations"] == ["h <= 0"] and len(hit["before"]) == len(hit["after"]) == 1
    assert abs(hit["before"][0]) < 1e-9 and abs(hit["after"][0]) < 1e-9
    assert hit["changed"] == {"n": 1} and hit["rounds"] == 2 and hit["source"] == ["<text>:8"]
    assert hit["reinitialised"]["v"] == pytest.approx(0.8 * math.sqrt(2 * 9.81), abs=1e-6)


def test_a_data_frame(sawtooth: Result) -> None:
    pandas = pytest.importorskip("pandas")
    frame = sawtooth.events.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and len(frame) == len(sawtooth.events)
    np.testing.assert_array_equal(frame["time"], sawtooth.events.times)
    assert (frame["kind"] == "time").sum() == sum(e.kind == "time" for e in sawtooth.events)


def test_without_pandas_the_message_says_so(ball: Result, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    with pytest.raises(UsageError) as error:
        ball.events.to_pandas()
    assert "pandas is not installed" in str(error.value)


# ---------------------------------------------------------------- columns


def by_record(records: list[EventRecord]) -> tuple[Counter[int], Counter[int], Counter[int], int]:
    """Relations that fired, clocks, relations that changed in events of others, rounds: event by event."""
    fired: Counter[int] = Counter()
    ticks: Counter[int] = Counter()
    followed: Counter[int] = Counter()
    rounds = 0
    for r in records:
        fired.update(r.fired)
        ticks.update(r.clocks)
        own = r.rounds[1:] if r.kind == INITIAL else r.rounds
        rounds += len(own) if r.kind != INITIAL else 0
        flipped = {int(k) for rows in own for what, k, old, new in rows if what == TRUTH and old != new}
        followed.update(flipped - set(r.fired))
    return fired, ticks, followed, rounds


@pytest.mark.parametrize("name", ["ball", "sawtooth"])
def test_columns_say_what_the_records_say(name: str, request: pytest.FixtureRequest) -> None:
    result: Result = request.getfixturevalue(name)
    records = list(result.records)
    fired, ticks, followed, rounds = by_record(records)
    table = result.events
    assert [a.fired for a in table.activity()] == [fired[k] for k in range(len(table.relations))]
    assert [a.followed for a in table.activity()] == [followed[k] for k in range(len(table.relations))]
    assert [a.fired for a in table.ticks()] == [ticks[k] for k in range(len(table.ticks()))]
    assert table.totals().rounds == rounds
    # The same, whether the events come as pieces of the driver's log or as records.
    ours, theirs = table.columns, columns_of(records)
    for field in ("times", "kinds", "lefts", "rights", "rounds", "changes", "change_events", "change_rounds"):
        np.testing.assert_array_equal(getattr(ours, field), getattr(theirs, field), err_msg=field)


def test_records_and_pieces_of_the_log_keep_their_order() -> None:
    """Three events of the driver, around one that was done by hand."""
    # length, time, crossing, row | fired | clocks | rounds
    first = [10.0, 1.0, 1.0, 4.0, 1.0, 7.0, 0.0, 1.0, 0.0]
    second = [15.0, 2.0, 0.0, 6.0, 0.0, 2.0, 3.0, 5.0, 2.0, 0.0, 1.0, DISCRETE, 9.0, 0.0, 1.0]
    first[0], second[0] = len(first), len(second)
    records = Records()
    records.append_log(np.array(first + second), np.array([0, len(first)]), 100)
    by_hand = np.array([[TRUTH, 7.0, 1.0, 0.0]])
    records.append(EventRecord(3.0, STATE, (8,), (), 8, 9, (by_hand,)))
    records.append_log(np.array(first), np.array([0]), 200)
    columns = columns_of(records)
    assert columns.times.tolist() == [1.0, 2.0, 3.0, 1.0]
    assert columns.kinds.tolist() == ["state", "time", "state", "state"]
    assert columns.lefts.tolist() == [104, 106, 8, 204] and columns.rounds.tolist() == [1, 2, 1, 1]
    assert columns.fired.events.tolist() == [0, 2, 3] and columns.fired.items.tolist() == [7, 8, 7]
    assert columns.ticked.events.tolist() == [1, 1] and columns.ticked.items.tolist() == [3, 5]
    assert columns.changes.tolist() == [[DISCRETE, 9.0, 0.0, 1.0], [TRUTH, 7.0, 1.0, 0.0]]
    assert columns.change_events.tolist() == [1, 2] and columns.change_rounds.tolist() == [1, 0]
    assert columns.flips().of(7).tolist() == [2]


def test_no_events_at_all() -> None:
    columns = columns_of(Records())
    assert len(columns.times) == len(columns.changes) == len(columns.fired.events) == 0

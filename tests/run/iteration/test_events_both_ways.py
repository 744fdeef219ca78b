"""An event is done by the native driver or, where it is unusual, by Python: both do and write down the same.

Every event of a run is left to Python here, and the log is compared with the driver's own, number by number.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import saltus
from saltus.result.result import Result
from saltus.run import simulate
from saltus.run.engine.driver import Driver

MODELS = {
    "ball with a lamp and two clocks": """model Ball
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  Boolean lamp = v < -2, late = time >= 0.6;
  Integer n(start = 0, fixed = true), pictures(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h <= 0 then
    reinit(v, -0.8*pre(v));
    n = pre(n) + 1;
  end when;
  when {sample(0.3, 0.2), sample(0.3, 0.3)} then
    pictures = pre(pictures) + 1;
  end when;
end Ball;
""",
    "relays that switch each other": """model Relays
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
  Boolean a(start = true, fixed = true), b(start = false, fixed = true);
equation
  der(x) = if a then 1 else -1;
  der(y) = if b then 2 else -y;
  when x > 0.4 then
    a = false;
  elsewhen x < 0.1 then
    a = true;
  end when;
  when y > 0.3 then
    b = false;
  elsewhen {y < 0.1, a} then
    b = true;
  end when;
end Relays;
""",
    "steps and a next time": """model Steps
  Real s = floor(7*time), next(start = 0.25, fixed = true), w(start = 0, fixed = true);
equation
  der(w) = s;
  when time >= pre(next) then
    next = pre(next) + 0.5*pre(next);
  end when;
end Steps;
""",
}

#: At 1 s something is scheduled for that very instant, while a counter counts round by round.
SCHEDULES = """model Schedules
  Boolean go = time >= 1;
  Real next(start = 10, fixed = true), x(start = 0, fixed = true);
  Integer i(start = 0, fixed = true), k(start = -1, fixed = true);
equation
  der(x) = 1;
  when go then
    next = time;
  end when;
  i = if go and pre(i) < 6 then pre(i) + 1 else pre(i);
  when time >= pre(next) then
    k = pre(i);
  end when;
end Schedules;
"""


def run(text: str, **options: Any) -> Result:
    return saltus.load(text).simulate(stop_time=2.0, tolerance=1e-9, **options)


def by_hand(*arguments: Any, **options: Any) -> Driver:
    """A driver that leaves all events to Python."""
    return Driver(*arguments, **{**options, "by_hand": True})


@pytest.mark.parametrize("name", MODELS)
def test_both_ways_give_the_same_log(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    native = run(MODELS[name])
    monkeypatch.setattr(simulate, "Driver", by_hand)
    slow = run(MODELS[name])
    assert len(native.records) == len(slow.records) > 8
    for ours, theirs in zip(native.records, slow.records, strict=True):
        assert (ours.kind, ours.fired, ours.clocks) == (theirs.kind, theirs.fired, theirs.clocks)
        assert ours.time == pytest.approx(theirs.time, abs=1e-8)
        assert len(ours.rounds) == len(theirs.rounds)
        for a, b in zip(ours.rounds, theirs.rounds, strict=True):
            np.testing.assert_array_equal(a[:, :2], b[:, :2])
            np.testing.assert_allclose(a[:, 2:], b[:, 2:], atol=1e-7)
    # Columns are made of pieces of the log there and of records here.
    assert native.events.counts() == slow.events.counts()
    assert native.events.totals() == slow.events.totals()
    assert native.events.activity()[0].followed == slow.events.activity()[0].followed
    for variable in native.names:
        assert native[variable][-1] == pytest.approx(slow[variable][-1], abs=1e-7)


@pytest.mark.parametrize("driver", [Driver, by_hand])
def test_what_is_scheduled_for_now_happens_in_the_next_round(
    driver: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first round gives `next` the value 1. In the second one pre(next) is 1, so that `time >= pre(next)`
    holds, and pre(i) is 1."""
    monkeypatch.setattr(simulate, "Driver", driver)
    result = run(SCHEDULES)
    assert (result["k"][-1], result["i"][-1]) == (1, 6)
    assert len(result.records[1].rounds) == 7  # i = 1 to 6, and one that changes nothing

"""Time events that models schedule themselves: `time >= nextTime`, at the start, at the end, and all at once.

Such relations are scheduled, not root-found, so an event is at the very double that the model computed.
Truth: the same sums in Python's doubles, which are the same doubles.
"""

from __future__ import annotations

import heapq
import math

import numpy as np
import pytest
from event_runs import after, before, body, run, steps, times
from hypothesis import given, settings
from hypothesis import strategies as st
from truth_cases import every_case

RATES = (0.1, 0.07, 0.25, 0.3, 1 / 3, 0.011, 0.5, 0.123456789)


def ticks(period: float, stop: float, start: float | None = None) -> list[float]:
    """The sums that a model with this period computes."""
    found, t = [], period if start is None else start
    while t <= stop:
        found.append(t)
        t += period
    return found


@every_case
def test_many_rates_each_with_its_own_next_time(method: str, tolerance: float) -> None:
    n = len(RATES)
    whens = "\n".join(
        f"""when time >= pre(next[{k}]) then
          next[{k}] = pre(next[{k}]) + T[{k}]; n[{k}] = pre(n[{k}]) + 1;
        end when;"""
        for k in range(1, n + 1)
    )
    result = run(
        f"""model M
          parameter Real T[{n}] = {{{", ".join(map(repr, RATES))}}};
          discrete Real next[{n}](start = T, each fixed = true);
          Integer n[{n}](each start = 0, each fixed = true);
          Real x(start = 0, fixed = true);
        equation
          der(x) = cos(time);
          {whens}
        end M;""",
        stop_time=3,
        tolerance=tolerance,
        method=method,
    )
    for k, period in enumerate(RATES, 1):
        expected = ticks(period, 3)
        assert [t for t, _ in steps(result, f"n[{k}]")[1:]] == expected
    # Ticks that are the same double are one event, others are events of their own, however near.
    assert times(result) == sorted({t for period in RATES for t in ticks(period, 3)})


@settings(max_examples=30)
@given(st.lists(st.floats(0.01, 0.9), min_size=1, max_size=6))
def test_a_queue_of_arrivals(intervals: list[float]) -> None:
    """Intervals taken in turn from a table."""
    n = len(intervals)
    result = run(
        f"""model M
          parameter Real T[{n}] = {{{", ".join(map(repr, intervals))}}};
          discrete Real next(start = {intervals[0]!r}, fixed = true);
          Integer k(start = 0, fixed = true);
        equation
          when time >= pre(next) then
            k = pre(k) + 1;
            next = pre(next) + T[mod(k, {n}) + 1];
          end when;
        end M;""",
        stop_time=2,
    )
    expected, t, k = [], intervals[0], 0
    while t <= 2:
        expected.append(t)
        k += 1
        t += intervals[k % n]
    assert times(result) == expected
    assert result["k"][-1] == len(expected)


def test_a_queue_with_a_server() -> None:
    """Arrivals every 0.3 s, service takes 0.4 s, eight places: Lindley's recursion by a heap of events."""
    result = body(
        """discrete Real arrival(start = 0.3, fixed = true), departure(start = 1e9, fixed = true);
        Integer waiting(start = 0, fixed = true), served(start = 0, fixed = true);
        Integer lost(start = 0, fixed = true);
        Boolean comes, goes;""",
        """comes = time >= pre(arrival); goes = time >= pre(departure);
        when {comes, goes} then
          arrival = if edge(comes) then pre(arrival) + 0.3 else pre(arrival);
          lost = pre(lost) + (if edge(comes) and not edge(goes) and pre(waiting) >= 8 then 1 else 0);
          waiting = pre(waiting) - (if edge(goes) then 1 else 0)
            + (if edge(comes) and (edge(goes) or pre(waiting) < 8) then 1 else 0);
          served = pre(served) + (if edge(goes) then 1 else 0);
          departure = if waiting == 0 then 1e9
            elseif edge(goes) then pre(departure) + 0.4
            elseif pre(waiting) == 0 then pre(arrival) + 0.4 else pre(departure);
        end when;""",
        stop_time=30,
    )
    queue, waiting, served, lost, seen = [(0.3, "comes")], 0, 0, 0, []
    while queue and queue[0][0] <= 30:
        now = queue[0][0]
        now_due = set()
        while queue and queue[0][0] == now:
            now_due.add(heapq.heappop(queue)[1])
        if "goes" in now_due:
            waiting, served = waiting - 1, served + 1
        empty = waiting == 0
        if "comes" in now_due:
            if waiting < 8:
                waiting += 1
            else:
                lost += 1
            heapq.heappush(queue, (now + 0.3, "comes"))
        if waiting and ("goes" in now_due or empty):
            heapq.heappush(queue, (now + 0.4, "goes"))
        seen.append(now)
    assert times(result) == seen
    assert [result[name][-1] for name in ("waiting", "served", "lost")] == [waiting, served, lost]
    assert lost > 5


# ---------------------------------------------------------------- the start and the end


def test_time_relations_that_are_due_at_the_start() -> None:
    result = body(
        """discrete Real next(start = 0, fixed = true); Integer n(start = 0, fixed = true);
        Integer weak(start = 0, fixed = true), strict(start = 0, fixed = true);
        Integer first(start = 0, fixed = true);""",
        """when time >= pre(next) then next = pre(next) + 0.25; n = pre(n) + 1; end when;
        when time >= 0 then weak = 1; end when;
        when time > 0 then strict = 1; end when;
        when {initial(), time >= 0} then first = pre(first) + 1; end when;""",
    )
    # `time >= 0` is true from the start on: it never becomes true. So the first next time, 0, is not met.
    assert (result["weak"][-1], result["strict"][-1], result["first"][-1]) == (0, 1, 1)
    assert result["n"][-1] == 0


def test_a_next_time_that_starts_at_the_start_needs_initial() -> None:
    result = body(
        "discrete Real next(start = 0, fixed = true); Integer n(start = 0, fixed = true);",
        "when {initial(), time >= pre(next)} then next = pre(next) + 0.25; n = pre(n) + 1; end when;",
    )
    assert result["n"][0] == 1 and result["n"][-1] == 5
    assert times(result) == [0.25, 0.5, 0.75, 1.0]


@every_case
@pytest.mark.parametrize("stop", [1.0, 0.7, 1 / 3, 1e-3, 1e3])
def test_everything_at_the_very_end(stop: float, method: str, tolerance: float) -> None:
    """A clock, a time relation, a state event by a reinit, and terminal(), all at the stop time."""
    result = run(
        f"""model M
          parameter Real stop = {stop!r};
          Real x(start = 1, fixed = true);
          Integer clock(start = 0, fixed = true), timed(start = 0, fixed = true);
          Integer chained(start = 0, fixed = true), last(start = 0, fixed = true);
          Integer beyond(start = 0, fixed = true);
        equation
          der(x) = 0;
          when sample(stop, stop) then clock = pre(clock) + 1; end when;
          when time >= stop then timed = pre(timed) + 1; reinit(x, -1); end when;
          when x < 0 then chained = pre(chained) + 1; end when;
          when terminal() then last = pre(last) + 1 + 10*clock + 100*timed + 1000*chained; end when;
          when time > {math.nextafter(stop, math.inf)!r} then beyond = 1; end when;
        end M;""",
        stop_time=stop,
        tolerance=tolerance,
        method=method,
    )
    values = {name: int(result[name][-1]) for name in ("clock", "timed", "chained", "last", "beyond")}
    assert values == {"clock": 1, "timed": 1, "chained": 1, "last": 1111, "beyond": 0}
    assert times(result) == [stop] and result.time[-1] == stop
    assert before(result, "x", stop) == 1 and after(result, "x", stop) == -1


def test_everything_at_the_very_start() -> None:
    result = body(
        """Real x(start = 1, fixed = true); Integer clock(start = 0, fixed = true);
        Integer begin(start = 0, fixed = true), chained(start = 0, fixed = true);
        Integer order(start = 0, fixed = true);""",
        """der(x) = 0;
        when sample(0, 2) then clock = pre(clock) + 1; end when;
        when initial() then begin = pre(begin) + 1; end when;
        when clock > 0 then chained = pre(chained) + 1; end when;
        when {sample(0, 2), initial()} then order = 10*clock + begin; end when;""",
    )
    assert [result[n][-1] for n in ("clock", "begin", "order")] == [1, 1, 11]
    assert result["chained"][-1] == 1
    assert times(result) == []


# ---------------------------------------------------------------- many clauses at one instant


def test_priority_among_clauses_at_one_instant() -> None:
    """Four conditions become true together. Of each when-clause the first branch that rises counts; clauses
    depend on each other in an order that is not the one in which they are written."""
    result = body(
        """Integer a(start = 0, fixed = true), b(start = 0, fixed = true), c(start = 0, fixed = true);
        Integer d(start = 0, fixed = true); Boolean p, q, r, s;""",
        """p = time >= 1; q = time >= 1.0; r = sample(1, 1); s = 2*time >= 2;
        when r then d = 100*c + 10*b + a; end when;
        when p and a == 2 then c = 1; elsewhen q then c = 2; elsewhen s then c = 3; end when;
        when s then b = a + 1; elsewhen p then b = -1; end when;
        when time >= 3 then a = 9; elsewhen q then a = 2; elsewhen p then a = 1; end when;""",
        stop_time=2.5,
    )
    at_one = {name: after(result, name, 1.0) for name in "abcd"}
    assert at_one == {"a": 2, "b": 3, "c": 1, "d": 132}
    assert times(result) == [1.0, 2.0]


@pytest.mark.parametrize("first", ["time >= 1", "x >= 1", "sample(1, 10)"])
def test_the_first_branch_wins_whatever_kind_of_event_it_is(first: str) -> None:
    """x reaches 1 within integration errors of time 1: made exact by a reinit at an event before."""
    others = [c for c in ("time >= 1", "x >= 1", "sample(1, 10)") if c != first]
    result = body(
        """Real x(start = 0, fixed = true); Integer n(start = 0, fixed = true);
        Integer m(start = 0, fixed = true);""",
        f"""der(x) = 0;
        when time >= 1 then reinit(x, 1); end when;
        when {first} then n = 1; elsewhen {others[0]} then n = 2; elsewhen {others[1]} then n = 3; end when;
        when {{{first}, {others[0]}, {others[1]}}} then m = pre(m) + 1; end when;""",
        stop_time=2,
    )
    assert times(result) == [1.0]
    # The state jumps in the first round and is seen in the second: its branch comes later at the same
    # instant.
    assert result["m"][-1] == 2
    assert result["n"][-1] == (1 if first == "x >= 1" else 3 if others[1] == "x >= 1" else 2)


def test_a_hundred_clauses_in_a_chain_at_one_instant() -> None:
    """Each clause counts on from the one before; written backwards, still one instant and one round."""
    whens = "\n".join(f"when time >= 1 then k[{i}] = k[{i - 1}] + 1; end when;" for i in range(100, 1, -1))
    result = run(
        f"""model M Integer k[100](each start = 0, each fixed = true);
        equation {whens} when time >= 1 then k[1] = 1; end when; end M;""",
        stop_time=2,
    )
    assert times(result) == [1.0]
    assert [int(result[f"k[{i}]"][-1]) for i in range(1, 101)] == list(range(1, 101))
    assert np.all(result["k[100]"][result.time < 1] == 0)

"""Time events: exact times, coincidence, the start and the end of a run, steps of floor and its relatives."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from event_runs import after, before, body, message, refused, run, steps, times

import saltus
from saltus.core.diagnostics import RunError


def test_sample_with_an_offset_ticks_at_correctly_rounded_times() -> None:
    result = body(
        "Integer n(start = 0, fixed = true);",
        "when sample(0.3, 0.1) then n = pre(n) + 1; end when;",
        stop_time=2.05,
    )
    expected = [float(Fraction(3 + k, 10)) for k in range(18)]
    assert times(result) == expected
    assert result["n"][-1] == 18


def test_ten_thousand_periods_of_a_tenth_do_not_drift() -> None:
    result = body(
        "Integer n(start = 0, fixed = true); discrete Real last(start = -1);",
        "when sample(0, 0.1) then n = pre(n) + 1; last = time; end when;",
        stop_time=1000,
        interval=1000,
    )
    expected = [float(Fraction(k, 10)) for k in range(10001)]
    assert [e.time for e in result.events] == expected  # the first tick is the event at the start
    assert result["n"][-1] == 10001 and result["last"][-1] == 1000


def test_two_rates_that_coincide_tick_in_one_event() -> None:
    result = body(
        """Integer fast(start = 0, fixed = true); Integer slow(start = 0, fixed = true);
        Integer both(start = 0, fixed = true); Integer seen(start = -1);""",
        """when sample(0, 0.1) then fast = pre(fast) + 1; end when;
        when sample(0, 0.3) then slow = pre(slow) + 1; seen = fast; end when;
        when sample(0, 0.1) and sample(0, 0.3) then both = pre(both) + 1; end when;""",
        stop_time=3,
    )
    assert times(result) == [float(Fraction(k, 10)) for k in range(1, 31)]
    assert (result["fast"][-1], result["slow"][-1], result["both"][-1]) == (31, 11, 11)
    # The slow clock reads what the fast one has just counted.
    for k in range(1, 11):
        assert after(result, "seen", float(Fraction(3 * k, 10))) == 3 * k + 1


def test_a_third_of_a_second_is_a_third() -> None:
    result = body(
        "parameter Integer rate = 3; Integer n(start = 0, fixed = true); Integer m(start = 0, fixed = true);",
        """when sample(0, 1/rate) then n = pre(n) + 1; end when;
        when sample(0, 1) then m = n; end when;""",
        stop_time=10,
    )
    assert times(result) == [float(Fraction(k, 3)) for k in range(1, 31)]
    assert (result["n"][-1], result["m"][-1]) == (31, 31), "the tenth second is one event for both"


def test_a_clock_and_a_time_relation_that_coincide_are_one_event() -> None:
    result = body(
        "Integer n(start = 0, fixed = true);",
        "when {sample(0, 0.1), time >= 0.7} then n = pre(n) + 1; end when;",
    )
    assert times(result) == [float(Fraction(k, 10)) for k in range(1, 11)]
    assert result["n"][-1] == 11


def test_sample_as_a_boolean_is_true_during_its_events_only() -> None:
    result = body(
        "Boolean b; Integer n(start = 0, fixed = true); Integer m(start = 0, fixed = true);",
        """b = sample(0.2, 0.2);
        when b then n = pre(n) + 1; end when;
        when not b then m = pre(m) + 1; end when;""",
        stop_time=1,
    )
    assert times(result) == [0.2, 0.4, 0.6, 0.8, 1.0]
    assert result["n"][-1] == 5 and result["m"][-1] == 5
    assert set(result["b"]) == {0.0}, "rows are before and after an event, where the clock is false"
    ticks = [e for e in result.events if e.time > 0]
    assert all(e.causes[0].kind == "clock" for e in ticks)


def test_sample_at_negative_and_late_starts() -> None:
    result = body(
        "Integer early(start = 0, fixed = true); Integer late(start = 0, fixed = true);",
        """when sample(-1, 0.75) then early = pre(early) + 1; end when;
        when sample(5, 1) then late = pre(late) + 1; end when;""",
        stop_time=2,
    )
    # -1 + k * 0.75 within the run: 0.5, 1.25, 2.
    assert times(result) == [0.5, 1.25, 2.0]
    assert result["early"][-1] == 3 and result["late"][-1] == 0


def test_sample_from_parameters_follows_what_is_set() -> None:
    model = saltus.load(
        """model M parameter Real T = 0.25; Integer n(start = 0, fixed = true);
        equation when sample(T, T) then n = pre(n) + 1; end when; end M;"""
    )
    assert model.simulate()["n"][-1] == 4
    assert times(model.simulate(set={"T": 0.5})) == [0.5, 1.0]
    with pytest.raises(RunError) as caught:
        model.simulate(set={"T": 0})
    assert message(caught.value).startswith("E407")


def test_scheduling_by_the_next_time_is_exact() -> None:
    result = body(
        "discrete Real next(start = 0.1, fixed = true); Integer n(start = 0, fixed = true);",
        "when time >= pre(next) then next = pre(next) + 0.1; n = pre(n) + 1; end when;",
        stop_time=10,
    )
    expected, t = [], 0.1
    while t <= 10:  # the model's own sum in doubles, rounding included
        expected.append(t)
        t += 0.1
    assert times(result) == expected
    assert result["n"][-1] == len(expected)


def test_scheduling_with_state_dependent_intervals() -> None:
    result = body(
        """Real x(start = 1, fixed = true); discrete Real next(start = 0.5, fixed = true);
        Integer n(start = 0, fixed = true);""",
        """der(x) = 0;
        when time >= pre(next) then
          reinit(x, 2*pre(x)); next = time + 1/(pre(n) + 2); n = pre(n) + 1;
        end when;""",
        stop_time=2,
    )
    expected, t, n = [], 0.5, 0
    while t <= 2:
        expected.append(t)
        t += 1 / (n + 2)
        n += 1
    assert times(result) == expected
    assert result["x"][-1] == 2.0 ** len(expected)


@pytest.mark.parametrize("op", [">", ">="])
def test_time_relations_switch_at_the_number_itself(op: str) -> None:
    result = body("Boolean b; Real y;", f"b = time {op} 0.7; y = if time {op} 0.7 then 1 else 0;")
    assert times(result) == [0.7]
    assert before(result, "b", 0.7) == 0 and after(result, "b", 0.7) == 1
    assert before(result, "y", 0.7) == 0 and after(result, "y", 0.7) == 1


def test_scaled_and_reversed_time_relations() -> None:
    result = body(
        "Boolean a; Boolean b; Boolean c; parameter Real T = 0.3;",
        "a = 2*time - 1 > 0; b = T >= time; c = (time - T)/T < 2;",
    )
    assert times(result) == pytest.approx([0.3, 0.5, 0.9], abs=1e-15)
    np.testing.assert_array_equal(steps(result, "a"), [(0, 0), (0.5, 1)])
    np.testing.assert_array_equal(steps(result, "b"), [(0, 1), (0.3, 0)])
    assert steps(result, "c")[1][1] == 0


@pytest.mark.parametrize(("op", "start", "later"), [(">", 0, 1), (">=", 1, 1), ("<", 0, 0), ("<=", 1, 0)])
def test_a_time_relation_that_is_zero_at_the_start(op: str, start: int, later: int) -> None:
    result = body(
        "Boolean b; Real x(start = 0, fixed = true);", f"b = time {op} 0; der(x) = if b then 1 else 0;"
    )
    assert result["b"][0] == start
    assert result["b"][-1] == later
    assert result["x"][-1] == pytest.approx(later, abs=1e-8)


def test_when_time_equals_the_start_fires_like_any_edge() -> None:
    # time > 0 is false at 0 and true right after it: an edge. time >= 0 is true from the start: none.
    result = body(
        "Integer strict(start = 0, fixed = true); Integer weak(start = 0, fixed = true);",
        """when time > 0 then strict = pre(strict) + 1; end when;
        when time >= 0 then weak = pre(weak) + 1; end when;""",
    )
    assert result["strict"][-1] == 1
    assert result["weak"][-1] == 0


def test_an_event_exactly_at_the_stop_time_happens() -> None:
    result = body(
        "Integer n(start = 0, fixed = true); Integer m(start = 0, fixed = true);",
        """when time >= 1 then n = 1; end when;
        when sample(0.5, 0.5) then m = pre(m) + 1; end when;""",
        stop_time=1,
    )
    assert after(result, "n", 1.0) == 1 and before(result, "n", 1.0) == 0
    assert result["m"][-1] == 2
    assert list(result.time[-2:]) == [1.0, 1.0]


def test_an_event_after_the_stop_time_does_not() -> None:
    beyond = float(np.nextafter(1, 2))
    result = body("Integer n(start = 0, fixed = true);", f"when time >= {beyond!r} then n = 1; end when;")
    assert result["n"][-1] == 0 and times(result) == []


def test_negative_start_times() -> None:
    result = body(
        "Real x(start = 0, fixed = true); Boolean b; Integer n(start = 0, fixed = true);",
        "der(x) = 1; b = time >= 0; when sample(0, 0.5) then n = pre(n) + 1; end when;",
        start_time=-2,
        stop_time=1,
        tolerance=1e-9,
    )
    assert result.time[0] == -2 and result.time[-1] == 1
    assert times(result) == [0.0, 0.5, 1.0]
    np.testing.assert_allclose(result["x"], result.time + 2, atol=1e-8)
    assert after(result, "b", 0.0) == 1 and before(result, "b", 0.0) == 0


def test_a_run_of_no_length_gives_the_start_only() -> None:
    result = body(
        "Real x(start = 2, fixed = true); Real y; Integer n(start = 0, fixed = true);",
        "der(x) = 1; y = 3*x; when sample(0, 1) then n = pre(n) + 1; end when;",
        start_time=0,
        stop_time=0,
    )
    assert set(result.time) == {0.0}
    assert result["y"][-1] == 6 and result["n"][-1] == 1


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("floor(3*time)", lambda t: math.floor(3 * t)),
        ("ceil(3*time)", lambda t: math.ceil(3 * t)),
        ("integer(3*time - 4)", lambda t: math.floor(3 * t - 4)),
        ("div(3*time - 4, 2)", lambda t: math.trunc((3 * t - 4) / 2)),
        ("mod(3*time - 4, 2)", lambda t: (3 * t - 4) - 2 * math.floor((3 * t - 4) / 2)),
        ("rem(3*time - 4, 2)", lambda t: (3 * t - 4) - 2 * math.trunc((3 * t - 4) / 2)),
    ],
)
def test_stepping_functions_switch_at_the_exact_times(call: str, expected) -> None:  # type: ignore[no-untyped-def]
    result = body("Real y;", f"y = {call};", stop_time=3, interval=0.07)
    inside = np.array([not any(abs(t - k / 3) < 1e-9 for k in range(10)) for t in result.time])
    np.testing.assert_allclose(result["y"][inside], [expected(t) for t in result.time[inside]], atol=1e-12)
    # Every event is one of the exact crossing times, correctly rounded or a unit in the last place off.
    thirds = np.arange(10) / 3
    for t in times(result):
        assert np.min(np.abs(thirds - t)) <= 4e-16 * max(1, t) * 2
    if call.startswith(("floor", "ceil")):
        assert len(times(result)) in (8, 9, 10)


def test_floor_of_a_state_steps_up_and_down() -> None:
    result = body(
        "Real x; Integer n;", "x = 2.5*sin(time); n = integer(x);", stop_time=2 * math.pi, interval=0.05
    )
    x = 2.5 * np.sin(result.time)
    clear = np.abs(x - np.round(x)) > 1e-6
    np.testing.assert_array_equal(result["n"][clear], np.floor(x[clear]))
    assert len(times(result)) in (9, 10)  # 1, 2, 2, 1, 0, -1, -2, -2, -1, and perhaps 0 at the very end


def test_stepping_functions_inside_no_event_make_none() -> None:
    result = body("Real y;", "y = noEvent(mod(time, 0.25));")
    assert times(result) == []


def test_a_saw_tooth_drives_a_state_exactly() -> None:
    # der(x) = mod(time, 1/4): the integral over a period is 1/32.
    result = body(
        "Real x(start = 0, fixed = true);", "der(x) = mod(time, 0.25);", stop_time=2, tolerance=1e-10
    )
    assert result["x"][-1] == pytest.approx(8 / 32, abs=1e-8)
    assert times(result) == [k / 4 for k in range(1, 9)]


def test_a_relation_of_time_with_a_slope_that_changes_at_events() -> None:
    result = body(
        "discrete Real r(start = 1, fixed = true); Boolean b;",
        "b = r*time > 4; when time >= 1 then r = 2; end when;",
        stop_time=5,
    )
    assert times(result) == [1.0, 2.0]
    assert steps(result, "b") == [(0, 0), (2, 1)]


def test_terminal_is_true_at_the_end_only() -> None:
    result = body(
        "Real x(start = 1, fixed = true); Real last(start = -1); Boolean t(start = false, fixed = true);",
        "der(x) = -x; when terminal() then last = x; t = true; end when;",
        tolerance=1e-9,
    )
    assert result["last"][-2] == -1 and result["last"][-1] == pytest.approx(math.exp(-1), rel=1e-6)
    assert result["t"][-1] == 1
    assert result.events[-1].causes[0].kind == "terminal"


def test_terminate_ends_the_run_with_its_message_and_keeps_the_last_values() -> None:
    result = body(
        "Real x(start = 0, fixed = true); Integer n(start = 0, fixed = true);",
        """der(x) = 1;
        when x > 0.5 then n = 3; terminate("half way"); end when;""",
    )
    assert result.time[-1] == pytest.approx(0.5, abs=1e-9)
    assert result["n"][-1] == 3
    (warning,) = [w for w in result.warnings if "half way" in w.message]
    assert warning.code == "W402"


def test_terminate_at_the_start() -> None:
    result = body(
        "Real x(start = 0, fixed = true);", 'der(x) = 1; when initial() then terminate("no"); end when;'
    )
    assert set(result.time) == {0.0}
    assert [w.message for w in result.warnings] == ["no (terminate at time 0)"]


def test_an_assertion_under_initial_is_looked_at_during_initialisation() -> None:
    text = """model M Real x(start = {start}, fixed = true);
    equation der(x) = 1; when initial() then assert(x > 1, "too small"); end when; end M;"""
    assert message(refused(text.format(start=0))).startswith("E406: too small")
    assert run(text.format(start=2)).time[-1] == 1


def test_assertions_of_both_levels() -> None:
    text = """model M Real x(start = 0, fixed = true);
    equation der(x) = 1; assert(x < 0.5, "x is large", AssertionLevel.{level}); end M;"""
    error = refused(text.format(level="error"))
    assert message(error).startswith("E406: x is large")
    assert error.partial is not None and error.partial.time[-1] < 0.51
    result = run(text.format(level="warning"))
    assert result.time[-1] == 1
    assert [w.code for w in result.warnings] == ["W401"], "told once"


def test_an_assertion_inside_a_when_is_looked_at_in_that_event() -> None:
    text = """model M Integer n(start = 0, fixed = true);
    equation when sample(0, 0.25) then n = pre(n) + 1; assert(n < 3, "n is " + String(n)); end when; end M;"""
    error = refused(text)
    assert message(error) == "E406: n is 3 (at time 0.5)"


def test_ticks_in_a_circuit_of_nanoseconds() -> None:
    result = body(
        "Real x(start = 0, fixed = true); discrete Real u(start = 0, fixed = true);",
        "1e-9*der(x) = u - x; when sample(0, 1e-9) then u = 1 - pre(u); end when;",
        stop_time=1e-8,
        tolerance=1e-9,
    )
    assert times(result) == [float(Fraction(k, 10**9)) for k in range(1, 11)]
    # u is 1 in even and 0 in odd nanoseconds.
    x = 0.0
    for k in range(10):
        target = 1.0 - k % 2
        x = target + (x - target) * math.exp(-1)
    assert before(result, "x", 1e-8) == pytest.approx(x, rel=1e-6)


@pytest.mark.parametrize("shift", [0.0015, 0.001, 1 / 600, 0.002777, 0.0125])
def test_shifted_periods_settle(shift: float) -> None:
    """The upper edge of one period is the lower edge of the next, to the last bit: the step is taken once."""
    result = run(f"model M Boolean on = mod(time - {shift!r}, 0.02) < 0.0005; end M;", stop_time=0.07)
    expected = [k * 0.02 + shift + m for k in range(4) for m in (0.0, 0.0005)]
    assert times(result) == pytest.approx([t for t in expected if t <= 0.07], abs=1e-15)
    np.testing.assert_array_equal(
        [e for _, e in steps(result, "on")], [0, *[1, 0] * (len(times(result)) // 2)]
    )

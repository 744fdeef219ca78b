"""floor, ceil, integer, mod, rem and div as section 3.7 of the specification defines them, row by row.

In the truth x is known in closed form, so the whole numbers that it passes are, too: each makes one event.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from event_runs import after, body, steps, times
from hypothesis import given, settings
from hypothesis import strategies as st

import saltus
from saltus.result.result import Result

METHODS = ("bdf", "adams", "ida", "rk45", "auto")
every_method = pytest.mark.parametrize("method", METHODS)

#: Functions of x and a divisor y, as the specification defines them.
TRUTHS: dict[str, Callable[[float, float], float]] = {
    "floor(x)": lambda x, y: math.floor(x),
    "ceil(x)": lambda x, y: math.ceil(x),
    "integer(x)": lambda x, y: math.floor(x),
    "mod(x, y)": lambda x, y: x - math.floor(x / y) * y,
    "div(x, y)": lambda x, y: math.trunc(x / y),
    "rem(x, y)": lambda x, y: x - math.trunc(x / y) * y,
}
every_function = pytest.mark.parametrize("function", TRUTHS)

#: Such a distance from a whole number is more than the errors of a run.
CLEAR = 1e-4


@cache
def moving(function: str) -> saltus.Model:
    """A function of a state that moves uniformly."""
    return saltus.load(f"""
    model Moving
      parameter Real begin = 0, speed = 0, y = 1;
      Real x(start = begin, fixed = true), f = {function};
    equation
      der(x) = speed;
    end Moving;
    """)


def steps_at(function: str, x: float, y: float) -> float:
    """What has a step where it is a whole number (but 0, for what is cut off towards zero)."""
    return x / y if "y" in function else x


# ---------------------------------------------------------------- at rest


@every_method
@every_function
@pytest.mark.parametrize("start", [0.0, 1.0])
def test_at_rest_on_a_whole_number(function: str, method: str, start: float) -> None:
    for x, y in (
        (-4, 2),
        (-4, 4),
        (3, 3),
        (-1, 1),
        (0, 2),
        (-3, -1),
        (4, -2),
        (-2.5, 0.5),
        (3, 2),
        (-2.5, 2),
    ):
        result = moving(function).simulate(
            start_time=start, stop_time=start + 1, method=method, set={"begin": float(x), "y": float(y)}
        )
        assert set(result["f"]) == {TRUTHS[function](x, y)}, f"{function} of x = {x}, y = {y}"
        assert times(result) == []


@every_method
def test_at_rest_while_other_things_happen(method: str) -> None:
    """Events of others find the residue in its zero band, again and again."""
    result = body(
        "Real x(start=-4, fixed=true), c(start=3, fixed=true), f = floor(x), g = ceil(c), m = mod(x, 2);"
        "Integer ticks(start=0, fixed=true); Real s = sin(10*time); Boolean up = s > 0;",
        "der(x) = 0; der(c) = 0; when sample(0.1, 0.1) then ticks = pre(ticks) + 1; end when;",
        stop_time=1,
        method=method,
    )
    assert len(times(result)) > 10
    assert set(result["f"]) == {-4} and set(result["g"]) == {3} and set(result["m"]) == {0}


@every_method
@pytest.mark.parametrize("there", [-1.0, -3.0, 3.0, 4.0, -4.0, 0.5])
def test_it_comes_to_rest_by_reinit(method: str, there: float) -> None:
    """What falls through 1 is put elsewhere in the same event, and stays there. No number between counts."""
    result = body(
        "Real x(start=1.5, fixed=true), v(start=-1, fixed=true), f = floor(x), c = ceil(x);"
        f"Integer low(start=0, fixed=true), high(start=0, fixed=true); parameter Real there = {there};",
        "der(x) = v; der(v) = 0; when x <= 1 then reinit(x, there); reinit(v, 0); end when;"
        "when f < floor(there) and time > 0.1 then low = pre(low) + 1; end when;"
        "when c > max(2, ceil(there)) then high = pre(high) + 1; end when;",
        stop_time=1,
        method=method,
    )
    late = result.time > 0.6
    assert set(result["f"][late]) == {math.floor(there)} and set(result["c"][late]) == {math.ceil(there)}
    # Before it is put elsewhere it has fallen through 1, so f may be 0 for a moment, but nothing else.
    assert result["low"][-1] <= (math.floor(there) > 0) and result["high"][-1] == 0


@every_method
def test_it_jumps_from_one_whole_number_to_another(method: str) -> None:
    result = body(
        "Real x, f = floor(x), c = ceil(x), m = mod(x, 2), d = div(x, 2); Integer i = integer(x);",
        "x = if time < 0.5 then 0.3 elseif time < 1 then -4 elseif time < 1.5 then 3 elseif time < 2 then -1 "
        "else 7.5;",
        stop_time=2.5,
        method=method,
    )
    assert times(result) == [0.5, 1.0, 1.5, 2.0]
    for k, x in enumerate(result["x"]):
        expected = [math.floor(x), math.ceil(x), x - 2 * math.floor(x / 2), math.trunc(x / 2), math.floor(x)]
        row = [result[name][k] for name in "fcmdi"]
        # The left limit of x at a jump is that of before, and so are the others.
        assert row == pytest.approx(expected, abs=1e-15), result.time[k]


def test_what_events_alone_change_and_parameters() -> None:
    result = body(
        "parameter Real p = -4; discrete Real d(start=3, fixed=true);"
        "Real f = floor(p), c = ceil(d), m = mod(p, 4);"
        "Integer i = integer(d), r = rem(integer(p), 3);",
        "when sample(0.5, 10) then d = -1; end when;",
        stop_time=1,
    )
    assert set(result["f"]) == {-4} and set(result["m"]) == {0} and set(result["r"]) == {-1}
    assert steps(result, "c") == [(0, 3), (0.5, -1)] and steps(result, "i") == [(0, 3), (0.5, -1)]


# ---------------------------------------------------------------- moving


@every_function
@settings(max_examples=30, deadline=None)
@given(
    st.floats(-6, 6),
    st.floats(0.5, 8),
    st.sampled_from([1.0, -1.0]),
    st.sampled_from([1.0, 2.0, 0.5, -0.7, 0.3, -3.0]),
    st.sampled_from([0.0, -7.0, 5.0]),
    st.sampled_from(METHODS),
)
def test_each_whole_number_is_one_event(
    function: str, begin: float, speed: float, way: float, y: float, start: float, method: str
) -> None:
    span = 2.0
    ends = [steps_at(function, x, y) for x in (begin, begin + way * speed * span)]
    if any(abs(q - round(q)) < CLEAR for q in ends):
        begin += 0.1234
        ends = [steps_at(function, x, y) for x in (begin, begin + way * speed * span)]
    if any(abs(q - round(q)) < CLEAR for q in ends):
        return
    result = moving(function).simulate(
        start_time=start,
        stop_time=start + span,
        method=method,
        set={"begin": begin, "speed": way * speed, "y": y},
    )
    compare(result, function, y)
    passed = list(range(math.ceil(min(ends)), math.floor(max(ends)) + 1))
    if "div" in function or "rem" in function:
        passed = [k for k in passed if k != 0]
    found = times(result)
    assert len(found) == len(passed)
    quotients = passed if ends[0] < ends[1] else passed[::-1]
    numbers = [k * y if "y" in function else k for k in quotients]
    np.testing.assert_allclose(found, [start + (x - begin) / (way * speed) for x in numbers], atol=1e-4)


def compare(result: Result, function: str, y: float) -> None:
    """Each row with the truth, but near the whole numbers."""
    for x, f in zip(result["x"].tolist(), result["f"].tolist(), strict=True):
        q = steps_at(function, x, y)
        if abs(q - round(q)) > CLEAR:
            assert f == pytest.approx(TRUTHS[function](x, y), abs=1e-12), f"{function} of {x}"


@every_method
def test_falling_through_zero_is_one_step(method: str) -> None:
    result = moving("integer(x)").simulate(stop_time=1, method=method, set={"begin": 0.5, "speed": -1.0})
    assert [value for _, value in steps(result, "f")] == [0, -1]
    assert times(result) == pytest.approx([0.5])


@every_method
def test_to_and_fro(method: str) -> None:
    """2.5*sin(t) passes 1, 2, 2, 1, 0, -1, -2, -2, -1 and 0."""
    result = body(
        "Real x, w, f = floor(x); initial equation x = 0; w = 2.5;",
        "der(x) = w; der(w) = -x;",
        stop_time=7,
        method=method,
        tolerance=1e-8,
    )
    rising = [math.asin(k / 2.5) for k in (1, 2)]
    falling = [math.pi - math.asin(k / 2.5) for k in (2, 1, 0, -1, -2)]
    again = [2 * math.pi + math.asin(k / 2.5) for k in (-2, -1, 0, 1)]
    truth = [*zip(rising, (1, 2), strict=True), *zip(falling, (1, 0, -1, -2, -3), strict=True)]
    truth += zip(again, (-2, -1, 0, 1), strict=True)
    np.testing.assert_allclose(steps(result, "f")[1:], truth, atol=1e-6)
    assert len(times(result)) == len(truth)


@pytest.mark.parametrize("way", [1, -1])
@pytest.mark.parametrize("number", [-1, 0, 3])
def test_it_touches_a_whole_number(number: int, way: int) -> None:
    """It comes from one side and goes back there, from one middle between whole numbers to another."""
    result = body(
        f"parameter Real k = {number}; Real x = k - ({way})*2*(time - 0.5)^2, f = floor(x), c = ceil(x);", ""
    )
    away = abs(result.time - 0.5) > 1e-4
    below = number - 1 if way > 0 else number
    assert set(result["f"][away]) == {below} and set(result["c"][away]) == {below + 1}
    assert all(abs(t - 0.5) < 1e-4 for t in times(result))


def test_it_moves_within_the_zero_band() -> None:
    """It sets out from zero and comes back, lower than anything that can be told from zero."""
    result = body("Real x(start=0, fixed=true), f = floor(x);", "der(x) = -1e-10*cos(10*time);", stop_time=1)
    assert set(result["f"]) == {0}


# ---------------------------------------------------------------- time


@pytest.mark.parametrize("start", [0.0, 3.0, -1.0, 0.05])
@pytest.mark.parametrize("function", ["mod(x, y)", "rem(x, y)", "div(x, y)"])
def test_of_time(function: str, start: float) -> None:
    written = function.replace("x", "time").replace("y", "0.1")
    result = body(f"Real x = time, f = {written};", "", start_time=start, stop_time=start + 1)
    compare(result, function, 0.1)
    first = math.floor(10 * start + 1e-9) + 1
    tenths = [k / 10 for k in range(first, first + 10)]
    np.testing.assert_allclose(times(result), tenths, rtol=0, atol=1e-15)
    if function == "mod(x, y)":
        assert all(abs(after(result, "f", t)) < 1e-15 for t in times(result))


def test_a_sawtooth_that_begins_anew() -> None:
    """The phase of a source that is switched on: time since then, in periods."""
    result = body(
        "discrete Real t0(start=0, fixed=true); Real phase = mod(time - t0, 0.25);",
        "when time >= 0.6 then t0 = time; end when;",
        stop_time=1.2,
    )
    assert times(result) == pytest.approx([0.25, 0.5, 0.6, 0.85, 1.1], abs=1e-12)
    assert after(result, "phase", 0.6) == 0


# ---------------------------------------------------------------- the start


@pytest.mark.parametrize("start", [0.0, 1.0])
def test_a_jump_to_zero_at_the_start_is_compared_as_zero(start: float) -> None:
    """x jumps in the event at the start, since pre(b) changes there: 0 >= 0, whatever the time is."""
    result = body(
        "Boolean b(start=false, fixed=true); Real x = if pre(b) then 0 else -1 - time^2; Boolean f = x >= 0;",
        "when initial() then b = true; end when;",
        start_time=start,
        stop_time=start + 1,
    )
    assert result["f"][-1]


@pytest.mark.parametrize("start", [0.0, 1.0])
def test_values_before_the_start_are_those_of_the_start(start: float) -> None:
    """pre(k) is 0 in the initial system and -4 afterwards: then x < pre(k) is -4 < -4."""
    result = body(
        "Real x(start=-4, fixed=true); Integer k(start=0); Boolean low = x < pre(k);",
        "der(x) = 0; k = if initial() then -4 else pre(k);",
        start_time=start,
        stop_time=start + 1,
    )
    assert not result["low"][-1]


AT_REST = """
model AtRest "Arguments that rest at whole numbers, and at multiples of a divisor"
  Real a(start = 3, fixed = true), b(start = -4, fixed = true);
  Real f1 = floor(a), f2 = floor(b), c1 = ceil(a), c2 = ceil(b);
  Real m1 = mod(a, 3), m2 = mod(b, 2), m3 = mod(b, 4);
  Real r1 = rem(a, 3), r2 = rem(b, 2), d1 = div(a, 3), d2 = div(b, 2), d3 = div(-b, 2), d4 = div(b, -2);
  Integer i1 = integer(a), i2 = integer(b);
equation
  der(a) = 0;
  der(b) = 0;
end AtRest;
"""

AT_REST_TRUTHS = {
    "f1": 3, "f2": -4, "c1": 3, "c2": -4, "m1": 0, "m2": 0, "m3": 0, "r1": 0, "r2": 0, "d1": 1, "d2": -2,
    "d3": 2, "d4": 2, "i1": 3, "i2": -4,
}  # fmt: skip


@every_method
@pytest.mark.parametrize("tolerance", [1e-4, 1e-6, 1e-8, 1e-10])
def test_at_rest_for_runs_of_any_length(tolerance: float, method: str) -> None:
    model = at_rest()
    for stop in (0.7, 1.0, 1.37, 3.0, 10.0, 30.0, 33.3, 100.0):
        result = model.simulate(stop_time=stop, tolerance=tolerance, method=method)
        for name, truth in AT_REST_TRUTHS.items():
            assert (result[name] == truth).all(), (name, stop)


@cache
def at_rest() -> saltus.Model:
    return saltus.load(AT_REST)

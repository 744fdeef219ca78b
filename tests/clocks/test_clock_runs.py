"""Clocked models run as the specification says of its own examples, and as recurrences computed by hand."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import saltus


def run(body: str, stop: float = 1.0, **options: object) -> saltus.Result:
    return saltus.load(f"model M {body} end M;").simulate(stop_time=stop, **options)  # type: ignore[arg-type]


def at(result: saltus.Result, name: str, times: list[float]) -> list[float]:
    """Values after what happens at these times."""
    rows = np.searchsorted(result.time, np.array(times) + 1e-9, side="right") - 1
    return [float(result[name][k]) for k in rows]


# ---------------------------------------------------------------- sample, previous, hold


def test_sample_takes_the_left_limit() -> None:
    """Section 16.5.1: y is initialised to 2, so the first sample is 2; and a jump at a tick is not seen."""
    result = run(
        "Real y(start = 1), yc; equation der(y) + y = 2; yc = sample(y, Clock(0.1)); initial "
        "equation der(y) = 0;"
    )
    assert np.allclose(result["yc"][result.time > 0], 2.0)
    result = run("Real u = if time >= 0.5 then 1 else 0, x = sample(u, Clock(0.5));", 1.2)
    assert at(result, "x", [0.0, 0.5, 1.0]) == [0.0, 0.0, 1.0]


def test_previous_and_hold_begin_with_start_values() -> None:
    result = run(
        "Real x(start = 5), y, z(start = 7); Clock c = shiftSample(Clock(1, 10), 3);"
        "equation when c then x = previous(x) + 1; end when; y = hold(x);"
        "when c then z = previous(x) + 0*previous(z); end when;",
        0.65,
    )
    assert at(result, "y", [0.0, 0.25, 0.3, 0.4, 0.6]) == [5.0, 5.0, 6.0, 7.0, 9.0]
    assert at(result, "z", [0.3, 0.4, 0.6]) == [5.0, 6.0, 8.0]


def test_connected_variables_keep_start_values_of_their_own() -> None:
    """`a = b` at all ticks, but each has its own value before the first."""
    result = run(
        "Real a(start = 1), b(start = 2), pa, pb, ha, hb; Clock c = shiftSample(Clock(1, 10), 2);"
        "equation when c then a = sample(time); a = b; pa = previous(a); pb = previous(b); end when;"
        "ha = hold(a); hb = hold(b);",
        0.45,
    )
    assert at(result, "pa", [0.2, 0.3]) == [1.0, 0.2]
    assert at(result, "pb", [0.2, 0.3]) == [2.0, 0.2]
    assert at(result, "ha", [0.0, 0.2]) == [1.0, 0.2]
    assert at(result, "hb", [0.0, 0.2]) == [2.0, 0.2]


def test_no_clock_sees_what_is_new_and_sample_of_hold_does_not() -> None:
    """The example of section 16.5.2."""
    result = run(
        "Clock clk1 = Clock(0.1); Clock clk2 = subSample(clk1, 2); "
        "Real x(start = 0), y(start = 0), z(start = 0);"
        "equation when clk1 then x = previous(x) + 0.1; end when;"
        "when clk2 then y = noClock(x); z = sample(hold(x)); end when;",
        0.7,
    )
    for k, t in enumerate((0.0, 0.2, 0.4, 0.6)):
        assert at(result, "y", [t])[0] == pytest.approx(0.1 * (2 * k + 1))
        assert at(result, "z", [t])[0] == pytest.approx(0.1 * 2 * k)


def test_values_of_conversions() -> None:
    """The examples of sections 16.5.2: rounded counters, super-sampled and shifted."""
    result = run(
        "Integer y = integer(sample(time + 0.5, Clock(1))), ySub = subSample(y, 4), up = "
        "superSample(ySub, 5);"
        "Integer yShift(start = 10) = shiftSample(y, 1, 5), yBack = backSample(yShift, 1, 5);"
        "Integer yShift2 = shiftSample(yShift, 4, 5), ref = subSample(shiftSample(superSample(y, 5), 1), 5);",
        9.0,
    )
    assert at(result, "up", [0.0, 0.8, 3.9, 4.0, 7.9, 8.0]) == [0, 0, 0, 4, 4, 8]
    assert at(result, "yShift", [0.2, 1.1, 1.2, 2.2]) == [0, 0, 1, 2]
    assert at(result, "ref", [0.2, 1.1, 1.2, 2.2]) == [0, 0, 1, 2]
    assert at(result, "yBack", [0.0, 1.0, 2.0]) == [10, 0, 1]
    assert at(result, "yShift2", [1.0, 2.0]) == [0, 1]


def test_counters_of_seconds_minutes_and_milliseconds() -> None:
    """The example of section 16.11, with its numbers divided: 60 by 6 and 1000 by 10."""
    result = run(
        "Integer second = sample(1, Clock(1)), seconds(start = -1) = mod(previous(seconds) + second, 6);"
        "Integer tenths(start = -1) = mod(previous(tenths) + superSample(second, 10), 10);"
        "Integer minutes(start = -1) = mod(previous(minutes) + subSample(second, 6), 60);",
        20.0,
    )
    for t in (0.0, 0.3, 1.0, 5.9, 6.0, 11.2, 12.0, 19.7):
        assert at(result, "seconds", [t])[0] == int(t) % 6
        assert at(result, "tenths", [t])[0] == round(t * 10) % 10
        assert at(result, "minutes", [t])[0] == int(t) // 6


def test_equations_of_rates_that_depend_on_each_other_are_sorted_together() -> None:
    """Section 16.7.4: x, then y at another rate, then z at the first rate again."""
    result = run("Real x = sample(time, Clock(1, 100)), y = superSample(x, 2), z = subSample(y, 2) + x;", 0.1)
    later = result.time > 0
    assert np.allclose(result["z"][later], 2 * result["x"][later], atol=1e-12)


def test_coinciding_ticks_are_one_event() -> None:
    result = run(
        "Real a = sample(time, Clock(1, 10)), b = sample(time, Clock(3, 10)), c = sample(a1, Clock(0.1)); "
        "Real a1 = time;",
        0.95,
    )
    assert len(result.events) == 10


# ---------------------------------------------------------------- firstTick, interval


def test_first_tick_and_interval() -> None:
    result = run(
        "Real h, p; Boolean f; Clock c = shiftSample(Clock(3, 10), 1, 3), d = superSample(c, 2);"
        "equation when c then h = interval(); f = firstTick(); end when; when d then p = interval(); "
        "end when;",
        0.75,
    )
    assert at(result, "f", [0.1, 0.4, 0.7]) == [1.0, 0.0, 0.0]
    assert at(result, "h", [0.1, 0.7]) == [0.3, 0.3]
    assert at(result, "p", [0.1, 0.25]) == [0.15, 0.15]


def test_clocks_begin_with_the_run() -> None:
    result = run(
        "Real t = sample(time, Clock(1, 4)); Real s(start = 0) = shiftSample(t, 1, 2);", 1.1, start_time=0.3
    )
    assert sorted(set(result["t"][1:].tolist())) == pytest.approx([0.3, 0.55, 0.8, 1.05])
    assert sorted(set(result["s"].tolist())) == pytest.approx([0.0, 0.3, 0.55, 0.8])


def test_an_interval_that_is_a_parameter_is_set_before_a_run() -> None:
    model = saltus.load(
        "model M parameter Real T = 0.5; parameter Integer n = 2; "
        "Real h = interval(t), t = sample(time, Clock(T));"
        "Real s = subSample(t, n); end M;"
    )
    for settings, interval, ticks in (
        ({}, 0.5, [0, 1, 2]),
        ({"T": 0.3}, 0.3, [0, 0.6, 1.2, 1.8]),
        ({"n": 3}, 0.5, [0, 1.5]),
    ):
        result = model.simulate(stop_time=2.0, set=settings)
        assert result["h"][-1] == interval
        assert sorted(set(result["s"].tolist())) == pytest.approx(ticks)


def test_intervals_that_are_computed_at_each_tick() -> None:
    """Section 16.3: rational ones are exact after many ticks, Real ones as the sum of doubles."""
    result = run(
        "Integer n(start = 2); Real h, y, next(start = 0.002), t; equation "
        "when Clock(n, 1000) then n = previous(n) + 1; y = sample(time); h = interval(); end when;"
        "when Clock(next) then next = previous(next) + 1e-3; t = sample(time); end when;",
        1.0,
    )
    exact, k = [Fraction(0)], 3
    while exact[-1] + Fraction(k, 1000) <= 1:
        exact.append(exact[-1] + Fraction(k, 1000))
        k += 1
    assert sorted(set(result["y"].tolist())) == [float(t) for t in exact]
    assert at(result, "h", [float(t) for t in exact[:4]]) == pytest.approx([0.002, 0.003, 0.004, 0.005])
    assert sorted(set(result["t"].tolist())) == pytest.approx([float(t) for t in exact])


# ---------------------------------------------------------------- systems of equations


def test_a_linear_loop_is_solved_at_each_tick() -> None:
    """Implicit Euler of x'' = -x written out: two equations, neither in solved form."""
    result = run(
        "Real x(start = 1), v(start = 0); parameter Real h = 0.1; equation when Clock(1, 10) then "
        "(x - previous(x))/h = v; (v - previous(v))/h + x = 0; end when;",
        1.0,
    )
    step = np.linalg.inv(np.array([[1.0, -0.1], [0.1, 1.0]]))
    state = np.array([1.0, 0.0])
    for k in range(11):
        state = step @ state
        assert at(result, "x", [k / 10])[0] == pytest.approx(state[0], abs=1e-12)


def test_a_nonlinear_loop_is_solved_at_each_tick() -> None:
    """y + y^3 = u has one solution, by Cardano."""
    result = run("Real u = sample(10*sin(time), Clock(1, 10)), y; equation y + y^3 = u;", 3.0)
    for t in np.arange(1, 30) / 10:
        u = 10 * np.sin(t)
        root = np.sqrt(u * u / 4 + 1 / 27)
        assert at(result, "y", [float(t)])[0] == pytest.approx(
            np.cbrt(u / 2 + root) + np.cbrt(u / 2 - root), rel=1e-6
        )


def test_branches_and_functions_in_a_partition() -> None:
    result = run(
        "function f input Integer k; output Integer y; algorithm y := k*k; end f; "
        "Integer n(start = 0), m; Real y;"
        "equation when Clock(1, 10) then n = previous(n) + 1; m = f(n);"
        'if n > 5 then y = n; else y = -n; end if; assert(n < 9, "too many"); end when;',
        0.75,
    )
    assert at(result, "m", [0.7]) == [64]
    assert at(result, "y", [0.3, 0.7]) == [-4.0, 8.0]


def test_an_assertion_is_looked_at_at_ticks() -> None:
    with pytest.raises(saltus.RunError, match="too many"):
        run(
            "Integer n(start = 0); equation when Clock(1, 10) then n = previous(n) + 1; "
            'assert(n < 4, "too many"); end when;'
        )


def test_algorithms_begin_with_the_values_of_the_tick_before() -> None:
    """Section 11.1.2: a clocked variable is initialised with previous(v), where it is not assigned first."""
    result = run(
        "Real u = sample(time, Clock(1, 10)), y(start = 7), s; Integer n(start = 3);"
        "algorithm if u > 0.35 and u < 0.55 then y := u; n := n + 1; end if;"
        "algorithm s := 0; for i in 1:3 loop s := s + u*i; end for;"
    )
    assert at(result, "y", [0.0, 0.3, 0.4, 0.5, 1.0]) == [7.0, 7.0, 0.4, 0.5, 0.5]
    assert at(result, "n", [0.3, 0.4, 1.0]) == [3, 4, 5]
    assert at(result, "s", [0.5]) == pytest.approx([3.0])


def test_types_of_clocked_variables() -> None:
    result = run(
        "type E = enumeration(a, b, c); E e(start = E.a); Boolean b(start = false) = not previous(b);"
        "Real x = sample(time, Clock(1, 10)); Integer n = if b then 1 else integer(10*x + 0.5);"
        "equation when Clock(1, 10) then e = if previous(e) == E.a then E.b else E.c; end when;"
    )
    assert at(result, "e", [0.0, 0.1]) == [2, 3]
    assert at(result, "n", [0.0, 0.1, 0.2, 0.3]) == [1, 1, 1, 3]


# ---------------------------------------------------------------- events


def test_an_event_clock_ticks_when_its_condition_becomes_true() -> None:
    """Zeros of a sine, upward; the interval between them is its period, and at first what is given."""
    result = run(
        "Boolean b = sin(10*time) > 0.5; Real t, h; Integer n(start = 0), s(start = 0);"
        "Clock c = Clock(b, 0.25); equation when c then t = sample(time); h = interval(); "
        "n = previous(n) + 1; end when;"
        "when subSample(c, 2) then s = previous(s) + 1; end when;",
        2.0,
    )
    crossings = [(np.arcsin(0.5) + 2 * np.pi * k) / 10 for k in range(4)]
    assert [t for t in crossings if t < 2] == pytest.approx(
        sorted(set(result["t"].tolist()) - {0.0}), abs=1e-6
    )
    assert at(result, "h", [crossings[0] + 0.01, crossings[1] + 0.01]) == pytest.approx(
        [0.25, 2 * np.pi / 10], abs=1e-6
    )
    assert result["n"][-1] == len([t for t in crossings if t < 2])
    assert result["s"][-1] == (result["n"][-1] + 1) // 2


def test_an_event_clock_and_what_it_samples_are_late_by_the_same_round() -> None:
    """Section 16.3: the first tick is at 0.5, and b2 is true there; so is what depends on b."""
    result = run(
        "Boolean b = time >= 0.5; Clock c = Clock(b); Boolean b2 = sample(b, c); Real u = if b then 3 else 1;"
        "Real u2 = sample(u, c); discrete Real w; Real w2 = sample(w, c); equation when b then w = 8; "
        "end when;"
    )
    assert at(result, "b2", [0.49, 0.5]) == [0.0, 1.0]
    assert at(result, "u2", [0.5]) == [3.0]
    assert at(result, "w2", [0.5]) == [8.0]


def test_a_condition_that_is_true_from_the_start_ticks_there() -> None:
    result = run(
        "Boolean b = time < 0.3 or time > 0.7; Integer n(start = 0); equation when Clock(b) then "
        "n = previous(n) + 1; end when;"
    )
    assert at(result, "n", [0.0, 0.5, 0.9]) == [1.0, 1.0, 2.0]


# ---------------------------------------------------------------- a loop through a plant


def test_a_sampled_controller_in_a_loop() -> None:
    """A first-order plant with a proportional controller: between ticks the plant has a closed form."""
    result = run(
        "Real x(start = 0, fixed = true), u(start = 0), e; equation der(x) = -x + hold(u);"
        "e = 1 - sample(x, Clock(1, 5)); u = 3*e;",
        4.0,
    )
    decay, state = np.exp(-0.2), 0.0
    for k in range(20):
        held = 3 * (1 - state)
        assert at(result, "u", [k / 5])[0] == pytest.approx(held, abs=1e-4)
        state = decay * state + (1 - decay) * held


def test_a_run_with_clocks_does_not_go_on_from_another() -> None:
    """Clocks begin with a run: going on at 0.55, one of 0.1 would tick at 0.55, 0.65 and so on."""
    model = saltus.load("model M Real t = sample(time, Clock(1, 10)); end M;")
    with pytest.raises(saltus.UsageError, match="clocks"):
        model.simulate(start_from=model.simulate(stop_time=0.55), stop_time=1.0)


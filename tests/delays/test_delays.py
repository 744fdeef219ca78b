"""`delay`: delayed signals and delay differential equations with known solutions."""

from __future__ import annotations

from math import factorial, floor

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

import saltus
from saltus.core.diagnostics import ModelError, RunError
from saltus.result.files.eventlog import event_lines
from saltus.result.result import Result

TOLERANCES = (1e-4, 1e-6, 1e-8, 1e-10)


def run(declarations: str, equations: str, **options: object) -> Result:
    text = f"model M\n{declarations}\nequation\n{equations}\nend M;"
    return saltus.load(text).simulate(**options)  # type: ignore[arg-type]


def times(result: Result) -> list[float]:
    """When events happened, that of the start left out."""
    return [e.time for e in result.events if e.causes[0].kind != "initial"]


def limits(result: Result, name: str, time: float) -> tuple[float, float]:
    """Left and right limit at an event."""
    (rows,) = np.nonzero(result.time == time)
    assert len(rows) == 2, f"there are {len(rows)} rows at {time}"
    return float(result[name][rows[0]]), float(result[name][rows[1]])


def by_steps(t: float) -> float:
    """The solution of x' = -x(t - 1) with x = 1 up to 0: polynomials, one for each unit of time."""
    return sum((-1) ** k * (t - k + 1) ** k / factorial(k) for k in range(floor(t) + 2))


# ---------------------------------------------------------------- equations with delays


@pytest.mark.parametrize("method", ["bdf", "adams", "ida", "rk45"])
def test_the_error_of_a_delay_equation_follows_the_tolerance(method: str) -> None:
    errors = []
    for tolerance in TOLERANCES:
        result = run(
            "Real x(start = 1, fixed = true);",
            "der(x) = -delay(x, 1);",
            stop_time=8,
            interval=0.05,
            tolerance=tolerance,
            method=method,
        )
        exact = np.array([by_steps(t) for t in result.time])
        errors.append(np.abs(result["x"] - exact).max())
    assert all(error < 60 * tolerance for error, tolerance in zip(errors, TOLERANCES, strict=True)), errors


def test_kinks_come_back_a_delay_later_and_restart_the_integrator() -> None:
    """x has a kink at 0, so x' one at 1, x'' one at 2: after some of them nobody can feel it."""
    result = run("Real x(start = 1, fixed = true);", "der(x) = -delay(x, 1);", stop_time=8, tolerance=1e-8)
    assert times(result) == [1.0, 2.0, 3.0, 4.0]
    assert result.events[1].causes[0].text == "a jump or kink comes out of delay(x, 1)"
    lines = [line for line in event_lines(result) if "delay" in line]
    told = [f"A jump or kink comes out of delay(x, 1) at time = {k}" for k in (1, 2, 3, 4)]
    assert [line.partition("  [")[0] for line in lines] == told


def test_two_delays_of_one_state() -> None:
    """x' = -x(t - 1) + x(t - 2) with x = 1 up to 0, integrated by hand on [0, 1], [1, 2], [2, 3]."""
    result = run(
        "Real x(start = 1, fixed = true);",
        "der(x) = -delay(x, 1) + delay(x, 2);",
        stop_time=3,
        tolerance=1e-9,
    )
    x = [np.poly1d([1.0]), np.poly1d([1.0])]  # on [-2, -1] and [-1, 0], in local time from 0 to 1
    for _ in range(3):
        slope = -x[-1] + x[-2]
        x.append(np.polyint(slope) + x[-1](1.0))
    exact = [x[2 + min(int(t), 2)](t - min(int(t), 2)) for t in result.time]
    assert np.abs(result["x"] - exact).max() < 1e-8


def test_a_relay_with_delay_has_a_limit_cycle_of_known_period() -> None:
    """x' = -sign(x(t - 1)) swings between -1 and 1 with the period 4."""
    result = run(
        "Real x(start = 0.5, fixed = true);",
        "der(x) = if delay(x, 1) > 0 then -1 else 1;",
        stop_time=20,
        interval=0.01,
        tolerance=1e-8,
    )
    switches = [t for t in times(result) if abs(t % 2 - 1.5) < 1e-6]
    assert np.allclose(switches, 1.5 + 2 * np.arange(10), atol=1e-8)
    assert np.abs(result["x"][result.time >= 1.5]).max() == pytest.approx(1.0, abs=1e-8)


def test_a_delay_breaks_an_algebraic_loop() -> None:
    """y jumps at 0.2, and again at 0.7, 1.2, ..., every time by half as much."""
    result = run(
        "parameter Real T = 0.5; Real y;",
        "y = 1 + 0.5*delay(y, T) + (if time < 0.2 then 0 else 1);",
        stop_time=2.6,
    )
    for k, t in enumerate((0.2, 0.7, 1.2, 1.7, 2.2)):
        left, right = limits(result, "y", next(s for s in times(result) if abs(s - t) < 1e-12))
        assert right - left == pytest.approx(0.5**k, rel=1e-12)
    assert result["y"][-1] == pytest.approx(4 - 2 * 0.5**5, rel=1e-12)


# ---------------------------------------------------------------- delayed signals


@pytest.mark.parametrize("tolerance", TOLERANCES)
def test_a_delayed_signal_is_right_whatever_the_steps_of_the_integrator(tolerance: float) -> None:
    """Nothing here is integrated but a slow state, which says nothing about the fast signal."""
    result = run(
        "Real y, x(start = 1, fixed = true);",
        "der(x) = -0.01*x; y = delay(sin(40*time), 0.3);",
        stop_time=3,
        interval=0.1,
        tolerance=tolerance,
    )
    exact = np.where(result.time < 0.3, 0.0, np.sin(40 * (result.time - 0.3)))
    assert np.abs(result["y"] - exact).max() < tolerance


@pytest.mark.parametrize("tolerance", TOLERANCES)
def test_a_delayed_state_is_as_accurate_as_the_state(tolerance: float) -> None:
    result = run(
        "Real s(start = 0, fixed = true), c(start = 1, fixed = true), y;",
        "der(s) = c; der(c) = -s; y = delay(s, 0.7);",
        stop_time=10,
        tolerance=tolerance,
        interval=0.25,
    )
    of_state = np.abs(result["s"] - np.sin(result.time)).max()
    exact = np.where(result.time < 0.7, 0.0, np.sin(result.time - 0.7))
    assert np.abs(result["y"] - exact).max() < of_state + tolerance


def test_a_square_wave_comes_out_as_a_square_wave() -> None:
    result = run(
        "parameter Real T = 0.31; Real u, y;",
        "u = if sin(5*time + 1) > 0 then 1.1 else -0.3; y = delay(u, T);",
        stop_time=4,
    )
    switches = [(k * np.pi - 1) / 5 for k in range(1, 7)]
    found = [t for t in times(result) if limits(result, "u", t)[0] != limits(result, "u", t)[1]]
    assert np.allclose(found, switches, atol=1e-9)
    # The start (a kink for all that is known) and every switch come out, exactly T later.
    assert times(result) == sorted([*found, *(t + 0.31 for t in (0.0, *found) if t + 0.31 <= 4)])
    for t in found:
        if t + 0.31 <= 4:
            assert limits(result, "y", t + 0.31) == limits(result, "u", t)
    assert set(result["y"]) == {1.1, -0.3}


def test_a_delay_of_a_delay_adds_up() -> None:
    result = run(
        "discrete Real u(start = 0, fixed = true); Real y, z;",
        """when sample(0.125, 0.125) then u = pre(u) + 1; end when;
        y = delay(u, 0.25); z = delay(y, 0.5);""",
        stop_time=2,
    )
    for name, late in (("y", 0.25), ("z", 0.75)):
        count = np.floor((result.time - late) / 0.125).clip(0)
        rows = np.abs((result.time / 0.125) % 1.0) > 1e-9  # not at the jumps themselves
        assert np.array_equal(result[name][rows], count[rows])


def test_a_delayed_kink_is_sharp() -> None:
    result = run("Real y;", "y = delay(if time < 1 then 0 else time - 1, 0.5);", stop_time=3, interval=0.01)
    assert np.abs(result["y"] - (result.time - 1.5).clip(0)).max() < 1e-14
    assert times(result) == [0.5, 1.0, 1.5]


def test_a_reinitialised_state_jumps_a_delay_later() -> None:
    result = run(
        "Real x(start = 0, fixed = true), y;",
        "der(x) = 1; when sample(1, 1) then reinit(x, 0); end when; y = delay(x, 0.25);",
        stop_time=3.5,
        tolerance=1e-8,
    )
    for t in (1.25, 2.25, 3.25):
        assert limits(result, "y", t) == pytest.approx((1.0, 0.0), abs=1e-7)


def test_before_the_first_delay_has_passed_the_start_value_comes_out() -> None:
    result = run("Real x(start = 3, fixed = true), y;", "der(x) = -x; y = delay(x, 5);", stop_time=1)
    assert set(result["y"]) == {3.0} and times(result) == []


@pytest.mark.parametrize("late", ["0", "T"])
def test_a_delay_of_zero_is_none(late: str) -> None:
    result = run(
        "parameter Real T = 0; Real x(start = 3, fixed = true), y;",
        f"der(x) = if time < 0.5 then -x else x; y = delay(x, {late});",
        stop_time=1,
    )
    assert np.array_equal(result["y"], result["x"])


def test_a_parameter_sets_the_delay() -> None:
    model = saltus.load("model M parameter Real T = 1; Real y; equation y = delay(time, T); end M;")
    for late in (0.25, 0.5):
        result = model.simulate(set={"T": late}, stop_time=2)
        assert np.abs(result["y"] - (result.time - late).clip(0)).max() < 1e-14


def test_delay_in_an_initial_equation_is_the_start_value() -> None:
    result = saltus.load(
        """model M
          Real x(start = 2, fixed = true), z;
        initial equation
          z = 3*delay(x, 1);
        equation
          der(x) = -x;
          der(z) = 0;
        end M;"""
    ).simulate(stop_time=1)
    assert result["z"][0] == 6.0


def test_vectors_are_delayed_element_by_element() -> None:
    result = run("Real u[2], y[2];", "u = {time, 2*time}; y = delay(u, 0.5);", stop_time=2)
    for k in (1, 2):
        assert np.abs(result[f"y[{k}]"] - k * (result.time - 0.5).clip(0)).max() < 1e-13


def test_what_comes_out_at_a_tick_is_there_for_the_tick() -> None:
    """0.1 + 0.2 is more than 0.3, by a rounding error: still the jump and the tick are one event."""
    result = run(
        "discrete Real u(start = 0, fixed = true), z(start = 0, fixed = true); Real y;",
        "when sample(0.1, 0.1) then u = pre(u) + 1; z = y; end when; y = delay(u, 0.2);",
        stop_time=2,
    )
    assert after(result, "z", 0.3) == 1.0
    assert [after(result, "z", k / 10) for k in range(1, 21)] == [max(0.0, k - 2.0) for k in range(1, 21)]


def after(result: Result, name: str, time: float) -> float:
    """The right limit."""
    return float(result[name][np.searchsorted(result.time, time * (1 + 1e-12), side="right") - 1])


def test_delays_in_conditions_when_clauses_and_algorithms() -> None:
    result = saltus.load(
        """model M
          Real y, a, b;
          discrete Real d(start = 0, fixed = true);
        algorithm
          a := delay(time, 0.5);
          b := a + 1;
          if time > 1 then
            b := delay(a, 0.25);
          end if;
        equation
          y = if time > 1 then delay(time, 0.5) else -1;
          when sample(0.5, 0.5) then
            d = delay(time, 0.25);
          end when;
        end M;"""
    ).simulate(stop_time=2)
    assert [result[name][-1] for name in ("y", "a", "b", "d")] == pytest.approx([1.5, 1.5, 1.25, 1.75])
    assert after(result, "b", 0.9) == pytest.approx(1.4)


def test_events_that_are_done_in_python_are_remembered_too() -> None:
    """An assertion in a when-clause is looked at round by round, which the native driver does not do."""
    result = run(
        "Real x(start = 0, fixed = true), y; Integer k(start = 0, fixed = true);",
        """der(x) = 1;
        when x > 0.5 then k = pre(k) + 1; reinit(x, 0); assert(k < 100, "many"); end when;
        y = delay(x, 0.25);""",
        stop_time=3.1,
        tolerance=1e-8,
    )
    asked = result.time - 0.25
    exact = np.where(asked < 0, 0.0, asked % 0.5)
    clear = np.minimum(asked % 0.5, 0.5 - asked % 0.5) > 1e-6
    assert result["k"][-1] == 6 and np.abs(result["y"] - exact)[clear].max() < 1e-7


def test_a_run_that_starts_before_zero() -> None:
    result = run(
        "Real x(start = 1, fixed = true), y;",
        "der(x) = -x; y = delay(x, 0.5);",
        start_time=-2,
        stop_time=2,
        tolerance=1e-9,
    )
    exact = np.where(result.time < -1.5, 1.0, np.exp(-(result.time + 1.5)))
    assert np.abs(result["y"] - exact).max() < 1e-7 and times(result) == [-1.5]


def test_the_solution_of_a_loop_is_delayed() -> None:
    result = run(
        "Real y(start = 0), z;", "y^5 + y = sin(5*time); z = delay(y, 0.5);", stop_time=4, tolerance=1e-9
    )
    asked = np.sin(5 * (result.time - 0.5).clip(0))
    assert np.abs(result["z"] ** 5 + result["z"] - asked).max() < 1e-8


def test_a_run_that_changes_its_states_goes_on_remembering() -> None:
    """A mass on a rod goes over the top: x and y take turns at being states."""
    result = run(
        "Real x(start = 0.6, fixed = true), y(start = -0.8), u(start = 5, fixed = true), v, L, late, later;",
        """der(x) = u; der(y) = v; der(u) = -L*x; der(v) = -L*y - 9.81; x^2 + y^2 = 1;
        late = delay(x, 0.25); later = delay(y, 0.2 + 0.1*sin(time), 1);""",
        stop_time=2,
        tolerance=1e-9,
        interval=0.001,
    )
    assert result.statistics["state_choices"] > 2
    moments, rows = np.unique(result.time, return_index=True)
    since = result.time > 0.4
    for name, of, ago in (("late", "x", 0.25), ("later", "y", 0.2 + 0.1 * np.sin(result.time[since]))):
        exact = CubicSpline(moments, result[of][rows])(result.time[since] - ago)
        assert np.abs(result[name][since] - exact).max() < 1e-7


def test_the_derivative_of_a_delayed_value() -> None:
    result = run(
        "Real s(start = 0, fixed = true), c(start = 1, fixed = true), z, w;",
        "der(s) = c; der(c) = -s; z = delay(s, 0.5); w = der(z);",
        stop_time=5,
        tolerance=1e-9,
        interval=0.07,
    )
    since = result.time > 0.5 + 1e-9
    assert np.abs(result["w"] - np.cos(result.time - 0.5))[since].max() < 1e-5


# ---------------------------------------------------------------- delay times that vary


@pytest.mark.parametrize("tolerance", TOLERANCES)
def test_a_varying_delay_time(tolerance: float) -> None:
    result = run(
        "Real s(start = 0, fixed = true), c(start = 1, fixed = true), y;",
        "der(s) = c; der(c) = -s; y = delay(s, 1 + 0.5*sin(3*time), 2);",
        stop_time=10,
        tolerance=tolerance,
    )
    asked = result.time - 1 - 0.5 * np.sin(3 * result.time)
    of_state = np.abs(result["s"] - np.sin(result.time)).max()
    exact = np.where(asked < 0, 0.0, np.sin(asked))
    assert np.abs(result["y"] - exact).max() < of_state + tolerance


@pytest.mark.parametrize("tolerance", TOLERANCES)
def test_a_delay_shorter_than_a_step(tolerance: float) -> None:
    """x' = x(t - T) with T = t/2 and x(0) = 1: the pantograph equation, x = sum of t^k/(2^(k(k-1)/2) k!)."""
    result = run(
        "Real x(start = 1, fixed = true);",
        "der(x) = delay(x, time/2, 2);",
        stop_time=3,
        tolerance=tolerance,
    )
    terms = [result.time**k / (2 ** (k * (k - 1) / 2) * factorial(k)) for k in range(20)]
    exact: NDArray[np.float64] = np.sum(terms, axis=0)
    assert np.abs(result["x"] / exact - 1).max() < 20 * tolerance


def test_jumps_pass_a_varying_delay_forward_and_backward() -> None:
    """What comes out at t went in at t - 1 - 0.8 sin(3 t), which is not monotonic."""
    result = run(
        "Real u, y;",
        "u = if time < 1 then 0 elseif time < 1.2 then 5 else 2; y = delay(u, 1 + 0.8*sin(3*time), 2);",
        stop_time=4,
        interval=0.003,
    )
    asked = result.time - 1 - 0.8 * np.sin(3 * result.time)
    exact = np.where(asked < 1, 0.0, np.where(asked < 1.2, 5.0, 2.0))
    clear = np.minimum(np.abs(asked - 1), np.abs(asked - 1.2)) > 1e-8
    assert np.array_equal(result["y"][clear], exact[clear])
    # Each jump comes out three times: forward, backward, forward.
    jumps = [t for t in times(result) if limits(result, "y", t)[0] != limits(result, "y", t)[1]]
    assert len(jumps) == 6
    residues = [min(abs(t - 1 - 0.8 * np.sin(3 * t) - s) for s in (1, 1.2)) for t in jumps]
    assert max(residues) < 5e-9


def test_a_delay_that_depends_on_the_state() -> None:
    """x' = 1, y = x(t - x/2) = t/2."""
    declarations = "Real x(start = 0, fixed = true), y;"
    result = run(declarations, "der(x) = 1; y = delay(x, x/2, 5);", stop_time=4, tolerance=1e-8)
    assert np.abs(result["y"] - result.time / 2).max() < 1e-7


def test_a_loop_through_a_varying_delay() -> None:
    """Piecewise constant: what comes out is looked up in the result itself."""
    result = run(
        "Real y(start = 1);",
        "y = 1 + 0.5*delay(y, 0.1 + 0.05*sin(time), 1) + (if time < 0.5 then 0 else 1);",
        stop_time=1.5,
        interval=0.01,
    )
    asked = result.time - 0.1 - 0.05 * np.sin(result.time)
    looked_up = np.array([after(result, "y", max(t, 0.0)) for t in asked])
    clear = np.array([min(abs(t - e) for e in times(result)) > 1e-6 for t in result.time])
    exact = 1 + 0.5 * looked_up + (result.time >= 0.5)
    assert np.abs(result["y"] - exact)[clear].max() < 1e-12


def test_a_delay_time_that_steps() -> None:
    """From 2 on everything is asked that has been there from 1.5 to 1.25: going back is a jump too."""
    result = run(
        "Real y, u; discrete Real T(start = 0.5, fixed = true);",
        """u = if time < 1.625 then time else 10 + time;
        when time >= 2 then T = 0.75; elsewhen time >= 3 then T = 0.25; end when;
        y = delay(u, T, 1);""",
        stop_time=4,
        interval=0.01,
    )
    asked = result.time - np.where(result.time < 2, 0.5, np.where(result.time < 3, 0.75, 0.25))
    exact = np.where(asked < 1.625, asked.clip(0), 10 + asked)
    clear = np.abs(asked - 1.625) > 1e-8
    for t in (2, 3):
        clear &= np.abs(result.time - t) > 1e-9
    assert np.abs(result["y"] - exact)[clear].max() < 1e-12
    assert limits(result, "y", 2.0) == pytest.approx((1.5, 1.25))
    assert limits(result, "y", 3.0) == pytest.approx((12.25, 12.75))


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("expression", "code", "words"),
    [
        ("delay(time, -1)", "E212", "positive or zero, not -1"),
        ("delay(time, 2, 1)", "E212", "longer than the longest"),
        ("delay(time, time)", "E211", "the delay time `time` varies"),
        ("delay(time, 0.1, time)", "E211", "must be a parameter"),
        ("delay(true, 1)", "E205", "number"),
        ("delay(time)", "E212", "delay time"),
        ("der(delay(time, 1))", "E204", "cannot be differentiated"),
    ],
)
def test_a_wrong_delay_is_refused(expression: str, code: str, words: str) -> None:
    with pytest.raises(ModelError) as caught:
        run("Real y;", f"y = {expression};")
    (found,) = caught.value.diagnostics
    assert found.code == code and words in found.message and found.span is not None


def test_delay_is_not_for_functions() -> None:
    with pytest.raises(ModelError) as caught:
        saltus.load(
            "model M function f input Real u; output Real y; algorithm y := delay(u, 1); end f; "
            "Real y = f(time); end M;"
        ).simulate()
    assert "not allowed in a function" in caught.value.diagnostics[0].message


@pytest.mark.parametrize(
    ("declarations", "expression", "words", "when"),
    [
        ("parameter Real T = -1;", "delay(time, T)", "positive or zero, it is -1", 0.0),
        ("parameter Real T = 2;", "delay(time, T, 1)", "its range, 0 to 1: it is 2", 0.0),
        ("", "delay(time, 2*time, 1)", "its range, 0 to 1: it is 1", 0.5),
        ("", "delay(time, 0.5 - time, 1)", "its range, 0 to 1: it is -", 0.5),
    ],
)
def test_a_delay_time_out_of_range_ends_the_run(
    declarations: str, expression: str, words: str, when: float
) -> None:
    with pytest.raises(RunError) as caught:
        run(f"{declarations} Real y;", f"y = {expression};", stop_time=1)
    (found,) = caught.value.diagnostics
    assert found.code == "E409" and words in found.message and found.span is not None
    partial = caught.value.partial
    assert partial is not None and partial.time[-1] == pytest.approx(when, abs=1e-6)

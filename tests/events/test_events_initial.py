"""What holds at the start: fixed and free start values, initial equations, discrete variables, loops."""

from __future__ import annotations

import math

import numpy as np
import pytest
from event_runs import body, message, refused, run, steps

import saltus
from saltus.core.diagnostics import ModelError


def sections(declarations: str, equations: str, initial: str, **options: object) -> saltus.Result:
    """A model with an initial equation section."""
    return run(
        f"model M\n{declarations}\ninitial equation\n{initial}\nequation\n{equations}\nend M;", **options
    )


def test_a_fixed_start_value_and_a_free_one_both_start_there() -> None:
    for fixed in (", fixed = true", ", fixed = false", ""):
        result = body(f"Real x(start = 3{fixed});", "der(x) = -x;")
        assert result["x"][0] == 3


def test_initial_equations_replace_start_values_that_are_not_fixed() -> None:
    result = sections("Real x(start = 5); Real y;", "der(x) = -x; y = 2*x;", "y = 8;")
    assert result["x"][0] == pytest.approx(4)


def test_steady_state_of_a_linear_system() -> None:
    # der(x) = A x + b with A = [-2 1; 1 -3], b = (1, 2): x = (1, 1).
    result = sections(
        "Real x(start = 0); Real y(start = 0);",
        "der(x) = -2*x + y + 1; der(y) = x - 3*y + 2;",
        "der(x) = 0; der(y) = 0;",
        stop_time=5,
    )
    np.testing.assert_allclose(result["x"], 1, atol=1e-9)
    np.testing.assert_allclose(result["y"], 1, atol=1e-9)


def test_steady_state_of_a_nonlinear_system() -> None:
    # A tank: der(h) = q - k*sqrt(h), at rest where h = (q/k)^2.
    result = sections(
        "parameter Real q = 2; parameter Real k = 0.5; Real h(start = 1);",
        "der(h) = q - k*sqrt(h);",
        "der(h) = 0;",
        stop_time=10,
    )
    np.testing.assert_allclose(result["h"], 16, rtol=1e-9)


def test_a_mixture_of_fixed_values_and_steady_states() -> None:
    result = sections(
        "Real x(start = 2, fixed = true); Real y(start = 9);",
        "der(x) = -x; der(y) = x^2 - y;",
        "der(y) = 0;",
    )
    assert result["x"][0] == 2 and result["y"][0] == pytest.approx(4)


def test_a_parameter_determined_by_an_initial_equation() -> None:
    # How large must the gain be for x to start at rest at 3?
    model = saltus.load(
        """model M
          parameter Real gain(fixed = false, start = 1);
          parameter Real twice = 2*gain;
          parameter Real u = 6;
          Real x(start = 3, fixed = true);
        initial equation
          der(x) = 0;
        equation
          der(x) = gain*u - x;
        end M;"""
    )
    for u in (6.0, 12.0):
        result = model.simulate(set={"u": u})
        assert result.parameters["gain"] == pytest.approx(3 / u)
        assert result.parameters["twice"] == pytest.approx(6 / u)
        np.testing.assert_allclose(result["x"], 3, atol=1e-9)


def test_too_many_initial_conditions_are_named() -> None:
    with pytest.raises(ModelError) as caught:
        sections("Real x(start = 1, fixed = true);", "der(x) = -x;", "der(x) = 0;")
    first = caught.value.diagnostics[0]
    assert first.code == "E303" and "x" in first.message


# ---------------------------------------------------------------- discrete variables


def test_discrete_variables_start_with_their_start_values() -> None:
    result = body(
        """Integer n(start = 4, fixed = true); Boolean b(start = true, fixed = true);
        discrete Real r(start = 2.5);""",
        "when time >= 0.5 then n = pre(n) + 1; b = not pre(b); r = 2*pre(r); end when;",
    )
    assert [steps(result, v) for v in ("n", "b", "r")] == [
        [(0, 4), (0.5, 5)],
        [(0, 1), (0.5, 0)],
        [(0, 2.5), (0.5, 5)],
    ]


def test_pre_in_an_initial_equation_sets_the_value_before_the_start() -> None:
    result = sections(
        "Real x(start = 0, fixed = true); discrete Real y; Integer n;",
        """der(x) = 1;
        when {initial(), time >= 0.5} then y = pre(y) + 10; end when;
        n = if initial() then pre(n) + 1 else pre(n);""",
        "pre(y) = 1; pre(n) = 6;",
    )
    assert steps(result, "y") == [(0, 11), (0.5, 21)]
    assert result["n"][0] == 7


def test_an_initial_equation_for_a_discrete_variable() -> None:
    result = sections(
        "discrete Real y(start = 5); parameter Real y0 = 3;",
        "when time >= 0.5 then y = pre(y) + 1; end when;",
        "y = y0;",
    )
    assert steps(result, "y") == [(0, 3), (0.5, 4)]


def test_the_difference_equation_of_the_specification_starts_at_rest() -> None:
    # Section 8.6: y = a*pre(y) + b*u with y = pre(y) at the start gives y = b*u/(1 - a).
    result = sections(
        "parameter Real a = 0.5; parameter Real b = 2; Real u; discrete Real y;",
        "u = 3; when {initial(), sample(1, 1)} then y = a*pre(y) + b*u; end when;",
        "y = pre(y);",
        stop_time=3,
    )
    np.testing.assert_allclose(result["y"], 12, rtol=1e-12)


def test_an_initial_algorithm() -> None:
    result = run(
        """model M
          Real x; Real y; Integer n;
        initial algorithm
          x := 2;
          y := x^2 + 1;
          n := 3;
        equation
          der(x) = -x;
          der(y) = 0;
          when sample(0.5, 0.5) then n = pre(n) + 1; end when;
        end M;"""
    )
    assert (result["x"][0], result["y"][0], result["n"][0]) == (2, 5, 3)
    assert result["n"][-1] == 5


def test_a_reinit_under_initial_is_an_initial_equation() -> None:
    result = body(
        "Real x; Real y; parameter Real x0 = 7;",
        "der(x) = -1; y = 2*x; when {initial(), x < 0} then reinit(x, x0); end when;",
        stop_time=8,
        tolerance=1e-9,
    )
    assert (result["x"][0], result["y"][0]) == (7, 14)
    (jump,) = [e for e in result.events if e.reinitialised]
    assert jump.time == pytest.approx(7, abs=1e-6)


def test_the_initial_flag_is_false_after_the_start() -> None:
    result = body("Real y; Boolean b;", "y = if initial() then 1 else 2; b = initial();")
    assert set(result["y"][1:]) == {2.0}
    assert result["b"][-1] == 0


# ---------------------------------------------------------------- algebraic loops


def test_linear_loops_in_the_run_and_at_the_start() -> None:
    # x + y = 3 t, x - y = t: x = 2 t, y = t; the second loop only exists at the start.
    result = sections(
        "Real x; Real y; Real p; Real q;",
        "x + y = 3*time; x - y = time; der(p) = 0; der(q) = 0;",
        "p + q = 10; p - q = 4;",
    )
    np.testing.assert_allclose(result["x"], 2 * result.time, atol=1e-12)
    np.testing.assert_allclose(result["y"], result.time, atol=1e-12)
    np.testing.assert_allclose([result["p"][-1], result["q"][-1]], [7, 3])


def test_a_nonlinear_loop_follows_its_branch() -> None:
    # x^2 + y^2 = 25, x - y = s with s from 1 to 7: on the branch x > 0, y < 0 or > 0 by the start.
    result = body(
        "Real x(start = 4); Real y(start = 3);",
        "x^2 + y^2 = 25; x - y = 1 + 4*time;",
        stop_time=1,
    )
    s = 1 + 4 * result.time
    np.testing.assert_allclose(result["x"], (s + np.sqrt(50 - s**2)) / 2, rtol=1e-9)


@pytest.mark.parametrize(("start", "root"), [(3.0, 2.0), (-3.0, -2.0)])
def test_the_start_value_chooses_among_two_solutions(start: float, root: float) -> None:
    result = body(f"Real x(start = {start});", "x^2 = 4 + 0*time;")
    np.testing.assert_allclose(result["x"], root, rtol=1e-12)
    result = sections(f"Real x(start = {start});", "der(x) = 4 - x^2;", "der(x) = 0;", stop_time=0.01)
    assert result["x"][0] == pytest.approx(root, rel=1e-9)


def test_a_nonlinear_loop_with_events_inside() -> None:
    # A diode-like curve: i = if u > 0 then u^3 else u/10, u + i = 2 sin t.
    result = body(
        "Real u(start = 0); Real i(start = 0);",
        "u + i = 2*sin(time); i = if u > 0 then u^3 else u/10;",
        stop_time=6,
        interval=0.1,
    )
    for t, u in zip(result.time, result["u"], strict=True):
        value = 2 * math.sin(t)
        if value <= 0:
            expected = value / 1.1
        else:  # the real root of u^3 + u = value, by Cardano
            root = math.sqrt(value**2 / 4 + 1 / 27)
            expected = np.cbrt(value / 2 + root) + np.cbrt(value / 2 - root)
        assert u == pytest.approx(expected, abs=1e-8)


def test_a_loop_through_a_relation_and_its_own_consequence_settles() -> None:
    # Closing adds to what closes it: one further round, and both choices are consistent between 0.5 and 1.
    result = body(
        "Real u; Real y; Boolean closed(start = false, fixed = true);",
        "u = 2*time; y = if pre(closed) then u + 0.5 else u; closed = y > 1;",
    )
    np.testing.assert_allclose(steps(result, "closed"), [(0, 0), (0.5, 1)], atol=1e-9)
    assert result["y"][-1] == pytest.approx(2.5)


def test_a_singular_linear_system_is_named_when_it_happens() -> None:
    error = refused(
        """model M Real x; Real y; Real a;
        equation a = time; x + y = 2; x + (2 - a)*y = 3; end M;""",
        stop_time=2,
        interval=0.25,
    )
    text = message(error)
    assert text.startswith("E403") and "`x`" in text and "`y`" in text and "at time 1" in text
    assert error.partial is not None and error.partial.time[-1] < 1


def test_a_loop_without_solution_is_named_at_the_start() -> None:
    text = message(refused("model M Real x(start = 1); equation x^2 = -1 - time; end M;"))
    assert text.startswith("E401") and "`x`" in text
    text = message(
        refused("model M Real x(start = 1); initial equation der(x) = 0; equation der(x) = x^2 + 1; end M;")
    )
    assert text.startswith("E401")


def test_a_loop_that_loses_its_solution_is_named_in_the_run() -> None:
    error = refused("model M Real x(start = 1); equation x^2 = 1 - 2*time; end M;")
    assert message(error).startswith("E403") and "`x`" in message(error)
    assert error.partial is not None and 0.4 < error.partial.time[-1] <= 0.5


# ---------------------------------------------------------------- numbers that are none


def test_a_division_by_zero_in_mid_run_names_the_denominator() -> None:
    error = refused("model M Real y; equation y = 1/(0.5 - time); end M;", interval=0.125)
    text = message(error)
    assert text.startswith("E402") and "0.5 - time" in text and "at time 0.5" in text


def test_a_division_by_zero_at_the_start() -> None:
    text = message(refused("model M parameter Real p = 0; Real y; equation y = time/p; end M;"))
    assert text.startswith("E402") and "`p`" in text


def test_an_invalid_argument_is_told_with_its_variable() -> None:
    error = refused(
        "model M Real x(start = 1, fixed = true); Real y; equation der(x) = -2; y = log(x); end M;",
        interval=0.1,
    )
    text = message(error)
    assert text.startswith("E407") and "`y`" in text
    assert error.partial is not None and np.all(np.isfinite(error.partial["x"]))


def test_a_derivative_that_is_no_number_is_told() -> None:
    error = refused("model M Real x(start = 1, fixed = true); equation der(x) = sqrt(0.5 - time); end M;")
    assert message(error).startswith(("E405", "E407")) and "x" in message(error)

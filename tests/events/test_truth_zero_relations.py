"""Relations that are zero at the start, relations between equal expressions, and noEvent and smooth, nested.

A relation between equal expressions is decided by the operator alone and can make no event. Inside `noEvent`,
and inside `smooth(1, ...)`, comparisons are taken literally; the value is the same, the steps are shorter.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from event_runs import after, before, body, run, steps, times
from hypothesis import given, settings
from hypothesis import strategies as st
from truth_cases import STEPS, every_case, every_tolerance

OPERATORS = {">": False, "<": False, ">=": True, "<=": True}


@pytest.mark.parametrize(("op", "truth"), OPERATORS.items())
@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("x", "x"),
        ("x + y", "y + x"),
        ("a", "b"),  # aliases of one another
        ("a - b", "0"),
        ("x", "twice - x"),  # twice = 2*x
        ("c", "-x"),  # negated alias
        ("2*x + 3", "3 + x + x"),
    ],
)
def test_equal_expressions_on_both_sides(op: str, truth: bool, left: str, right: str) -> None:
    result = body(
        "Real x(start = -1, fixed = true); Real y; Real a; Real b; Real c; Real twice; Boolean r; Real z;",
        f"""der(x) = 1; y = 3 - time; a = sin(x); b = a; c + x = 0; twice = 2*x;
        r = {left} {op} {right}; z = if {left} {op} {right} then 1 else 2;""",
        stop_time=2,
    )
    assert set(result["r"]) == {float(truth)}
    assert set(result["z"]) == {1.0 if truth else 2.0}
    assert times(result) == []


@every_case
@pytest.mark.parametrize("op", OPERATORS)
@pytest.mark.parametrize("slope", [1.0, -1.0, 1e-3, -1e3])
def test_zero_at_the_start_and_leaving(op: str, slope: float, method: str, tolerance: float) -> None:
    """At the start the truth of zero; an instant later that of the side to which the residue moves."""
    result = body(
        "Real x(start = 0, fixed = true); Boolean b; Real y(start = 0, fixed = true);",
        f"der(x) = {slope!r}; b = x {op} 0; der(y) = if b then 1 else -1;",
        tolerance=tolerance,
        method=method,
    )
    later = (slope > 0) == (op in (">", ">="))
    assert result["b"][0] == OPERATORS[op]
    assert result["b"][-1] == later
    changed = steps(result, "b")[1:]
    assert len(changed) == (OPERATORS[op] != later)
    # It leaves its band of 1e-10 after 1e-10/slope.
    soon = 2e-10 / abs(slope) + 1e-9
    assert all(0 <= t <= soon for t, _ in changed)
    # From then on the right branch. Its slope is constant, which every method integrates exactly.
    assert result["y"][-1] == pytest.approx(1 if later else -1, abs=tolerance + 2 * soon)


@every_tolerance
def test_zero_at_the_start_with_zero_slope(tolerance: float) -> None:
    """x = t^2/2 and -t^2/2 leave zero without a slope: the band is left at sqrt(2e-10)."""
    result = body(
        """Real x(start = 0, fixed = true); Real v(start = 0, fixed = true); Boolean up; Boolean down;
        Boolean high; Boolean low;""",
        "der(x) = v; der(v) = 1; up = x > 0; down = -x < 0; high = -x >= 0; low = x <= 0;",
        tolerance=tolerance,
    )
    error = math.sqrt(2 * STEPS * tolerance)  # x is wrong by STEPS tolerances; its slope begins at zero
    for name, start in (("up", 0), ("down", 0), ("high", 1), ("low", 1)):
        found = steps(result, name)
        assert found[0][1] == start and len(found) == 2, name
        assert found[1][0] <= math.sqrt(2e-10) + error


def test_start_values_that_make_several_relations_zero() -> None:
    """Three residues start at zero; each goes its own way: up, down, nowhere."""
    result = body(
        "Real a(start = 1, fixed = true); Real b(start = 1, fixed = true); Boolean r[6];",
        """der(a) = 1; der(b) = -1;
        r = {a > 1, a <= 1, b > 1, b >= 1, a + b > 2, a + b >= 2};""",
    )
    for k, (start, later) in enumerate([(0, 1), (1, 0), (0, 0), (1, 0), (0, 0), (1, 1)], 1):
        assert (result[f"r[{k}]"][0], result[f"r[{k}]"][-1]) == (start, later), k
    assert all(t < 1e-8 for t in times(result))


def test_a_when_clause_on_a_relation_that_is_zero_at_the_start() -> None:
    """Rising from zero is an edge of `x > 0`, but not of `x >= 0`, which is true already."""
    result = body(
        """Real x(start = 0, fixed = true); Integer strict(start = 0, fixed = true);
        Integer weak(start = 0, fixed = true); Integer falls(start = 0, fixed = true);""",
        """der(x) = 1;
        when x > 0 then strict = pre(strict) + 1; end when;
        when x >= 0 then weak = pre(weak) + 1; end when;
        when not x <= 0 then falls = pre(falls) + 1; end when;""",
    )
    assert [result[n][-1] for n in ("strict", "weak", "falls")] == [1, 0, 1]


# ---------------------------------------------------------------- noEvent and smooth


@every_case
@pytest.mark.parametrize(
    ("expression", "expected_events"),
    [
        ("if x > 0 then 2*x else -x", 1),
        ("noEvent(if x > 0 then 2*x else -x)", 0),
        ("smooth(0, if x > 0 then 2*x else -x)", None),  # both are allowed: it is continuous
        ("smooth(0, noEvent(if x > 0 then 2*x else -x))", 0),
        ("noEvent(smooth(0, if x > 0 then 2*x else -x))", 0),
        ("noEvent(noEvent(if x > 0 then 2*x else -x))", 0),
        ("if noEvent(x > 0) then 2*x else -x", 0),
        ("noEvent(if noEvent(x > 0) then 2*x else noEvent(-x))", 0),
        ("if x > noEvent(if x > 5 then 1 else 0) then 2*x else -x", 1),
        ("if noEvent(abs(x)) + x > 0 and x > 0 then 2*x else -x", None),
        ("max(2*x, -x)", None),
    ],
)
def test_a_kink_with_and_without_events(
    expression: str, expected_events: int | None, method: str, tolerance: float
) -> None:
    """x = t - 1; y' = 2x above zero and -x below: y(2) = 1/2 + 1."""
    result = body(
        "Real x(start = -1, fixed = true); Real y(start = 0, fixed = true); Real k;",
        f"der(x) = 1; k = {expression}; der(y) = k;",
        stop_time=2,
        tolerance=tolerance,
        method=method,
    )
    if expected_events is not None:
        assert len(times(result)) == expected_events
    assert result["y"][-1] == pytest.approx(1.5, abs=STEPS * tolerance)
    x = result["x"]
    # Inside the band of 1e-10 either branch may be the one in force.
    np.testing.assert_allclose(result["k"], np.where(x > 0, 2 * x, -x), rtol=0, atol=4e-10)


@every_case
@pytest.mark.parametrize("order", [1, 2])
def test_smooth_of_higher_order_makes_no_event(order: int, method: str, tolerance: float) -> None:
    """Above zero x^(k+1), below nothing: k times differentiable. The integral to x = 1 is 1/(k + 2)."""
    power = order + 1
    result = body(
        "Real x(start = -1, fixed = true); Real y(start = 0, fixed = true);",
        f"der(x) = 1; der(y) = smooth({order}, if x > 0 then x^{power} else 0);",
        stop_time=2,
        tolerance=tolerance,
        method=method,
    )
    assert times(result) == []
    assert result["y"][-1] == pytest.approx(1 / (power + 1), abs=STEPS * tolerance)


def test_an_event_relation_inside_a_literal_one() -> None:
    """The argument of noEvent holds a Boolean that an outer relation makes: that one still has its event."""
    result = body(
        "Real x(start = -1, fixed = true); Boolean b; Real k;",
        "der(x) = 1; b = x > 0; k = noEvent(if b then 1 elseif x > -0.5 then 0.5 else 0);",
        stop_time=2,
        interval=0.1,
    )
    assert times(result) == pytest.approx([1.0], abs=1e-6)
    t = result.time
    clear = (np.abs(t - 0.5) > 1e-6) & (np.abs(t - 1) > 1e-5)
    np.testing.assert_array_equal(result["k"][clear], np.where(t > 1, 1, np.where(t > 0.5, 0.5, 0))[clear])
    (when,) = times(result)
    assert before(result, "k", when) == 0.5 and after(result, "k", when) == 1


def test_no_event_around_a_division_protects_it() -> None:
    """The branch that would divide by zero is not evaluated, neither in steps nor at events."""
    result = body(
        "Real x(start = 1, fixed = true); Real y; Boolean b;",
        "der(x) = -1; y = noEvent(if x > 1e-3 then log(x) else -6.9); b = x > 0.5;",
        stop_time=2,
        interval=0.01,
    )
    x = result["x"]
    expected = [math.log(v) if v > 1e-3 else -6.9 for v in x]
    np.testing.assert_allclose(result["y"], expected, atol=1e-9)
    assert times(result) == pytest.approx([0.5], abs=1e-6)


def test_a_comparison_inside_a_function_call_in_no_event() -> None:
    result = run(
        """model M
          function limited input Real u; input Real bound; output Real y;
          algorithm
            y := if u > bound then bound elseif u < -bound then -bound else u;
          end limited;
          Real x(start = -2, fixed = true); Real y(start = 0, fixed = true); Real z;
        equation
          der(x) = 1; z = noEvent(limited(x, if x > 100 then 2 else 1)); der(y) = z;
        end M;""",
        stop_time=4,
        tolerance=1e-8,
    )
    assert times(result) == []
    np.testing.assert_allclose(result["z"], np.clip(result["x"], -1, 1), atol=1e-12)
    assert result["y"][-1] == pytest.approx(0, abs=1e-5)


@settings(max_examples=25)
@given(
    st.lists(
        st.sampled_from(["noEvent(%s)", "smooth(0, %s)", "(%s)", "if time < 5 then %s else 0"]), max_size=5
    )
)
def test_any_nesting_gives_the_same_trajectory(wrappers: list[str]) -> None:
    """A kink wrapped in whatever leaves its value alone; outermost or innermost noEvent takes its event."""
    expression = "if x > 0 then 2*x else -x"
    for wrapper in wrappers:
        expression = wrapper % expression
    result = body(
        "Real x(start = -1, fixed = true); Real y(start = 0, fixed = true);",
        f"der(x) = 1; der(y) = {expression};",
        stop_time=2,
        tolerance=1e-7,
    )
    assert result["y"][-1] == pytest.approx(1.5, abs=STEPS * 1e-7)
    if "noEvent(%s)" in wrappers:
        assert [t for t in times(result) if abs(t - 1) < 0.1] == []

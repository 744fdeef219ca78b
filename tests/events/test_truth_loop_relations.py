"""Relations that depend on algebraic loops, linear and nonlinear, and loops that contain the relation.

Truth: the loops are small enough to be solved by hand or by Brent's method; the times at which their
solutions pass a threshold are found by putting the threshold into the loop.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from event_runs import after, before, body, steps, times
from scipy.optimize import brentq
from truth_cases import STEPS, every_case, every_tolerance


@every_case
def test_a_relation_of_a_nonlinear_loop(method: str, tolerance: float) -> None:
    """y + y^3 = x and x = 10 sin(t): y is above 1 where x is above 2."""
    result = body(
        "Real x; Real y(start = 0); Boolean b; Real z(start = 0, fixed = true);",
        "x = 10*sin(time); y + y^3 = x; b = y > 1; der(z) = if b then y else 0;",
        stop_time=7,
        tolerance=tolerance,
        method=method,
    )
    up, down = math.asin(0.2), math.pi - math.asin(0.2)
    expected = [t for t in (up, down, up + 2 * math.pi) if t < 7]
    # The loop is solved to rounding at the location of events, whatever the tolerance.
    np.testing.assert_allclose([t for t, _ in steps(result, "b")[1:]], expected, rtol=0, atol=1e-9)

    def solution(t: float) -> float:
        return float(brentq(lambda y: y + y**3 - 10 * math.sin(t), -3, 3, xtol=1e-15))

    np.testing.assert_allclose(result["y"], [solution(t) for t in result.time], atol=1e-8)
    knots, weights = np.polynomial.legendre.leggauss(60)
    middle, half = (up + down) / 2, (down - up) / 2
    area = half * sum(w * solution(middle + half * k) for k, w in zip(knots, weights, strict=True))
    if tolerance <= 1e-6:
        after_first = (result.time > down + 1e-6) & (result.time < up + 2 * math.pi - 1e-6)
        np.testing.assert_allclose(result["z"][after_first], area, rtol=0, atol=2 * STEPS * area * tolerance)


@every_case
def test_a_relation_of_a_loop_of_three_nonlinear_equations(method: str, tolerance: float) -> None:
    """Three unknowns, two nonlinear terms: a = x - b^3, b = c + sin(a)/4, c = a/2.

    At the threshold a = 1: c = 1/2, b = 1/2 + sin(1)/4, x = 1 + b^3. x decays from 3 in 1 s.
    """
    result = body(
        "Real x(start = 3, fixed = true); Real a(start = 1); Real b(start = 1); Real c; Boolean r;",
        "der(x) = -x; a = x - b^3; b = c + sin(a)/4; c = a/2; r = a < 1;",
        stop_time=2,
        tolerance=tolerance,
        method=method,
    )
    threshold = 1 + (0.5 + math.sin(1) / 4) ** 3
    expected = math.log(3 / threshold)
    ((found, _),) = steps(result, "r")[1:]
    # A state of scale 3 that falls with the slope `threshold` there.
    assert found == pytest.approx(expected, abs=3 * STEPS * tolerance / threshold)
    np.testing.assert_allclose(result["a"], result["x"] - result["b"] ** 3, atol=1e-8)


@every_case
def test_the_relation_is_part_of_its_own_loop(method: str, tolerance: float) -> None:
    """A spring that is hard beyond x = 1, on a lever: x + f/2 = u. Up to u = 3/2 it is soft and x = u/1.5;
    beyond, x + (1 + 4 (x - 1))/2 = u."""
    result = body(
        "Real u; Real x; Real f; Boolean hard; Real work(start = 0, fixed = true);",
        """u = 3*sin(time); x + f/2 = u;
        hard = x > 1;
        f = if hard then 1 + 4*(x - 1) else x;
        der(work) = f;""",
        stop_time=3,
        tolerance=tolerance,
        method=method,
    )
    u = 3 * np.sin(result.time)
    expected = np.where(u > 1.5, (u + 1.5) / 3, u / 1.5)
    np.testing.assert_allclose(result["x"], expected, rtol=0, atol=1e-9)
    np.testing.assert_allclose(
        [t for t, _ in steps(result, "hard")[1:]], [math.pi / 6, 5 * math.pi / 6], rtol=0, atol=1e-9
    )

    # The integral of f = 2 (u - x): soft 2u/3, hard (4u - 3)/3, with the integral of u over [a, b].
    def integral(a: float, b: float, hard: bool) -> float:
        drive = 3 * (math.cos(a) - math.cos(b))
        return (4 * drive - 3 * (b - a)) / 3 if hard else 2 * drive / 3

    knots = [0, math.pi / 6, 5 * math.pi / 6, 3]
    total = sum(integral(a, b, k == 1) for k, (a, b) in enumerate(pairwise(knots)))
    assert result["work"][-1] == pytest.approx(total, abs=4 * STEPS * tolerance)


@every_case
def test_a_leaky_diode_in_a_loop(method: str, tolerance: float) -> None:
    """A diode in the form u = s*(if s < 0 then 1 else Ron), i = s*(if s < 0 then Goff else 1), fed by a sine
    through a resistor, loaded by an RC. Truth: both modes are linear; event by event by Brent's method."""
    ron, goff, r, rl, c = 1e-3, 1e-3, 1.0, 10.0, 0.1
    result = body(
        "Real s; Real u; Real i; Real v(start = 0, fixed = true); Boolean off;",
        f"""off = s < 0;
        u = s*(if off then 1 else {ron!r}); i = s*(if off then {goff!r} else 1);
        sin(6*time) = {r!r}*i + u + v;
        {c!r}*der(v) = i - v/{rl!r};""",
        stop_time=4,
        tolerance=tolerance,
        method=method,
    )

    def voltage(t: float, t0: float, v0: float, off: bool) -> float:
        gain = goff / (1 + r * goff) if off else 1 / (r + ron)  # i = gain*(sin - v)
        a = (gain + 1 / rl) / c
        b = gain / c

        def forced(x: float) -> float:
            return b / (a * a + 36) * (a * math.sin(6 * x) - 6 * math.cos(6 * x))

        return forced(t) + (v0 - forced(t0)) * math.exp(-a * (t - t0))

    expected, t0, v0, off = [], 0.0, 0.0, False
    while True:

        def drop(t: float, t0: float = t0, v0: float = v0, off: bool = off) -> float:
            return (math.sin(6 * t) - voltage(t, t0, v0, off)) * (1 if off else -1)

        scan = np.arange(t0 + 1e-6, 4, 1e-3)
        crossed = [t for t in scan if drop(t) > 0]
        if not crossed or crossed[0] <= t0 + 1e-6:
            break
        t1 = float(brentq(drop, crossed[0] - 1e-3, crossed[0], xtol=1e-15))
        expected.append(t1)
        v0, t0, off = voltage(t1, t0, v0, off), t1, not off
    assert len(expected) == 7
    found = [t for t, _ in steps(result, "off")[1:]]
    assert len(found) == len(expected)
    # sin(6t) - v passes zero with at least 1/s; v contracts with 1/s when the diode is off, so errors of some
    # phases meet.
    np.testing.assert_allclose(found, expected, rtol=0, atol=3 * STEPS * tolerance)


@every_tolerance
def test_a_switch_decided_by_a_loop_that_it_changes(tolerance: float) -> None:
    """Hysteresis by feedback: y carries its own 1 while it is on, so it goes on at x = 1 and off near -1."""
    result = body(
        "Real x; Real y(start = 0); Boolean on(start = false, fixed = true);",
        """x = 2*sin(time); y + y^3/10 = x + x^3/10 + (if pre(on) then 1 else 0);
        on = if pre(on) then y > 0 else y > 1;""",
        stop_time=10,
        tolerance=tolerance,
    )
    # Off: y = x, on at x = 1: pi/6. On: y = 0 where x + x^3/10 = -1.
    low = float(brentq(lambda x: x + x**3 / 10 + 1, -2, 0))
    on, off = math.pi / 6, math.pi + math.asin(-low / 2)
    expected = [on, off, on + 2 * math.pi, off + 2 * math.pi]
    found = steps(result, "on")[1:]
    assert [v for _, v in found] == [1, 0, 1, 0][: len(found)]
    np.testing.assert_allclose([t for t, _ in found], [t for t in expected if t < 10], rtol=0, atol=1e-8)
    for t, _ in found:
        assert abs(before(result, "y", t) - after(result, "y", t)) > 0.5


def test_events_between_solutions_of_a_loop_keep_their_branch() -> None:
    """y^2 = x has two solutions; a reinit of x moves along the same branch, up and down."""
    result = body(
        "Real x(start = 4, fixed = true); Real y(start = 2); Boolean big;",
        """der(x) = 0; y^2 = x; big = y > 3;
        when sample(1, 1) then reinit(x, if big then 4 else 16); end when;""",
        stop_time=4.5,
    )
    assert [after(result, "y", k + 0.5) for k in range(5)] == pytest.approx([2, 4, 2, 4, 2], abs=1e-9)
    assert times(result) == [1, 2, 3, 4]

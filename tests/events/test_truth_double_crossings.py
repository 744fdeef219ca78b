"""Two crossings of a relation inside one step of the integrator: both are found, at closed-form times.

A residue that is positive at both ends of a step may have been negative in between, for a time much shorter
than the step. Its sign at the ends does not tell; its slope does, which has changed its sign. A residue that
only touches zero, within its band (1e-10 of its nominal), makes no event.

Functions of time have no integration error: their crossings are known to the band over the slope there. A
crossing of a state with a shallow overlap d under curvature c moves by err/sqrt(2 c d); it is a crossing at
all only if the error of the state is smaller than d, so overlaps are chosen in proportion to the tolerance.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from event_runs import body, steps, times
from hypothesis import example, given, settings
from hypothesis import strategies as st
from truth_cases import STEPS, every_case, every_tolerance

import saltus

BAND = 1e-10


def crossings(result: saltus.Result) -> list[float]:
    """When `b` changed. Every event is one of these: the models here have no other relation."""
    found = [t for t, _ in steps(result, "b")[1:]]
    assert times(result) == found
    return found


PARABOLA = saltus.load(
    """model Parabola parameter Real d = 1e-6; parameter Real t0 = 1; Real x; Boolean b;
    equation x = (time - t0)^2 - d; b = x > 0; end Parabola;"""
)


@every_case
@pytest.mark.parametrize("overlap", [1e-2, 1e-4, 1e-6, 1e-8])
def test_a_parabola_of_time_below_zero_for_a_moment(overlap: float, method: str, tolerance: float) -> None:
    result = PARABOLA.simulate(stop_time=2, set={"d": overlap}, tolerance=tolerance, method=method)
    half = math.sqrt(overlap)
    np.testing.assert_allclose(crossings(result), [1 - half, 1 + half], rtol=0, atol=BAND / half + 1e-12)


@every_tolerance
@pytest.mark.parametrize("overlap", [0, 5e-11, -5e-11, -1e-6, -1e-9])
def test_a_parabola_of_time_that_touches_within_the_band_or_stays_above(
    overlap: float, tolerance: float
) -> None:
    result = PARABOLA.simulate(stop_time=2, set={"d": overlap}, tolerance=tolerance)
    assert crossings(result) == []
    assert set(result["b"]) == {1.0}


@settings(max_examples=60)
@given(st.floats(-8, -0.5), st.floats(0.2, 1.8), st.sampled_from([1e-4, 1e-8]))
@example(-6.0, 1.0, 1e-4)
def test_any_overlap_anywhere_on_a_parabola(exponent: float, t0: float, tolerance: float) -> None:
    overlap = min(10.0**exponent, 0.03)  # at most 0.17 s to either side: both crossings are inside the run
    result = PARABOLA.simulate(stop_time=2, set={"d": overlap, "t0": t0}, tolerance=tolerance)
    half = math.sqrt(overlap)
    np.testing.assert_allclose(crossings(result), [t0 - half, t0 + half], rtol=0, atol=BAND / half + 1e-12)


@pytest.mark.parametrize(
    ("residue", "expected"),
    [
        # Even multiplicity touches, odd multiplicity crosses.
        ("(time - 1)^4", []),
        ("(time - 1)^2*(time + 1)", []),
        ("(time - 1)^3 + (time - 1)", [1.0]),
        ("(time - 1)^4 - 1e-8", [1 - 1e-2, 1 + 1e-2]),
        ("(time - 1)^2*((time - 1)^2 + 1) - 1e-6*(1 + 1e-6)", [1 - 1e-3, 1 + 1e-3]),
        # A cubic that touches at 1 and crosses at 1.5; lowered a little it crosses three times.
        ("(time - 1)^2*(time - 1.5)", [1.5]),
        ("(time - 0.999)*(time - 1.001)*(time - 1.5)", [0.999, 1.001, 1.5]),
        # Two pairs close together, and far from each other.
        ("((time - 0.5)^2 - 1e-6)*((time - 1.5)^2 - 1e-6)", [0.499, 0.501, 1.499, 1.501]),
        ("((time - 1)^2 - 1e-4)*((time - 1)^2 - 4e-4)", [0.98, 0.99, 1.01, 1.02]),
        # The same a hundred times narrower is nowhere above 4e-12: it touches.
        ("((time - 1)^2 - 1e-6)*((time - 1)^2 - 4e-6)", []),
        # Tips of waves: cos(2 pi t) is 1 at whole seconds.
        ("cos(6.283185307179586*time) - cos(6.283185307179586*0.003)", [0.003, 0.997, 1.003, 1.997]),
        # A narrow pulse of a smooth function: 1/(1 + (s/w)^2) is above 1/2 for |s| < w.
        ("1/(1 + ((time - 1)/0.01)^2) - 0.5", [0.99, 1.01]),
        ("exp(-((time - 1)/0.02)^2) - exp(-1)", [0.98, 1.02]),
    ],
)
@pytest.mark.parametrize("sign", ["", "-"])
def test_functions_of_time_without_states(residue: str, expected: list[float], sign: str) -> None:
    result = body("Real x; Boolean b;", f"x = {sign}({residue}); b = x > 0;", stop_time=2)
    slopes = np.array([_slope(residue, t) for t in expected])
    found = crossings(result)
    assert len(found) == len(expected)
    assert np.all(np.abs(np.array(found) - expected) <= 2 * BAND / slopes + 1e-12)


def _slope(residue: str, t: float) -> float:
    """The slope of a residue at a crossing, by a central difference much narrower than its features."""
    formula = residue.replace("^", "**").replace("time", "t")
    functions = {"cos": math.cos, "exp": math.exp}
    above, below = (eval(formula, functions | {"t": t + h}) for h in (1e-7, -1e-7))
    return abs(above - below) / 2e-7


@pytest.fixture(scope="module")
def hop() -> saltus.Model:
    return saltus.load(
        """model Hop "thrown up at 3 m/s; the line is so much below the top"
          parameter Real g = 9.81; parameter Real v0 = 3; parameter Real overlap = 1e-3;
          Real h(start = 0, fixed = true); Real v(start = v0, fixed = true); Boolean b;
        equation
          der(h) = v; der(v) = -g; b = h > v0^2/(2*g) - overlap;
        end Hop;"""
    )


@every_case
@pytest.mark.parametrize("factor", [3, 30, 300])
def test_a_ball_just_over_a_line(hop: saltus.Model, factor: float, method: str, tolerance: float) -> None:
    error = STEPS * tolerance
    overlap = factor * error
    if overlap > 0.2:
        return  # the line is below the start
    result = hop.simulate(stop_time=0.6, set={"overlap": overlap}, tolerance=tolerance, method=method)
    top, half = 3 / 9.81, math.sqrt(2 * overlap / 9.81)
    # The true overlap is between overlap - error and overlap + error.
    wrong = math.sqrt(2 * (overlap + error) / 9.81) - half
    found = crossings(result)
    np.testing.assert_allclose(found, [top - half, top + half], rtol=0, atol=2 * wrong + error)


@every_case
def test_a_ball_just_below_a_line(hop: saltus.Model, method: str, tolerance: float) -> None:
    gap = {"overlap": -STEPS * tolerance}
    result = hop.simulate(stop_time=0.6, set=gap, tolerance=tolerance, method=method)
    assert crossings(result) == []


@every_case
def test_a_ball_that_touches_a_line(hop: saltus.Model, method: str, tolerance: float) -> None:
    """Whether it gets there is a matter of integration errors; that it comes back is not."""
    result = hop.simulate(stop_time=0.6, set={"overlap": 0}, tolerance=tolerance, method=method)
    found = crossings(result)
    assert len(found) in (0, 2) and result["b"][-1] == 0
    assert all(abs(t - 3 / 9.81) <= math.sqrt(2 * STEPS * tolerance / 9.81) for t in found)


@every_case
def test_a_narrow_pulse_of_a_smooth_state(method: str, tolerance: float) -> None:
    """y = x2 of a chain of two lags driven by x1(0) = 1 is t exp(-t), whose top at t = 1 is 1/e."""
    depth = 3 * STEPS * tolerance  # of the pulse above the line, in height
    line = math.exp(-1) - depth
    result = body(
        "Real x1(start = 1, fixed = true); Real x2(start = 0, fixed = true); Boolean b;",
        f"der(x1) = -x1; der(x2) = x1 - x2; b = x2 > {line!r};",
        stop_time=4,
        tolerance=tolerance,
        method=method,
    )
    found = crossings(result)
    assert len(found) == 2
    for t, side in zip(found, (-1, 1), strict=True):
        # Within the error of x2 the crossing is where t exp(-t) has the height of the line.
        assert abs(t * math.exp(-t) - line) <= STEPS * tolerance
        assert (t - 1) * side > 0


@settings(max_examples=40)
@given(st.floats(10, 100), st.floats(0.05, 3.0), st.sampled_from([1e-4, 1e-6, 1e-8]))
def test_an_oscillator_looks_over_a_line_in_every_period(
    factor: float, phase: float, tolerance: float
) -> None:
    """cos(t - phase), as two states, is above 1 - overlap around every top."""
    overlap = min(factor * STEPS * tolerance, 0.3)
    line = 1 - overlap
    result = OSCILLATOR.simulate(
        stop_time=7, set={"line": line, "phase": phase}, tolerance=tolerance, interval=7
    )
    half = math.acos(line)
    expected = [t for k in (0, 1) for t in (phase + 2 * math.pi * k - half, phase + 2 * math.pi * k + half)]
    expected = [t for t in expected if 0 < t < 7]
    if any(t < 0.01 or t > 6.9 for t in expected) or abs(math.cos(phase) - line) < overlap / 2:
        return  # too near to the ends of the run
    found = crossings(result)
    assert len(found) == len(expected)
    # Errors of all steps add up in the undamped oscillation.
    drift = result.statistics["steps"] * tolerance
    for t, e in zip(found, expected, strict=True):
        assert abs(math.cos(t - phase) - line) <= drift and abs(t - e) < half


OSCILLATOR = saltus.load(
    """model Oscillator
      parameter Real phase = 0; parameter Real line = 1;
      Real x(start = cos(phase), fixed = true); Real y(start = sin(phase), fixed = true); Boolean b;
    equation
      der(x) = y; der(y) = -x; b = x > line;
    end Oscillator;"""
)


@every_case
def test_what_happens_between_the_two_crossings_counts(method: str, tolerance: float) -> None:
    """Above the line a second state grows; at the end it has measured the time between the crossings."""
    overlap = max(30 * STEPS * tolerance, 1e-4)
    overlap = min(overlap, 0.2)
    result = body(
        """Real h(start = 0, fixed = true); Real v(start = 3, fixed = true);
        Real above(start = 0, fixed = true); Boolean b;
        Integer up(start = 0, fixed = true); Integer down(start = 0, fixed = true);""",
        f"""der(h) = v; der(v) = -9.81; b = h > {9 / (2 * 9.81) - overlap!r};
        der(above) = if b then 1 else 0;
        when b then up = pre(up) + 1; end when;
        when not b then down = pre(down) + 1; end when;""",
        stop_time=0.6,
        tolerance=tolerance,
        method=method,
    )
    assert (result["up"][-1], result["down"][-1]) == (1, 1)
    half = math.sqrt(2 * overlap / 9.81)
    wrong = math.sqrt(2 * (overlap + STEPS * tolerance) / 9.81) - half
    assert result["above"][-1] == pytest.approx(2 * half, abs=4 * wrong + STEPS * tolerance)


@every_case
def test_two_relations_with_double_crossings_in_one_step(method: str, tolerance: float) -> None:
    """Nested pairs, in order: in at the lower line, in at the upper, out at the upper, out at the lower."""
    result = body(
        "Real x; Boolean low; Boolean high; Integer order(start = 0, fixed = true);",
        """x = -(time - 1)^2; low = x > -4e-6; high = x > -1e-6;
        when {low, high, not high, not low} then
          order = 10*pre(order) + (if edge(low) then 1 elseif edge(high) then 2
            elseif change(high) then 3 else 4);
        end when;""",
        stop_time=2,
        tolerance=tolerance,
        method=method,
    )
    np.testing.assert_allclose(times(result), [0.998, 0.999, 1.001, 1.002], rtol=0, atol=2e-7)
    assert result["order"][-1] == 1234

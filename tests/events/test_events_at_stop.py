"""What crosses exactly where the run ends: found by every method, or by none, whatever the last digits are.

Truth: closed forms.
"""

from __future__ import annotations

import math

import pytest
from tools.obedience.judge import violations

import saltus

METHODS = ("bdf", "ida", "adams", "rk45", "auto")

#: Equations, the relation, when its residue comes to zero, and whether it goes on across.
CASES = {
    "a state": ("Real x(start = 1, fixed = true);", "der(x) = -1;", "x <= 0", 1.0, True),
    "a state, strictly": ("Real x(start = 1, fixed = true);", "der(x) = -1;", "x < 0", 1.0, True),
    "a sine": ("Real u;", "u = sin(3.141592653589793*time);", "u < 0", 1.0, True),
    "a parabola": ("Real u;", "u = 0.5 - time^2;", "u < 0", math.sqrt(0.5), True),
    "small": ("Real x(start = 1e-9, fixed = true, nominal = 1e-9);", "der(x) = -1e-9;", "x < 0", 1.0, True),
    "touching": ("Real u;", "u = (time - 1)^2;", "u < 0", 1.0, False),
    "just before": ("Real x(start = 1 + 1e-9, fixed = true);", "der(x) = -1;", "x < 0", 1.0, False),
    "fading": ("Real x(start = 1, fixed = true);", "der(x) = -x;", "x <= 0", 24.0, False),
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("case", CASES)
def test_what_crosses_at_the_stop_time(case: str, method: str) -> None:
    declarations, equations, relation, stop, crosses = CASES[case]
    result = saltus.load(f"""
        model M
          {declarations}
          Integer n(start = 0, fixed = true);
        equation
          {equations}
          when {relation} then
            n = pre(n) + 1;
          end when;
        end M;
    """).simulate(stop_time=stop, method=method, tolerance=1e-10)
    assert result["n"][-1] == crosses
    assert [e.time for e in result.events][1:] == ([stop] if crosses else [])
    assert violations(result, 1e-10) == []


@pytest.mark.parametrize("method", METHODS)
def test_an_impact_at_the_stop_time(method: str) -> None:
    """h = 1 - t^2, so it falls with a speed of 2 for one second; the last row is one after the impact."""
    result = saltus.load("""
        model Ball
          Real h(start = 1, fixed = true), v(start = 0, fixed = true);
        equation
          der(h) = v;
          der(v) = -2;
          when h <= 0 then
            reinit(v, -0.5*pre(v));
          end when;
        end Ball;
    """).simulate(stop_time=1, method=method, tolerance=1e-11)
    assert result["v"][-1] == pytest.approx(1, abs=1e-6) and result["v"].min() == pytest.approx(-2, abs=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_a_mode_that_ends_at_the_stop_time(method: str) -> None:
    """An ideal diode opens where the run ends: i = 1 - t, and then it blocks."""
    result = saltus.load("""
        model M
          Real i(start = 1, fixed = true), u, s;
          Boolean blocks = s < 0;
        equation
          -1 = der(i) + u;
          u = if blocks then s else 0;
          i = if blocks then 0 else s;
        end M;
    """).simulate(stop_time=1, method=method, tolerance=1e-10)
    assert result["blocks"][-1] == 1 and result["u"][-1] == pytest.approx(-1) and abs(result["i"][-1]) < 1e-9


def test_a_run_that_is_cut_there_is_like_one_that_goes_on() -> None:
    """Three turns in a run of two seconds; cut at the second one, it has two."""
    model = saltus.load("""
        model M
          Real x(start = 0.5, fixed = true);
          Boolean up(start = false, fixed = true);
          Integer n(start = 0, fixed = true);
        equation
          der(x) = if up then 1 else -1;
          when {x < 0, x > 1} then
            up = x < 0.5;
            n = pre(n) + 1;
          end when;
        end M;
    """)
    assert [int(model.simulate(stop_time=stop)["n"][-1]) for stop in (0.5, 1.5, 2.5, 2)] == [1, 2, 3, 2]

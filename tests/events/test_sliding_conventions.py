"""Where a model is not linear in what switches: Filippov's convention and the equivalent control, each the
same however the model is written, against mean values worked out by hand."""

from __future__ import annotations

import math
from itertools import product

import pytest
from event_runs import run
from scipy.optimize import brentq

from saltus.core.diagnostics import UsageError

STOP = 2.0

#: The same model, with `s` as a variable, in place, through a chain of variables, and through a Boolean.
WRITTEN = {
    "named": ("Real s;", "s = if x > 0 then {p} else -{m};", "s"),
    "in place": ("", "", "(if x > 0 then {p} else -{m})"),
    "chained": ("Real r, s;", "r + 1 = 1 + (if x > 0 then 2*{p} else -2*{m}); 2*s = r;", "s"),
    "Boolean": ("Boolean b; Real s;", "b = not x > 0; s = if b then -{m} else {p};", "s"),
    "if-equation": ("Real s;", "if x > 0 then s = {p}; else s = -{m}; end if;", "s"),
}
MODEL = """model M Real x(start = 0.5, fixed = true), y(start = 0, fixed = true), q(start = 0, fixed = true);
  {declared} equation {defined} der(x) = -{s}; der(y) = {s}^2 + 3*{s}; der(q) = abs({s}); end M;"""


@pytest.mark.parametrize(("plus", "minus"), [(1, 1), (2, 0.5)])
@pytest.mark.parametrize("written", WRITTEN)
@pytest.mark.parametrize("sliding", ["filippov", "equivalent"])
def test_one_model_has_one_answer(sliding: str, written: str, plus: float, minus: float) -> None:
    declared, defined, s = (part.format(p=plus, m=minus) for part in WRITTEN[written])
    text = MODEL.format(declared=declared, defined=defined, s=s)
    result = run(text, stop_time=STOP, tolerance=1e-9, sliding=sliding)
    reached = 0.5 / plus
    w = minus / (plus + minus)  # the mean of s is zero
    squares = w * plus**2 + (1 - w) * minus**2 if sliding == "filippov" else 0.0
    sizes = w * plus + (1 - w) * minus if sliding == "filippov" else 0.0
    y = (plus**2 + 3 * plus) * reached + squares * (STOP - reached)
    q = plus * reached + sizes * (STOP - reached)
    assert result["x"][-1] == 0.0
    assert result["y"][-1] == pytest.approx(y, abs=1e-7)
    assert result["q"][-1] == pytest.approx(q, abs=1e-7)


@pytest.mark.parametrize("load", [0.3, 0.8])
def test_a_nonlinear_loop_is_solved_on_either_side(load: float) -> None:
    """y + y^3 = 3 s + load: the values on both sides are roots, their weights follow from mean(y) = 0."""
    text = f"""model M Real x(start = 0, fixed = true), q(start = 0, fixed = true), y(start = 0), s; equation
      s = if x > 0 then 1 else -1; y + y^3 = 3*s + {load}; der(x) = -y; der(q) = y^2; end M;"""
    above, below = (brentq(lambda y, s=s: y + y**3 - 3 * s - load, -3, 3) for s in (1, -1))
    w = below / (below - above)
    result = run(text, stop_time=STOP, tolerance=1e-9)
    assert result["q"][-1] == pytest.approx(STOP * (w * above**2 + (1 - w) * below**2), abs=1e-6)
    assert result["s"][-1] == pytest.approx(2 * w - 1, abs=1e-9)
    result = run(text, stop_time=STOP, tolerance=1e-9, sliding="equivalent")
    assert result["q"][-1] == pytest.approx(0.0, abs=1e-6)
    assert result["s"][-1] == pytest.approx(-load / 3, abs=1e-9)


def test_the_motion_itself_is_not_linear_in_the_switch() -> None:
    """x' = 0.2 - s - 0.5 s^2 - 0.1 s^3, y' = s^3: Filippov has the weights for which the mean of x' is zero,
    the equivalent control is the root of x' = 0."""
    text = """model M Real x(start = 0.4, fixed = true), y(start = 0, fixed = true), s; equation
      s = if x > 0 then 1 else -1; der(x) = 0.2 - s - 0.5*s^2 - 0.1*s^3; der(y) = s^3; end M;"""
    above, below = 0.2 - 1 - 0.5 - 0.1, 0.2 + 1 - 0.5 + 0.1
    w, reached = below / (below - above), 0.4 / 1.4
    result = run(text, stop_time=STOP, tolerance=1e-9)
    assert result["y"][-1] == pytest.approx(reached + (2 * w - 1) * (STOP - reached), abs=1e-7)
    root = brentq(lambda s: 0.2 - s - 0.5 * s**2 - 0.1 * s**3, -1, 1)
    result = run(text, stop_time=STOP, tolerance=1e-9, sliding="equivalent")
    assert result["y"][-1] == pytest.approx(reached + root**3 * (STOP - reached), abs=1e-7)


def test_the_rate_of_a_state_squared() -> None:
    text = """model M Real x(start = 0.5, fixed = true), q(start = 0, fixed = true); equation
      der(x) = 0.5 - (if x > 0 then 1 else -1); der(q) = der(x)^2; end M;"""
    result = run(text, stop_time=STOP, tolerance=1e-9)
    # x' is -0.5 for 1 s; then it is -0.5 for three quarters of the time and 1.5 for the rest.
    assert result["q"][-1] == pytest.approx(0.25 + 0.75 * 0.25 + 0.25 * 2.25, abs=1e-7)


@pytest.mark.parametrize("sliding", ["filippov", "equivalent"])
@pytest.mark.parametrize("named", [True, False])
def test_two_surfaces_at_once(named: bool, sliding: str) -> None:
    """Each of four combinations of sides has the product of the weights."""
    s, z = "(if a > 0 then 1 else -1)", "(if b > 0 then 2 else -1)"
    declared, defined = ("Real s, z, p;", f"s = {s}; z = {z}; p = s*z;") if named else ("", "")
    p = "p" if named else f"{s}*{z}"
    s, z = ("s", "z") if named else (s, z)
    text = f"""model M Real a(start = 0, fixed = true), b(start = 0, fixed = true);
      Real q(start = 0, fixed = true); {declared} equation {defined}
      der(a) = -{s} - 0.2; der(b) = -{z} + 0.1; der(q) = exp({p}) + {s}^2*{z};
      end M;"""
    result = run(text, stop_time=STOP, tolerance=1e-9, sliding=sliding)
    u, v = 0.4, 1.1 / 3  # the means of s and z are -0.2 and 0.1
    rate = math.exp(-0.02) + 0.004
    if sliding == "filippov":
        sides = product(((1, u), (-1, 1 - u)), ((2, v), (-1, 1 - v)))
        rate = sum(p1 * p2 * (math.exp(x * y) + x**2 * y) for (x, p1), (y, p2) in sides)
    assert result["q"][-1] == pytest.approx(rate * STOP, abs=1e-5)


def test_a_wrong_convention_is_refused() -> None:
    with pytest.raises(UsageError, match="filippov, equivalent"):
        run("model M Real x = time; end M;", sliding="mean")

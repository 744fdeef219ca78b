"""A relation that guards the domain of a function: roundings beyond it are no failure, real faults still are.

Truths: flows through an orifice in closed form, sqrt(h) falls linearly until the tank is empty.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad

import saltus
from saltus.core.diagnostics import RunError

METHODS = ("bdf", "adams", "ida", "rk45", "auto")

#: Ways to write that nothing flows out of an empty tank.
EMPTIED = {
    "branches": "der(h) = -(if h > 0 then sqrt(h) else 0);",
    "the other way round": "der(h) = if h <= 0 then 0 else -sqrt(h);",
    "a power": "der(h) = -(if h > 0 then h^0.5 else 0);",
    "a Boolean": "empty = h <= 0; der(h) = if empty then 0 else -sqrt(h);",
    "two conditions": "der(h) = -(if time >= 0 and h > 0 then sqrt(h) else 0);",
    "an if-equation": "if h > 0 then der(h) = -sqrt(h); else der(h) = 0; end if;",
    "an own variable": "q = if h > 0 then sqrt(4*h)/2 else 0; der(h) = -q;",
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("written", EMPTIED)
def test_a_tank_runs_empty_and_stays_so(written: str, method: str) -> None:
    equations = EMPTIED[written]
    more = "".join(
        f"{kind} {name};" for kind, name in (("Boolean", "empty"), ("Real", "q")) if f"{name} =" in equations
    )
    model = saltus.load(f"model M Real h(start = 1, fixed = true); {more} equation {equations} end M;")
    result = model.simulate(stop_time=4, tolerance=1e-8, method=method)
    exact = np.maximum(1 - result.time / 2, 0) ** 2
    np.testing.assert_allclose(result["h"], exact, atol=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_levels_meet_with_the_flow_in_either_direction(method: str) -> None:
    model = saltus.load("""model M
      Real a(start = 1, fixed = true), b(start = 0, fixed = true), d = a - b, q;
    equation
      q = if d >= 0 then sqrt(d) else -sqrt(-d);
      der(a) = -q;
      der(b) = q;
    end M;""")
    result = model.simulate(stop_time=3, tolerance=1e-8, method=method)
    np.testing.assert_allclose(result["d"], np.maximum(1 - result.time, 0) ** 2, atol=1e-6)
    np.testing.assert_allclose(result["a"] + result["b"], 1, atol=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_a_threshold_of_parameters_and_a_logarithm(method: str) -> None:
    model = saltus.load("""model M
      parameter Real h0 = 0.2, c = 0.7;
      Real h(start = 1, fixed = true), s(start = 1, fixed = true);
    equation
      der(h) = if h > h0 then -c*sqrt(2*9.81*(h - h0)) else 0;
      der(s) = if s > 0 then -1 + 0.1*s*log(s) else 0;
    end M;""")
    result = model.simulate(stop_time=3, tolerance=1e-9, method=method)
    k = 0.7 * np.sqrt(2 * 9.81)
    exact = 0.2 + np.maximum(np.sqrt(0.8) - k * result.time / 2, 0) ** 2
    np.testing.assert_allclose(result["h"], exact, atol=1e-6)
    end = quad(lambda s: 1 / (1 - 0.1 * s * np.log(s)), 0, 1)[0]
    (event,) = [e.time for e in result.events if any("s > 0" in c.text for c in e.causes)]
    assert event == pytest.approx(end, abs=1e-6)


def test_a_root_that_its_guard_does_not_protect_is_an_error_still() -> None:
    model = saltus.load("""model M
      Real h(start = 1, fixed = true);
    equation
      der(h) = -(if h > -1 then sqrt(h) + 0.1 else 0);
    end M;""")
    with pytest.raises(RunError, match=r"E40[57]"):
        model.simulate(stop_time=8)


#: Ways to remember that a tank is empty.
REMEMBERED = {
    "a Boolean": "when h <= 0 then empty = true; end when; der(h) = if empty then 0 else -sqrt(h);",
    "a number": "when h < 0 then m = 2; end when; der(h) = if m == 1 then -sqrt(h) else 0;",
    "a power": "when h <= 0 then empty = true; end when; der(h) = -(if not empty then h^0.5 else 0);",
    "a reset": "when h <= 0 then empty = true; reinit(h, 0); end when;"
    " der(h) = if empty then 0 else -sqrt(h);",
    "a memory": "empty = h <= 0 or pre(empty); der(h) = if empty then 0 else -sqrt(h);",
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("written", REMEMBERED)
def test_an_event_remembers_that_the_tank_is_empty(written: str, method: str) -> None:
    model = saltus.load(f"""model M Real h(start = 1, fixed = true);
      {"Integer m" if written == "a number" else "Boolean empty"}(start = {
        "1" if written == "a number" else "false"}, fixed = true);
      equation {REMEMBERED[written]} end M;""")
    result = model.simulate(stop_time=4, tolerance=1e-8, method=method)
    exact = np.maximum(1 - result.time / 2, 0) ** 2
    np.testing.assert_allclose(result["h"], exact, atol=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_two_levels_and_an_outlet_are_told_apart(method: str) -> None:
    """The relation about the lower level says nothing about the difference of the two: all water leaves."""
    model = saltus.load("""model M
      Real a(start = 1, fixed = true), b(start = 0, fixed = true), out(start = 0, fixed = true), q, o;
    equation
      q = if a > b then sqrt(a - b) else -sqrt(b - a);
      o = if b > 0 then sqrt(b) else 0;
      der(a) = -q; der(b) = q - o; der(out) = o;
    end M;""")
    result = model.simulate(stop_time=12, tolerance=1e-8, method=method)
    assert abs(result["a"][-1]) < 1e-6 and abs(result["b"][-1]) < 1e-6
    np.testing.assert_allclose(result["a"] + result["b"] + result["out"], 1, atol=1e-7)


def test_what_is_below_zero_when_the_event_has_passed_is_an_error_still() -> None:
    """The relation has become true, and agrees with its numbers: nothing keeps h from falling further."""
    model = saltus.load("""model M Real h(start = 1, fixed = true), q = sqrt(h);
      Integer n(start = 0, fixed = true);
      equation der(h) = -1; when h <= 0 then n = pre(n) + 1; end when; end M;""")
    with pytest.raises(RunError) as caught:
        model.simulate(stop_time=4)
    assert caught.value.diagnostics[0].code == "E407"


def test_a_root_that_is_below_zero_from_the_start_is_an_error_still() -> None:
    """It never becomes true that h <= 0, so that nothing is ever empty."""
    model = saltus.load("""model M Real h(start = -0.3, fixed = true);
      Boolean empty(start = false, fixed = true);
      equation der(h) = if empty then 0 else -sqrt(h); when h <= 0 then empty = true; end when; end M;""")
    with pytest.raises(RunError) as caught:
        model.simulate(stop_time=4)
    assert caught.value.diagnostics[0].code == "E407"

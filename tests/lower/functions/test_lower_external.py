"""External functions (section 12.9): C mathematics is mathematics; what is missing is refused by name."""

from __future__ import annotations

import math

import pytest

import saltus
from saltus.compiler import load_flat
from saltus.core.diagnostics import SaltusError
from saltus.ir.flat import Equation

ONE = {
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "asin": math.asin,
    "acos": math.acos,
    "atan": math.atan,
    "sinh": math.sinh,
    "cosh": math.cosh,
    "tanh": math.tanh,
    "exp": math.exp,
    "log": math.log,
    "log10": math.log10,
    "sqrt": math.sqrt,
    "fabs": math.fabs,
    "floor": math.floor,
    "ceil": math.ceil,
    "trunc": math.trunc,
}
TWO = {"atan2": math.atan2, "pow": math.pow, "fmod": math.fmod, "fmin": min, "fmax": max, "hypot": math.hypot}


@pytest.mark.parametrize("name", ONE)
def test_c_mathematics_of_one_argument(name: str) -> None:
    """Its value, and its derivative against a difference of Python's own function."""
    text = f"""
    model M
      function f input Real u; output Real y; external "C" y = {name}(u); end f;
      Real u = 0.3 + 0.5*time;
      Real y = f(u);
      Real dy = der(y);
    end M;
    """
    result = saltus.load(text).simulate(stop_time=1.0)
    assert result["y"][-1] == pytest.approx(ONE[name](0.8), rel=1e-14)
    h = 1e-6
    slope = 0.5 * (ONE[name](0.8 + h) - ONE[name](0.8 - h)) / (2 * h)
    assert result["dy"][-1] == pytest.approx(slope, rel=1e-7, abs=1e-7)
    assert len(result.events) == 1  # the start


@pytest.mark.parametrize("name", TWO)
def test_c_mathematics_of_two_arguments(name: str) -> None:
    text = f"""
    model M
      function f input Real a; input Real b; output Real y; external "C" y = {name}(a, b); end f;
      Real y = f(2.3 + time, 0.7);
    end M;
    """
    assert saltus.load(text).simulate(stop_time=1.0)["y"][-1] == pytest.approx(TWO[name](3.3, 0.7), rel=1e-14)


def test_external_clause_without_a_call() -> None:
    """The function of the class's own name is called, with the inputs in order (section 12.9)."""
    text = """
    model M
      function atan2 input Real a; input Real b; output Real y; external; end atan2;
      function exp input Real u; output Real y; external "builtin"; end exp;
      Real y = atan2(1, 2) + exp(time);
    end M;
    """
    found = saltus.load(text).simulate(stop_time=1.0)["y"][-1]
    assert found == pytest.approx(math.atan2(1, 2) + math.e, rel=1e-14)


def test_arguments_of_an_external_clause_are_expressions() -> None:
    text = """
    model M
      function f input Real u; output Real y; protected Real unused; external "C" y = sin(u); end f;
      function g extends f; end g;
      function h input Real w; input Real x; output Real y; external "C" y = atan2(x, w); end h;
      Real y = g(time), z = h(2, x = 3);
      parameter Integer n = integer(10*f(1));
      Real v[n] = f(linspace(0, 1, n));
    end M;
    """
    result = saltus.load(text).simulate(stop_time=1.0)
    assert result["y"][-1] == pytest.approx(math.sin(1), rel=1e-14)
    assert result["z"][-1] == pytest.approx(math.atan2(3, 2), rel=1e-14)
    assert result["v[8]"][-1] == pytest.approx(math.sin(1), rel=1e-14)


def test_flat_has_the_builtin_function() -> None:
    """So alias elimination, linear parts and Jacobians see through it."""
    text = """
    model M
      function f input Real u; output Real y; external "C" y = cos(u); end f;
      Real x(start = 1);
    equation
      der(x) = f(x);
    end M;
    """
    equation = load_flat(text).clauses[0]
    assert isinstance(equation, Equation)
    assert "cos(x)" in repr(equation.rhs)


def test_what_is_not_called_is_not_refused() -> None:
    text = """
    model M
      function f input Real u; output Real y; external "C" y = my_solver(u); end f;
      parameter Boolean use = false;
      Real y = if use then f(time) else 2;
      Real z if use;
    equation
      if use then
        z = f(y);
      end if;
    end M;
    """
    assert saltus.load(text).simulate(stop_time=1.0)["y"][-1] == 2
    with pytest.raises(SaltusError, match="my_solver"):
        saltus.load(text).simulate(set={"use": True})

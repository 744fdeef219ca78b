"""Functions as arguments, partial application (section 12.4.2), functions without outputs (section 12.3)."""

from __future__ import annotations

import math

import pytest
from lower_case import Case, check_values, named

import saltus
from saltus.core.diagnostics import SaltusError

_BASE = """
partial function F
  input Real x;
  output Real y;
end F;
function quadratic
  extends F;
  input Real a;
  input Real b = 1;
algorithm
  y := a*x^2 + b;
end quadratic;
function root
  extends F;
algorithm
  y := sqrt(x);
end root;
function integral
  input F f;
  input Real a;
  input Real b;
  input Integer n = 100;
  output Real s = 0;
protected
  Real h = (b - a)/n;
algorithm
  for i in 1:n loop
    s := s + h*f(a + (i - 0.5)*h);
  end for;
end integral;
function twice
  input F f;
  input Real x;
  output Real y = f(f(x));
end twice;
"""

VALUES = [
    Case(
        "a function by name",
        _BASE + "model M\n Real y = twice(root, 16*time);\nend M;",
        {"y": 2},
    ),
    Case(
        "partial application with a value that varies",  # the midpoint rule is off by h^2 f''/24
        _BASE + "model M\n Real y = integral(function quadratic(a = 3*time, b = 0), 0, 1);\nend M;",
        {"y": 1 - 3 * 2 / 24 / 100**2},
    ),
    Case(
        "partial application of what takes a function",
        _BASE + "model M\n Real y = twice(function twice(f = function quadratic(a = time)), 1);\nend M;",
        {"y": 677},  # x^2 + 1 four times: 1, 2, 5, 26, 677
    ),
    Case(
        "named argument, default, given on",
        _BASE
        + """
        function mean
          input Real b;
          input F f = root;
          output Real y = integral(f, a = 0, b = b, n = 2)/b;
        end mean;
        model M
          Real y = mean(7 + time);
          Real z = mean(f = function quadratic(a = 1, b = 0), b = 1 + time);
        end M;
        """,
        {"y": (math.sqrt(2) + math.sqrt(6)) / 2, "z": (0.25 + 2.25) / 2},
    ),
    Case(
        "its derivative",
        _BASE
        + """
        model M
          Real x = 1 + time;
          Real y = twice(function quadratic(a = 1, b = 0), x);
          Real dy = der(y);
        end M;
        """,
        {"y": 16, "dy": 32},
    ),
    Case(
        "at translation, with texts",
        """
        partial function Name
          input Integer k;
          output String s;
        end Name;
        function numbered
          extends Name;
          input String prefix;
        algorithm
          s := prefix + String(k);
        end numbered;
        function joined
          input Name name;
          input Integer n;
          output String s = "";
        algorithm
          for k in 1:n loop
            s := s + name(k);
          end for;
        end joined;
        model M
          parameter String s = joined(function numbered(prefix = "x"), 3);
          parameter Integer ok = if s == "x1x2x3" then 1 else 0;
        end M;
        """,
        {"ok": 1},
    ),
    Case(
        "array and record given to a partial application",
        """
        record R
          Real k;
          Real v[2];
        end R;
        partial function F
          input Real x;
          output Real y;
        end F;
        function g
          extends F;
          input R r;
          input Real w[:];
        algorithm
          y := x*r.k*(r.v*w);
        end g;
        function at2
          input F f;
          output Real y = f(2);
        end at2;
        model M
          R r = R(time, {1, 2});
          Real y = at2(function g(r = r, w = {10, time}));
        end M;
        """,
        {"y": 24},
    ),
]


@named(VALUES)
def test_values(case: Case) -> None:
    check_values(case)


_CHECKED = """
function check
  input Real x;
algorithm
  assert(x < 0.5, "x is too large");
end check;
"""


@pytest.mark.parametrize(
    "text",
    [
        "model M\nequation\n check(time);\nend M;",
        "model M\nalgorithm\n check(time);\nend M;",
        "function f\n input Real x;\n output Real y = x;\nalgorithm\n check(x);\nend f;\n"
        "model M\n Real y = f(time);\nend M;",
    ],
    ids=["equation", "algorithm", "function"],
)
def test_a_function_without_outputs_is_called(text: str) -> None:
    model = saltus.load(_CHECKED + text)
    model.simulate(stop_time=0.4)
    with pytest.raises(SaltusError) as caught:
        model.simulate(stop_time=1.0)
    assert "x is too large" in caught.value.diagnostics[0].message

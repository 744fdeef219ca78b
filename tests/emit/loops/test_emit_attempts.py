"""Functions that fail at points which Newton's method only tries: on both back ends, and in models.

A violated assertion aborts an evaluation, after which the simulation may go on with another one; changed
values of iteration variables are among the ways that the Modelica specification names (section 8.3.7).
"""

from __future__ import annotations

import math

import pytest

import saltus
from saltus.core.diagnostics import RunError
from saltus.expr.nodes import ONE, ZERO, Op, Symbol, apply, call, const, item, ref, relation
from saltus.ir.program import Assign, Fail, Function, If

TOO_SMALL = 4711


def logarithm():
    """ln(x), which is only for positive x."""
    x, y = Symbol("x"), Symbol("y")
    body = (
        If(((relation(Op.LE, ref(x), ZERO), (Fail(TOO_SMALL),)),)),
        Assign(y, call("log", ref(x))),
    )
    return Function("logarithm", (x,), (y,), (), body)


@pytest.mark.parametrize("formula", [True, False], ids=["jacobian", "differences"])
@pytest.mark.parametrize("right", [-2.0, 3.0])
def test_a_step_out_of_the_domain_is_halved(model, machine, formula, right):
    # From 10, the first full step to ln(x) = -2 ends at 10 - 10*(ln 10 + 2) = -33.
    x = model.algebraic("x")
    value = item(apply(logarithm(), [x]), 0)
    model.nonlinear([x], [value - const(right)], [(0, 0, ONE / x)] if formula else None)
    m = machine(model)
    m[x] = 10.0
    assert m.run("outputs") == 0
    assert m[x] == pytest.approx(math.exp(right), rel=1e-12)


def test_what_holds_nowhere_is_told(model, machine):
    # ln(-1 - |x|) is nowhere defined.
    x = model.algebraic("x")
    value = item(apply(logarithm(), [0.0 - call("abs", x) - 1.0]), 0)
    model.nonlinear([x], [value - x], [(0, 0, const(-1.0))])
    m = machine(model)
    m[x] = 1.0
    assert m.run("outputs") == TOO_SMALL


MEDIUM = """
function density "of a vapour: not defined below p = 0.5"
  input Real p;
  output Real d;
algorithm
  assert(p > 0.5, "pressure is too low");
  d := sqrt(p - 0.5);
end density;
"""


def test_a_start_outside_the_domain_of_a_medium():
    """d = sqrt(p - 1/2), d*p = 3/2: p^2 (p - 1/2) = 9/4, so p = 3/2."""
    text = (
        MEDIUM
        + """
    model Loop
      Real p(start = 0.4), d;
    equation
      d = density(p);
      d*p = 1.5;
    end Loop;
    """
    )
    result = saltus.load(text).simulate(stop_time=1.0)
    assert result["p"][-1] == pytest.approx(1.5, rel=1e-9)


def test_an_assertion_that_the_solution_violates_is_told():
    text = (
        MEDIUM
        + """
    model Leaving
      Real p(start = 3), d;
    equation
      d = density(p);
      p + 0.1*d = 1 - time;
    end Leaving;
    """
    )
    with pytest.raises(RunError) as error:
        saltus.load(text).simulate(stop_time=1.0)
    (diagnostic,) = error.value.diagnostics
    assert diagnostic.code == "E406" and "pressure is too low" in diagnostic.message


def test_an_event_far_from_the_last_values():
    """At the event the loop is solved from values at which the first full step leaves the domain."""
    text = """
    function excess
      input Real x;
      output Real y;
    algorithm
      assert(x > 0, "x must be positive");
      y := log(x);
    end excess;
    model Event
      Real x(start = 10);
    equation
      excess(x) = if time > 0.5 then -2 else 2;
    end Event;
    """
    result = saltus.load(text).simulate(stop_time=1.0)
    assert result["x"][0] == pytest.approx(math.exp(2), rel=1e-9)
    assert result["x"][-1] == pytest.approx(math.exp(-2), rel=1e-9)

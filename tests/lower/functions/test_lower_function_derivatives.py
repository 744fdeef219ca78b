"""Derivatives that the user writes: which one is used, what is refused, and `function g = der(f, x)`."""

from __future__ import annotations

import re

import numpy as np
import pytest

import saltus
from saltus.core.diagnostics import ModelError
from saltus.expr.nodes import Op
from saltus.expr.traversal import walk

SQUARES = """
package P
  function f
    input Real x;
    input Integer n;
    input Real y;
    output Real z;
  algorithm
    z := n*x^2*y;
    annotation({annotation});
  end f;
  function f_der "of everything"
    input Real x;
    input Integer n;
    input Real y;
    input Real dx;
    input Real dy;
    output Real dz;
  algorithm
    dz := 2*n*x*y*dx + n*x^2*dy;
    annotation(derivative(order = 2) = f_der2);
  end f_der;
  function f_der2
    input Real x;
    input Integer n;
    input Real y;
    input Real dx;
    input Real dy;
    input Real ddx;
    input Real ddy;
    output Real ddz;
  algorithm
    ddz := 2*n*y*dx^2 + 4*n*x*dx*dy + 2*n*x*y*ddx + n*x^2*ddy;
  end f_der2;
  function f_derx "with y constant"
    input Real x;
    input Integer n;
    input Real y;
    input Real dx;
    output Real dz;
  algorithm
    dz := 2*n*x*y*dx;
  end f_derx;
  function wrong
    input Real x;
    output Real y;
  algorithm
    y := x;
  end wrong;
end P;
model M
  parameter Real p = 1.5;
  Real x(start = 0.5, fixed = true), y(start = 1, fixed = true), a, b, c;
equation
  der(x) = 2;
  der(y) = 3;
  a = der(P.f(x, 2, p));
  b = der(P.f(x, 2, y));
  c = der(P.f(p, 3, p));
end M;
"""


def _called(model: saltus.Model, name: str) -> set[str]:
    """Functions in the equation of a variable."""
    found = set()
    for q in model.flat.clauses:
        if q.lhs.op is Op.REF and q.lhs.data.name == name:
            found |= {node.data.name for node in walk(q.rhs) if node.op is Op.APPLY}
    return found


def _checked(annotation: str) -> saltus.Model:
    """The values are the same, whichever way they are found."""
    model = saltus.load(SQUARES.replace("{annotation}", annotation), model="M")
    result = model.simulate(stop_time=1)
    x, y = result["x"], result["y"]
    assert result["a"] == pytest.approx(2 * 2 * x * 1.5 * 2)
    assert result["b"] == pytest.approx(2 * 2 * x * y * 2 + 2 * x**2 * 3)
    assert result["c"] == pytest.approx(0 * x)
    return model


def test_without_annotation_the_function_is_differentiated():
    model = _checked("Inline = false")
    assert _called(model, "a") == _called(model, "b") == {"der(P.f)"}
    assert not model.warnings


def test_the_derivative_of_the_user_is_used():
    model = _checked("derivative = f_der")
    assert _called(model, "a") == _called(model, "b") == {"P.f_der"}
    assert _called(model, "c") == set()


def test_the_first_that_fits_is_used():
    model = _checked("derivative(zeroDerivative = y) = f_derx, derivative = f_der")
    assert _called(model, "a") == {"P.f_derx"}  # y is a parameter there
    assert _called(model, "b") == {"P.f_der"}
    model = _checked("derivative(zeroDerivative = y) = f_derx")
    assert _called(model, "b") == {"der(P.f)"}  # none fits


def test_no_derivative_leaves_an_input_out():
    text = SQUARES.replace("{annotation}", "derivative(noDerivative = y) = f_derx")
    model = saltus.load(text, model="M")
    assert _called(model, "b") == {"P.f_derx"}
    result = model.simulate(stop_time=1)
    # The user promises that what y contributes is in f_derx, though it is not.
    assert result["b"] == pytest.approx(2 * 2 * result["x"] * result["y"] * 2)


@pytest.mark.parametrize(
    ("annotation", "reason"),
    [
        ("derivative = wrong", "1 inputs in place of 5"),
        ("derivative = missing", "`missing`"),
        ("derivative(zeroDerivative = q) = f_derx", "no input `q`"),
        ("derivative(order = 2) = f_der2", "7 inputs in place of 4"),
    ],
)
def test_an_annotation_that_cannot_be_followed_is_told(annotation, reason):
    model = _checked(annotation)
    (warning,) = model.warnings
    assert warning.code == "W202"
    assert reason in warning.message
    assert warning.span is not None
    assert _called(model, "b") == {"der(P.f)"}


def test_order_two_is_used_for_the_second_derivative():
    # z = f(x, n, y) constrains the states z, w = der(z), so it is differentiated twice.
    text = (
        SQUARES.replace("{annotation}", "derivative = f_der")
        + """
    model Driven
      Real x = sin(time), y = cos(2*time), z, w, force;
    equation
      z = P.f(x, 3, y);
      der(z) = w;
      der(w) = force;
    end Driven;
    """
    )
    # With a loop, which changes nothing, a function is not written out at the place of its call.
    text = re.sub(r"(\w*z := .*;)", r"for i in 1:n loop \1 end for;", text)
    model = saltus.load(text, model="Driven")
    # In the sorted equations these short functions are written out.
    assert model.structure.reduction is not None
    used = {
        node.data.name
        for d in model.structure.reduction.differentiated
        for q in (d.equation, *d.derivatives)
        for e in (q.lhs, q.rhs)
        for node in walk(e)
        if node.op is Op.APPLY
    }
    assert used == {"P.f", "P.f_der", "P.f_der2"}
    result = model.simulate(stop_time=2)
    t = result.time
    s, c = np.sin(t), np.cos(t)
    # z = 3 sin(t)^2 cos(2t) = 3 sin(t)^2 - 6 sin(t)^4
    assert result["z"] == pytest.approx(3 * s**2 - 6 * s**4, abs=1e-9)
    assert result["w"] == pytest.approx((6 * s - 24 * s**3) * c, abs=1e-9)
    assert result["force"] == pytest.approx((6 - 72 * s**2) * c**2 - (6 * s - 24 * s**3) * s, abs=1e-9)


def test_records_and_arrays():
    model = saltus.load(
        """
    package P
      record State
        Real h;
        Integer phase;
        Real v[2];
      end State;
      record Slope
        Real h;
        Real v[2];
      end Slope;
      function f
        input State s;
        input Real g[:];
        output Real y[2];
        output Integer n;
        output Real z;
      algorithm
        y := s.h*s.v;
        n := s.phase;
        z := g*g;
        annotation(derivative = f_der);
      end f;
      function f_der
        input State s;
        input Real g[:];
        input Slope ds;
        input Real dg[size(g, 1)];
        output Real dy[2];
        output Real dz;
      algorithm
        dy := ds.h*s.v + s.h*ds.v;
        dz := 2*(g*dg);
      end f_der;
      model M
        Real y[2], z, dy[2], dz;
      equation
        (y, , z) = f(State(sin(time), 3, {time, 2}), {time, 2*time, 1});
        dy = der(y);
        dz = der(z);
      end M;
    end P;
    """,
        model="P.M",
    )
    assert not model.warnings
    result = model.simulate(stop_time=1)
    t = result.time
    assert result["dy[1]"] == pytest.approx(np.cos(t) * t + np.sin(t), abs=1e-9)
    assert result["dy[2]"] == pytest.approx(2 * np.cos(t), abs=1e-9)
    assert result["dz"] == pytest.approx(10 * t, abs=1e-9)


# ---------------------------------------------------------------- function g = der(f, x)

GIBBS = """
package P
  function g
    input Real p, T;
    output Real y;
  algorithm
    y := p^2*T^3 + exp(p);
  end g;
  function g_T = der(g, T);
  function g_pT = der(g, p, T);
  function g_TT = der(g_T, T);
  function h
    input Real p, T;
    output Real y;
  algorithm
    y := g(p, T) - T*g_T(p, T);
  end h;
  model M
    parameter Real b = g_T(1, 2);
    Real a = g_pT(2, time + 1), c = g_TT(p = 2, T = time), d = h(2, time);
    Real v[2] = g_T({1, 2}, time);
  end M;
end P;
"""


def test_partial_derivatives_of_functions():
    result = saltus.load(GIBBS, model="P.M").simulate(stop_time=1)
    t = result.time
    assert result["b"][0] == pytest.approx(3 * 4)
    assert result["a"] == pytest.approx(2 * 2 * 3 * (t + 1) ** 2)
    assert result["c"] == pytest.approx(4 * 6 * t)
    assert result["d"] == pytest.approx(4 * t**3 + 7.38905609893065 - 12 * t**3)
    assert result["v[2]"] == pytest.approx(12 * t**2)


def test_partial_derivative_by_something_else():
    with pytest.raises(ModelError) as caught:
        saltus.load(GIBBS.replace("der(g, p, T)", "der(g, p, q)"), model="P.M")
    assert "`q`" in str(caught.value)
    with pytest.raises(ModelError) as caught:
        saltus.load(GIBBS.replace("der(g_T, T)", "der(M, T)"), model="P.M")
    assert "not a function" in str(caught.value)

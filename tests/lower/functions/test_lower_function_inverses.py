"""Inverses that the user writes (section 12.7.3): an equation with the function needs no iteration."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import saltus
from saltus.ir.sorted.blocks import Explicit, Linear, Nonlinear

CUBES = """
package P
  record Shape
    Real scale;
    Real exponents[2];
  end Shape;
  function f
    input Real p;
    input Real u;
    input Shape shape;
    output Real y;
  algorithm
    y := p*shape.scale*u^3*abs(u)^(shape.exponents[1] - shape.exponents[2]);
    annotation({annotation});
  end f;
  function g "with inputs in another order"
    input Shape shape;
    input Real y;
    input Real p;
    output Real u;
  protected
    Real r = y/(p*shape.scale);
  algorithm
    u := sign(r)*abs(r)^(1/(3 + shape.exponents[1] - shape.exponents[2]));
    annotation(inverse(y = f(p, u, shape)));
  end g;
  model Use
    parameter Real a = 2, b = -3, c = 1;
    parameter Shape shape(scale = 1.5, exponents = {{2, 2}});
    Real x(start = 1);
    Real back = f(2, x + c, shape);
  equation
    a*f(2, x + c, shape) + b = 10*time - 5;
  end Use;
end P;
"""


def model(annotation: str, name: str = "P.Use") -> saltus.Model:
    return saltus.load(CUBES.format(annotation=annotation), model=name)


def kinds(of: saltus.Model) -> set[type]:
    return {type(block) for block in of.structure.blocks}


@pytest.mark.parametrize(
    "annotation",
    [
        "inverse(u = g(shape, y, p))",
        "inverse(u = g(p = p, y = y, shape = shape))",
        "inverse(u = g(shape, p = p, y = y)), Inline = true",
        "inverse(u = g(shape, y, p)), LateInline = true",
    ],
)
def test_an_inverse_takes_the_place_of_an_iteration(annotation: str) -> None:
    made = model(annotation)
    assert kinds(made) == {Explicit}
    result = made.simulate(stop_time=1)
    value = (10*result.time - 5 + 3)/2/3  # fmt: skip
    np.testing.assert_allclose(result["x"], np.cbrt(value) - 1, rtol=1e-12, atol=1e-12)


def test_without_it_there_is_an_iteration() -> None:
    assert Nonlinear in kinds(model("smoothOrder = 1"))


USE = model("inverse(u = g(shape, y, p))")


@settings(max_examples=30, deadline=None)
@given(
    a=st.floats(0.1, 10),
    b=st.floats(-10, 10),
    c=st.floats(-2, 2),
    scale=st.floats(0.1, 10),
    exponent=st.floats(2, 3),
)
def test_what_the_inverse_gives_solves_the_equation(
    a: float, b: float, c: float, scale: float, exponent: float
) -> None:
    given = {"a": a, "b": b, "c": c, "shape.scale": scale, "shape.exponents[1]": exponent}
    result = USE.simulate(stop_time=1, interval=0.25, set=given)
    np.testing.assert_allclose(a * result["back"] + b, 10 * result.time - 5, rtol=1e-9, atol=1e-9)


LINEAR = """
model Heat
  function enthalpy
    input Real T;
    output Real h;
  algorithm
    h := 4*T + 1;
    annotation(inverse(T = temperature(h)));
  end enthalpy;
  function temperature
    input Real h;
    output Real T;
  algorithm
    T := (h - 1)/4;
    annotation(inverse(h = enthalpy(T)));
  end temperature;
  Real T, h, S, j;
equation
  h = enthalpy(T);
  S = temperature(j);
  h + S = 9 + time;
  j - T = 3;
end Heat;
"""


def test_what_can_be_solved_as_written_stays_linear() -> None:
    # As a call, the function would make the loop nonlinear.
    made = saltus.load(LINEAR)
    assert Nonlinear not in kinds(made) and Linear in kinds(made)
    result = made.simulate(stop_time=2)
    # 4 T + 1 + (T + 3 - 1)/4 = 9 + time
    np.testing.assert_allclose(result["T"], (9 + result.time - 1.5) / 4.25, rtol=1e-12)


def test_an_unknown_in_two_arguments_is_left_to_the_iteration() -> None:
    text = CUBES.format(annotation="inverse(u = g(shape, y, p))")
    text += """
    model Twice
      parameter P.Shape shape(scale = 1, exponents = {2, 2});
      Real x(start = 1);
    equation
      P.f(x, x, shape) = 16;
    end Twice;
    """
    made = saltus.load(text, model="Twice")
    assert Nonlinear in kinds(made)
    assert float(made.simulate(stop_time=0)["x"][-1]) == pytest.approx(2, rel=1e-9)


@pytest.mark.parametrize(
    ("annotation", "reason"),
    [
        ("inverse(v = g(shape, y, p))", "has no input `v`"),
        ("inverse(shape = g(shape, y, p))", "`shape` is not a Real scalar"),
        ("inverse(u = g(shape, y))", "its inputs are not given"),
        ("inverse(u = g(shape, y, u))", "its inputs are not given"),
        ("inverse(u = g(shape, y, p, p))", "its inputs are not given"),
        ("inverse(u = g(shape, 2*y, p))", "its inputs are not given"),
        ("inverse(u = nothing(shape, y, p))", "nothing"),
        ("inverse(u = Shape(shape, y, p))", ""),
    ],
)
def test_an_inverse_that_cannot_be_used_is_told(annotation: str, reason: str) -> None:
    made = model(annotation)
    (warning,) = [d for d in made.warnings if d.code == "W202"]
    assert "is not used as an inverse of `P.f`" in warning.message and reason in warning.message
    assert warning.span is not None
    result = made.simulate(stop_time=1, interval=0.5)
    np.testing.assert_allclose(result["back"], (10 * result.time - 2) / 2, rtol=1e-6, atol=1e-6)

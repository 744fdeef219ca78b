"""User functions in constraints and in algebraic loops: they are differentiated like formulas."""

from __future__ import annotations

import numpy as np
import pytest
from integrators import Simulate
from scipy.integrate import solve_ivp
from scipy.optimize import fsolve

from saltus.ir.sorted.blocks import Linear, Nonlinear
from translated_models import translated

BEAD = """
model Bead "slides without friction on the wire y = wire(x)"
  function wire
    input Real x;
    output Real y;
  protected
    Real p;
  algorithm
    p := 1;
    y := 0.3*sin(x);
    for i in 1:4 loop
      p := p*x;
      if mod(i, 2) == 0 then
        y := y + p/i;
      end if;
    end for;
    ANNOTATION
  end wire;
  function wire1
    input Real x;
    input Real dx;
    output Real dy;
  algorithm
    dy := (0.3*cos(x) + x + x^3)*dx;
  end wire1;
  function slope = der(wire, x);
  parameter Real g = 9.81;
  Real x(start = 1, fixed = true), y, u(start = 0, fixed = true), v, force;
equation
  der(x) = u;
  der(y) = v;
  y = wire(x);
  der(u) = -force*slope(x);
  der(v) = force - g;
end Bead;
"""


@pytest.mark.parametrize("annotation", ["", "annotation(derivative = wire1);"])
def test_bead_on_a_wire_against_the_generalised_coordinate(simulate: Simulate, annotation: str) -> None:
    model = translated(BEAD.replace("ANNOTATION", annotation))
    assert model.structure.reduction is not None
    assert model.structure.reduction.index == 3
    assert any(isinstance(b, Linear) for b in model.structure.blocks)
    assert not any(isinstance(b, Nonlinear) for b in model.structure.blocks)
    result = simulate(model, stop_time=3, tolerance=1e-10)

    def right(t: float, z: np.ndarray) -> list[float]:
        # (1 + f'^2) x'' = -f' (g + f'' x'^2)
        x, u = z
        first, second = 0.3 * np.cos(x) + x + x**3, -0.3 * np.sin(x) + 1 + 3 * x**2
        return [u, -first * (9.81 + second * u**2) / (1 + first**2)]

    exact = solve_ivp(right, (0, 3), [1.0, 0.0], t_eval=result.time, rtol=1e-11, atol=1e-12, method="DOP853")
    np.testing.assert_allclose(result["x"], exact.y[0], atol=1e-6)
    np.testing.assert_allclose(result["u"], exact.y[1], atol=1e-6)
    x = result["x"]
    assert np.abs(result["y"] - (0.3 * np.sin(x) + x**2 / 2 + x**4 / 4)).max() < 1e-12


def test_the_pivot_of_a_function_is_looked_at(simulate: Simulate) -> None:
    # At the top of the circle its height determines nothing: the state must be x, though y has a start value.
    model = translated("""
    model Top
      function circle
        input Real x, y;
        output Real r;
      algorithm
        r := x^2 + y^2;
      end circle;
      Real x(start = 0), y(start = 1), u(start = 0.1, fixed = true), v, L;
    equation
      der(x) = u;
      der(y) = v;
      der(u) = -L*x;
      der(v) = -L*y - 9.81;
      circle(x, y) = 1;
    end Top;
    """)
    assert {s.name for s in model.structure.states} >= {"x"}
    result = simulate(model, stop_time=0.1)
    assert np.abs(result["x"] ** 2 + result["y"] ** 2 - 1).max() < 1e-12


def test_a_loop_with_functions_has_a_symbolic_jacobian(simulate: Simulate) -> None:
    model = translated("""
    model Loop
      function f
        input Real v[2];
        output Real w[2];
      algorithm
        w[1] := v[1] + 0.2*sin(v[2]);
        w[2] := v[2] - 0.3*exp(-v[1]^2);
      end f;
      Real a(start = 1), b(start = 1);
    equation
      f({a, b}) = {time, 1 - time};
    end Loop;
    """)
    (block,) = [b for b in model.structure.blocks if isinstance(b, Nonlinear)]
    assert block.jacobian is not None
    assert len(block.jacobian) == 4
    result = simulate(model, stop_time=1)
    for k in (0, 250, 500):
        t = result.time[k]
        exact = fsolve(
            lambda z, t=t: [z[0] + 0.2 * np.sin(z[1]) - t, z[1] - 0.3 * np.exp(-(z[0] ** 2)) - 1 + t],
            [1.0, 1.0],
            xtol=1e-13,
        )
        assert [result["a"][k], result["b"][k]] == pytest.approx(list(exact), abs=1e-10)

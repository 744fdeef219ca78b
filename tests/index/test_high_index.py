"""Models whose equations constrain their states, against closed forms and minimal coordinates."""

from __future__ import annotations

import numpy as np
import pytest
from integrators import Simulate
from scipy.integrate import solve_ivp

import saltus
from saltus.core.diagnostics import ModelError, RunError
from saltus.show.listings.sorted import sorted_equations
from translated_models import translated

PENDULUM = """
model Pendulum
  parameter Real g = 9.81, l = 1;
  Real x(start = 0.6), y(start = -0.8), u(start = 0, fixed = true), v, force;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -force*x;
  der(v) = -force*y - g;
  x^2 + y^2 = l^2;
end Pendulum;
"""


def states(model: saltus.Model) -> set[str]:
    return {v.name for v in model.structure.states}


def test_pendulum_against_the_angle(simulate: Simulate) -> None:
    model = translated(PENDULUM)
    assert len(states(model)) == 2
    result = simulate(model, stop_time=5, tolerance=1e-9)
    x, y, u, v = (result[n] for n in ("x", "y", "u", "v"))
    assert np.abs(x**2 + y**2 - 1).max() < 1e-12  # the constraint is an equation of the run: no drift
    assert np.abs(x * u + y * v).max() < 1e-9  # and so is its derivative
    energy = 0.5 * (u**2 + v**2) + 9.81 * y
    assert np.ptp(energy) < 1e-6
    angle = np.arctan2(x, -y)
    exact = solve_ivp(
        lambda t, z: [z[1], -9.81 * np.sin(z[0])],
        (0, 5),
        [angle[0], 0.0],
        t_eval=result.time,
        rtol=1e-12,
        atol=1e-12,
        method="DOP853",
    )
    np.testing.assert_allclose(angle, exact.y[0], atol=1e-6)


def test_pendulum_picks_the_coordinate_that_works_at_the_start() -> None:
    # At (1, 0) the height determines nothing about x: y must be the state.
    side = PENDULUM.replace(
        "x(start = 0.6), y(start = -0.8), u(start = 0, fixed = true), v,",
        "x(start = 1), y(start = 0), u, v(start = 0, fixed = true),",
    )
    assert states(translated(side)) >= {"y"}
    below = PENDULUM.replace("x(start = 0.6), y(start = -0.8)", "x(start = 0), y(start = -1)")
    assert states(translated(below)) >= {"x"}


def test_pendulum_to_the_side_is_not_a_silent_wrong_answer(simulate: Simulate) -> None:
    """x = 1 cannot be passed with x as the state: the run goes on with y (see test_reselection)."""
    at_rest, fast = "x(start = 0.6), y(start = -0.8), u(start = 0", "x(start = 0), y(start = -1), u(start = 6"
    result = simulate(translated(PENDULUM.replace(at_rest, fast)), stop_time=2, tolerance=1e-9)
    x, y, u, v = (result[n] for n in ("x", "y", "u", "v"))
    assert y.max() > 0.5 and x.max() > 0.999
    assert np.abs(x**2 + y**2 - 1).max() < 1e-12
    assert np.ptp(0.5 * (u**2 + v**2) + 9.81 * y) < 1e-5  # of 18
    assert result.statistics["state_choices"] > 1


def test_capacitors_in_parallel(simulate: Simulate) -> None:
    text = """
    model Loop
      parameter Real c1 = 1, c2 = 2, r = 1;
      Real v1(start = 1, fixed = true), v2, i1, i2;
    equation
      c1*der(v1) = i1;
      c2*der(v2) = i2;
      v1 = v2;
      i1 + i2 = -v1/r;
    end Loop;
    """
    result = simulate(translated(text), stop_time=3, tolerance=1e-9)
    exact = np.exp(-result.time / 3)
    np.testing.assert_allclose(result["v2"], exact, atol=1e-7)
    np.testing.assert_allclose(result["i2"], -2 / 3 * exact, atol=1e-7)  # two thirds of the current


def test_inductors_in_series(simulate: Simulate) -> None:
    text = """
    model Series
      Real i1(start = 0, fixed = true), i2, u1, u2;
    equation
      0.5*der(i1) = u1;
      1.5*der(i2) = u2;
      i1 = i2;
      u1 + u2 + 4*i1 = 8;
    end Series;
    """
    result = simulate(translated(text), stop_time=1, tolerance=1e-9)
    np.testing.assert_allclose(result["i2"], 2 * (1 - np.exp(-2 * result.time)), atol=1e-7)


def test_gear_locked_on_position_is_index_three(simulate: Simulate) -> None:
    text = """
    model Gear
      parameter Real ratio = 3, j1 = 1, j2 = 2;
      Real phi1(start = 0, fixed = true), w1(start = 0, fixed = true), phi2, w2, t1, t2;
    equation
      der(phi1) = w1;
      der(phi2) = w2;
      j1*der(w1) = 1 - t1;
      j2*der(w2) = t2;
      phi1 = ratio*phi2;
      t2 = ratio*t1;
    end Gear;
    """
    model = translated(text)
    assert model.structure.reduction is not None and model.structure.reduction.index == 3
    result = simulate(model, stop_time=2, tolerance=1e-9)
    acceleration = 1 / (1 + 2 / 9)  # the second inertia seen through the gear
    np.testing.assert_allclose(result["w1"], acceleration * result.time, atol=1e-8)
    np.testing.assert_allclose(result["phi2"], acceleration * result.time**2 / 6, atol=1e-8)
    np.testing.assert_allclose(result["t1"], 1 - acceleration, atol=1e-8)


def test_prescribed_motion_gives_the_force(simulate: Simulate) -> None:
    text = """
    model Driven
      Real x, v, f;
    equation
      x = sin(2*time);
      der(x) = v;
      der(v) = f;
    end Driven;
    """
    model = translated(text)
    assert not states(model)
    result = simulate(model, stop_time=3)
    np.testing.assert_allclose(result["f"], -4 * np.sin(2 * result.time), atol=1e-12)


def test_state_select_is_honoured() -> None:
    text = """
    model Two
      Real a(start = 1, stateSelect = StateSelect.{}), b(stateSelect = StateSelect.{}), f;
    equation
      der(a) = f - a;
      der(b) = -f;
      a = 2*b;
    end Two;
    """
    assert states(translated(text.format("prefer", "default"))) == {"a"}
    assert states(translated(text.format("avoid", "default"))) == {"b"}
    assert states(translated(text.format("default", "always"))) == {"b"}
    with pytest.raises(ModelError) as caught:
        translated(text.format("always", "always"))
    assert caught.value.diagnostics[0].code == "E302" and "always" in str(caught.value)


def test_redundant_fixed_values_are_checked(simulate: Simulate) -> None:
    text = """
    model Both
      Real a(start = 1, fixed = true), b(start = {}, fixed = true), f;
    equation
      der(a) = f - a;
      der(b) = -f;
      a = 2*b;
    end Both;
    """
    result = simulate(translated(text.format(0.5)))
    # a' + b' = -a with b = a/2: a = exp(-2 t / 3)
    np.testing.assert_allclose(result["a"], np.exp(-2 * result.time / 3), atol=1e-5)
    with pytest.raises(ModelError) as caught:
        translated(text.format(0.7))
    assert "`b = 0.7` contradicts `a = 1`" in str(caught.value)
    # With a parameter in it only the run can tell.
    model = translated(text.replace("Real a", "parameter Real p = 0.5; Real a").format("p"))
    simulate(model)
    with pytest.raises(RunError) as failed:
        simulate(model, set={"p": 0.7})
    assert "contradicts" in str(failed.value)


def test_reinit_of_a_constrained_variable_is_refused_by_name() -> None:
    text = """
    model Bad
      Real a(start = 1, stateSelect = StateSelect.always), b, f;
    equation
      der(a) = f - a;
      der(b) = -f;
      a = 2*b;
      when time > 0.5 then
        reinit(b, 3);
      end when;
    end Bad;
    """
    with pytest.raises(ModelError) as caught:
        translated(text)
    assert "`b`" in str(caught.value)


def test_redundant_constraints_are_refused_by_name() -> None:
    text = """
    model Redundant
      Real a(start = 1), b(start = 1), c(start = 1), f, g, h;
    equation
      der(a) = f;
      der(b) = g;
      der(c) = h;
      a = b;
      b = c;
      c + a = 2*b;
    end Redundant;
    """
    with pytest.raises(ModelError) as caught:
        translated(text)
    assert caught.value.diagnostics[0].code in ("E301", "E302")


def test_explain_tells_what_was_differentiated() -> None:
    text = sorted_equations(translated(PENDULUM).structure)
    assert "x^2 + y^2 = l^2   differentiated twice" in text
    assert "index 3" in text

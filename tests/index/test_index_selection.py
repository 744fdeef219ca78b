"""Which variables become states, how initial values meet constraints, and what events do to them."""

from __future__ import annotations

import numpy as np
import pytest
from integrators import Simulate

import saltus
from saltus.core.diagnostics import ModelError
from translated_models import translated


def states(model: saltus.Model) -> set[str]:
    return {v.name for v in model.structure.states}


COUPLED = """
model Coupled
  Real a{}, b{}, f;
equation
  der(a) = f - a + 4;
  der(b) = -f;
  a = 2*b;
{}
end Coupled;
"""


def coupled(a: str = "", b: str = "", more: str = "") -> saltus.Model:
    return translated(COUPLED.format(a, b, more))


def exact_a(start: float, time: np.ndarray) -> np.ndarray:
    """a' + b' = 4 - a with b = a/2."""
    return np.asarray(4 + (start - 4) * np.exp(-2 * time / 3))


@pytest.mark.parametrize("start", ["a(start = 2)", "b(start = 1)", "a(start = 2, fixed = true)"])
def test_a_given_start_value_makes_a_state(simulate: Simulate, start: str) -> None:
    name, attributes = start[0], start[1:]
    model = coupled(a=attributes) if name == "a" else coupled(b=attributes)
    assert states(model) == {name}
    assert not model.structure.warnings
    result = simulate(model, stop_time=1, tolerance=1e-9)
    np.testing.assert_allclose(result["a"], exact_a(2, result.time), atol=1e-7)


def test_start_values_choose_the_states_of_a_vector_constraint(simulate: Simulate) -> None:
    text = """
    model Vector
      parameter Real M[2, 2] = {{1, 2}, {3, 4}};
      Real x[2](start = {1, 1}), y[2], f[2];
    equation
      der(x) = f;
      der(y) = -f - x;
      y = M*x;
    end Vector;
    """
    model = translated(text)
    assert states(model) == {"x[1]", "x[2]"}
    assert simulate(model, stop_time=0.1)["y[2]"][0] == pytest.approx(7)


def test_initial_equations_for_derivatives_of_constrained_variables(simulate: Simulate) -> None:
    for condition in ("der(b) = 0", "der(a) = 0", "der(a) + der(b) = 0"):
        result = simulate(coupled(more=f"initial equation {condition};"), stop_time=1)
        np.testing.assert_allclose(result["a"], 4, atol=1e-8)


@pytest.mark.parametrize("pair", ["a = 2; b = 1", "b = 1; a = 2"])
def test_redundant_initial_equations_that_agree(simulate: Simulate, pair: str) -> None:
    result = simulate(coupled(more=f"initial equation {pair};"), stop_time=1, tolerance=1e-9)
    np.testing.assert_allclose(result["a"], exact_a(2, result.time), atol=1e-7)


@pytest.mark.parametrize("pair, named", [("a = 2; b = 5", "`b = 5"), ("b = 5; a = 2", "`a = 2")])
def test_redundant_initial_equations_that_contradict(pair: str, named: str) -> None:
    with pytest.raises(ModelError) as caught:
        coupled(more=f"initial equation {pair};")
    assert named in str(caught.value) and "contradicts" in str(caught.value)


def test_a_derivative_used_in_an_initial_equation_only(simulate: Simulate) -> None:
    text = """
    model Only
      Real x, y;
    equation
      der(y) = -y;
      x = 2*y;
    initial equation
      der(x) = -6;
    end Only;
    """
    result = simulate(translated(text), stop_time=1, tolerance=1e-9)
    np.testing.assert_allclose(result["y"], 3 * np.exp(-result.time), atol=1e-7)


def test_a_derivative_used_in_conditions_only(simulate: Simulate) -> None:
    text = """
    model Conditions
      Real x, y;
      Integer n(start = 0, fixed = true);
    equation
      x = sin(6*time);
      y = x^2;
      when der(y) > 3 then
        n = pre(n) + 1;
      end when;
      assert(der(y) < 100, "too fast");
    end Conditions;
    """
    # der(y) = 6 sin(12 t) rises through 3 at t = (pi/6 + 2 pi k)/12: twice before t = 1
    result = simulate(translated(text), stop_time=1)
    assert result["n"][-1] == 2
    np.testing.assert_allclose(result["der(y)"], 6 * np.sin(12 * result.time), atol=1e-9)


def test_derivatives_of_all_constrained_variables_by_name(simulate: Simulate) -> None:
    text = """
    model Integrators
      Real x[6];
    equation
      x[1] = sin(time);
      for i in 2:6 loop
        x[i] = der(x[i - 1]);
      end for;
    end Integrators;
    """
    model = translated(text)
    assert not states(model) and model.structure.reduction is not None
    result = simulate(model, stop_time=2)
    for k in range(1, 6):
        exact = np.sin(result.time + k * np.pi / 2)
        np.testing.assert_allclose(result[f"x[{k + 1}]"], exact, atol=1e-12)
        np.testing.assert_allclose(result[f"der(x[{k}])"], exact, atol=1e-12)


def test_state_select_always_of_a_variable_that_is_not_differentiated(simulate: Simulate) -> None:
    text = "model M Real x(start = 1, fixed = true), y(stateSelect = StateSelect.always); equation {} end M;"
    model = translated(text.format("der(x) = -x; y = 2*x;"))
    assert states(model) == {"y"}
    result = simulate(model, stop_time=1, tolerance=1e-9)
    np.testing.assert_allclose(result["x"], np.exp(-result.time), atol=1e-7)
    with pytest.raises(ModelError, match="always"):
        translated(text.format("der(x) = -x; y = sin(time);"))


def test_what_jumps_is_no_state(simulate: Simulate) -> None:
    """x obeys a differential equation and is continuous; y follows with a jump, and so must not be
    integrated, whatever start value it has."""
    text = """
    model M
      Real x, y(start = 3{}), z;
    equation
      der(x) = -x;
      y = if time < 0.5 then x else 2*x;
      z = {};
    end M;
    """
    model = translated(text.format("", "der(y)"))
    assert states(model) == {"x"}
    result = simulate(model, stop_time=1)
    np.testing.assert_allclose(result["x"], result["x"][0] * np.exp(-result.time), atol=1e-5)
    with pytest.raises(ModelError, match="jumps at events"):
        translated(text.format(", stateSelect = StateSelect.always", "x"))


def test_a_forced_state_in_a_model_with_too_few_equations() -> None:
    text = "model M Real x(start = 1), y(stateSelect = StateSelect.always); equation der(x) = -x; end M;"
    with pytest.raises(ModelError, match="too few"):
        translated(text)


def test_state_select_of_an_alias_counts() -> None:
    text = """
    model M
      Real a(start = 1), b(start = 1), c(stateSelect = StateSelect.prefer), f;
    equation
      der(a) = f - a;
      der(b) = -f;
      a = 2*b;
      c = {};
    end M;
    """
    assert states(translated(text.format("b"))) == {"b"}
    assert states(translated(text.format("a"))) == {"a"}


PENDULUM = """
model Pendulum
  Real x(start = {x}, stateSelect = StateSelect.{sx}), y(start = {y}, stateSelect = StateSelect.{sy});
  Real u(stateSelect = StateSelect.{sx}), v(stateSelect = StateSelect.{sy}), f;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -f*x;
  der(v) = -f*y - 9.81;
  x^2 + y^2 = 1;
end Pendulum;
"""


def test_a_preference_gives_way_to_a_nearly_singular_pivot(simulate: Simulate) -> None:
    """Preferring x where x hardly determines y would end the run at once; `always` is obeyed."""
    side = {"x": 0.9999, "y": -0.01}
    near = translated(PENDULUM.format(**side, sx="prefer", sy="default"))
    assert states(near) == {"y", "v"}
    simulate(near, stop_time=0.1)
    assert states(translated(PENDULUM.format(**side, sx="always", sy="default"))) == {"x", "u"}
    far = translated(PENDULUM.format(x=0.8, y=-0.6, sx="prefer", sy="default"))
    assert states(far) == {"x", "u"}


def test_start_values_that_are_guesses_do_not_make_a_constraint_singular(simulate: Simulate) -> None:
    """At the guess p = q = 0 the gradient of p q = 1 vanishes; where the fixed start leads, it does not."""
    text = """
    model Guess
      Real s(start = 0.5, fixed = true), p(start = 0), q(start = 0), f, g;
    equation
      der(s) = f;
      der(p) = g - p;
      der(q) = -f - g;
      p = s;
      p*q = 1;
    end Guess;
    """
    result = simulate(translated(text), stop_time=0.25, tolerance=1e-9)  # p' is infinite at t = 0.307
    p = result["p"]
    np.testing.assert_allclose(result["q"], 1 / p, atol=1e-9)
    # p' (1 - 2 p^2) = p^3, separated
    np.testing.assert_allclose(-1 / (2 * p**2) - 2 * np.log(p), result.time - 2 + 2 * np.log(2), atol=1e-6)


def test_a_gear_that_shifts(simulate: Simulate) -> None:
    """A parameter of the constraint is discrete. Both variables jump, by one impulse of f between them."""
    text = """
    model Shift
      Real a(start = 1, fixed = true), b, f;
      discrete Real ratio(start = 2);
    equation
      der(a) = f - a;
      der(b) = -f;
      a = ratio*b;
      when time > 0.5 then
        ratio = 3;
      end when;
    end Shift;
    """
    result = simulate(translated(text), stop_time=1, tolerance=1e-9)
    t = result.time
    late = result["ratio"] == 3
    # a'(1 + 1/ratio) = -a; at 0.5, a + F = 3 (a/2 - F)
    before = np.exp(-1 / 3)
    exact = np.where(late, 9 / 8 * before * np.exp(-3 / 4 * (t - 0.5)), np.exp(-2 / 3 * t))
    np.testing.assert_allclose(result["a"], exact, atol=1e-7)
    np.testing.assert_allclose(result["b"], exact / result["ratio"], atol=1e-7)
    jump = next(e for e in result.records if e.impulses)
    assert jump.time == 0.5 and dict(jump.impulses)["f"] == pytest.approx(before / 8, abs=1e-7)


def test_a_constraint_with_cases(simulate: Simulate) -> None:
    """a = 3 b - 0.3 above b = 0.3, a = 2 b below: continuous, with a kink where an event is."""
    text = """
    model Cases
      Real a(start = 1, fixed = true), b, f;
    equation
      der(a) = f - a;
      der(b) = -f;
      a = if b < 0.3 then 2*b else 3*b - 0.3;
    end Cases;
    """
    result = simulate(translated(text), stop_time=1.5, tolerance=1e-9)
    t = result.time
    knee = -np.log(0.6) * 4 / 3
    exact = np.where(t < knee, np.exp(-3 / 4 * t), 0.6 * np.exp(-2 / 3 * (t - knee)))
    np.testing.assert_allclose(result["a"], exact, atol=1e-6)


def test_reinit_decides_the_state(simulate: Simulate) -> None:
    """Two coupled masses bounce: either speed may be the one that is reinitialised."""
    text = """
    model Bounce
      Real x(start = 1, fixed = true), v(start = 0, fixed = true), x2, v2, f;
    equation
      der(x) = v;
      der(v) = f - 2*9.81;
      der(x2) = v2;
      der(v2) = -f;
      x = x2 + 1;
      when x < 0 then
        reinit({0}, -0.8*pre({0}));
      end when;
    end Bounce;
    """
    impact = np.sqrt(2 / 9.81)
    for name in ("v", "v2"):
        result = simulate(translated(text.format(name)), stop_time=0.8, tolerance=1e-9)
        t = result.time
        later = t - impact
        after = 0.8 * 9.81 * impact * later - 0.5 * 9.81 * later**2
        exact = np.where(later < 0, 1 - 0.5 * 9.81 * t**2, after)
        np.testing.assert_allclose(result["x"], exact, atol=1e-6)
        np.testing.assert_allclose(result["x2"], exact - 1, atol=1e-6)


def test_algebraic_loop_beside_a_constraint(simulate: Simulate) -> None:
    text = """
    model Loop
      Real a(start = 1, fixed = true), b, f, p(start = 1), q(start = 1);
    equation
      der(a) = f - p;
      der(b) = -f - q;
      a = 2*b;
      p + q^3 = a;
      p - q = 0.1*a;
    end Loop;
    """
    result = simulate(translated(text), stop_time=1, tolerance=1e-9)
    p, q, a = result["p"], result["q"], result["a"]
    np.testing.assert_allclose(p + q**3, a, atol=1e-7)
    np.testing.assert_allclose(p - q, 0.1 * a, atol=1e-9)
    np.testing.assert_allclose(1.5 * result["der(a)"], -p - q, atol=1e-8)
    from scipy.integrate import solve_ivp
    from scipy.optimize import brentq

    def rate(t: float, z: np.ndarray) -> list[float]:
        root = brentq(lambda x: x + 0.1 * z[0] + x**3 - z[0], 0, 2, xtol=1e-14)
        return [-(2 * root + 0.1 * z[0]) / 1.5]

    exact = solve_ivp(rate, (0, 1), [1.0], t_eval=result.time, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(a, exact.y[0], atol=1e-7)


@pytest.mark.parametrize(
    "unwanted",
    [
        ("relative",),
        ("relative", "rate"),
        ("relative", "rate", "speed"),
        ("angle", "speed", "rate"),
    ],
    ids=" ".join,
)
def test_states_nobody_wants_leave_derivatives_without_a_name(unwanted: tuple[str, ...]) -> None:
    """A spring and a damper on a fixed wall: an oscillator, whichever of its variables are its states."""
    select = dict.fromkeys(unwanted, "stateSelect = StateSelect.never")
    text = f"""
    model Spring
      Real wall, torque, acceleration;
      Real angle({select.get("angle", "")}), speed({select.get("speed", "")});
      Real relative({select.get("relative", "")}), rate({select.get("rate", "")});
    initial equation
      angle = 0;
      rate = 3;
    equation
      wall = 0;
      speed = der(angle);
      der(speed) = -torque;
      relative = angle - wall;
      rate = der(relative);
      acceleration = der(rate);
      torque = 100*relative + rate;
    end Spring;
    """
    model = translated(text)
    assert not states(model) & {*unwanted}
    result = model.simulate(stop_time=1, tolerance=1e-9)
    omega = np.sqrt(100 - 0.25)
    exact = 3 / omega * np.exp(-result.time / 2) * np.sin(omega * result.time)
    np.testing.assert_allclose(result["angle"], exact, atol=1e-6)


def test_what_must_be_a_state_is_given_up_for_nothing_else() -> None:
    """1.6 s = 0.3 sin(phi). The equations determine s better than phi; that is a reason for no state but one
    that the user insists on (specification 4.9.7.1: `always` is "do use it as a state")."""
    model = translated("""
    model Lever
      Real s(stateSelect = StateSelect.always), v, k1, k2, m;
      Real phi(start = 0.1, fixed = true);
    equation
      der(phi) = 1 - phi/5;
      der(s) = v;
      k1 = 2*s;
      k2 = 2*s;
      m = 0.4*k1 + 0.4*k2;
      m = 0.3*sin(phi);
    end Lever;
    """)
    assert states(model) == {"s"}
    result = model.simulate(stop_time=1, tolerance=1e-9)
    exact = 5 - 4.9 * np.exp(-result.time / 5)
    np.testing.assert_allclose(result["phi"], exact, atol=1e-6)
    np.testing.assert_allclose(result["s"], 0.3 / 1.6 * np.sin(exact), atol=1e-6)


def test_of_two_copies_the_one_that_must_be_a_state_is_kept() -> None:
    """x and y = 2 x with two derivatives each, whose speeds nobody wants: if the second derivative of x were
    given up, x itself would have to go in the next step."""
    model = translated("""
    model Copy
      Real x(start = 1, fixed = true, stateSelect = StateSelect.always);
      Real v(start = 0, fixed = true, stateSelect = StateSelect.avoid);
      Real y, w(stateSelect = StateSelect.avoid), a;
    equation
      der(x) = v;
      der(v) = -x;
      y = 2*x;
      der(y) = w;
      der(w) = a;
    end Copy;
    """)
    assert "x" in states(model)
    result = model.simulate(stop_time=1, tolerance=1e-9)
    np.testing.assert_allclose(result["x"], np.cos(result.time), atol=1e-6)
    np.testing.assert_allclose(result["a"], -2 * np.cos(result.time), atol=1e-6)

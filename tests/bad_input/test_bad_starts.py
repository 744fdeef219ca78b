"""Initial values that cannot be, and systems that have no solution: one screen that names the culprits."""

from __future__ import annotations

import numpy as np
import pytest

import saltus
from saltus.core.diagnostics import ModelError, RunError, SaltusError

ONE_SCREEN = 40


def refusal(text: str, kind: type[SaltusError], **settings: float) -> str:
    with pytest.raises(kind) as caught:
        saltus.load(text).simulate(**settings)
    told = str(caught.value)
    assert len(told.splitlines()) <= ONE_SCREEN
    return told


def with_initial(equations: str, declarations: str = "") -> str:
    return f"""model M
  {declarations}
  Real x, y;
equation
  der(x) = -x;
  der(y) = x - y;
initial equation
  {equations}
end M;"""


# ---------------------------------------------------------------- redundant initial equations


@pytest.mark.parametrize(
    "equations",
    [
        "x = 1; 2*x = 2; y = 0;",
        "x + y = 1; 2*x + 2*y = 2; x = 1;",
        "x + y = 1; x - y = 1; x = 1;",
        "x = p; y = 0; x + y = 1; x - y = p;",
        "x = 1; der(x) = -1; y = 0;",
    ],
)
def test_what_is_given_twice_is_accepted(equations: str) -> None:
    model = saltus.load(with_initial(equations, "parameter Real p = 1;"))
    assert not model.warnings
    result = model.simulate(stop_time=1, tolerance=1e-9)
    np.testing.assert_allclose(result["x"], np.exp(-result.time), atol=1e-7)
    np.testing.assert_allclose(result["y"], result.time * np.exp(-result.time), atol=1e-7)


def test_what_is_missing_beside_it_is_told() -> None:
    model = saltus.load(with_initial("x + y = 1; 2*x + 2*y = 2;"))
    (warning,) = model.warnings
    assert warning.code == "W301"
    result = model.simulate(stop_time=1)
    assert result["x"][0] + result["y"][0] == pytest.approx(1)


def test_steady_state_of_a_closed_system() -> None:
    # What flows out of one tank flows into the other: both at rest is one condition, and the content is open.
    model = saltus.load("""
    model Tanks
      parameter Real leak = 0;
      Real a(start = 3), b(start = 1);
    equation
      der(a) = b - a + leak;
      der(b) = a - b;
    initial equation
      der(a) = 0;
      der(b) = 0;
    end Tanks;
    """)
    (warning,) = model.warnings
    assert warning.code == "W301" and "`a = 3" in warning.message
    result = model.simulate(stop_time=1)
    assert result["a"][-1] == result["b"][-1] == pytest.approx(3)
    with pytest.raises(RunError) as caught:
        model.simulate(stop_time=1, set={"leak": 1})
    assert "`der(b) = 0` contradicts `der(a) = 0`" in str(caught.value)


@pytest.mark.parametrize(
    ("equations", "named"),
    [
        ("x = 1; 2*x = 3; y = 0;", ("`x = 1`", "3` contradicts")),
        ("x + y = 1; 2*x + 2*y = 3; x = 1;", ("`x + y = 1`", "0 = 1")),
        ("x = 1; der(x) = 0; y = 0;", ("`der(x) = 0`", "`x = 1`")),
        ("x = 1; y = 2; x + y = 4;", ("`x = 1`", "`y = 2`", "`x + y = 4`")),
    ],
)
def test_initial_equations_that_contradict_each_other(equations: str, named: tuple[str, ...]) -> None:
    told = refusal(with_initial(equations), ModelError)
    assert "E303" in told
    assert all(text in told for text in named)
    assert "contradict" in told
    assert told.count("is given here") >= 2


def test_a_contradiction_by_a_parameter_is_found_at_the_start_of_the_run() -> None:
    model = saltus.load(with_initial("x = 1; 2*x = p; y = 0;", "parameter Real p = 2;"))
    model.simulate(stop_time=0.1)
    with pytest.raises(RunError) as caught:
        model.simulate(stop_time=0.1, set={"p": 2.1})
    told = str(caught.value)
    assert "E401" in told and "contradicts `x = 1`" in told and "is given here" in told


# ---------------------------------------------------------------- singular systems

LOOP = """
model Loop
  parameter Real k = {k};
  Real s(start = {start}, fixed = true), a, b, c;
equation
  der(s) = 1;
  a + s*b = 1;
  s*a + b = k;
  c + a + b = 2*c;
end Loop;
"""


def test_a_linear_loop_that_is_singular_at_the_start() -> None:
    told = refusal(LOOP.format(k=2, start=1), RunError)
    assert "E401" in told and "no unique solution at time 0" in told
    assert "a + s*b = 1" in told and "s*a + b = k" in told  # the lines that depend on each other
    assert "s = 1" in told
    assert "`a`" in told and "`b`" in told


def test_a_linear_loop_that_becomes_singular() -> None:
    told = refusal(LOOP.format(k=2, start=0), RunError, stop_time=2.0)
    assert "at time 1" in told
    assert "a + s*b = 1" in told and "s*a + b = k" in told


def test_of_a_large_system_only_the_dependent_part_is_named() -> None:
    told = refusal(
        """
    model Large
      Real x[6], s = 2 - time;
    equation
      x[1] + x[2] = 1;
      x[2] + x[3] = 2;
      x[1] + s*x[2] + x[4] = 3;
      x[1] + x[2] + x[4] = 4;
      x[4] + x[5] + x[1] = 5;
      x[5] + s*x[6] + x[3] = 6;
    end Large;
    """,
        RunError,
        stop_time=2.0,
    )
    assert "x[1] + s*x[2] + x[4] = 3" in told and "x[1] + x[2] + x[4] = 4" in told
    assert "x[4] + x[5] + x[1] = 5" not in told


def test_a_solution_that_runs_into_a_singularity() -> None:
    # x^2 + y^2 = 1 with a state that leaves the circle: there is no y.
    told = refusal(
        """
    model Out
      Real x(start = 0, fixed = true), y(start = 1), z;
    equation
      der(x) = 1;
      x^2 + y^2 + 0.1*sin(z) = 1;
      z = y + 0.2*cos(z);
    end Out;
    """,
        RunError,
        stop_time=2.0,
    )
    assert "`y`" in told or "`z`" in told
    assert "x^2 + y^2 + 0.1*sin(z) = 1" in told or "z = y + 0.2*cos(z)" in told
    assert "time 1" in told or "time 0.9" in told


@pytest.mark.parametrize("method", ["bdf", "ida"])
@pytest.mark.parametrize(
    ("equations", "named"),
    [
        # (1 - y) x + z = 1, x = z: eliminated symbolically, x = 1/(2 - y)
        ("(1 - y)*x + z = 1; x = z;", ("2.0 - y", "`x`", "(1 - y)*x + z = 1")),
        ("x = 1/(2 - y); z = x;", ("2 - y", "`x`", "x = 1/(2 - y)")),
        # a matrix [a b; b a] with a = b at y = 2
        ("x + 0.5*y*z = 1; 0.5*y*x + z = 2;", ("`x` and `z`", "x + 0.5*y*z = 1", "0.5*y*x + z = 2", "y = 2")),
    ],
)
def test_the_integrator_meets_a_pole(equations: str, named: tuple[str, ...], method: str) -> None:
    """The speed of w grows beyond all bounds at time 2: it is told which equations are the reason."""
    told = refusal(
        f"""
    model Pole
      Real y(start = 0, fixed = true), w(start = 0, fixed = true), x, z;
    equation
      der(y) = 1;
      der(w) = x;
      {equations}
    end Pole;
    """,
        RunError,
        stop_time=4.0,
        method=method,
    )
    assert "at time 2" in told or "at time 1.99999" in told
    for text in named:
        assert text in told, told


# ---------------------------------------------------------------- mechanisms with too many constraints

GEARS = """
model Gears "three shafts, each pair coupled"
  Real a, b, c, u, v, w, ta, tb, tc;
equation
  der(a) = u;
  der(b) = v;
  der(c) = w;
  der(u) = ta;
  der(v) = tb;
  der(w) = tc;
  a = 2*b;
  b = 3*c;
  {last};
end Gears;
"""


@pytest.mark.parametrize(
    ("last", "said"),
    [
        ("6*c = a + 1", "contradict each other: combined they say 0 = 1"),
        ("6*c = a", "one of them is redundant"),
    ],
)
def test_gears_in_a_loop(last: str, said: str) -> None:
    told = refusal(GEARS.format(last=last), ModelError)
    assert said in told
    assert "`a = 2.0*b`" in told and "`b = 3.0*c`" in told and "c = a" in told


FOUR_BAR = """
model FourBar "two cranks and a coupler, and a rod that locks them"
  Real x1(start = 0), y1(start = 1), x2(start = 3), y2(start = 2);
  Real u1(start = 0.5, fixed = {fixed}), v1, u2, v2, F1, F2, F3, F4;
equation
  der(x1) = u1;
  der(y1) = v1;
  der(x2) = u2;
  der(y2) = v2;
  der(u1) = -F1*x1 + F3*(x2 - x1);
  der(v1) = -F1*y1 + F3*(y2 - y1) - 9.81;
  der(u2) = -F2*(x2 - 3) - F3*(x2 - x1) - F4*x2;
  der(v2) = -F2*y2 - F3*(y2 - y1) - F4*y2 - 9.81;
  x1^2 + y1^2 = 1;
  (x2 - 3)^2 + y2^2 = 4;
  (x2 - x1)^2 + (y2 - y1)^2 = 10;
  x2^2 + y2^2 = {square};
  {more}
end FourBar;
"""


def test_a_locked_mechanism_stands_still_in_balance() -> None:
    result = saltus.load(FOUR_BAR.format(fixed="false", square=13, more="")).simulate(stop_time=0.1)
    assert np.ptp(result["x2"]) == 0
    # the forces on each mass are in balance with its weight
    f1, f2, f3, f4 = (result[f"F{k}"][0] for k in (1, 2, 3, 4))
    assert f3 * 3 == pytest.approx(0, abs=1e-9)
    assert -f1 + f3 * 1 == pytest.approx(9.81)
    assert -3 * f3 - 3 * f4 == pytest.approx(0, abs=1e-9)
    assert -2 * f2 - f3 - 2 * f4 == pytest.approx(9.81)


def test_a_locked_mechanism_cannot_move() -> None:
    told = refusal(FOUR_BAR.format(fixed="true", square=13, more=""), RunError)
    assert "`u1`" in told and "contradicts" in told


def test_a_rod_of_the_wrong_length() -> None:
    told = refusal(FOUR_BAR.format(fixed="false", square=400, more=""), RunError)
    assert "E401" in told and "x2^2 + y2^2 = 400" in told


def test_a_rod_too_many() -> None:
    told = refusal(FOUR_BAR.format(fixed="false", square=13, more="x1^2 + (y1 - 1)^2 = 0.25;"), ModelError)
    assert "1 equation too many" in told
    assert "x2^2 + y2^2 = 13" in told and "x1^2 + (y1 - 1" in told


# ---------------------------------------------------------------- when initial()


def test_only_initial_by_itself_activates_at_the_start() -> None:
    result = saltus.load("""
    model W
      Integer a(start = 0, fixed = true), b(start = 0, fixed = true), c(start = 0, fixed = true);
      Integer d(start = 0, fixed = true), e(start = 0, fixed = true);
      Boolean later = time > 0.5, yes = true;
    equation
      when initial() then a = pre(a) + 1; end when;
      when {initial(), later} then b = pre(b) + 1; end when;
      when initial() or later then c = pre(c) + 1; end when;
      when initial() and yes then d = pre(d) + 1; end when;
      when not initial() then e = pre(e) + 1; end when;
    end W;
    """).simulate(stop_time=1)
    ends = {name: (result[name][0], result[name][-1]) for name in "abcde"}
    assert ends == {"a": (1, 1), "b": (1, 2), "c": (0, 1), "d": (0, 0), "e": (0, 1)}


@pytest.mark.parametrize("sign", ["-", ""])
def test_a_redundant_condition_tells_which_solution_is_meant(sign: str) -> None:
    """Both coordinates of a pendulum are given, and the rod: one is redundant, but it has a sign."""
    result = saltus.load(
        f"""
    model Given
      parameter Real len = 2;
      Real x, y, u(start = 0, fixed = true), v, f;
    initial equation
      x = 0.6*len;
      y = {sign}sqrt(len^2 - x^2);
    equation
      der(x) = u; der(y) = v; der(u) = -f*x; der(v) = -f*y - 9.81;
      x^2 + y^2 = len^2;
    end Given;
    """
    ).simulate(stop_time=0.1)
    assert result["y"][0] == pytest.approx(-1.6 if sign else 1.6, rel=1e-12)


@pytest.mark.parametrize(
    "text",
    [
        "Real a, b, s; Boolean off = s < 0; equation 1e308*10*a + b = sin(time); "
        "a - b = if off then s else 0; b = if off then 0 else s;",
        "Real a, b; equation 1e308*10*a + b = 1; 1e308*10*a - b = 2;",
        "Real i(start = 0, fixed = true), s; Boolean off = s < 0; equation "
        "der(i) = 1e308*10 - (if off then s else 0); i = if off then 0 else s;",
    ],
)
def test_numbers_that_are_too_large_to_be_numbers(text: str) -> None:
    """Their product is infinite: the model is refused, or its run fails, with a message; or nothing infinite
    comes of it."""
    try:
        result = saltus.load(f"model M {text} end M;").simulate(stop_time=1)
    except saltus.SaltusError:
        return
    assert all(np.isfinite(result[name]).all() for name in result.names)

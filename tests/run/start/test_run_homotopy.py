"""The operator homotopy, and what is said when nothing leads to a solution."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq

import saltus
from saltus.core.diagnostics import RunError
from saltus.ir.sorted.blocks import Nonlinear
from saltus.run.start import homotopy

BRANCHES = """
model Branches "of x^2 = 4 + time the simplified equation says which one"
  parameter Real way = 1;
  Real x(start = START), z(start = 0, fixed = true);
equation
  homotopy(actual = x^2 - 4 - time, simplified = way*x - 1) = 0;
  der(z) = x;
end Branches;
"""


@pytest.mark.parametrize("start", ["-5", "5"])
@pytest.mark.parametrize("way", [-1, 1])
def test_the_simplified_equation_selects_the_solution(start: str, way: int) -> None:
    result = saltus.load(BRANCHES.replace("START", start)).simulate(stop_time=1, set={"way": way})
    np.testing.assert_allclose(result["x"], way * np.sqrt(4 + result.time), rtol=1e-6)
    assert result.statistics["homotopy steps"] >= 1


def test_the_run_knows_nothing_of_the_simplified_expression() -> None:
    # In the run y = x, explicit; simplified it would be a loop with z.
    model = saltus.load("""
    model M
      Real x(start = 1, fixed = true), y, z;
    equation
      der(x) = -y;
      y = homotopy(actual = x, simplified = 2*z);
      z = 3*y + 1;
    end M;
    """)
    assert [len(b.unknowns) for b in model.structure.blocks] == [1, 1, 1]
    result = model.simulate(stop_time=1, tolerance=1e-9)
    np.testing.assert_allclose(result["y"], np.exp(-result.time), atol=1e-7)
    assert "homotopy(x, 2" in str(model.flat.clauses[1].rhs)


def test_without_the_operator_there_are_no_steps() -> None:
    result = saltus.load("model M Real x; equation x^3 = 8 + time; end M;").simulate(stop_time=1)
    assert "homotopy steps" not in result.statistics


def test_a_steep_diode_from_a_flat_one() -> None:
    # The example of the specification (section 3.7.4.1): the characteristic becomes steep on the way.
    model = saltus.load("""
    model Diode
      parameter Real steep = 40, flat = 0.5;
      Real v, i;
    equation
      i = homotopy(1e-6*(exp(steep*v) - 1), flat*v);
      v + 10*i = 20 + time;
    end Diode;
    """)
    result = model.simulate(stop_time=1)
    exact = [
        brentq(lambda v, t=t: v + 1e-5 * (np.exp(40 * v) - 1) - 20 - t, 0, 1) for t in result.time[::100]
    ]
    np.testing.assert_allclose(result["v"][::100], exact, rtol=1e-9)


def test_steps_are_halved_where_they_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[tuple[float, bool]] = []
    solved = homotopy._solved

    def stubborn(memory: object, at: float) -> bool:
        """Refuses to go further than a tenth at once."""
        last = max((t for t, good in tried if good), default=0.0)
        good = at - last <= 0.1 and solved(memory, at)
        tried.append((at, good))
        return good

    monkeypatch.setattr(homotopy, "_solved", stubborn)
    result = saltus.load(BRANCHES.replace("START", "5")).simulate(stop_time=0.1, set={"way": -1})
    assert result["x"][0] == pytest.approx(-2.0)
    assert result.statistics["homotopy steps"] == len(tried) - 1 > 10
    assert not all(good for _, good in tried)


def test_a_simplified_system_without_solution_is_given_up() -> None:
    model = saltus.load("""
    model M
      Real x(start = 1);
    equation
      homotopy(x^2 - 4, x^2 + 1) = 0;
    end M;
    """)
    result = model.simulate(stop_time=0.1)
    assert abs(result["x"][0]) == pytest.approx(2.0)
    assert "homotopy steps" not in result.statistics


def test_homotopy_in_a_model_of_high_index() -> None:
    # The spring of a pendulum's suspension is linear at first; the rod stays a constraint.
    model = saltus.load("""
    model Pendulum
      Real x(start = 0.6, fixed = true), y(start = -0.8), u(start = 0, fixed = true), v, L, f, e(start = 3);
    equation
      der(x) = u;
      der(y) = v;
      der(u) = -L*x + f;
      der(v) = -L*y - 9.81;
      homotopy(x^2 + y^2, 1.2*x^2 - 0.71*y) = 1;
      f = 0.1*e;
      homotopy(e^3 - 2*e + 2, e - 3) = x;
    end Pendulum;
    """)
    assert model.structure.reduction is not None
    assert any(isinstance(b, Nonlinear) for b in model.structure.initial)
    result = model.simulate(stop_time=0.5)
    assert "homotopy steps" in result.statistics
    assert np.abs(result["x"] ** 2 + result["y"] ** 2 - 1).max() < 1e-9
    assert result["y"][0] == pytest.approx(-0.8)


def test_when_nothing_helps_the_message_is_about_the_equations() -> None:
    model = saltus.load("""
    model Bad
      Real a(start = 1), b(start = 1), c;
    equation
      a^2 + b^2 = homotopy(-1 - time, -2);
      a = b^3 + b;
      c = a + b;
    end Bad;
    """)
    with pytest.raises(RunError) as caught:
        model.simulate(stop_time=1)
    text = str(caught.value)
    assert "E401" in text
    assert "`a` and `b`" in text or "`b` and `a`" in text
    assert "at time 0" in text
    assert "a = " in text and "b = " in text  # their values
    assert "a^2 + b^2 = homotopy(-1 - time, -2)" in text  # the line, quoted
    assert "residual" in text
    assert len(text.splitlines()) < 25


def test_an_event_after_which_newton_fails_is_continued() -> None:
    # At time 0.5 the load jumps; from the old solution Newton's method runs into a local minimum.
    model = saltus.load("""
    model Jump
      Real x(start = 2), load = if time < 0.5 then 0 else 7;
    equation
      x^3 - 3*x + load = 2;
    end Jump;
    """)
    result = model.simulate(stop_time=1)
    assert result["x"][0] == pytest.approx(2.0)
    assert result["x"][-1] == pytest.approx(np.roots([1, 0, -3, 5]).real.min())

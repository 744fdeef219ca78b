"""Exact dependence of rows, and of equations."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import saltus
from saltus.analyse.index.dependence import dependence
from saltus.core.diagnostics import ModelError

MATRICES = st.integers(1, 5).flatmap(
    lambda n: st.lists(st.lists(st.integers(-2, 2), min_size=4, max_size=4), min_size=n, max_size=n)
)


@given(MATRICES)
def test_a_combination_is_found_exactly_where_the_rank_is_low(matrix: list[list[int]]) -> None:
    factors = dependence([{j: float(v) for j, v in enumerate(row)} for row in matrix])
    rank = int(np.linalg.matrix_rank(np.array(matrix)))
    assert (factors is None) == (rank == len(matrix))
    if factors is not None:
        assert any(factors.values())
        for j in range(4):
            assert sum((f * matrix[i][j] for i, f in factors.items()), Fraction(0)) == 0


def test_nothing_is_rounded() -> None:
    assert dependence([{0: 0.1, 1: 1.0}, {0: 0.3, 1: 3.0}]) is None  # 3*0.1 is not 0.3 in binary
    assert dependence([{0: 0.1, 1: 0.2}, {0: 0.2, 1: 0.4}]) is not None
    assert dependence([{0: 1.0, 1: 1.0}, {0: 1.0, 1: 1.0 + 2**-50}]) is None


def refused(equations: str, declarations: str = "Real a, b, c, f, g, h;") -> ModelError:
    with pytest.raises(ModelError) as caught:
        saltus.load(f"model M {declarations} equation {equations} end M;")
    return caught.value


def named(error: ModelError) -> set[str]:
    return {note.message for note in error.diagnostics[0].notes}


RATES = "der(a) = f - a; der(b) = g; der(c) = h;"


@pytest.mark.parametrize("last", ["a = c", "c + a = 2*b", "3*a - b = 2*c"])
def test_a_redundant_coupling_is_told_with_the_equations_it_follows_from(last: str) -> None:
    error = refused(f"{RATES} a = b; b = c; {last};")
    assert error.diagnostics[0].code == "E301"
    assert "3 equations depend on each other: one of them is redundant" in str(error)
    assert {"`a = b`", "`b = c`"} < named(error) and len(named(error)) == 3


def test_couplings_that_contradict_each_other() -> None:
    assert "2 equations contradict each other: combined they say 0 = 1" in str(
        refused("der(a) = f; der(b) = g - f; a = b + 1; a = b;", "Real a, b, f, g;")
    )


def test_position_couplings_twice() -> None:
    text = "der(p) = w; der(q) = v; der(w) = 1 - s - t; der(v) = s + t; p = q; 2*p = 2*q;"
    error = refused(text, "Real p, q, v, w, s, t;")
    assert "2 equations depend on each other: one of them is redundant" in str(error)
    assert named(error) == {"`p = q`", "`2.0*p = 2.0*q`"}  # the equations that matter, and only those


def test_a_contradiction_with_time_is_shown() -> None:
    error = refused("der(a) = f; der(b) = g - f; a = b + time; a = b;", "Real a, b, f, g;")
    assert "combined they say `time = 0`" in str(error)


def test_a_singular_loop_of_constants_is_refused_at_translation() -> None:
    error = refused("der(a) = -a; b + c = a; 2*b + 2*c = 2*a;", "Real a, b, c;")
    assert "redundant" in str(error) and "`b + c = a`" in str(error)


def test_a_condition_that_only_coefficients_show_is_used() -> None:
    """f = g follows from the first two equations, so a = b: structure alone sees none of it."""
    text = """
    model Hidden
      Real a(start = 1, fixed = true), b, f, g;
    equation
      der(a) + der(b) = f;
      der(a) + der(b) = g;
      f + g = -a;
      a - b = f - g;
    end Hidden;
    """
    model = saltus.load(text)
    assert len(model.structure.states) == 1
    result = model.simulate(stop_time=2, tolerance=1e-9)
    np.testing.assert_allclose(result["a"], np.exp(-result.time / 4), atol=1e-7)
    np.testing.assert_allclose(result["b"], result["a"], atol=1e-12)


def test_hidden_condition_among_constraints() -> None:
    """x + y = p and x + y = sin(time) + q: p follows, and is differentiated in turn."""
    text = """
    model Constraints
      Real x, y, p(start = 0.5), q, f, g;
    equation
      der(x) = f;
      der(y) = g - f;
      der(p) = -g;
      x + y = p;
      x + y = 2*q;
      q = sin(time);
    end Constraints;
    """
    with pytest.raises(ModelError):  # f stays undetermined: x and y occur as their sum only
        saltus.load(text)
    result = saltus.load(text.replace("der(x) = f", "der(x) = -x")).simulate(stop_time=1, tolerance=1e-9)
    np.testing.assert_allclose(result["p"], 2 * np.sin(result.time), atol=1e-9)

"""The search for a consistent mode: linear complementarity problems by enumeration, and the verdicts."""

from __future__ import annotations

from functools import cache
from itertools import product
from time import perf_counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import saltus
from saltus.core.diagnostics import RunError
from saltus.run.failures.coupling import groups
from saltus.run.iteration.search import Search

# ---------------------------------------------------------------- linear complementarity


JUMP = "if time < 0.5 then before[i] else later[i]"
DRIFT = "before[i] + (later[i] - before[i])*time"


@cache
def complementarity(size: int, q: str = JUMP) -> saltus.Model:
    """w = M z + q, with w >= 0, z >= 0, w z = 0: written with s, which is z where it is positive and -w where
    it is negative. q jumps at 0.5, or drifts from one value to the other."""
    return saltus.load(
        f"""model LCP
          parameter Integer n = {size};
          parameter Real M[n, n] = identity(n), before[n] = zeros(n), later[n] = zeros(n);
          Real s[n], q[n], w[n], z[n];
        equation
          for i in 1:n loop
            q[i] = {q};
            w[i] = if s[i] < 0 then -s[i] else 0;
            z[i] = if s[i] < 0 then 0 else s[i];
            w[i] = sum(M[i, j]*z[j] for j in 1:n) + q[i];
          end for;
        end LCP;"""
    )


def solutions(matrix: NDArray[np.float64], q: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """All z with w = M z + q >= 0, z >= 0 and w z = 0, by trying which of them are zero."""
    size, found = len(q), []
    for mode in product((False, True), repeat=size):
        free = np.flatnonzero(mode)
        z = np.zeros(size)
        if free.size:
            part = matrix[np.ix_(free, free)]
            if abs(np.linalg.det(part)) < 1e-9:
                continue
            z[free] = np.linalg.solve(part, -q[free])
        w = matrix @ z + q
        if np.all(z >= -1e-12) and np.all(w >= -1e-9):
            found.append(z)
    return found


def definite(random: np.random.Generator, size: int) -> NDArray[np.float64]:
    """Positive definite but far from symmetric: all principal minors are positive."""
    root, skew = random.normal(size=(size, size)), random.normal(size=(size, size))
    return root @ root.T + 0.1 * np.eye(size) + 3 * (skew - skew.T)


def cyclic(random: np.random.Generator, size: int) -> NDArray[np.float64]:
    """Each unknown acts strongly on the next. Principal minors are 1, and 1 + product of the factors for an
    odd number of all: a P-matrix for which Newton's method goes round in circles (Ben Gharbia and Gilbert,
    Mathematical Programming 134, 2012)."""
    matrix = np.eye(size) + np.roll(np.diag(random.uniform(1.5, 3, size)), 1, axis=1)
    order = random.permutation(size)
    return matrix[np.ix_(order, order)]


def pushes(random: np.random.Generator, size: int) -> NDArray[np.float64]:
    """Before 0.5 anything; then about the same for all, which is when they go round."""
    return np.stack([random.normal(size=size), -random.uniform(0.7, 1.3, size)])


def solved(size: int, matrix: NDArray[np.float64], q: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """z at the start and at the end of a run."""
    values = {"M": matrix.tolist(), "before": q[0].tolist(), "later": q[1].tolist()}
    result = complementarity(size).simulate(stop_time=1, set=values)
    assert not result.warnings
    return [np.array([result[f"z[{i + 1}]"][row] for i in range(size)]) for row in (0, -1)]


@settings(deadline=None, max_examples=30)
@given(st.integers(1, 7), st.booleans(), st.integers(0, 2**32 - 1))
def test_random_complementarity_problems(size: int, definitely: bool, seed: int) -> None:
    random = np.random.default_rng(seed)
    size += 0 if definitely or size % 2 else -1
    matrix = definite(random, size) if definitely else cyclic(random, size)
    q = random.normal(size=(2, size)) if definitely else pushes(random, size)
    for found, of in zip(solved(size, matrix, q), q, strict=True):
        (expected,) = solutions(matrix, of)  # a P-matrix has exactly one
        np.testing.assert_allclose(found, expected, atol=1e-9 * (1 + np.abs(expected).max()))


@settings(deadline=None, max_examples=25)
@given(st.sampled_from([1, 3, 5]), st.booleans(), st.integers(0, 2**32 - 1))
def test_random_complementarity_problems_that_drift(size: int, definitely: bool, seed: int) -> None:
    """Switches change when something reaches zero, and others with it. At zero either side agrees: that must
    not be taken for two solutions."""
    random = np.random.default_rng(seed)
    matrix = definite(random, size) if definitely else cyclic(random, size)
    q = pushes(random, size)
    values = {"M": matrix.tolist(), "before": q[0].tolist(), "later": q[1].tolist()}
    result = complementarity(size, DRIFT).simulate(stop_time=1, set=values, interval=0.01)
    assert not result.warnings
    z = np.stack([result[f"z[{i + 1}]"] for i in range(size)], axis=1)
    for t, found in zip(result.time, z, strict=True):
        expected = solutions(matrix, q[0] + (q[1] - q[0]) * t)[0]
        np.testing.assert_allclose(found, expected, atol=1e-8 * (1 + np.abs(expected).max()))


def test_the_iteration_alone_would_not_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the same problems, the plain iteration leaves some in a circle; the search solves each of them."""
    searched: list[int] = []
    call = Search.__call__

    def spy(self: Search) -> int:
        searched.append(call(self))
        return searched[-1]

    monkeypatch.setattr(Search, "__call__", spy)
    for seed in range(20):
        random = np.random.default_rng(seed)
        solved(5, cyclic(random, 5), pushes(random, 5))
    assert len(searched) > 10 and not any(searched)


def test_many_coupled_switches_are_found_by_pivoting() -> None:
    """15 switches have 32768 modes. The iteration goes round in a circle; pivoting does not."""
    size = 15
    random = np.random.default_rng(7)
    matrix, q = cyclic(random, size), pushes(random, size)
    began = perf_counter()
    for z, of in zip(solved(size, matrix, q), q, strict=True):
        w = matrix @ z + of
        scale = 1e-9 * (1 + z.max())
        assert z.min() >= 0 and w.min() > -scale and np.abs(np.minimum(z, w)).max() < scale
    assert perf_counter() - began < 20


# ---------------------------------------------------------------- several, none


TWO = """
model Two "each is on while the other is not: x = 1 and y = -1, or the other way round"
  Real x, y, z;
equation
  x = if y > 0 or time < 0.5 then -1 else 1;
  y = if x > 0 or time < 0.5 then -1 else 1;
  z = if z > {level} or time < 0.5 then 2 else 1;
end Two;
"""


def test_of_several_solutions_one_is_used_and_all_are_told() -> None:
    result = saltus.load(TWO.format(level=3)).simulate(stop_time=1)
    late = result.time > 0.5
    x, y = result["x"][late], result["y"][late]
    assert np.all(x == -y) and np.all(np.abs(x) == 1)
    (warning,) = result.warnings
    assert warning.code == "W404" and warning.message.startswith("2 choices of `y > 0` and `x > 0`")
    assert "time 0.5" in warning.message and "z >" not in warning.message
    used, other = (note.message for note in warning.notes)
    assert used.startswith("used: ") and other.startswith("also possible: ")
    assert (f"`x > 0` {'true' if x[0] > 0 else 'false'}") in used
    assert (f"`x > 0` {'false' if x[0] > 0 else 'true'}") in other


def test_the_nearest_of_several_solutions_is_used() -> None:
    """Three switches: a alone, or b and c together. Before, all are off. From that the iteration goes to all
    on, and back. The nearest solution is that of a, though it is the last in order."""
    text = """
    model M
      Real a, b, c;
      Boolean go = time >= 0.5;
    equation
      b = if go and (c > 0 or a <= 0) and a <= 0 then 1 else -1;
      c = if go and (b > 0 or a <= 0) and a <= 0 then 1 else -1;
      a = if go and b <= 0 and c <= 0 then 1 else -1;
    end M;"""
    result = saltus.load(text).simulate(stop_time=1)
    (warning,) = result.warnings
    assert warning.code == "W404"
    assert [result[name][-1] for name in "abc"] == [1, -1, -1]
    assert len(warning.notes) == 2


def test_a_warning_is_told_once() -> None:
    text = """
    model Two
      Real x, y;
      Boolean go(start = false, fixed = true);
    equation
      when sample(0.1, 0.1) then go = not pre(go); end when;
      x = if y > 0 or not go then -1 else 1;
      y = if x > 0 or not go then -1 else 1;
    end Two;"""
    result = saltus.load(text).simulate(stop_time=1)
    assert [w.code for w in result.warnings] == ["W404"]


def failure(text: str) -> str:
    with pytest.raises(RunError) as caught:
        saltus.load(text).simulate(stop_time=1)
    return str(caught.value)


def test_where_there_is_no_solution_every_choice_is_explained() -> None:
    text = failure(
        """model M
          Real x, y;
        equation
          x = if y > 0 then 1 else -1;
          y = if x > 0 and time > 0.5 then -1 elseif time > 0.5 then 1 else -2;
        end M;"""
    )
    assert "E404" in text and "at time 0.5" in text and "`y > 0`" in text and "`x > 0`" in text
    assert "with `y > 0` true, `x > 0` true: `y > 0` is false; y = -1" in text
    assert "with `y > 0` false, `x > 0` false: `y > 0` is true; y = 1" in text
    assert ":4:" in text and ":5:" in text


def ring(size: int) -> str:
    """Inverters in a ring, made of Reals."""
    lines = [f"x[{i + 1}] = if x[{i or size}] > 0 then -1 else 1;" for i in range(size)]
    return f"model Ring Real x[{size}]; equation {' '.join(lines)} end Ring;"


@pytest.mark.parametrize("size", [2, 12, 14, 30])
def test_an_even_ring_of_inverters_alternates(size: int) -> None:
    result = saltus.load(ring(size)).simulate(stop_time=1)
    x = [result[f"x[{i + 1}]"][-1] for i in range(size)]
    assert x in ([1, -1] * (size // 2), [-1, 1] * (size // 2))


@pytest.mark.parametrize("size", [3, 11, 13])
def test_an_odd_ring_of_inverters_has_no_solution(size: int) -> None:
    began = perf_counter()
    text = failure(ring(size))
    assert "E404" in text and "x[1] > 0" in text
    assert ("each choice contradicts itself" in text) is (size <= 12)
    assert perf_counter() - began < 20


# ---------------------------------------------------------------- groups


def test_switches_that_do_not_depend_on_each_other_are_no_group() -> None:
    model = saltus.load(
        """model M
          Real x(start = 0, fixed = true), y, p, q;
        equation
          der(x) = if x > 1 then -1 else 1;
          y = if x > 2 then 1 else 0;
          p = if q > 0 then -1 else y;
          q = if p > 0 then -1 else 1;
        end M;"""
    )
    structure = model.structure
    (group,) = groups(structure, initial=False)
    texts = [r.text for r in structure.model.relations]
    assert {texts[i] for i in group.members} == {"q > 0", "p > 0"}
    assert {texts[i] for i in group.upstream} == {"q > 0", "p > 0", "x > 2"}


def test_many_groups_are_decided_one_after_the_other() -> None:
    """Fifty pairs that inhibit each other: each has two solutions, and all together 2^50."""
    count = 50
    text = f"""
    model Many
      Real x[{count}], y[{count}];
    equation
      for i in 1:{count} loop
        x[i] = if y[i] > 0 then -1 else 1;
        y[i] = if x[i] > 0 then -1 else 1;
      end for;
    end Many;"""
    result = saltus.load(text).simulate(stop_time=1)
    for i in range(1, count + 1):
        assert result[f"x[{i}]"][-1] == -result[f"y[{i}]"][-1]
    (warning,) = result.warnings
    assert warning.message.startswith("16 or more choices")

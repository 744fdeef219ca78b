"""Where relations have several consistent truths at the start, a run says so, with the others that there are.

Linear complementarity problems w = M*z + q, w >= 0, z >= 0, w'*z = 0: all solutions are found by hand, choice
by choice. With a P-matrix there is one for every q (Samelson, Thrall and Wesler 1958).
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import saltus

Numbers = NDArray[np.float64]


def solutions(m: Numbers, q: Numbers) -> list[tuple[bool, ...]]:
    """The choices of which w are positive that solve the problem."""
    found = []
    for positive in product((False, True), repeat=len(q)):
        zero = [k for k, p in enumerate(positive) if not p]  # there z is free
        z = np.zeros(len(q))
        if zero:
            z[zero] = np.linalg.solve(m[np.ix_(zero, zero)], -q[zero])
        w = m @ z + q
        if all(w[k] > 0 if p else z[k] >= 0 for k, p in enumerate(positive)):
            found.append(positive)
    return found


def complementarity(m: Numbers, q: Numbers, declared: str = "") -> saltus.Model:
    n = len(q)
    rows = "; ".join(", ".join(f"{x:.17g}" for x in row) for row in m)
    return saltus.load(f"""model M
      constant Real m[{n}, {n}] = [{rows}], q[{n}] = {{{", ".join(f"{x:.17g}" for x in q)}}};
      Real w[{n}], z[{n}], s[{n}]{declared};
    equation
      for k in 1:{n} loop
        w[k] = if s[k] > 0 then s[k] else 0;
        z[k] = if s[k] > 0 then 0 else -s[k];
      end for;
      w = m*z + q;
    end M;""")


def told(result: saltus.Result) -> int:
    """How many solutions a run speaks of."""
    several = [w for w in result.warnings if w.code == "W404"]
    return len(several[0].notes) if several else 1


def test_two_solutions_of_one_relation() -> None:
    result = saltus.load("""model M
      Real w, z, s;
    equation
      w = if s > 0 then s else 0;
      z = if s > 0 then 0 else -s;
      z = 1 - 0.5*w;
    end M;""").simulate()
    assert told(result) == 2  # w = 0, z = 1; and w = 2, z = 0
    (warning,) = result.warnings
    assert "`s > 0`" in warning.message and any("also possible" in n.message for n in warning.notes)
    assert result["w"][-1] * result["z"][-1] == 0


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from([1.0, -1.0, 2.0, 0.5]),
    st.lists(st.sampled_from([-3.0, -0.75, 0.25, 1.25, 2.5]), min_size=2, max_size=2),
    st.lists(st.sampled_from([-1.5, -0.4, 0.7, 1.1]), min_size=2, max_size=2),
)
def test_a_run_speaks_of_as_many_solutions_as_there_are(
    diagonal: float, off: list[float], q: list[float]
) -> None:
    m = np.array([[diagonal, off[0]], [off[1], 1.3]])
    if abs(np.linalg.det(m)) < 0.05:
        return
    found = solutions(m, np.array(q))
    if not found:
        with pytest.raises(saltus.RunError):
            complementarity(m, np.array(q)).simulate()
        return
    result = complementarity(m, np.array(q)).simulate()
    assert told(result) == len(found)
    used = tuple(bool(s > 0) for s in (result["s[1]"][-1], result["s[2]"][-1]))
    assert used in found


def test_a_start_value_says_which_is_meant() -> None:
    m, q = np.array([[1.0, 2.0], [2.0, 1.0]]), np.array([-1.0, -1.0])
    assert len(solutions(m, q)) == 3
    assert told(complementarity(m, q).simulate()) == 3
    result = complementarity(m, q, "(start = {1, -1})").simulate()
    assert told(result) == 1
    assert result["s[1]"][-1] == pytest.approx(1) and result["s[2]"][-1] == pytest.approx(-1)

"""Growing storage of rows, for side-by-side and for scattered sections."""

import numpy as np
import pytest

from saltus.expr.nodes import Symbol, der, ref
from saltus.ir.program import Layout
from saltus.result.trajectories.rows import Rows

X, Y = ref(Symbol("x")), ref(Symbol("y"))


def layout_of(state, derivative, algebraic):
    sections = {"states": (state, 1), "derivatives": (derivative, 1), "algebraics": (algebraic, 1)}
    return Layout({X: state, der(X): derivative, Y: algebraic}, sections, 5)


SIDE_BY_SIDE = layout_of(1, 2, 3)
SCATTERED = layout_of(4, 0, 2)


@pytest.mark.parametrize("layout", [SIDE_BY_SIDE, SCATTERED])
def test_rows_keep_what_the_memory_was(layout):
    memory = np.zeros(5)
    rows = Rows(memory, layout)
    count = 3000  # several doublings
    for k in range(count):
        memory[:] = np.arange(5) + 10.0 * k
        rows.append(float(k))
    np.testing.assert_array_equal(rows.times, np.arange(count))
    for leaf in (X, der(X), Y):
        expected = layout.slots[leaf] + 10.0 * np.arange(count)
        np.testing.assert_array_equal(rows.column(rows.columns[leaf]), expected)


@pytest.mark.parametrize("bad", [np.inf, -np.inf, np.nan])
def test_numbers_that_are_none_are_noticed(bad):
    memory = np.full(5, 1e308)
    rows = Rows(memory, SIDE_BY_SIDE)
    rows.append(0.0)
    assert rows.first_not_finite(0) is None  # however large
    memory[3] = bad
    rows.append(1.0)
    assert rows.first_not_finite(0) == rows.count - 1
    assert not rows.last_two_equal()
    rows.drop_last()
    assert rows.count == 1

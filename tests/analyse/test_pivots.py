"""Choosing independent columns, the most wanted groups first."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from saltus.analyse.pivots import choose_columns


def test_the_lower_group_wins_even_with_a_smaller_pivot() -> None:
    assert choose_columns(np.array([[1.0, 100.0]]), [0, 1]) == [0]
    assert choose_columns(np.array([[1.0, 100.0]]), [0, 0]) == [1]


def test_a_zero_pivot_is_never_taken() -> None:
    assert choose_columns(np.array([[0.0, 2.0]]), [0, 1]) == [1]
    assert choose_columns(np.array([[1.0, 1.0], [2.0, 2.0]]), [0, 0]) is None
    assert choose_columns(np.zeros((1, 2)), [0, 0]) is None


@given(st.integers(1, 5), st.integers(0, 4), st.integers(0, 2**32 - 1))
def test_chosen_columns_are_independent(rows: int, more: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    matrix = rng.integers(-3, 4, (rows, rows + more)).astype(float)
    groups = rng.integers(0, 3, rows + more).tolist()
    chosen = choose_columns(matrix, groups)
    if chosen is None:
        assert np.linalg.matrix_rank(matrix) < rows
        return
    assert len(set(chosen)) == rows
    assert np.linalg.matrix_rank(matrix[:, chosen]) == rows
    # As many of the most wanted group as can be independent.
    first = [j for j, g in enumerate(groups) if g == min(groups)]
    assert sum(j in first for j in chosen) == np.linalg.matrix_rank(matrix[:, first])

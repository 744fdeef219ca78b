"""Choosing independent columns, the most wanted groups first."""

from __future__ import annotations

import time

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from saltus.analyse.index.pivots import choose_columns


def sparse(matrix: NDArray[np.float64]) -> list[dict[int, float]]:
    return [{j: float(v) for j, v in enumerate(row) if v} for row in matrix]


def test_the_lower_group_wins_even_with_a_smaller_pivot() -> None:
    assert choose_columns([{0: 1.0, 1: 100.0}], [0, 1]) == [0]
    assert choose_columns([{0: 1.0, 1: 100.0}], [0, 0]) == [1]


def test_a_zero_pivot_is_never_taken() -> None:
    assert choose_columns([{0: 0.0, 1: 2.0}], [0, 1]) == [1]
    assert choose_columns([{0: 1.0, 1: 1.0}, {0: 2.0, 1: 2.0}], [0, 0]) is None
    assert choose_columns([{}], [0, 0]) is None


def test_weights_decide_between_pivots_of_like_size_only() -> None:
    assert choose_columns([{0: 1.0, 1: 0.9}], [0, 0], [0.3, 1.0]) == [1]
    assert choose_columns([{0: 1.0, 1: 0.01}], [0, 0], [0.3, 1.0]) == [0]


def test_a_small_pivot_of_a_wanted_group_waits_for_the_others() -> None:
    assert choose_columns([{0: 0.01, 1: 1.0}], [0, 1], least=[0.1, 0.1]) == [1]
    assert choose_columns([{0: 0.2, 1: 1.0}], [0, 1], least=[0.1, 0.1]) == [0]
    assert choose_columns([{0: 0.01, 1: 1.0}, {1: 1.0}], [0, 1], least=[0.1, 0.1]) == [1, 0]


def test_a_long_chain_is_cheap() -> None:
    count = 20_000
    began = time.process_time()
    chosen = choose_columns([{k: 1.0, k + 1: -1.0} for k in range(count)], [0] * (count + 1))
    assert chosen is not None and len(set(chosen)) == count
    assert time.process_time() - began < 5  # a dense matrix of this size would not fit in memory


@given(st.integers(1, 5), st.integers(0, 4), st.integers(0, 2**32 - 1))
def test_chosen_columns_are_independent(rows: int, more: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    matrix = rng.integers(-3, 4, (rows, rows + more)).astype(float)
    groups = rng.integers(0, 3, rows + more).tolist()
    chosen = choose_columns(sparse(matrix), groups)
    if chosen is None:
        assert np.linalg.matrix_rank(matrix) < rows
        return
    assert len(set(chosen)) == rows
    assert np.linalg.matrix_rank(matrix[:, chosen]) == rows
    # As many of the most wanted group as can be independent.
    first = [j for j, g in enumerate(groups) if g == min(groups)]
    assert sum(j in first for j in chosen) == np.linalg.matrix_rank(matrix[:, first])

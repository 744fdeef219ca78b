"""Order and fill of a sparse elimination, against elimination on a full matrix of Booleans."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from saltus.analyse.blocks.fill import eliminate


@st.composite
def square(draw: st.DrawFn) -> list[list[int]]:
    n = draw(st.integers(1, 14))
    return draw(st.lists(st.sets(st.integers(0, n - 1), max_size=4).map(sorted), min_size=n, max_size=n))


@given(square())
def test_the_fill_is_that_of_the_full_elimination(columns: list[list[int]]) -> None:
    n = len(columns)
    found = eliminate(columns)
    assert found is not None
    assert sorted(found.order) == list(range(n))
    full = np.eye(n, dtype=bool)
    for j, column in enumerate(columns):
        full[column, j] = True
    full |= full.T
    full = full[np.ix_(found.order, found.order)]
    for k in range(n):
        after = np.flatnonzero(full[k + 1 :, k]) + k + 1
        assert found.below[k] == tuple(after.tolist())
        full[np.ix_(after, after)] = True
    assert found.work == sum(len(b) ** 2 + len(b) for b in found.below)


def test_chains_stars_and_trees_fill_nothing() -> None:
    n = 1000
    chain = [[i for i in (j - 1, j + 1) if 0 <= i < n] for j in range(n)]
    star = [list(range(n)), *([0] for _ in range(n - 1))]
    tree = [[(j - 1) // 2] if j else [] for j in range(n)]
    for columns, entries in ((chain, n - 1), (star, n - 1), (tree, n - 1)):
        found = eliminate(columns)
        assert found is not None
        assert sum(map(len, found.below)) == entries


def test_a_grid_fills_much_less_than_a_band_would() -> None:
    side = 30
    grid = [
        [i for i in (j - side, j + side) if 0 <= i < side * side]
        + [i for i in (j - 1, j + 1) if i // side == j // side and i >= 0]
        for j in range(side * side)
    ]
    found = eliminate(grid)
    assert found is not None
    assert sum(map(len, found.below)) < side**3 / 2


def test_a_search_that_takes_long_is_given_up() -> None:
    ring = [[(j - 1) % 40, (j + 1) % 40] for j in range(40)]
    assert eliminate(ring, most=100) is None
    assert eliminate(ring, most=200) is not None


def test_a_full_matrix_needs_no_search() -> None:
    found = eliminate([list(range(40))] * 40, most=0)
    assert found is not None
    assert found.work == sum(k * (k + 1) for k in range(40))

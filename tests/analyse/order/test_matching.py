"""Matching and its decomposition against brute force on small graphs, and against scipy on larger ones."""

from __future__ import annotations

from random import Random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import structural_rank

from saltus.analyse.order.matching import Matching, maximum_matching, overdetermined, underdetermined

Graph = tuple[list[list[int]], int]


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    rows, columns = draw(st.integers(0, 5)), draw(st.integers(0, 5))
    edges = st.sets(st.integers(0, columns - 1)) if columns else st.just(set())
    return [sorted(draw(edges)) for _ in range(rows)], columns


def largest(rows: list[list[int]], columns: int, taken: frozenset[int] = frozenset()) -> int:
    """Size of a greatest matching, by trying every choice of the first row."""
    if not rows:
        return 0
    choices = [1 + largest(rows[1:], columns, taken | {c}) for c in rows[0] if c not in taken]
    return max([largest(rows[1:], columns, taken), *choices])


def check(rows: list[list[int]], matched: list[int]) -> int:
    used = [c for c in matched if c >= 0]
    assert len(used) == len(set(used)), "a column is used twice"
    assert all(c < 0 or c in row for row, c in zip(rows, matched, strict=True))
    return len(used)


@settings(deadline=None)
@given(graphs())
def test_maximum_matching_is_largest(graph: Graph) -> None:
    rows, columns = graph
    assert check(rows, maximum_matching(rows, columns)) == largest(rows, columns)


@settings(deadline=None)
@given(st.integers(1, 60), st.randoms(use_true_random=False))
def test_maximum_matching_has_the_rank_that_scipy_finds(count: int, random: Random) -> None:
    rows = [random.sample(range(count), min(count, random.randint(0, 3))) for _ in range(count)]
    matrix = np.zeros((count, count))
    for i, row in enumerate(rows):
        matrix[i, row] = 1
    expected = structural_rank(csr_matrix(matrix))
    assert check(rows, maximum_matching(rows, count)) == expected


def test_maximum_matching_along_long_paths() -> None:
    """All rows but the last take what their neighbours need: one path leads through all of them."""
    count = 20_000
    rows = [[i, i + 1] for i in range(count)] + [[0]]
    assert maximum_matching(rows, count + 1) == [*range(1, count + 1), 0]


@settings(deadline=None)
@given(graphs())
def test_augmenting_row_by_row_is_largest_and_respects_priority(graph: Graph) -> None:
    rows, columns = graph
    matching = Matching(rows, columns)
    for row in range(len(rows)):
        before = largest(rows[:row], columns)
        assert matching.augment(row) == (largest(rows[: row + 1], columns) > before)
        check(rows, matching.column_of)
        assert all(matching.row_of[c] == r for r, c in enumerate(matching.column_of) if c >= 0)


@settings(deadline=None)
@given(graphs())
def test_rows_in_excess_are_those_some_largest_matching_leaves_out(graph: Graph) -> None:
    rows, columns = graph
    size = largest(rows, columns)
    expected = [i for i in range(len(rows)) if largest(rows[:i] + rows[i + 1 :], columns) == size]
    assert overdetermined(rows, columns, maximum_matching(rows, columns)) == expected


@settings(deadline=None)
@given(graphs())
def test_undetermined_columns_are_those_some_largest_matching_leaves_out(graph: Graph) -> None:
    rows, columns = graph
    size = largest(rows, columns)
    without = [[[x for x in row if x != c] for row in rows] for c in range(columns)]
    expected = [c for c in range(columns) if largest(without[c], columns) == size]
    assert underdetermined(rows, columns, maximum_matching(rows, columns)) == expected


def test_failed_search_names_the_rows_that_compete() -> None:
    matching = Matching([[0], [1], [0]], 2)
    assert matching.augment(0) and matching.augment(1) and not matching.augment(2)
    assert matching.visited == [2, 0]


def test_long_chain_needs_no_recursion() -> None:
    # Row i wants column i or i + 1; the last row wants only column 0, which moves all the others.
    count = 20_000
    rows = [[i, i + 1] for i in range(count)] + [[0]]
    matching = Matching(rows, count + 1, [*range(count), -1])
    assert matching.augment(count)
    assert matching.column_of == [*range(1, count + 1), 0]

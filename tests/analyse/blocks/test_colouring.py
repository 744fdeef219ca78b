"""Colours of the columns of a sparse matrix."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from saltus.analyse.blocks.colouring import colour_columns


@st.composite
def patterns(draw: st.DrawFn) -> tuple[list[list[int]], int]:
    rows = draw(st.integers(1, 12))
    row = st.integers(0, rows - 1)
    columns = draw(st.lists(st.sets(row, max_size=6).map(sorted), min_size=1, max_size=30))
    return columns, rows


@given(patterns())
def test_no_two_columns_of_one_colour_share_a_row(pattern: tuple[list[list[int]], int]) -> None:
    columns, rows = pattern
    colours = colour_columns(columns, rows)
    assert len(colours) == len(columns)
    for row in range(rows):
        here = [colour for colour, column in zip(colours, columns, strict=True) if row in column]
        assert len(here) == len(set(here))
    longest = max(sum(row in column for column in columns) for row in range(rows))
    assert longest <= max(colours) + 1 <= len(columns)
    assert set(colours) == set(range(max(colours) + 1))


def test_a_band_needs_as_many_colours_as_it_is_wide() -> None:
    n = 1000
    band = [[i for i in (j - 1, j, j + 1) if 0 <= i < n] for j in range(n)]
    assert colour_columns(band, n) == [j % 3 for j in range(n)]


def test_a_full_row_needs_all_colours_and_a_diagonal_one() -> None:
    assert colour_columns([[0], [0, 1], [0, 2]], 3) == [0, 1, 2]
    assert colour_columns([[0], [1], [2]], 3) == [0, 0, 0]
    assert colour_columns([], 0) == []

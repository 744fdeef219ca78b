"""Strongly connected components against scipy's, and against what their numbers promise."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from saltus.core.components import component_numbers


@st.composite
def graphs(draw: st.DrawFn) -> list[list[int]]:
    count = draw(st.integers(1, 40))
    return [draw(st.lists(st.integers(0, count - 1), max_size=3)) for _ in range(count)]


@given(graphs())
def test_the_components_of_scipy_in_an_order_in_which_needs_come_first(needs: list[list[int]]) -> None:
    found = component_numbers(needs)
    matrix = np.zeros((len(needs), len(needs)))
    for node, others in enumerate(needs):
        matrix[node, others] = 1
    number, expected = connected_components(csr_matrix(matrix), directed=True, connection="strong")
    assert sorted(set(found)) == list(range(number))
    assert len(set(zip(found, expected.tolist(), strict=True))) == number
    assert all(found[other] <= found[node] for node, others in enumerate(needs) for other in others)


def test_no_nodes() -> None:
    assert component_numbers([]) == []


def test_a_long_ring_needs_no_recursion() -> None:
    count = 50_000
    assert component_numbers([[(i + 1) % count] for i in range(count)]) == [0] * count

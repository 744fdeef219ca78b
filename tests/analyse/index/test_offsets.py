"""Offsets: the inequalities that define them, the smallest ones by brute force, the pendulum by hand."""

from __future__ import annotations

from itertools import permutations, product

from hypothesis import given
from hypothesis import strategies as st

from saltus.analyse.index.offsets import offsets


def test_pendulum() -> None:
    # Variables x, y, u, v, L. Equations x' = u, y' = v, u' = -L x, v' = -L y - g, x^2 + y^2 = 1.
    orders = [{0: 1, 2: 0}, {1: 1, 3: 0}, {2: 1, 4: 0, 0: 0}, {3: 1, 4: 0, 1: 0}, {0: 0, 1: 0}]
    assert offsets(orders, 5) == ([1, 1, 0, 0, 2], [2, 2, 1, 1, 0])


def test_index_one_needs_nothing() -> None:
    assert offsets([{0: 1, 1: 0}, {0: 0, 1: 0}], 2) == ([0, 0], [1, 0])


def test_no_perfect_matching() -> None:
    assert offsets([{0: 1}, {0: 0}], 2) is None


@st.composite
def systems(draw: st.DrawFn) -> list[dict[int, int]]:
    n = draw(st.integers(1, 4))
    row = st.dictionaries(st.integers(0, n - 1), st.integers(0, 2), min_size=1, max_size=n)
    return [draw(row) for _ in range(n)]


def brute_force(orders: list[dict[int, int]]) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """The smallest offsets, by trying all of them over all perfect matchings."""
    n = len(orders)
    best = None
    for matching in permutations(range(n)):
        if any(column not in orders[row] for row, column in enumerate(matching)):
            continue
        for c in product(range(2 * n + 1), repeat=n):
            d = tuple(orders[row][column] + c[row] for row, column in enumerate(matching))
            by_column = dict(zip(matching, d, strict=True))
            if all(by_column[j] - c[i] >= s for i, uses in enumerate(orders) for j, s in uses.items()):
                found = (c, tuple(by_column[j] for j in range(n)))
                if best is None or sum(found[0]) < sum(best[0]):
                    best = found
                break  # product counts upwards in the first equation last; the sum is compared above
    return best


@given(systems())
def test_definition(orders: list[dict[int, int]]) -> None:
    n = len(orders)
    found = offsets(orders, n)
    feasible = any(all(c in orders[r] for r, c in enumerate(m)) for m in permutations(range(n)))
    assert (found is not None) is feasible
    if found is None:
        return
    c, d = found
    assert min(c) >= 0 and min(d) >= 0
    assert all(d[j] - c[i] >= s for i, uses in enumerate(orders) for j, s in uses.items())
    assert any(
        all(col in orders[r] and d[col] - c[r] == orders[r][col] for r, col in enumerate(m))
        for m in permutations(range(n))
    )


@given(systems().filter(lambda rows: len(rows) <= 3))
def test_smallest(orders: list[dict[int, int]]) -> None:
    found = offsets(orders, len(orders))
    expected = brute_force(orders)
    assert (found is None) is (expected is None)
    if found is not None and expected is not None:
        assert sum(found[0]) <= sum(expected[0])
        assert all(a <= b for a, b in zip(found[0], expected[0], strict=True))

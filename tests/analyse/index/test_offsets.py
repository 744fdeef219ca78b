"""Offsets: the inequalities that define them, the smallest ones by brute force, the pendulum by hand, and
larger systems by scipy's assignment."""

from __future__ import annotations

from itertools import permutations, product
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

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


def by_assignment(orders: list[dict[int, int]]) -> tuple[list[int], list[int]] | None:
    """Pryce's way: a matching of greatest total order, then the smallest offsets by a fixed point."""
    n = len(orders)
    entries = [(i, j, s) for i, uses in enumerate(orders) for j, s in uses.items()]
    rows, columns, found = zip(*entries, strict=True)
    costs = [float(1 + max(found) - s) for s in found]
    try:
        matched = min_weight_full_bipartite_matching(csr_matrix((costs, (rows, columns)), shape=(n, n)))[1]
    except ValueError:  # there is none
        return None
    c, before = [0] * n, None
    while c != before:
        before = c
        d = [max(s + c[i] for i, j, s in entries if j == column) for column in range(n)]
        c = [d[j] - orders[i][j] for i, j in enumerate(matched.tolist())]
    return c, d


@settings(deadline=None)
@given(st.integers(1, 30), st.randoms(use_true_random=False))
def test_larger_systems_as_by_assignment(n: int, random: Random) -> None:
    own = random.sample(range(n), n)
    chosen = ([own[i], *random.choices(range(n), k=random.randint(0, 2))] for i in range(n))
    orders = [{j: random.randint(0, 2) for j in row} for row in chosen]
    if random.random() < 0.2:
        orders[0].pop(own[0])
        orders[0] = orders[0] or {own[-1]: 0}
    assert offsets(orders, n) == by_assignment(orders)


def test_chain_of_integrators() -> None:
    """x[1]' = x[2], x[2]' = x[3], ...: what gives x[1] is differentiated as often as there are others."""
    n = 30
    orders = [{0: 0}, *({i: 1, i + 1: 0} for i in range(n - 1))]
    assert offsets(orders, n) == ([n - 1, *reversed(range(n - 1))], list(reversed(range(n))))

"""Cutting loops: random graphs, and graphs whose smallest cut is known."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from saltus.analyse.order.feedback import cut_loops


def on_loops(dependencies: list[list[int]], cut: list[int]) -> set[int]:
    """Nodes that need themselves, directly or not, when nobody waits for those cut; by following paths."""
    found = set()
    for start in range(len(dependencies)):
        seen: set[int] = set()
        pending = [d for d in dependencies[start] if d not in cut]
        while pending:
            node = pending.pop()
            if node not in seen:
                seen.add(node)
                pending += [d for d in dependencies[node] if d not in cut]
        if start in seen:
            found.add(start)
    return found


@given(st.data())
def test_no_breakable_node_stays_on_a_loop(data: st.DataObject) -> None:
    count = data.draw(st.integers(1, 12))
    node = st.integers(0, count - 1)
    dependencies = data.draw(st.lists(st.lists(node, max_size=4), min_size=count, max_size=count))
    ranks = data.draw(st.lists(st.sampled_from([None, 0, 1]), min_size=count, max_size=count))
    cut = cut_loops(dependencies, ranks)
    assert all(ranks[k] is not None for k in cut)
    assert not {k for k in on_loops(dependencies, cut) if ranks[k] is not None}
    if not {k for k in on_loops(dependencies, []) if ranks[k] is not None}:
        assert cut == []


def test_a_ring_is_cut_once() -> None:
    assert len(cut_loops([[(k + 1) % 50] for k in range(50)], [0] * 50)) == 1


def test_a_hub_on_all_loops_is_cut() -> None:
    # 0 needs everybody, everybody needs 0
    assert cut_loops([[1, 2, 3, 4], [0], [0], [0], [0]], [0] * 5) == [0]


def test_the_lowest_rank_is_cut() -> None:
    assert cut_loops([[1], [2], [0]], [2, None, 1]) == [2]


def test_loops_of_others_stay() -> None:
    assert cut_loops([[1], [0], [0, 2]], [None, None, None]) == []

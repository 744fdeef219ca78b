"""The order of components: correct for random graphs, stable for graphs already in order."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from saltus.analyse.order.sort import sorted_components


@st.composite
def graphs(draw: st.DrawFn) -> list[list[int]]:
    count = draw(st.integers(0, 8))
    return [draw(st.lists(st.integers(0, count - 1), max_size=4)) for _ in range(count)]


def reach(graph: list[list[int]], start: int) -> set[int]:
    found, stack = {start}, [start]
    while stack:
        for n in graph[stack.pop()]:
            if n not in found:
                found.add(n)
                stack.append(n)
    return found


@settings(deadline=None)
@given(graphs())
def test_components_are_mutual_reach_and_come_after_their_needs(graph: list[list[int]]) -> None:
    order = sorted_components(graph)
    assert sorted(n for c in order for n in c) == list(range(len(graph)))
    reached = [reach(graph, n) for n in range(len(graph))]
    done: set[int] = set()
    for component in order:
        first = component[0]
        assert component == [n for n in range(len(graph)) if n in reached[first] and first in reached[n]]
        done |= set(component)
        assert all(set(graph[n]) <= done for n in component)


@settings(deadline=None)
@given(graphs())
def test_order_of_the_source_is_kept_where_it_is_valid(graph: list[list[int]]) -> None:
    backward = [[n for n in needs if n < i] for i, needs in enumerate(graph)]
    assert sorted_components(backward) == [[i] for i in range(len(graph))]


def test_many_repeated_dependencies() -> None:
    # 256 equal entries would vanish in a matrix of bytes.
    assert sorted_components([[1] * 256, [0] * 256, [1]]) == [[0, 1], [2]]


def test_long_chain() -> None:
    count = 30_000
    chain = [[i + 1] for i in range(count - 1)] + [[]]
    assert sorted_components(chain) == [[i] for i in reversed(range(count))]

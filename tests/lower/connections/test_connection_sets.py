"""Connection sets as such: what is joined is together, and many joins take no longer than they must."""

from __future__ import annotations

from saltus.lower.connections.connection_sets import UnionFind


def test_sets_come_in_the_order_of_their_first_members() -> None:
    merged: UnionFind[str] = UnionFind()
    assert merged.union("d", "e")
    assert merged.union("a", "b")
    assert merged.union("c", "b")
    assert not merged.union("a", "c")
    assert merged.find("lone") == "lone"
    assert [sorted(s) for s in merged.sets()] == [["d", "e"], ["a", "b", "c"], ["lone"]]
    assert "lone" in merged
    assert "other" not in merged


def test_a_long_chain_joined_from_its_end_is_one_set() -> None:
    """The worst order for trees that are not kept flat: they would be as high as the chain is long."""
    count = 200_000
    merged: UnionFind[int] = UnionFind()
    for k in range(count, 0, -1):
        merged.union(k - 1, k)
    assert [len(s) for s in merged.sets()] == [count + 1]

"""Connection sets (section 9.2): which variables are connected, and the equations that means.

The members are pairs of a variable and a side: a connector is *outside* for the connections in its own
component, and inside for those of the model around it. So connections of different levels never mix.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from saltus.core.source import Span
from saltus.ir.instance import Scalar

End: TypeAlias = tuple[Scalar, bool]  # True: seen from inside its component, an outside connector


@dataclass(frozen=True, eq=False)
class Join:
    """Two variables that a connect-equation of the component `origin` connects."""

    a: End
    b: End
    span: Span
    origin: str


Item = TypeVar("Item", bound=Hashable)


class UnionFind(Generic[Item]):
    """Disjoint sets; items come in when first named, and sets are listed in that order."""

    def __init__(self) -> None:
        self._parent: dict[Item, Item] = {}
        self._size: dict[Item, int] = {}

    def __contains__(self, item: object) -> bool:
        return item in self._parent

    def find(self, item: Item) -> Item:
        parent = self._parent
        if item not in parent:
            parent[item] = item
            self._size[item] = 1
            return item
        while parent[item] is not item and parent[item] != item:
            parent[item] = parent[parent[item]]
            item = parent[item]
        return item

    def union(self, a: Item, b: Item) -> bool:
        """Puts the sets of two items together; False if they were one already."""
        first, second = self.find(a), self.find(b)
        if first == second:
            return False
        if self._size[first] < self._size[second]:
            first, second = second, first
        self._parent[second] = first
        self._size[first] += self._size.pop(second)
        return True

    def sets(self) -> Iterator[list[Item]]:
        found: dict[Item, list[Item]] = {}
        for item in self._parent:
            found.setdefault(self.find(item), []).append(item)
        yield from found.values()


class ConnectionSets:
    """The sets that joins make, each member with the first connection it is in."""

    def __init__(self) -> None:
        self._merged: UnionFind[End] = UnionFind()
        self.first: dict[End, Join] = {}
        self._listed: dict[End, list[End]] | None = None

    def join(self, join: Join) -> None:
        assert self._listed is None, "the sets have been looked at"
        self._merged.union(join.a, join.b)
        self.first.setdefault(join.a, join)
        self.first.setdefault(join.b, join)

    def together(self, a: End, b: End) -> bool:
        """Whether two members are connected already, be it by way of others."""
        return a in self._merged and b in self._merged and self._merged.find(a) == self._merged.find(b)

    def __contains__(self, end: object) -> bool:
        return end in self.first

    def __iter__(self) -> Iterator[list[End]]:
        listed = self._lists()
        yield from (members for end, members in listed.items() if members[0] == end)

    def of(self, end: End) -> list[End]:
        """The set a variable is in on one side; alone if nothing is connected there."""
        return self._lists().get(end, [end])

    def _lists(self) -> dict[End, list[End]]:
        if self._listed is None:
            self._listed = {end: members for members in self._merged.sets() for end in members}
        return self._listed

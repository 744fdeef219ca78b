"""Bipartite matching on integers: rows (equations) are matched to columns (unknowns).

The large matching of a model is made by Hopcroft and Karp's algorithm ("An n^5/2 algorithm for maximum
matchings in bipartite graphs", SIAM J. Comput. 2, 1973): paths to free columns are searched for in phases,
from all rows without a column at once and the shortest ones only, so that few phases are needed. Where
priority counts (initial conditions: some equations are given, others are only proposals) rows are added one
at a time along augmenting paths: the sets of rows that can be matched form a matroid, so adding them
greedily in the order of priority gives the best set. A search that fails has visited a closed part of the
graph that no later path can leave (a Hungarian tree); it is never entered again, so all failures together
cost linear time.

The coarse decomposition of Dulmage and Mendelsohn tells what is wrong with a singular system: the rows that
can be reached from unmatched rows have too few columns, the columns reached from unmatched columns too few
rows.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence

Rows = Sequence[Sequence[int]]


def maximum_matching(rows: Rows, columns: int) -> list[int]:
    """A matching of greatest size: the column of each row, -1 where it has none."""
    matching = Matching(rows, columns)
    column_of, row_of = matching.column_of, matching.row_of
    for row, uses in enumerate(rows):  # the first phase: paths of one edge
        for column in uses:
            if row_of[column] < 0:
                row_of[column], column_of[row] = row, column
                break
    while matching.augment_shortest():
        pass
    return column_of


class Matching:
    """A matching that grows row by row. `rows` may be appended to between calls."""

    def __init__(self, rows: Rows, columns: int, matched: Sequence[int] = ()) -> None:
        self.rows = rows
        self.column_of = list(matched) + [-1] * (len(rows) - len(matched))
        self.row_of = [-1] * columns
        for row, column in enumerate(self.column_of):
            if column >= 0:
                self.row_of[column] = row
        self._dead = [False] * columns
        self.visited: list[int] = []  # rows of the last search that failed, the searched row first

    def augment(self, row: int) -> bool:
        """Matches one more row, moving others if need be; False if that is impossible."""
        came_from: dict[int, int] = {}
        queue = deque([row])
        tree = [row]
        while queue:
            current = queue.popleft()
            for column in self.rows[current]:
                if column in came_from or self._dead[column]:
                    continue
                came_from[column] = current
                owner = self.row_of[column]
                if owner < 0:
                    self._flip(row, column, came_from)
                    return True
                queue.append(owner)
                tree.append(owner)
        for column in came_from:
            self._dead[column] = True
        self.visited = tree
        return False

    def augment_shortest(self) -> bool:
        """Matches more rows, along as many paths of the least length as have no row in common; False if there
        is no path at all."""
        free = [row for row, column in enumerate(self.column_of) if column < 0]
        layers = self._layers(free)
        if not layers:
            return False
        for row in free:
            self._augment_within(row, layers)
        return True

    def _layers(self, free: list[int]) -> dict[int, int]:
        """How many columns before them rows have on the shortest paths from those that are free: no further
        than to the rows beside a free column. Empty if no path leads to one."""
        row_of = self.row_of
        layers = dict.fromkeys(free, 0)
        depth, last, ends = 0, free, False
        while last:
            depth += 1
            following: list[int] = []
            for row in last:
                for column in self.rows[row]:
                    owner = row_of[column]
                    if owner < 0:
                        ends = True
                    elif owner not in layers:
                        layers[owner] = depth
                        following.append(owner)
            if ends:
                for row in following:
                    del layers[row]
                return layers
            last = following
        return {}

    def _augment_within(self, root: int, layers: dict[int, int]) -> None:
        """Matches a row along a path from layer to layer, if there is one. Rows that were visited are taken
        out: they are on a path now, or on none."""
        came_from: dict[int, int] = {}
        stack = [root]
        while stack:
            row = stack.pop()
            layer = layers.pop(row, -1)
            if layer < 0:
                continue
            for column in self.rows[row]:
                owner = self.row_of[column]
                if owner < 0:
                    came_from[column] = row
                    self._flip(root, column, came_from)
                    return
                if layers.get(owner) == layer + 1:
                    came_from[column] = row
                    stack.append(owner)

    def _flip(self, root: int, column: int, came_from: dict[int, int]) -> None:
        while True:
            row = came_from[column]
            previous = self.column_of[row]
            self.column_of[row] = column
            self.row_of[column] = row
            if row == root:
                return
            column = previous


class Repair:
    """A matching of all rows, and whether it can be repaired where some rows have other columns: in time that
    does not depend on how many rows there are, unless the repair reaches them."""

    def __init__(self, rows: Rows, columns: int, matched: Sequence[int]) -> None:
        self._rows, self._matched = rows, matched
        self._row_of = [-1] * columns
        for row, column in enumerate(matched):
            if column >= 0:
                self._row_of[column] = row

    def succeeds(self, changed: Mapping[int, Sequence[int]]) -> bool:
        """Whether all rows can be matched where some have these columns."""
        lost = [row for row, columns in changed.items() if self._matched[row] not in columns]
        column_of = dict.fromkeys(lost, -1)  # as far as they differ from the matching
        row_of = {self._matched[row]: -1 for row in lost}
        return all(self._augments(row, changed, column_of, row_of) for row in lost)

    def _augments(
        self,
        root: int,
        changed: Mapping[int, Sequence[int]],
        column_of: dict[int, int],
        row_of: dict[int, int],
    ) -> bool:
        came_from: dict[int, int] = {}
        queue = deque([root])
        while queue:
            current = queue.popleft()
            for column in changed[current] if current in changed else self._rows[current]:
                if column in came_from:
                    continue
                came_from[column] = current
                owner = row_of[column] if column in row_of else self._row_of[column]
                if owner >= 0:
                    queue.append(owner)
                    continue
                while True:
                    row = came_from[column]
                    previous = column_of[row] if row in column_of else self._matched[row]
                    column_of[row], row_of[column] = column, row
                    if row == root:
                        return True
                    column = previous
        return False


def overdetermined(rows: Rows, columns: int, matched: Sequence[int]) -> list[int]:
    """Rows of the part that has more rows than columns, in order."""
    row_of = [-1] * columns
    for row, column in enumerate(matched):
        if column >= 0:
            row_of[column] = row
    stack = [row for row, column in enumerate(matched) if column < 0]
    found = set(stack)
    while stack:
        for column in rows[stack.pop()]:
            owner = row_of[column]
            if owner >= 0 and owner not in found:
                found.add(owner)
                stack.append(owner)
    return sorted(found)


def underdetermined(rows: Rows, columns: int, matched: Sequence[int]) -> list[int]:
    """Columns of the part that has more columns than rows, in order."""
    transposed: list[list[int]] = [[] for _ in range(columns)]
    for row, uses in enumerate(rows):
        for column in uses:
            transposed[column].append(row)
    taken = {column for column in matched if column >= 0}
    stack = [column for column in range(columns) if column not in taken]
    found = set(stack)
    while stack:
        for row in transposed[stack.pop()]:
            column = matched[row]
            if column >= 0 and column not in found:
                found.add(column)
                stack.append(column)
    return sorted(found)

"""What can be found after all parts of a system whose structure is found by numbers (`saltus.ir.signature`).

The current of a battery is the sum of the currents of a hundred converters. The equation that says so joins
all of them, but nothing in there asks for that current: each converter is a part by itself, and the sum is
taken afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence

from saltus.expr.nodes import Op
from saltus.ir.signature import Pair


def tails_of(pairs: Sequence[Pair], size: int, states: int) -> list[tuple[int, int]]:
    """Rows that join parts which would have no variable in common, each with a variable that it determines in
    every mode since only rows of this kind have it, too: one that is in no other row, or only in others that
    need not be solved before. In the order in which they can be solved."""
    of_row: list[list[Pair]] = [[] for _ in range(size)]
    rows_of: list[set[int]] = [set() for _ in range(size)]
    for pair in pairs:
        of_row[pair.row].append(pair)
        rows_of[pair.column].add(pair.row)
    # Rows are taken away from the end, as long as some variable is in one of those that are left.
    taken: list[tuple[int, int]] = []
    pending = [column for column in range(size) if len(rows_of[column]) == 1]
    for column in pending:
        if len(rows_of[column]) != 1:
            continue
        (row,) = rows_of[column]
        slopes = [pair.slope for pair in of_row[row] if pair.column == column]
        if column < states or any(x.op is not Op.CONST or x.data == 0 for x in slopes):
            continue
        taken.append((row, column))
        for pair in of_row[row]:
            rows_of[pair.column].discard(row)
            if len(rows_of[pair.column]) == 1:
                pending.append(pair.column)
    root = list(range(size))  # of columns

    def found(x: int) -> int:
        while root[x] != x:
            root[x] = x = root[root[x]]
        return x

    def join(row: int) -> None:
        columns = [pair.column for pair in of_row[row]]
        for column in columns:
            root[found(column)] = found(columns[0])

    away = {row for row, _ in taken}
    for row in range(size):
        if row not in away:
            join(row)
    tails: list[tuple[int, int]] = []
    own: set[int] = set()
    for row, column in reversed(taken):
        others = {pair.column for pair in of_row[row]} - {column}
        if own.isdisjoint(others) and len({found(x) for x in others}) < 2:
            join(row)
        else:
            tails.append((row, column))
            own.add(column)
    return tails

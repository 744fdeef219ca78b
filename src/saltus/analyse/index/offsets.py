"""Offsets: how often each equation must be differentiated (integers only).

    d_v - c_e >= s_ev   for every variable v in equation e, where s_ev is the order of v in e,
    d_v - c_e  = s_ev   on a perfect matching,   c_e, d_v >= 0 and as small as possible.

These are the offsets of Pryce ("A simple structural analysis method for DAEs", BIT 41, 2001), found as
Pantelides does it, for all equations at once: variables are matched along the pairs with equality; the
equations that compete for too few variables are differentiated once more, together; and again, until all
are matched. None is differentiated too often: if some of those that compete had their smallest c already,
these would have as many variables as they need among them. Equation e is differentiated c_e times; the
variables solved for are v^(d_v). A worked example, the pendulum with x' = u, y' = v, u' = -L x, v' = -L y -
g, x^2 + y^2 = 1: the constraint has c = 2, the first two equations have c = 1, the others 0; x and y have d
= 2, u and v d = 1, L has 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from saltus.analyse.order.matching import maximum_matching, overdetermined


def offsets(orders: Sequence[Mapping[int, int]], columns: int) -> tuple[list[int], list[int]] | None:
    """`orders[e]` maps the variables of equation e to their orders. Gives (c, d), or None where no perfect
    matching exists."""
    assert len(orders) == columns
    if min(maximum_matching([list(uses) for uses in orders], columns), default=0) < 0:
        return None
    c, d = [0] * columns, [0] * columns
    for uses in orders:
        for column, order in uses.items():
            d[column] = max(d[column], order)
    # Terminates: with a perfect matching there are smallest offsets, and these are never exceeded.
    while True:
        rows = [
            [column for column, order in uses.items() if d[column] - c[row] == order]
            for row, uses in enumerate(orders)
        ]
        competing = overdetermined(rows, columns, maximum_matching(rows, columns))
        if not competing:
            return c, d
        for row in competing:
            c[row] += 1
        for column in {column for row in competing for column in rows[row]}:
            d[column] += 1

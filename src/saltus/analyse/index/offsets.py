"""Offsets: how often each equation must be differentiated (integers only).

    d_v - c_e >= s_ev   for every variable v in equation e, where s_ev is the order of v in e,
    d_v - c_e  = s_ev   on a perfect matching,   c_e, d_v >= 0 and as small as possible.

This is Pryce's form of Pantelides' algorithm ("A simple structural analysis method for DAEs", BIT 41, 2001):
a matching of greatest total order (scipy's sparse assignment), then the smallest offsets by fixed-point
iteration. Equation e is differentiated c_e times; the variables solved for are v^(d_v). A worked example, the
pendulum with x' = u, y' = v, u' = -L x, v' = -L y - g, x^2 + y^2 = 1: the constraint has c = 2, the first two
equations have c = 1, the others 0; x and y have d = 2, u and v d = 1, L has 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import min_weight_full_bipartite_matching


def offsets(orders: Sequence[Mapping[int, int]], columns: int) -> tuple[list[int], list[int]] | None:
    """`orders[e]` maps the variables of equation e to their orders. Gives (c, d), or None where no perfect
    matching exists."""
    assert len(orders) == columns
    matched = _heaviest_matching(orders, columns)
    if matched is None:
        return None
    c, d = [0] * columns, [0] * columns
    # Terminates: the offsets are bounded by the sum of all orders once a matching of greatest weight is used.
    while True:
        for row, uses in enumerate(orders):
            for column, order in uses.items():
                if order + c[row] > d[column]:
                    d[column] = order + c[row]
        changed = False
        for row, column in enumerate(matched):
            needed = d[column] - orders[row][column]
            if needed != c[row]:
                c[row] = needed
                changed = True
        if not changed:
            return c, d


def _heaviest_matching(orders: Sequence[Mapping[int, int]], columns: int) -> list[int] | None:
    rows = np.repeat(np.arange(columns), [len(uses) for uses in orders])
    indices = np.fromiter((c for uses in orders for c in uses), dtype=np.int64, count=len(rows))
    # Weights must not be zero (the sparse matrix would drop them): the highest order costs 1.
    highest = max((s for uses in orders for s in uses.values()), default=0)
    costs = np.fromiter(
        (highest + 1 - s for uses in orders for s in uses.values()), dtype=np.float64, count=len(rows)
    )
    graph = csr_matrix((costs, (rows, indices)), shape=(columns, columns))
    try:
        found_rows, found_columns = min_weight_full_bipartite_matching(graph)
    except ValueError:  # no full matching exists
        return None
    matched = [-1] * columns
    for row, column in zip(found_rows.tolist(), found_columns.tolist(), strict=True):
        matched[row] = column
    return matched

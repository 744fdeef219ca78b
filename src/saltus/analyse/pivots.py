"""Choosing columns of a matrix so that they are independent, the most wanted first (numbers only).

Gaussian elimination in which the pivot is sought group by group: all columns of a group are exhausted, the
largest pivot first, before the next group is looked at. Rows are scaled, so that the size of an equation does
not decide.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

#: A pivot smaller than this, relative to its scaled row, counts as zero.
SMALLEST = 1e-9


def choose_columns(matrix: NDArray[np.float64], groups: Sequence[int]) -> list[int] | None:
    """As many independent columns as there are rows; `groups[j]` is the group of column j, lower ones are
    taken first. None if the rows are dependent."""
    rows, _ = matrix.shape
    work = matrix.copy()
    scale = np.abs(work).max(axis=1, initial=0.0)
    if (scale == 0.0).any():
        return None
    work /= scale[:, None]
    order = np.asarray(groups)
    open_rows = list(range(rows))
    chosen: list[int] = []
    for group in sorted(set(groups)):
        columns = [j for j in np.flatnonzero(order == group).tolist() if j not in chosen]
        while open_rows and columns:
            part = np.abs(work[np.ix_(open_rows, columns)])
            i, j = np.unravel_index(int(part.argmax()), part.shape)
            if part[i, j] <= SMALLEST:
                break
            row, column = open_rows.pop(int(i)), columns.pop(int(j))
            chosen.append(column)
            if open_rows:
                factors = work[open_rows, column] / work[row, column]
                work[open_rows] -= np.outer(factors, work[row])
    return chosen if not open_rows else None

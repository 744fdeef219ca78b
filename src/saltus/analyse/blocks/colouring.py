"""Columns of a sparse matrix in groups that can be found at once.

Two columns that share no row can be found with one direction: every row of the product belongs to one of
them only. So each column gets a colour, and columns of one colour share no row (Curtis, Powell and Reid, On
the estimation of sparse Jacobian matrices, 1974). A tridiagonal matrix of any size needs three.

Column by column the smallest colour is taken that no row of it has seen. To find the smallest number of
colours is NP-hard, and for matrices of physical models the greedy choice is seldom far from the longest row,
which no choice can go below.

Integers only: a column is the list of its rows.
"""

from __future__ import annotations

from collections.abc import Sequence


def colour_columns(columns: Sequence[Sequence[int]], rows: int) -> list[int]:
    """A colour from 0 up for each column."""
    lengths = [0] * rows
    for column in columns:
        for row in column:
            lengths[row] += 1
    if max(lengths, default=0) == len(columns):
        return list(range(len(columns)))  # a full row: no two columns can be found at once
    seen = [0] * rows  # colours in each row, as bits
    colours = []
    for column in columns:
        taken = 0
        for row in column:
            taken |= seen[row]
        lowest = ~taken & (taken + 1)
        for row in column:
            seen[row] |= lowest
        colours.append(lowest.bit_length() - 1)
    return colours

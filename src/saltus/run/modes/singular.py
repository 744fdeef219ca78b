"""Modes in which a system has no unique solution: which of its equations say too much, and whether they
contradict each other.

Such a system finds its structure by numbers (`saltus.ir.signature`). Where some of its equations depend on
each other, they either say the same, and leave other quantities open: then a program of its own is made for
the mode. Or they contradict each other, like two sources that closed switches put side by side: then there is
no such mode, and no program has to be made to see that.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from saltus.expr.evaluate import NotEvaluable
from saltus.ir.signature import NoOffsets
from saltus.ir.structure import Leading
from saltus.run.engine.engine import Engine

#: An equation takes part in a combination that vanishes if its weight is more than this part of the largest.
DEPENDS = 1e-6

#: Equations contradict each other where they are off by more than this part of what they speak of.
OFF = 1e-7


def dependent_rows(engine: Engine, block: Leading, numbers: NDArray[np.float64]) -> list[int]:
    """The equations that have too few variables between them, or that depend on each other, with the
    coefficients that an engine has among some numbers."""
    signature = block.signature
    slopes = numbers[engine.memory.layout.section("pairs")]
    try:
        offsets = signature.offsets((slopes != 0.0).tolist())
    except NoOffsets as found:
        return list(found.rows)
    matrix = np.zeros((signature.size, signature.size))
    for pair, slope in zip(signature.pairs, slopes.tolist(), strict=True):
        if slope and offsets.d[pair.column] - offsets.c[pair.row] == pair.order:
            matrix[pair.row, pair.column] += slope
    sizes = np.maximum(np.abs(matrix).max(axis=1, keepdims=True), np.finfo(float).tiny)
    left = np.linalg.svd(matrix / sizes)[0][:, -1]
    return np.flatnonzero(np.abs(left) > DEPENDS * np.abs(left).max()).tolist()


def contradict(engine: Engine, block: Leading, rows: Sequence[int], numbers: NDArray[np.float64]) -> bool:
    """Whether no values of the variables, nor of their rates, fulfil all of these equations, now or a moment
    later."""
    signature, memory = block.signature, engine.memory
    columns: dict[tuple[int, int], int] = {}
    entries: list[tuple[int, int, float]] = []
    places = {row: i for i, row in enumerate(rows)}
    slopes = numbers[memory.layout.section("pairs")]
    for k, pair in enumerate(signature.pairs):
        if pair.row in places and slopes[k]:
            column = columns.setdefault((pair.column, pair.order), len(columns))
            entries.append((places[pair.row], column, float(slopes[k])))
    matrix = np.zeros((len(rows), len(columns)))
    for i, j, slope in entries:
        matrix[i, j] = slope
    sizes = np.abs(matrix).max(axis=1, initial=0.0)
    sizes[sizes == 0.0] = 1.0
    known = [block.rest]
    if signature.lasting.isdisjoint(rows):
        known.append(block.drifts)
    try:
        levels = [[float(memory.evaluate(own[row])) for row in rows] for own in known]
    except (NotEvaluable, ArithmeticError, ValueError, TypeError):
        return False
    for level in levels:
        right = -np.array(level) / sizes
        if not np.isfinite(right).all():
            return False
        left = right
        if columns:
            scaled = matrix / sizes[:, None]
            scaled /= np.abs(scaled).max(axis=0)  # every column has an entry
            left = right - scaled @ np.linalg.lstsq(scaled, right, rcond=1e-12)[0]
        if np.abs(left).max(initial=0.0) > OFF * np.abs(right).max(initial=0.0):
            return True
    return False

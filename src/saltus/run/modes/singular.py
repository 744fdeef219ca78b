"""Modes in which a system has no unique solution: which of its equations say too much, and whether they
contradict each other.

Such a system finds its structure by numbers (`saltus.ir.signature`). Where some of its equations depend on
each other, they either say the same, and leave other quantities open: then a program of its own is made for
the mode. Or they contradict each other, like two sources that closed switches put side by side: then there is
no such mode, and no program has to be made to see that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from saltus.expr.evaluate import NotEvaluable
from saltus.expr.nodes import Op, leaves
from saltus.ir.flat import Equation
from saltus.ir.signature import Offsets, Signature
from saltus.ir.structure import Block, Leading
from saltus.run.engine.engine import Engine
from saltus.run.modes.deciding import behind, guards_in

#: An equation takes part in a combination that vanishes if its weight is more than this part of the largest.
DEPENDS = 1e-6

#: Equations of a part depend on each other if its smallest singular value is no more than this part of the
#: largest.
SMALLEST_VALUE = 1e-10

#: Equations contradict each other where they are off by more than this part of what they speak of.
OFF = 1e-7


class _Verdict(NamedTuple):
    """Of a part with some coefficients: how near it is to having no unique solution, and the rows that it is
    because of."""

    share: float
    rows: list[int]


#: Of each system, what is known of its parts, by their numbers and coefficients: a search for a mode tries
#: one part in another mode, and leaves the others as they were.
_known: WeakKeyDictionary[Signature, dict[tuple[int, bytes], _Verdict]] = WeakKeyDictionary()

#: Of so many parts and coefficients at most.
_MOST_KNOWN = 20000


def dependent_rows(engine: Engine, block: Leading, numbers: NDArray[np.float64]) -> list[list[int]]:
    """The equations that have too few variables between them, or that depend on each other, with the
    coefficients that an engine has among some numbers: those of each part of the system that has no unique
    solution."""
    signature = block.signature
    slopes = numbers[engine.memory.layout.section("pairs")]
    known = _known.setdefault(signature, {})
    if len(known) > _MOST_KNOWN:
        known.clear()
    starts = signature.row_starts
    keys: list[tuple[int, bytes]] = []
    for k, part in enumerate(signature.parts):
        own = slopes[starts[part.rows[0]] : starts[part.rows[-1] + 1]]
        keys.append((k, own.tobytes()))
    _judge(signature, slopes, [k for k, key in enumerate(keys) if key not in known], keys, known)
    verdicts = [known[key] for key in keys]
    found = [verdict.rows for verdict in verdicts if verdict.share <= SMALLEST_VALUE]
    return found or [min(verdicts, key=lambda verdict: verdict.share).rows]


def _judge(
    signature: Signature,
    slopes: NDArray[np.float64],
    numbers: Sequence[int],
    keys: Sequence[tuple[int, bytes]],
    known: dict[tuple[int, bytes], _Verdict],
) -> None:
    """Adds to what is known the verdicts on parts with these numbers."""
    present = (slopes != 0.0).tolist()
    offsets, without = signature.offsets_of_parts(present, numbers)
    for k, reason in without.items():
        known[keys[k]] = _Verdict(0.0, list(reason.rows))
    # Matrices of one size are looked at together: a hundred small ones take as long as one or two by itself.
    by_size: dict[int, list[int]] = {}
    for k in numbers:
        if k not in without:
            by_size.setdefault(len(signature.parts[k].rows), []).append(k)
    for numbers_of in by_size.values():
        matrices = np.array([_matrix(signature, k, slopes, offsets) for k in numbers_of])
        smallest = np.finfo(float).tiny
        for axis in (2, 1):
            matrices /= np.maximum(np.abs(matrices).max(axis=axis, keepdims=True), smallest)
        lefts, sizes, _ = np.linalg.svd(matrices)
        for left, of_matrix, k in zip(lefts, sizes, numbers_of, strict=True):
            weights = np.abs(left[:, -1])
            rows = signature.parts[k].rows
            heavy = [row for row, w in zip(rows, weights, strict=True) if w > DEPENDS * weights.max()]
            known[keys[k]] = _Verdict(float(of_matrix[-1] / of_matrix[0]), heavy)


def _matrix(
    signature: Signature, number: int, slopes: NDArray[np.float64], offsets: Offsets
) -> NDArray[np.float64]:
    """The matrix of the leading pairs of a part."""
    part = signature.parts[number]
    places = {column: i for i, column in enumerate(part.columns)}
    matrix = np.zeros((len(part.rows),) * 2)
    for j in range(signature.row_starts[part.rows[0]], signature.row_starts[part.rows[-1] + 1]):
        pair = signature.pairs[j]
        if slopes[j] and offsets.d[pair.column] - offsets.c[pair.row] == pair.order:
            matrix[pair.row - part.rows[0], places[pair.column]] += slopes[j]
    return matrix


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


def displaced_equations(engine: Engine, limit: float) -> dict[Equation, float]:
    """The equations that are differentiated twice and do not hold at the left limits, which the routine
    `lower` of an engine has just looked at, by more than a part of the sizes of their terms; and by how
    much."""
    signature, memory = engine.structure.signature, engine.memory
    assert signature is not None
    pairs, levels, values, nominals, sums = (
        memory.section(name) for name in ("pairs", "row_levels", "values", "nominals", "rest")
    )
    sums, sizes = sums.copy(), np.zeros(signature.size)
    for k, pair in enumerate(signature.pairs):
        if levels[pair.row] > 1:
            sums[pair.row] += pairs[k] * values[pair.column]
            sizes[pair.row] += abs(pairs[k]) * (abs(values[pair.column]) + abs(nominals[pair.column]))
    off = np.abs(sums)
    rows = np.flatnonzero((levels > 1) & (off > limit * sizes))
    return {signature.equations[row]: float(off[row]) for row in rows}


def blamed_relations(
    engine: Engine, block: Block, numbers: NDArray[np.float64] | None = None
) -> list[list[int]]:
    """The relations that decide about the equations by which a system has no solution, where it finds its
    structure by numbers: for each of its parts without a solution. The numbers are those that the engine had
    then, if it has others now."""
    if not isinstance(block, Leading):
        return []
    now = engine.memory.array if numbers is None else numbers
    guards = frozenset(engine.structure.model.mode_guards())
    relations_behind = behind(engine)
    return [
        relations_behind(guards_in(guards, [block.equations[row] for row in rows]))
        for rows in dependent_rows(engine, block, now)
    ]


def relations_apart(engine: Engine, written: Sequence[Equation], equations: Sequence[Equation]) -> list[int]:
    """The relations that decide whether equations of a mode have to hold, which do not and cannot be made to:
    those of the equations of the model, as they are `written`, that they are branches of."""
    guards = frozenset(engine.structure.model.mode_guards())
    found: list[Equation] = []
    for q in equations:
        used = {x for e in (q.lhs, q.rhs) for x in leaves(e) if x.op is not Op.CONST}
        for whole in written:
            if whole.span == q.span and used <= {x for e in (whole.lhs, whole.rhs) for x in leaves(e)}:
                found.append(whole)
    return behind(engine)(guards_in(guards, found))

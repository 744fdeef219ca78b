"""Modes in which a system has no unique solution: which of its equations say too much, and whether they
contradict each other.

Such a system finds its structure by numbers (`saltus.ir.signature`). Where some of its equations depend on
each other, they either say the same, and leave other quantities open: then a program of its own is made for
the mode. Or they contradict each other, like two sources that closed switches put side by side: then there is
no such mode, and no program has to be made to see that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from saltus.expr.evaluate import NotEvaluable
from saltus.expr.nodes import Expr, Op, const
from saltus.expr.traversal import leaves, substitute
from saltus.ir.flat import Equation
from saltus.ir.signature import Offsets, Signature
from saltus.ir.sorted.blocks import Block, Leading, Linear
from saltus.run.engine.engine import Engine
from saltus.run.modes.deciding import behind, guards_in

#: An equation takes part in a combination that vanishes if its weight is more than this part of the largest.
DEPENDS = 1e-6

#: Equations of a part depend on each other if its smallest singular value is no more than this part of the
#: largest.
SMALLEST_VALUE = 1e-10

#: Equations contradict each other where they are off by more than this part of what they speak of.
OFF = 1e-7

#: Multiples of it are, but for whole numbers, as unequal as can be.
_UNEQUAL = 0.6180339887498949


class _Verdict(NamedTuple):
    """How close a part with some coefficients is to being singular, and the rows responsible, for each
    independent cause."""

    share: float
    reasons: list[list[int]]


#: Of each system, what is known of its parts, by their numbers and coefficients: a search for a mode tries
#: one part in another mode, and leaves the others as they were.
_known: WeakKeyDictionary[Signature, dict[tuple[int, bytes], _Verdict]] = WeakKeyDictionary()

#: The largest number of parts and coefficients.
_MOST_KNOWN = 20000


def dependent_rows(engine: Engine, block: Leading, numbers: NDArray[np.float64]) -> list[list[int]]:
    """The equations that have too few variables between them, or that depend on each other, with the
    coefficients that an engine has among some numbers: those of each part of the system that has no unique
    solution, reason by reason."""
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
    found = [rows for verdict in verdicts if verdict.share <= SMALLEST_VALUE for rows in verdict.reasons]
    return found or min(verdicts, key=lambda verdict: verdict.share).reasons


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
    for k, stuck in without.items():
        known[keys[k]] = _Verdict(0.0, [list(reason.rows) for reason in stuck])
    # Matrices of one size are treated together: a hundred small ones take as long as one or two separately.
    by_size: dict[int, list[int]] = {}
    for k in numbers:
        if k not in without:
            by_size.setdefault(len(_rows_and_columns(signature, k)[0]), []).append(k)
    for numbers_of in by_size.values():
        matrices = np.array([_matrix(signature, k, slopes, offsets) for k in numbers_of])
        smallest = np.finfo(float).tiny
        for axis in (2, 1):
            matrices /= np.maximum(np.abs(matrices).max(axis=axis, keepdims=True), smallest)
        lefts, sizes, _ = np.linalg.svd(matrices)
        for left, of_matrix, k in zip(lefts, sizes, numbers_of, strict=True):
            count = max(int((of_matrix <= SMALLEST_VALUE * of_matrix[0]).sum()), 1)
            rows, _ = _rows_and_columns(signature, k)
            reasons = [[rows[i] for i in heavy] for heavy in _apart(left[:, -count:])]
            known[keys[k]] = _Verdict(float(of_matrix[-1] / of_matrix[0]), reasons)


def _apart(combinations: NDArray[np.float64]) -> Iterator[NDArray[np.intp]]:
    """The rows in combinations that vanish, which are columns: of any basis, as few of them in each as can be
    had by elimination. Two legs of a converter that each cause a short circuit are distinguished."""
    left, taken = combinations.copy(), np.zeros(combinations.shape[1], dtype=bool)
    while not taken.all():
        sizes = np.abs(left) * ~taken
        row, column = np.unravel_index(int(sizes.argmax()), sizes.shape)
        left[:, column] /= left[row, column]
        others = np.arange(left.shape[1]) != column
        left[:, others] -= np.outer(left[:, column], left[row, others])
        taken[column] = True
    for weights in np.abs(left.T):
        yield np.flatnonzero(weights > DEPENDS * weights.max())


def _matrix(
    signature: Signature, number: int, slopes: NDArray[np.float64], offsets: Offsets
) -> NDArray[np.float64]:
    """The matrix of the leading pairs of a part."""
    rows, columns = _rows_and_columns(signature, number)
    places = {column: i for i, column in enumerate(columns)}
    matrix = np.zeros((len(rows),) * 2)
    for i, row in enumerate(rows):
        for j in range(signature.row_starts[row], signature.row_starts[row + 1]):
            pair = signature.pairs[j]
            if slopes[j] and offsets.d[pair.column] - offsets.c[row] == pair.order:
                matrix[i, places[pair.column]] += slopes[j]
    return matrix


def _rows_and_columns(signature: Signature, number: int) -> tuple[list[int], list[int]]:
    """The rows and columns of a part, without spare ones."""
    rows, columns = signature.parts[number]
    if not signature.spares:
        return rows, columns
    own = [row for row in rows if row not in signature.spare_rows]
    return own, [column for column in columns if column not in signature.spare_columns]


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


def singular_beside(engine: Engine, block: Linear, numbers: NDArray[np.float64]) -> Iterator[Linear]:
    """Other linear loops that have no unique solution with the coefficients that an engine has among some
    numbers."""
    memory = engine.memory
    others = [b for b in memory.blocks if isinstance(b, Linear) and b is not block]
    before = memory.array.copy()
    memory.array[:] = numbers
    try:
        found = [b for b in others if _is_singular(engine, b)]
    finally:
        memory.array[:] = before
    yield from found


def _is_singular(engine: Engine, block: Linear, values: Mapping[Expr, Expr] | None = None) -> bool:
    """Whether the matrix of a loop is known now, and has no inverse; where some of what it is made of has
    other values."""
    given, memo = dict(values or {}), dict[Expr, Expr]()
    matrix = np.zeros((len(block.unknowns),) * 2)
    try:
        for i, j, entry in block.matrix:
            matrix[i, j] += float(engine.memory.evaluate(substitute(entry, given, memo)))
    except (NotEvaluable, ArithmeticError, ValueError, TypeError):
        return False
    if not np.isfinite(matrix).all():
        return False
    smallest = np.finfo(float).tiny
    for axis in (1, 0):
        matrix /= np.maximum(np.abs(matrix).max(axis=axis, keepdims=True), smallest)
    sizes = np.linalg.svd(matrix, compute_uv=False)
    return bool(sizes[-1] <= SMALLEST_VALUE * sizes[0])


def to_blame(engine: Engine, block: Block, zeros: Sequence[Expr]) -> Sequence[Expr]:
    """The zero variables that make a block unsolvable, each by itself, if there are such. A capacitance next
    to another one is zero, too, but perhaps for a moment only."""
    if len(zeros) < 2 or not isinstance(block, Linear):
        return zeros
    found = []
    for x in zeros:
        others: dict[Expr, Expr] = {
            y: const(1.0 + _UNEQUAL * k % 1.0) for k, y in enumerate(zeros) if y is not x
        }
        if _is_singular(engine, block, others):
            found.append(x)
    return found or zeros


def refuted_rows(engine: Engine, block: Leading, numbers: NDArray[np.float64]) -> list[list[int]]:
    """The sets of equations that depend on each other; only those that contradict each other, if some do: the
    others may just leave something open."""
    found = dependent_rows(engine, block, numbers)
    return [rows for rows in found if contradict(engine, block, rows, numbers)] or found


def say_together(engine: Engine, block: Leading, rows: Sequence[int], numbers: NDArray[np.float64]) -> bool:
    """Whether these equations, which depend on each other, are differentiated equally often, and something is
    left of their sum in which leading pairs cancel: what they say together."""
    signature = block.signature
    slopes = numbers[engine.memory.layout.section("pairs")]
    offsets = signature.offsets_with_excess((slopes != 0.0).tolist())
    if len({offsets.c[row] for row in rows}) > 1:
        return False
    leading, rest = np.zeros((2, len(rows), signature.size))
    for i, row in enumerate(rows):
        for k in range(signature.row_starts[row], signature.row_starts[row + 1]):
            pair = signature.pairs[k]
            leads = offsets.d[pair.column] - offsets.c[row] == pair.order
            (leading if leads else rest)[i, pair.column] += slopes[k]
    weights = np.linalg.svd(leading)[0][:, -1]
    terms = weights[:, None] * rest
    return bool(np.abs(terms.sum(axis=0)).max() > OFF * np.abs(terms).max(initial=0.0))


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
        for rows in refuted_rows(engine, block, now)
    ]


def relations_apart(engine: Engine, written: Sequence[Equation], equations: Sequence[Equation]) -> list[int]:
    """The relations that decide whether equations of a mode have to hold, which do not and cannot be made to:
    those of the equations of the model, as they are `written`, that they are branches of; where they are
    none, those of equations that give one of their variables, as a diode that conducts gives its voltage."""
    guards = frozenset(engine.structure.model.mode_guards())
    found: list[Equation] = []
    variables: set[Expr] = set()
    for q in equations:
        used = {x for e in (q.lhs, q.rhs) for x in leaves(e) if x.op is not Op.CONST}
        variables |= used
        for whole in written:
            if whole.span == q.span and used <= {x for e in (whole.lhs, whole.rhs) for x in leaves(e)}:
                found.append(whole)
    if not guards_in(guards, found):
        found = [q for q in written if q.lhs in variables or q.rhs in variables]
    return behind(engine)(guards_in(guards, found))

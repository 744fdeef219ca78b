"""Linear systems that lose rank by rounding only, in some modes.

The matrix of a loop of ideal diodes may be G*G' of a lower rank, or that of coils which are perfectly
coupled: in a mode in which all of them conduct, the equations determine one quantity less, and constrain what
was free before. The structure does not show that. An elimination would show it as a zero pivot; but the
numbers were rounded, the pivot is 1e-17, and what comes out is 1e17 times what was lost. So the coefficients
are examined when a run begins, for each choice of the guards in them: what is left where terms cancel is zero
if it is no more than these terms may have been rounded by. The guards are fixed where that is so, together
with the parameters, and the analysis takes the combination of the equations for what it says
(`saltus.analyse.index.dependence`).

Among coefficients like 1 and -1 nothing is rounded: there the run finds the zero by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import frexp, isfinite
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from saltus.expr.evaluate import NotEvaluable, evaluate
from saltus.expr.nodes import Expr, Op, Type, ref
from saltus.expr.traversal import leaves
from saltus.functions.interpret import call_function
from saltus.ir.flat import Equation
from saltus.ir.native.contract import PROJECTED
from saltus.ir.sorted.blocks import Explicit, Linear, solving
from saltus.ir.sorted.modes import ROUNDED, Mode
from saltus.ir.structure import Structure
from saltus.run.engine.engine import Engine

#: Guards of one system whose values are tried, and unknowns that it may have.
MOST_LOSING_GUARDS, MOST_LOSING_UNKNOWNS = 6, 40

#: A singular value is zero if it is no more than this part of the largest one, and a row takes part in what
#: depends on each other if its share is more than this.
RANK, LEAST_SHARE = 1e-12, 1e-9

#: For the next run: systems whose coefficients follow from guards and parameters, with both.
_known: WeakKeyDictionary[Structure, list[tuple[Linear, list[Expr], list[Expr]]]] = WeakKeyDictionary()

#: And what was found with the parameters that the last run had.
_found: WeakKeyDictionary[Structure, tuple[tuple[float, ...], list[Mode]]] = WeakKeyDictionary()


def lost_ranks(engine: Engine) -> Iterator[Mode]:
    """The values of guards, and of parameters, with which a linear system loses rank by rounding."""
    systems = _systems(engine)
    if not systems:
        return
    cells, slots = engine.memory.cells, engine.memory.layout.slots
    numbers = {p: float(cells[slots[p]]) for _, _, parameters in systems for p in parameters}
    key, known = tuple(numbers.values()), dict(engine.structure.mode.fixed)
    kept = _found.get(engine.structure)
    if kept is None or kept[0] != key:
        found = [
            Mode.of({**known, **taken, **{p: numbers[p] for p in parameters}})
            for block, guards, parameters in systems
            for taken in _losing(block, guards, numbers)
        ]
        kept = _found[engine.structure] = key, found
    yield from kept[1]


def parameters_of(engine: Engine, block: Linear) -> list[Expr]:
    """The parameters in equations of a system that depend on each other with the numbers that parameters
    have, whatever the other coefficients are. None where there are no such equations, or they contradict each
    other whatever the states are: no mode would help."""
    cells, slots, parameters = engine.memory.cells, engine.memory.layout.slots, engine.mode.guards.parameters
    used: dict[int, dict[Expr, None]] = {i: {} for i in range(len(block.unknowns))}
    for i, _, e in block.matrix:
        used[i].update(dict.fromkeys(leaves(e)))
    decided = [i for i, found in used.items() if all(leaf in parameters for leaf in found)]
    places = {i: k for k, i in enumerate(decided)}
    matrix = np.zeros((len(decided), len(block.unknowns)))

    def value(e: Expr) -> float:
        return float(evaluate(e, lambda leaf: float(cells[slots[leaf]]), apply=call_function))

    try:
        for i, j, e in block.matrix:
            if i in places:
                matrix[places[i], j] += value(e)
        rows, combinations = dependent(matrix)
        right = np.array([value(block.right[i]) for i in decided]) if rows else np.zeros(len(decided))
    except (NotEvaluable, ArithmeticError, ValueError, KeyError):
        return []
    parts = combinations * right
    contradict = np.abs(parts.sum(axis=1)) > PROJECTED * np.abs(parts).max(axis=1, initial=0.0)
    for combination in combinations[contradict]:
        said = [block.right[decided[k]] for k in np.flatnonzero(combination)]
        if not _follows_from_states(engine, said):
            return []
    equations = [block.equations[decided[k]] for k in rows]
    return list(dict.fromkeys([leaf for k in rows for leaf in used[decided[k]]] + _beside(engine, equations)))


def _beside(engine: Engine, equations: Iterable[Equation]) -> list[Expr]:
    """The parameters in equations. What these say together is known if all of them are: with other
    unknowns, which this mode has determined before, terms have to cancel as well."""
    parameters = engine.mode.guards.parameters
    used = dict.fromkeys(leaf for q in equations for e in (q.lhs, q.rhs) for leaf in leaves(e))
    return [leaf for leaf in used if leaf in parameters]


def _follows_from_states(engine: Engine, said: Sequence[Expr]) -> bool:
    """Whether states have a say in values: equations that leave nothing but these are then a constraint on
    states, like the two voltages of coils that share all of their flux."""
    states = {ref(v.symbol) for v in engine.structure.states}
    formulas: dict[Expr, Sequence[Expr]] = {}
    for block in engine.memory.blocks:
        if isinstance(block, Explicit):
            formulas[block.unknown] = (block.value,)
        elif isinstance(block, Linear):
            entries = [e for _, _, e in block.matrix]
            formulas |= dict.fromkeys(block.unknowns, (*entries, *block.right))
    pending, seen = [leaf for e in said for leaf in leaves(e)], set[Expr]()
    while pending:
        x = pending.pop()
        if x in states:
            return True
        if x not in seen:
            seen.add(x)
            pending += [leaf for e in formulas.get(x, ()) for leaf in leaves(e)]
    return False


def dependent(matrix: NDArray[np.float64]) -> tuple[list[int], NDArray[np.float64]]:
    """The rows of a matrix that depend on each other, but for rounding, and factors of all rows with which
    they add up to nothing, one combination a row; none where all are independent."""
    largest = np.abs(matrix).max(axis=1, initial=0.0)
    if not len(matrix) or not np.isfinite(largest).all():
        return [], np.zeros((0, len(matrix)))
    scale = np.where(largest > 0.0, largest, 1.0)
    lefts, sizes, _ = np.linalg.svd(matrix / scale[:, np.newaxis])
    rank = int((sizes > RANK * sizes[0]).sum()) if sizes[0] else 0
    null = lefts[:, rank:].T
    shares = np.where(np.abs(null) > LEAST_SHARE, null, 0.0)
    return np.flatnonzero(shares.any(axis=0)).tolist(), shares / scale


def _systems(engine: Engine) -> list[tuple[Linear, list[Expr], list[Expr]]]:
    structure = engine.structure
    known = _known.get(structure)
    if known is None:
        known = _known[structure] = []
        guards = frozenset(structure.model.mode_guards())
        for block in solving(structure.blocks):
            if not isinstance(block, Linear) or not 1 < len(block.unknowns) <= MOST_LOSING_UNKNOWNS:
                continue
            used = list(dict.fromkeys(leaf for _, _, e in block.matrix for leaf in leaves(e)))
            own = [leaf for leaf in used if leaf in guards]
            parameters = [leaf for leaf in used if leaf in engine.mode.guards.parameters]
            logical = all(guard.type is Type.BOOLEAN for guard in own)
            # In a mode of its own, the guards have made of the matrix what it is.
            varies = bool(own or parameters)
            if (
                varies
                and len(own) <= MOST_LOSING_GUARDS
                and logical
                and len(own) + len(parameters) == len(used)
            ):
                parameters = list(dict.fromkeys(parameters + _beside(engine, block.equations)))
                known.append((block, own, parameters))
    return known


def _losing(
    block: Linear, guards: Sequence[Expr], numbers: Mapping[Expr, float]
) -> Iterator[dict[Expr, float]]:
    size = len(block.unknowns)
    for truths in product((False, True), repeat=len(guards)):
        values = {**numbers, **dict(zip(guards, truths, strict=True))}
        matrix = [[0.0] * size for _ in range(size)]
        try:
            for i, j, e in block.matrix:
                matrix[i][j] += e.data if e.op is Op.CONST else float(evaluate(e, values.__getitem__))
        except (NotEvaluable, ArithmeticError, ValueError):
            continue
        if loses_rank(matrix):
            yield {guard: float(truth) for guard, truth in zip(guards, truths, strict=True)}


def loses_rank(matrix: Sequence[Sequence[float]]) -> bool:
    """Whether elimination comes to a column in which nothing is left if what is rounding is taken for zero;
    but not where nothing had to be rounded: then the run comes upon a zero, in whatever order it
    eliminates."""
    rows = [list(row) for row in matrix]
    sizes = [[abs(x) for x in row] for row in matrix]
    is_rounded = not all(_is_short(x) for row in matrix for x in row)
    for k in range(len(rows)):
        best = max(range(k, len(rows)), key=lambda i: abs(rows[i][k]))
        rows[k], rows[best], sizes[k], sizes[best] = rows[best], rows[k], sizes[best], sizes[k]
        pivot = rows[k]
        if not pivot[k]:
            return is_rounded
        for i in range(k + 1, len(rows)):
            factor = rows[i][k] / pivot[k]
            for j in range(k + 1, len(rows)) if factor else ():
                term = factor * pivot[j]
                left = rows[i][j] - term
                sizes[i][j] += abs(factor) * sizes[k][j]
                if left and abs(left) <= ROUNDED * sizes[i][j]:
                    left, is_rounded = 0.0, True
                rows[i][j] = left
    return False


def _is_short(x: float) -> bool:
    """Whether products of such numbers are exact."""
    return (frexp(x)[0] * 2**26).is_integer() if isfinite(x) else False

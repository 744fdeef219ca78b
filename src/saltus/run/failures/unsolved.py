"""Why a routine failed: which equations were not solved, and for which variables.

Nothing here is fast; it is called once, when a run has already ended.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from saltus.core.diagnostics import Diagnostic, Note, RunError
from saltus.expr.evaluate import NotEvaluable
from saltus.expr.nodes import Expr
from saltus.expr.show import show
from saltus.expr.traversal import leaves
from saltus.ir.flat import Equation
from saltus.ir.program import FUNCTION_FAILED, INTEGER_OVERFLOW, SETTLE_FAILED, FunctionFault
from saltus.ir.sorted.blocks import Block, Explicit, Leading, Linear, Nonlinear
from saltus.ir.structure import Structure
from saltus.run.failures.flips import relations_flip
from saltus.run.failures.invalid_numbers import first_not_finite, too_large, zero_denominator
from saltus.run.failures.phrases import SHOWN, at_time, leaf_values, names
from saltus.run.memory.memory import Memory, typed

#: Below this part of the largest one a singular value, and below this part of its terms a divisor, is on its
#: way to zero when the integrator gets no further.
NEARLY_SINGULAR = 1e-8


def failure(memory: Memory, status: int, *, initial: bool = False) -> RunError:
    """A routine returned a status that is not zero."""
    error = _failure(memory, status, initial)
    error.status = status
    return error


def _failure(memory: Memory, status: int, initial: bool) -> RunError:
    if status == SETTLE_FAILED:
        return relations_flip(memory, initial=initial)
    block = memory.program.failures.get(status)
    if isinstance(block, FunctionFault):
        detail = f": {block.detail()}" if block.detail is not None else ""
        said = f"{block.message}{detail} (in the function `{block.function}`, {at_time(memory)})"
        return RunError(Diagnostic("E406", said, block.span))
    if status == INTEGER_OVERFLOW:
        return RunError(too_large(memory, initial=initial))
    if status == FUNCTION_FAILED:
        used = names([f.name for f in memory.program.functions if not f.internal])
        said = f"a subscript is out of range or a recursion does not end, {at_time(memory)}, in one of {used}"
        return RunError(Diagnostic("E407", said))
    blocks: Sequence[Block] = memory.structure.initial if initial else memory.blocks
    if isinstance(block, Leading):
        return RunError(_without_mode(memory, block))
    if not isinstance(block, Explicit | Linear | Nonlinear):
        what = f" ({block})" if block is not None else ""
        code = "E401" if initial else "E403"
        return RunError(Diagnostic(code, f"a computation failed {at_time(memory)}{what}"))
    # A value that went wrong earlier is the reason, the block only where it was noticed.
    earlier = blocks[: blocks.index(block)] if block in blocks else ()
    culprit = first_not_finite(memory, earlier) or zero_denominator(memory, block)
    if culprit is not None:
        return RunError(culprit)
    code = "E401" if initial else "E403"
    if isinstance(block, Linear):
        return RunError(_singular(memory, block, code))
    return RunError(_unsolved(memory, block, code))


def _unsolved(memory: Memory, block: Block, code: str) -> Diagnostic:
    """E403 (E401 at the start): variables with their values, equations with their places."""
    unknowns = [show(u) for u in block.unknowns]
    residuals = [_residual(memory, e) for e in block.equations]
    order = sorted(range(len(residuals)), key=lambda i: -_size(residuals[i]))
    message = f"the nonlinear equations for {names(unknowns)} were not solved {at_time(memory)}"
    worst = residuals[order[0]] if order else None
    if worst is not None:
        message += f"; the largest residual is {worst:.4g}"
    notes = [
        Note(f"{text} = {memory.value(u):.6g}") for text, u in zip(unknowns, block.unknowns, strict=True)
    ][:SHOWN]
    for i in order[:SHOWN]:
        residual = residuals[i]
        text = "in this equation" if residual is None else f"this equation has the residual {residual:.4g}"
        notes.append(Note(text, block.equations[i].span))
    hint = "if they have a solution, give better start values for these variables"
    if code == "E401":
        hint += ", or start from easier equations: homotopy(actual, simplified)"
    return Diagnostic(
        code,
        message,
        block.equations[order[0]].span if order else None,
        tuple(notes),
        hint,
        origin=block.equations[order[0]].origin if order else "",
    )


def _singular(memory: Memory, block: Linear, code: str) -> Diagnostic:
    """A linear block whose matrix is singular now: the equations that depend on each other, and the variables
    that they leave open."""
    unknowns = names([show(u) for u in block.unknowns])
    message = f"the linear equations for {unknowns} have no unique solution {at_time(memory)}"
    rows, columns = _null_vectors(memory, block)
    equations = [block.equations[i] for i in rows]
    if columns and len(columns) < len(block.unknowns):
        message += f"; open are {names([show(block.unknowns[j]) for j in columns])}"
    notes = [Note("this equation is redundant, or contradicts the others", q.span) for q in equations]
    if len(notes) > SHOWN:
        notes[SHOWN:] = [Note(f"... and {len(notes) - SHOWN} more equations")]
    used = {leaf for i, _, e in block.matrix if i in rows for leaf in leaves(e)}
    texts = sorted(text for leaf in used for text in leaf_values(memory, leaf))
    if texts:
        notes.append(Note("with " + ", ".join(texts[:SHOWN])))
    hint = "a varying coefficient has a value here that makes the equations dependent"
    return Diagnostic(
        code, message, equations[0].span, tuple(notes), hint if texts else None, origin=equations[0].origin
    )


def _without_mode(memory: Memory, block: Leading) -> Diagnostic:
    """A system whose structure is found by numbers has no solution in the mode that its guards have."""
    what, guards, equation = _words_of_modes(memory.structure, block)
    texts = [f"`{text}` {typed(x.type, memory.value(x))}" for x, text in guards[: SHOWN + 1]]
    texts += [text for _, text in guards[SHOWN + 1 :]]  # which are counted
    return Diagnostic(
        "E403",
        f"the equations for {what} have no unique solution {at_time(memory)}",
        equation.span,
        (Note(f"with {names(texts)}"),) if texts else (),
        origin=equation.origin,
    )


@lru_cache(maxsize=16)
def _words_of_modes(structure: Structure, block: Leading) -> tuple[str, list[tuple[Expr, str]], Equation]:
    """What a system is about, its guards with their texts, and its first equation with one. A search for a
    mode comes to many in which it has no solution."""
    pairs, local = block.signature.pairs, structure.local
    guards = [x for x in dict.fromkeys(x for p in pairs for x in leaves(p.slope)) if x in local]
    first = next((p.row for p in pairs if not local.isdisjoint(leaves(p.slope))), 0)
    what = names([show(x) for x in block.algebraics])
    return what, [(x, show(x)) for x in guards], block.equations[first]


def _null_vectors(memory: Memory, block: Linear) -> tuple[list[int], list[int]]:
    """The rows whose combination vanishes, and the columns of a solution without right side; all rows and no
    columns where the matrix has no value."""
    found = _decomposed(memory, block)
    if found is None:
        return list(range(len(block.unknowns))), []
    left, _, right = found
    large = [np.flatnonzero(np.abs(v) > 1e-6 * np.abs(v).max()).tolist() for v in (left[:, -1], right[-1])]
    return large[0], large[1]


def _decomposed(memory: Memory, block: Linear) -> tuple[NDArray[np.float64], ...] | None:
    """The singular value decomposition of the matrix, its rows scaled; None where it has no value."""
    n = len(block.unknowns)
    matrix = np.zeros((n, n))
    try:
        for i, j, e in block.matrix:
            matrix[i, j] = float(memory.evaluate(e))
        return np.linalg.svd(matrix / np.maximum(np.abs(matrix).max(axis=1, keepdims=True), 1e-300))
    except (NotEvaluable, ArithmeticError, ValueError, TypeError, np.linalg.LinAlgError):
        return None


def pole(memory: Memory) -> Diagnostic | None:
    """Where the integrator gets no further: the linear equations that become singular there, or the divisor
    that goes to zero."""
    for block in memory.blocks:
        if isinstance(block, Linear):
            found = _decomposed(memory, block)
            if found is not None and found[1][-1] < NEARLY_SINGULAR * found[1][0]:
                return _singular(memory, block, "E403")
        culprit = zero_denominator(memory, block, NEARLY_SINGULAR)
        if culprit is not None:
            return culprit
    return None


def _size(residual: float | None) -> float:
    if residual is None:
        return -1.0
    return math.inf if math.isnan(residual) else abs(residual)


def _residual(memory: Memory, equation: Equation) -> float | None:
    try:
        return float(memory.evaluate(equation.lhs)) - float(memory.evaluate(equation.rhs))
    except (NotEvaluable, ArithmeticError, ValueError, TypeError):
        return None
